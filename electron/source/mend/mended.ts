/**
 * Balances text by its indentation. A form whose delimiters do not match gets those that its indentation
 * requires at line ends, but only if no other change would work.
 */
import { type Diagnosis, diagnosisOf } from '../diagnosis';
import type { Dialect } from '../dialect';
import { formatSource, formattedOrNull } from '../format/format';
import { readFile } from '../own-syntax';
import { read, type Source } from '../reader';
import { type Branch, formsOf, isBranch, type SyntaxNode, walk } from '../syntax-tree';
import { Positions } from '../text';
import { type ClosingRun, type LineOfCode, misplacedRuns } from './closing-runs';

/** Balanced and indented text, or a diagnosis if the correct change is uncertain. */
export type MendResult =
  /** `changes` describes changed delimiters and the number of indented lines; empty for correct text. */
  MendedText | { wrong: Diagnosis };

export function mendSource(text: string, dialect: Dialect): MendResult {
  const source = readFile(text, dialect);
  const disputed = source.disputed && diagnosisOf(source.disputed);
  if (disputed)
    return { wrong: { ...disputed, message: `${disputed.message} Or another file defines its syntax.` } };
  if (source.unknown) return withIndentation({ text, changes: [] }, dialect);
  const wrong = diagnosisOf(source) ?? indentationMismatch(source);
  if (wrong === null) return withIndentation({ text, changes: [] }, dialect);
  const mend = source.problem === null ? null : balanceByIndentation(source);
  return mend === null ? { wrong } : withIndentation(mend, dialect);
}

function withIndentation({ text, changes }: MendedText, dialect: Dialect): MendedText {
  const result = formatSource(text, dialect);
  return { text: result, changes: [...changes, ...indented(text, result)] };
}

function indented(before: string, after: string): string[] {
  const lines = after.split('\n');
  const count = before.split('\n').filter((line, place) => line !== lines[place]).length;
  return count === 0 ? [] : [`indented ${count} ${count === 1 ? 'line' : 'lines'}`];
}

interface MendedText {
  text: string;
  /** Descriptions of the changes in text order: ``added `))` at the end of line 12``. */
  changes: string[];
}

/** Returns null if the change is uncertain. */
function balanceByIndentation(source: Source): MendedText | null {
  const { text, dialect } = source;
  const positions = new Positions(text);
  const changes: Change[] = [];
  for (const { start, piece } of pieces(source)) {
    if (read(piece, dialect).problem === null) continue;
    const found = balanceForm(piece, dialect);
    if (found === null) return null;
    changes.push(...found.map((change) => ({ ...change, at: change.at + start })));
  }
  const result = applied(text, changes);
  if (!isOneSided(changes) || read(result, dialect).problem !== null) return null;
  return { text: result, changes: changes.map((change) => descriptionOf(change, positions, 'ed')) };
}

/** Diagnoses balanced text whose indentation requires other closing parentheses; null if there is none. */
function indentationMismatch(source: Source): Diagnosis | null {
  for (const { start, piece } of pieces(source)) {
    const changes = movedParentheses(piece, source.dialect);
    if (changes === null) continue;
    const positions = new Positions(source.text);
    const here = changes.map((change) => ({ ...change, at: change.at + start }));
    const place = positions.of(here[0]?.at ?? start);
    return {
      ...place,
      message: `After line ${place.line} the indentation contradicts the parentheses.`,
      fix: `${here.map((change) => descriptionOf(change, positions)).join(', and ')}; or correct the indentation.`,
    };
  }
  return null;
}

function movedParentheses(piece: string, dialect: Dialect): Change[] | null {
  const [from, to, ...more] = balanceForm(piece, dialect) ?? [];
  if (from === undefined || to === undefined || more.length > 0) return null;
  const written = [from.removed + to.removed, from.added + to.added];
  return written.every((closers) => /^\)+$/.test(closers)) ? [from, to] : null;
}

/**
 * Splits the text where a form starts in the first column. Each piece ends before the next one, whatever the
 * delimiters say.
 */
function* pieces({ text, tree }: Source): Generator<{ start: number; piece: string }> {
  let start = 0;
  for (const { node, parents } of walk(tree)) {
    if (node.start === start || !beginsPiece(node, parents, text)) continue;
    yield { start, piece: text.slice(start, node.start) };
    start = node.start;
  }
  yield { start, piece: text.slice(start) };
}

function beginsPiece(node: SyntaxNode, parents: readonly Branch[], text: string): boolean {
  const around = parents.at(-1);
  const isPart = around?.kind === 'prefixed' && beginsLine(around, text);
  return isBranch(node) && beginsLine(node, text) && !isPart;
}

function beginsLine({ start }: SyntaxNode, text: string): boolean {
  return start === 0 || text[start - 1] === '\n';
}

/**
 * Reports whether all changes only add delimiters, or all only remove them. Changes in both directions would
 * split nested forms that start in the first column.
 */
function isOneSided(changes: readonly Change[]): boolean {
  return changes.every(({ removed }) => removed === '') || changes.every(({ added }) => added === '');
}

/** @param tense `ed` for a change that was made */
function descriptionOf({ at, removed, added }: Change, positions: Positions, tense: '' | 'ed' = ''): string {
  const line = positions.line(Math.max(0, at - 1));
  const done = tense === '' ? 'remove' : 'removed';
  const what = [removed && `${done} \`${removed}\``, added && `add${tense} \`${added}\``].filter(Boolean);
  return `${what.join(', ')} at the end of line ${line}`;
}

/** Closing delimiters at a line end that are replaced by others. */
interface Change {
  at: number;
  removed: string;
  added: string;
}

/** Maximum number of line ends that may be wrong. */
const MOST_RUNS = 4;

/**
 * Balances one top-level form. Returns null unless exactly one change leads to the correct indentation of
 * every line.
 */
function balanceForm(text: string, dialect: Dialect): Change[] | null {
  const runs = misplacedRuns(text, dialect);
  if (runs === null || runs.length === 0 || runs.length > MOST_RUNS) return null;
  const ways = subsets(runs.filter(isCertain)).map((some) => some.map((run) => changeOf(run, text)));
  const [way, ...others] = ways.filter((changes) => isRight(applied(text, changes), dialect));
  return way !== undefined && others.length === 0 ? way : null;
}

function applied(text: string, changes: readonly Change[]): string {
  let at = 0;
  const parts = changes.flatMap((change) => {
    const before = text.slice(at, change.at);
    at = change.at + change.removed.length;
    return [before, change.added];
  });
  return [...parts, text.slice(at)].join('');
}

/** Returns all subsets except the empty one. */
function subsets(runs: readonly ClosingRun[]): ClosingRun[][] {
  const [first, ...rest] = runs;
  if (first === undefined) return [];
  const without = subsets(rest);
  return [[first], ...without, ...without.map((some) => [first, ...some])];
}

/**
 * Reports whether the line end is the only possible place. A missing delimiter may also belong inside a line
 * with several or nested forms; a surplus one may have closed something there.
 */
function isCertain({ written, expected, line }: ClosingRun): boolean {
  return written.length < expected.length ? holdsOneForm(line) : line.closed === 0;
}

/**
 * Some lists contain pairs in a line, as in `setf` and `cond`, or arguments after others. A form around
 * unindented forms, such as `(comment`, has only its name.
 */
function holdsOneForm({ forms, open, column, around, last }: LineOfCode): boolean {
  if (forms !== 1 || open > 1 || last?.first === 'string') return false;
  if (around === undefined) return last === undefined || last.forms > 1;
  return !around.hasFullLines && (column - around.column <= BODY || around.forms < 3);
}

/** Maximum indentation of a body in columns. */
const BODY = 2;

/** Returns the change from the first difference on. */
function changeOf({ closers, after, written, expected }: ClosingRun, text: string): Change {
  let same = 0;
  while (same < written.length && written[same] === expected[same]) same += 1;
  const last = closers.at(-1);
  const at = closers[same] ?? (last === undefined ? after : last + 1);
  const removed = same < written.length && last !== undefined ? text.slice(at, last + 1) : '';
  return { at, removed, added: expected.slice(same) };
}

/** Reports whether it is one form and every line has the correct indentation. */
function isRight(text: string, dialect: Dialect): boolean {
  const { tree, problem } = read(text, dialect);
  if (problem !== null || formsOf(tree).length !== 1) return false;
  const lines = formattedOrNull(text, dialect)?.split('\n');
  if (lines === undefined) return false;
  return text.split('\n').every((line, place) => indentOf(line) === indentOf(lines[place] ?? ''));
}

function indentOf(line: string): string {
  return line.trim() === '' ? '' : (/^[ \t]*/.exec(line)?.[0] ?? '');
}
