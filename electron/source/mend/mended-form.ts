/** One form at top level whose delimiters do not match, by its indentation. */
import type { Dialect } from '../dialect';
import { layoutOf } from '../format/formatted';
import { read } from '../reader';
import { formsOf } from '../syntax-tree';
import { type ClosingRun, type LineOfCode, misplacedRuns } from './closing-runs';

/** Closing delimiters at the end of a line: those that go, and those that come at the same place. */
export interface Change {
  at: number;
  removed: string;
  added: string;
}

/** Line ends that may be wrong before nobody judges. */
const MOST_RUNS = 4;

/** null where no change is the only one with which every line begins where it belongs. */
export function mendedForm(text: string, dialect: Dialect): Change[] | null {
  const runs = misplacedRuns(text, dialect);
  if (runs === null || runs.length === 0 || runs.length > MOST_RUNS) return null;
  const ways = subsets(runs.filter(isCertain)).map((some) => some.map((run) => changeOf(run, text)));
  const [way, ...others] = ways.filter((changes) => isRight(applied(text, changes), dialect));
  return way !== undefined && others.length === 0 ? way : null;
}

export function applied(text: string, changes: readonly Change[]): string {
  let at = 0;
  const parts = changes.flatMap((change) => {
    const before = text.slice(at, change.at);
    at = change.at + change.removed.length;
    return [before, change.added];
  });
  return [...parts, text.slice(at)].join('');
}

/** All but the empty one. */
function subsets(runs: readonly ClosingRun[]): ClosingRun[][] {
  const [first, ...rest] = runs;
  if (first === undefined) return [];
  const without = subsets(rest);
  return [[first], ...without, ...without.map((some) => [first, ...some])];
}

/**
 * Whether the end of the line is the only place for what is missing or too much. A delimiter that is missing may also have
 * stood within the line, where that has several forms or nested ones; one too many may be one that closes something there.
 */
function isCertain({ written, meant, line }: ClosingRun): boolean {
  return written.length < meant.length ? holdsOneForm(line) : line.closed === 0;
}

/** In some lists a form and its value stand in a line, as those of `setf` or `cond` do, and in arguments that follow others.
 * What is around forms that are not indented, such as `(comment`, is a name alone. */
function holdsOneForm({ forms, open, column, around, last }: LineOfCode): boolean {
  if (forms !== 1 || open > 1 || last?.first === 'string') return false;
  if (around === undefined) return last === undefined || last.forms > 1;
  return !around.hasFullLines && (column - around.column <= BODY || around.forms < 3);
}

/** Columns by which a body is indented at most. */
const BODY = 2;

/** From where what is written and what is meant differ. */
function changeOf({ closers, after, written, meant }: ClosingRun, text: string): Change {
  let same = 0;
  while (same < written.length && written[same] === meant[same]) same += 1;
  const last = closers.at(-1);
  const at = closers[same] ?? (last === undefined ? after : last + 1);
  const removed = same < written.length && last !== undefined ? text.slice(at, last + 1) : '';
  return { at, removed, added: meant.slice(same) };
}

/** Whether it is one form, and every line of it begins where it belongs. */
function isRight(text: string, dialect: Dialect): boolean {
  const { tree, problem } = read(text, dialect);
  if (problem !== null || formsOf(tree).length !== 1) return false;
  const lines = layoutOf(text, dialect)?.split('\n');
  if (lines === undefined) return false;
  return text.split('\n').every((line, place) => indentOf(line) === indentOf(lines[place] ?? ''));
}

function indentOf(line: string): string {
  return line.trim() === '' ? '' : (/^[ \t]*/.exec(line)?.[0] ?? '');
}
