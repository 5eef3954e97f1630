/** What the compiler said in the fewest words: of the caller's own code, with libraries' counted. */
import path from 'node:path';
import type { Warning } from '../../contract/model';
import { shortPath } from '../source-places';
import { section } from './record-text';
import { placeText } from './report-text';

/** Characters of the form that a warning is about, where nothing else says where it is. */
const SOURCE_CHARACTERS = 80;

export function warningsText(warnings: readonly Warning[], project: string): string {
  const own = warnings.filter((warning) => !isOfLibrary(warning, project));
  const others = warnings.length - own.length;
  return [
    section('warnings', own.map((warning) => warningText(warning, project)).join('\n')),
    others === 0 ? '' : `; of libraries, notes and style warnings not shown: ${others}`,
  ]
    .filter((part) => part !== '')
    .join('\n');
}

/** Whoever loads a library does not mend it; what its compiler calls a warning may still break the caller's code. */
function isOfLibrary({ severity, file }: Warning, project: string): boolean {
  return severity !== 'warning' && file !== undefined && path.isAbsolute(shortPath(file, project));
}

function warningText({ severity, type, message, source, ...place }: Warning, project: string): string {
  const { file, context } = place;
  const told = {
    ...place,
    ...(file === undefined ? {} : { file: shortPath(file, project) }),
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
