/** What the compiler said in the fewest words: of the caller's own code, with what nobody needs to mend now counted. */
import path from 'node:path';
import type { Evaluation, Warning } from '../../contract/model';
import { cut } from '../../history/cut-text';
import { standsForLog } from '../prover/proof-text';
import { inOneLine, isOfProver } from '../prover/quoted';
import { shortPath } from '../source-places';
import { fitting, ofLoading } from './lean-report';
import { section } from './record-text';
import { placeText } from './report-text';

/** Characters of the form that a warning is about, and of the one it stands in. */
const SOURCE_CHARACTERS = 80;
/** Characters for all of them. */
const ALL_CHARACTERS = 2_000;
/** Of what a prover says of forms that are no events. */
const OF_A_PROVER = { message: 160, all: 600 };

/** @param row that was warned: what is not said here is said by `history` with its id */
export function warningsText(warnings: readonly Warning[], row: Evaluation): string {
  // Events name what they were warned of, and the log has it.
  if (standsForLog(row.report?.proof)) return '';
  if (isOfProver(row)) return proverWarningsText(warnings);
  const concerning = warnings.filter((warning) => !isOfLibrary(warning, row));
  const own = concerning.filter((warning) => !isForLater(warning, row));
  const texts = Map.groupBy(own, (warning) => warningText(warning, row.project));
  const told = fitting(
    [...texts].map(([text, { length }]) => (length === 1 ? text : `${text} (${length} times)`)),
    ALL_CHARACTERS,
  );
  const others = concerning.length - [...texts.values()].slice(0, told.length).flat().length;
  return [
    section('warnings', told.join('\n')),
    others === 0
      ? ''
      : `; ${others} more ${others === 1 ? 'note or warning' : 'notes and warnings'}: in the history, evaluation ${row.id}`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

function proverWarningsText(warnings: readonly Warning[]): string {
  const texts = warnings.map(
    ({ type, message }) => `; warning ${type}: ${cut(inOneLine(message), OF_A_PROVER.message)}`,
  );
  const told = fitting(texts, OF_A_PROVER.all);
  const others = texts.length - told.length;
  return [
    ...told,
    ...(others === 0 ? [] : [`; ${others} more ${others === 1 ? 'warning' : 'warnings'}`]),
  ].join('\n');
}

/** Whoever loads a library does not mend it; what its compiler calls a warning may still break the caller's code. */
function isOfLibrary({ severity, file }: Warning, { project }: Evaluation): boolean {
  return severity !== 'warning' && file !== undefined && path.isAbsolute(shortPath(file, project));
}

/** Notes about speed are for whoever evaluates a definition. What tests compile while they run is their own affair. */
function isForLater({ severity, type, file }: Warning, row: Evaluation): boolean {
  if (severity === 'warning') return false;
  const isOfSpeed = severity === 'note' && !type.endsWith('CODE-DELETION-NOTE');
  return ofLoading(row) && (isOfSpeed || (row.kind === 'test' && file === undefined));
}

function warningText({ severity, type, message, source, ...place }: Warning, project: string): string {
  const { file, context } = place;
  const told = {
    ...place,
    ...(file === undefined ? {} : { file: shortPath(file, project) }),
    ...(context === undefined ? {} : { context: shortSource(context) }),
    ...(source === undefined || file !== undefined || context !== undefined
      ? {}
      : { source: shortSource(source) }),
  };
  return `${severity.toUpperCase()}${ownType(type)}: ${message}${placeText(told)}`;
}

/** Types with a prefix are the compiler's own, or somebody's who names them in the message. */
function ownType(type: string): string {
  return type.includes(':') || /^(?:SIMPLE-)?(?:STYLE-)?WARNING$/.test(type) ? '' : ` ${type}`;
}

function shortSource(source: string): string {
  const line = source.replaceAll(/\s+/g, ' ');
  return line.length <= SOURCE_CHARACTERS ? line : `${line.slice(0, SOURCE_CHARACTERS)}…`;
}
