/** What is told of a renaming: how often in which lines, and what looks alike and was left. */
import { type ChangedFile, changedText } from './changed-files';

export interface RenamedPlaces extends ChangedFile {
  count: number;
  lines: number[];
  /** As it is then. */
  text: string;
}

interface LeftPlaces {
  kind: string;
  path: string;
  lines: number[];
}

export interface Renamed {
  symbol: string;
  newName: string;
  isDry: boolean;
  files: readonly RenamedPlaces[];
  left: readonly LeftPlaces[];
  notes: readonly string[];
}

/** Line numbers of a file that are told, lines of all that a dry run shows, and characters of each. */
const MOST_NUMBERS = 30;
const MOST_LINES = 60;
const LONGEST_LINE = 120;
/** Files that are named for what was left in them. */
const MOST_LEFT = 10;

export function renameText({ symbol, newName, isDry, files, left, notes }: Renamed): string {
  const count = files.reduce((sum, file) => sum + file.count, 0);
  const places = `${count} in ${files.length} ${files.length === 1 ? 'file' : 'files'}`;
  return [
    ...(isDry ? shownLines(files) : []),
    `; ${symbol} ${isDry ? 'would be' : 'is now'} ${newName}: ${places}`,
    ...files.map((file) => `; ${file.count} in lines ${numbers(file.lines)} · ${changedText(file)}`),
    ...leftTexts(left),
    ...notes.map((note) => `; note: ${note}`),
  ].join('\n');
}

function shownLines(files: readonly RenamedPlaces[]): string[] {
  const all = files.flatMap(({ path, lines, text }) => {
    const written = text.split('\n');
    return lines.map((line) => `${path}:${line}: ${(written[line - 1] ?? '').trim().slice(0, LONGEST_LINE)}`);
  });
  const more = all.length - MOST_LINES;
  return more > 0 ? [...all.slice(0, MOST_LINES), `and ${more} more lines`] : all;
}

function leftTexts(left: readonly LeftPlaces[]): string[] {
  const kinds = [...new Set(left.map(({ kind }) => kind))];
  return kinds.map((kind) => {
    const places = left.filter((each) => each.kind === kind);
    const shown = places.slice(0, MOST_LEFT).map(({ path, lines }) => `${path}:${numbers(lines)}`);
    const more = places.length - shown.length;
    return `; left ${kind}: ${shown.join(' · ')}${more > 0 ? ` and in ${more} more files` : ''}`;
  });
}

function numbers(lines: readonly number[]): string {
  const more = lines.length - MOST_NUMBERS;
  return `${lines.slice(0, MOST_NUMBERS).join(',')}${more > 0 ? ` and ${more} more` : ''}`;
}
