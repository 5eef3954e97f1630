/**
 * Guesses from the indentation, which people and agents seldom get wrong, where a delimiter is missing or too many. A
 * guess is told only if the text is right with it; nobody mends a text with it unasked.
 */
import { CLOSING } from './lexeme';
import type { Positions } from './positions';
import { read, type Source } from './reader';
import { type Branch, isBranch, type SyntaxNode, walk } from './syntax-tree';
import { withoutEnd } from './without-end';

/** What would be done to the text, and how that is said. */
interface Fix {
  start: number;
  end: number;
  text: string;
  told: string;
}

/** Closing delimiters that a line may have too many of before nobody guesses. */
const MOST_REMOVED = 4;

/** Lists that may be left open: a guess that closes more helps nobody. */
const MOST_CLOSED = 40;

/** Lists around a line that its indentation is compared with. */
const DEEPEST = 100;

/** As a sentence; null where no simple change makes the text right. */
export function likelyFix(source: Source, positions: Positions): string | null {
  return mended(source, positions)?.told ?? null;
}

/** The text with the likely fix, for those who ask for that, and what was done; null as in `likelyFix`. */
export function mended(source: Source, positions: Positions): { text: string; told: string } | null {
  for (const { start, end, text: put, told } of candidates(source, positions)) {
    const text = source.text.slice(0, start) + put + source.text.slice(end);
    if (read(text, source.dialect).problem === null) return { text, told };
  }
  return null;
}

function candidates(source: Source, positions: Positions): Fix[] {
  const { problem, text } = source;
  switch (problem?.kind) {
    case 'unclosed':
      return [
        ...missing(source, positions),
        ...closedAt(text.trimEnd().length, problem.openers, text, positions),
      ];
    case 'stray':
      return [...tooMany(source, positions), replaced(problem.closer, '', text, positions)];
    case 'mismatched':
      return [
        ...missing(source, positions),
        replaced(problem.closer, CLOSING.get(text.charAt(problem.opener)) ?? ')', text, positions),
        replaced(problem.closer, '', text, positions),
      ];
    case 'unterminated':
      return notEnded(problem.at, text, positions);
    default:
      return [];
  }
}

/** What stands right behind something is more likely the end of a string than the beginning of one: another quote is amiss. */
function notEnded(at: number, text: string, positions: Positions): Fix[] {
  if (/[^\s([{'`]/.test(text.charAt(at - 1))) return [];
  const comment = text.startsWith('#|', at);
  const closing = comment ? '|#' : text.charAt(at);
  const line = text.indexOf('\n', at);
  const end = comment || line < 0 ? text.length : line;
  const shown = text.slice(at, end).trimEnd();
  const before = comment ? shown : withoutEnd(shown, ')]}');
  const start = at + before.length;
  const told = `add \`${closing}\` at line ${positions.line(start)}, column ${positions.of(start).column}.`;
  return [{ start, end: start, text: closing, told }];
}

/** Something begins a line left of, or right under, the beginning of a list that it is in: that one should have ended. */
function missing({ tree, text }: Source, positions: Positions): Fix[] {
  for (const { node, parents } of firstOfLines(tree, text)) {
    const { column } = positions.of(node.start);
    const open = parents
      .slice(-DEEPEST)
      .filter(
        ({ kind, start }) => kind === 'list' && positions.of(start).column >= column && start < node.start,
      );
    const openers = open.map(({ start }) => start);
    if (openers.length > 0) return closedAt(codeBefore(tree, node.start), openers, text, positions);
  }
  return [];
}

/** Something at top level is indented as if it were inside the list before it: that one ended too early. */
function tooMany({ tree, text }: Source, positions: Positions): Fix[] {
  for (const { node, parents } of firstOfLines(tree, text)) {
    if (parents.length > 1 || positions.of(node.start).column === 1) continue;
    const last = codeBefore(tree, node.start);
    if (last === 0) continue;
    const closers = /[)\]}]*$/.exec(text.slice(Math.max(0, last - MOST_REMOVED), last))?.[0].length ?? 0;
    const counts = Array.from({ length: closers }, (_, index) => index + 1);
    const line = positions.line(last - 1);
    return counts.map((count) => {
      const extra = text.slice(last - count, last);
      const told = `remove \`${extra}\` at the end of line ${line}, or indent line ${positions.line(node.start)} as what it is.`;
      return { start: last - count, end: last, text: '', told };
    });
  }
  return [];
}

/** What stands first in its line, comments left out. */
function* firstOfLines(
  tree: Branch,
  text: string,
): Generator<{ node: SyntaxNode; parents: readonly Branch[] }> {
  for (const step of walk(tree)) {
    const { kind, start } = step.node;
    if (kind === 'blank' || kind === 'comment') continue;
    let before = start - 1;
    while (text[before] === ' ' || text[before] === '\t') before -= 1;
    if (before < 0 || text[before] === '\n') yield step;
  }
}

/** Where the last thing before `offset` ends that is no comment; 0 where there is none. */
function codeBefore(tree: Branch, offset: number): number {
  let last = 0;
  for (const { node } of walk(tree)) {
    if (node.start >= offset) break;
    if (node.kind === 'blank' || node.kind === 'comment') continue;
    const ends = isBranch(node) ? [node.inner, node.closed ? node.end : 0] : [node.end];
    for (const end of ends) if (end <= offset) last = Math.max(last, end);
  }
  return last;
}

/** @param openers the outermost first */
function closedAt(offset: number, openers: readonly number[], text: string, positions: Positions): Fix[] {
  if (openers.length > MOST_CLOSED) return [];
  const closing = openers.map((opener) => CLOSING.get(text.charAt(opener)) ?? ')').reverse();
  const told = `add \`${closing.join('')}\` at the end of line ${positions.line(Math.max(0, offset - 1))}.`;
  return [{ start: offset, end: offset, text: closing.join(''), told }];
}

function replaced(offset: number, by: string, text: string, positions: Positions): Fix {
  const { line, column } = positions.of(offset);
  const what = `\`${text.charAt(offset)}\` at line ${line}, column ${column}`;
  const told = by === '' ? `remove the ${what}.` : `write \`${by}\` instead of the ${what}.`;
  return { start: offset, end: offset + 1, text: by, told };
}
