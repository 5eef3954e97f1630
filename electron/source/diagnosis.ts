/** Explains text whose delimiters do not match: the place, and a likely fix. */
import type { Dialect } from './dialect';
import { CLOSING, withoutEnd } from './lexeme';
import { mayMeanElse } from './own-syntax';
import { type Problem, read, type Source } from './reader';
import { type Branch, isBranch, type SyntaxNode, walk } from './syntax-tree';
import { Positions } from './text';

export interface Diagnosis {
  /** Place of the problem, both counted from 1. */
  line: number;
  column: number;
  message: string;
  /** Fix that the indentation suggests; absent if there is no simple one. */
  fix?: string;
}

/** Returns null for balanced text. */
export function diagnosisOf(source: Source): Diagnosis | null {
  const { problem, text } = source;
  if (problem === null) return null;
  const positions = new Positions(text);
  const at = (offset: number): string => {
    const { line, column } = positions.of(offset);
    return `${describe(text, offset)} at line ${line}, column ${column}`;
  };
  const fix = likelyFix(source, positions);
  return {
    ...positions.of(problemOffset(problem)),
    message: messageOf(problem, text, at),
    ...(fix === null ? {} : { fix }),
  };
}

/** Returns the diagnosis as sentences. */
export function diagnosisText({ message, fix }: { message: string; fix?: string | undefined }): string {
  return fix === undefined ? message : `${message} Likely fix: ${fix}`;
}

/** Returns the offset of the problem. For unclosed lists it is the innermost, where a reader stops. */
export function problemOffset(problem: Problem): number {
  switch (problem.kind) {
    case 'unclosed':
      return problem.openers.at(-1) ?? 0;
    case 'mismatched':
    case 'stray':
      return problem.closer;
    default:
      return problem.at;
  }
}

function messageOf(problem: Problem, text: string, at: (offset: number) => string): string {
  switch (problem.kind) {
    case 'unclosed':
      return unclosedText(problem.openers, at);
    case 'mismatched':
      return `The ${at(problem.opener)} is closed by the ${at(problem.closer)}.`;
    case 'stray':
      return `The ${at(problem.closer)} closes nothing.`;
    case 'unterminated':
      return `The ${at(problem.at)} is not ended.`;
    case 'dangling':
      return `The ${at(problem.at)} has no form after it${problem.closer === null ? '' : `, but the ${text.charAt(problem.closer)}`}.`;
  }
}

function unclosedText(openers: readonly number[], at: (offset: number) => string): string {
  const [outermost = 0, ...inner] = openers;
  const innermost = inner.at(-1);
  return innermost === undefined
    ? `The ${at(outermost)} is not closed.`
    : `The ${at(innermost)} is not closed, nor is the ${at(outermost)}.`;
}

/** Describes the character at an offset. */
function describe(text: string, offset: number): string {
  const [found] = /^(?:#\||#[_+\-'.]|,@|~@|[\s\S])/u.exec(text.slice(offset, offset + 3)) ?? [''];
  if (found === '"') return 'string';
  if (found === '#|') return 'comment';
  return found === '|' ? 'symbol' : found;
}

/** A change of the text, with its description. */
interface Fix {
  start: number;
  end: number;
  text: string;
  description: string;
}

/** Maximum number of surplus closing delimiters in a line for a guess. */
const MOST_REMOVED = 4;

/** Maximum number of lists that a guess closes. */
const MOST_CLOSED = 40;

/** Maximum number of enclosing lists that the indentation of a line is compared with. */
const DEEPEST = 100;

/**
 * Returns the likely fix as a sentence; null if no simple change balances the text. Indentation is mostly
 * right, so it shows where a delimiter is missing or surplus. A fix is only returned if the text balances
 * with it.
 */
function likelyFix(source: Source, positions: Positions): string | null {
  return applyLikelyFix(source, positions)?.description ?? null;
}

/** Returns the text with the likely fix and a description of it; null as in `likelyFix`. */
export function applyLikelyFix(
  source: Source,
  positions: Positions,
): { text: string; description: string } | null {
  for (const { start, end, text: put, description } of candidates(source, positions)) {
    const text = source.text.slice(0, start) + put + source.text.slice(end);
    if (read(text, source.dialect).problem === null) return { text, description };
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

/** A quote directly after other text more likely ends a string than starts one, so another quote is wrong. */
function notEnded(at: number, text: string, positions: Positions): Fix[] {
  if (/[^\s([{'`]/.test(text.charAt(at - 1))) return [];
  const comment = text.startsWith('#|', at);
  const closing = comment ? '|#' : text.charAt(at);
  const line = text.indexOf('\n', at);
  const end = comment || line < 0 ? text.length : line;
  const shown = text.slice(at, end).trimEnd();
  const before = comment ? shown : withoutEnd(shown, ')]}');
  const start = at + before.length;
  const description = `add \`${closing}\` at line ${positions.line(start)}, column ${positions.of(start).column}.`;
  return [{ start, end: start, text: closing, description }];
}

/**
 * A line that starts left of the opening of its list, or right under it, means that the list should have
 * ended before.
 */
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

/**
 * A top-level form that is indented as if it were in the list before it means that this list ended too early.
 */
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
      const description = `remove \`${extra}\` at the end of line ${line}, or indent line ${positions.line(node.start)} as what it is.`;
      return { start: last - count, end: last, text: '', description };
    });
  }
  return [];
}

/** Yields the first element of each line, without comments. */
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

/** Returns the end of the last element before `offset` that is no comment; 0 if there is none. */
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

/** @param openers outermost first */
function closedAt(offset: number, openers: readonly number[], text: string, positions: Positions): Fix[] {
  if (openers.length > MOST_CLOSED) return [];
  const closing = openers.map((opener) => CLOSING.get(text.charAt(opener)) ?? ')').reverse();
  const description = `add \`${closing.join('')}\` at the end of line ${positions.line(Math.max(0, offset - 1))}.`;
  return [{ start: offset, end: offset, text: closing.join(''), description }];
}

function replaced(offset: number, by: string, text: string, positions: Positions): Fix {
  const { line, column } = positions.of(offset);
  const what = `\`${text.charAt(offset)}\` at line ${line}, column ${column}`;
  const description = by === '' ? `remove the ${what}.` : `write \`${by}\` instead of the ${what}.`;
  return { start: offset, end: offset + 1, text: by, description };
}

/**
 * Checks code before it is sent to an engine. Returns what is wrong, or null if it is balanced or if only the
 * engine can decide, because a custom readtable may change the syntax.
 */
export function findUnbalanced(code: string, dialect: Dialect): Diagnosis | null {
  const source = read(code, dialect);
  if (source.problem === null || (dialect === 'common-lisp' && mayMeanElse(source))) return null;
  return diagnosisOf(source);
}
