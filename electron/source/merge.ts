/** Merges two changed versions of a source text by its top-level forms. Pure. */
import { diffArrays } from 'diff';
import type { Dialect } from './dialect';
import { read } from './reader';
import { isForm } from './syntax-tree';

/** Pieces of the base that a version replaces. */
interface Change {
  from: number;
  to: number;
  put: readonly string[];
}

/**
 * Returns the text with the changes of both versions; null if they change the same form differently. Text without
 * forms is merged by lines.
 */
export function mergedText(
  base: string,
  mine: string,
  theirs: string,
  dialect: Dialect | null,
): string | null {
  const pieces = piecesOf(base, dialect);
  const own = changesOf(pieces, piecesOf(mine, dialect));
  const other = changesOf(pieces, piecesOf(theirs, dialect));
  const merged: string[] = [];
  let at = 0;
  while (own.length > 0 || other.length > 0) {
    const [first, second] = [own[0], other[0]];
    const isSame = first && second && first.from === second.from && isEqual(first, second);
    if (first && second && !isSame && touches(first, second)) return null;
    const next = !second || (first && first.from <= second.from) ? own.shift() : other.shift();
    if (isSame) other.shift();
    if (!next) break;
    merged.push(...pieces.slice(at, next.from), ...next.put);
    at = next.to;
  }
  return [...merged, ...pieces.slice(at)].join('');
}

/** Divides a text after each top-level form and its line; the pieces together are the text. */
function piecesOf(text: string, dialect: Dialect | null): string[] {
  if (dialect === null) return text.split(/(?<=\n)/);
  const ends = read(text, dialect)
    .tree.children.filter(isForm)
    .map(({ end }) => {
      const line = text.indexOf('\n', end);
      return line < 0 ? text.length : line + 1;
    });
  const places = [...new Set([0, ...ends, text.length])].sort((one, other) => one - other);
  return places.slice(1).map((end, index) => text.slice(places[index], end));
}

function changesOf(before: readonly string[], after: readonly string[]): Change[] {
  const changes: Change[] = [];
  let at = 0;
  let open: { from: number; put: string[] } | null = null;
  const close = () => {
    if (open) changes.push({ ...open, to: at });
    open = null;
  };
  for (const { added, removed, value } of diffArrays([...before], [...after])) {
    if (!added && !removed) {
      close();
      at += value.length;
      continue;
    }
    open ??= { from: at, put: [] };
    if (added) open.put.push(...value);
    else at += value.length;
  }
  close();
  return changes;
}

function isEqual(one: Change, other: Change): boolean {
  return one.to === other.to && one.put.join('') === other.put.join('');
}

/** Reports whether the ranges overlap. Two insertions at one place do, as their order is unknown. */
function touches(one: Change, other: Change): boolean {
  return one.from === other.from || (one.from < other.to && other.from < one.to);
}
