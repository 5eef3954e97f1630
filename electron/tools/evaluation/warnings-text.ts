/** Brief text of warnings: those about the caller's own code; the others are counted. */

import path from 'node:path';
import type { Evaluation, Warning } from '../../contract/model';
import { cut } from '../../history/long-text';
import { replacesLog } from '../prover/proof-text';
import { inOneLine, isOfProver } from '../prover/quoted';
import { shortPath } from '../source-places';
import { section } from './record-text';
import { fitting, isLoadingKind, placeText } from './report-text';

/** Maximum characters of the form that a warning is about, and of the form around it. */
const SOURCE_CHARACTERS = 80;
/** Maximum characters of all warnings. */
const ALL_CHARACTERS = 2_000;
/** Maximum characters of a prover's warnings about forms that are not events. */
const OF_A_PROVER = { message: 160, all: 600 };

/** @param row the row of the warnings; `history` with its id returns the omitted ones */
export function warningsText(warnings: readonly Warning[], row: Evaluation): string {
  // Events list their own warnings, and the log has them.
  if (replacesLog(row.report?.proof)) return '';
  if (isOfProver(row)) return proverWarningsText(warnings);
  const concerning = warnings.filter((warning) => !isOfLibrary(warning, row));
  const own = concerning.filter((warning) => !isForLater(warning, row));
  const texts = Map.groupBy(own, (warning) => warningText(warning, row.project));
  const shown = fitting(
    [...texts].map(([text, { length }]) => (length === 1 ? text : `${text} (${length} times)`)),
    ALL_CHARACTERS,
  );
  const others = concerning.length - [...texts.values()].slice(0, shown.length).flat().length;
  return [
    section('warnings', shown.join('\n')),
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
  const shown = fitting(texts, OF_A_PROVER.all);
  const others = texts.length - shown.length;
  return [
    ...shown,
    ...(others === 0 ? [] : [`; ${others} more ${others === 1 ? 'warning' : 'warnings'}`]),
  ].join('\n');
}

/**
 * Reports whether the warning is about a library. Callers do not fix libraries, but what the compiler calls a
 * warning may still break their code.
 */
function isOfLibrary({ severity, file }: Warning, { project }: Evaluation): boolean {
  return severity !== 'warning' && file !== undefined && path.isAbsolute(shortPath(file, project));
}

/**
 * Reports whether a warning of loading or testing is only counted: a note about speed, which matters when a
 * definition is evaluated by itself, or a style warning or note about code that tests compile at run time.
 */
function isForLater({ severity, type, file }: Warning, row: Evaluation): boolean {
  if (severity === 'warning') return false;
  const isOfSpeed = severity === 'note' && !type.endsWith('CODE-DELETION-NOTE');
  return isLoadingKind(row) && (isOfSpeed || (row.kind === 'test' && file === undefined));
}

function warningText({ severity, type, message, source, ...place }: Warning, project: string): string {
  const { file, context } = place;
  const shown = {
    ...place,
    ...(file === undefined ? {} : { file: shortPath(file, project) }),
    ...(context === undefined ? {} : { context: shortSource(context) }),
    ...(source === undefined || file !== undefined || context !== undefined
      ? {}
      : { source: shortSource(source) }),
  };
  return `${severity.toUpperCase()}${ownType(type)}: ${message}${placeText(shown)}`;
}

/**
 * Returns the type unless it has a prefix. Types with a prefix are internal to the compiler, or named in the
 * message.
 */
function ownType(type: string): string {
  return type.includes(':') || /^(?:SIMPLE-)?(?:STYLE-)?WARNING$/.test(type) ? '' : ` ${type}`;
}

function shortSource(source: string): string {
  const line = source.replaceAll(/\s+/g, ' ');
  return line.length <= SOURCE_CHARACTERS ? line : `${line.slice(0, SOURCE_CHARACTERS)}…`;
}
