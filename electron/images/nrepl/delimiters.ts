/** What is wrong with the delimiters of Clojure code, in words for whoever wrote it. Lines and columns count from 1. */
import type { Condition } from '../../contract/model';
import { CLOSING } from '../../source/lexeme';
import { Positions } from '../../source/positions';
import type { Problem } from '../../source/reader';

/** As sentences; null for a prefix such as `'` without its form, which is no matter of delimiters. */
export function delimiterProblem(code: string, problem: Problem): string | null {
  const at = placesIn(code);
  switch (problem.kind) {
    case 'stray':
      return `The ${at(problem.closer)} closes nothing.`;
    case 'mismatched':
      return `The ${at(problem.opener)} is closed by the ${at(problem.closer)}, where ${CLOSING.get(code.charAt(problem.opener)) ?? 'another'} was expected.`;
    case 'unterminated':
      return `The ${at(code.indexOf('"', problem.at))} is not closed.`;
    case 'unclosed':
      return unclosedText(code, problem.openers);
    case 'dangling':
      return null;
  }
}

/** The condition of code that was not evaluated because of `problem`. */
export function unbalanced(problem: string): Condition {
  return {
    type: 'unbalanced delimiters',
    message: `${problem} Nothing was evaluated.`,
    level: 1,
    restarts: [],
    frames: [],
  };
}

/** The innermost one is where a reader gives up; the outermost one tells which form it is that does not end. */
function unclosedText(code: string, openers: readonly number[]): string {
  const at = placesIn(code);
  const [outermost = 0, ...inner] = openers;
  const innermost = inner.at(-1);
  const last = `The ${at(innermost ?? outermost)} is not closed`;
  // Top-level forms begin in the first column by custom.
  const begun = code.indexOf('\n(', outermost);
  return [
    innermost === undefined ? `${last}.` : `${last}, nor is the ${at(outermost)}.`,
    ...(begun < 0
      ? []
      : [`Line ${new Positions(code).line(begun + 1)} begins another form, so look before it.`]),
  ].join(' ');
}

/** Says what stands at an offset, and where that is. */
function placesIn(code: string): (offset: number) => string {
  const positions = new Positions(code);
  return (offset) => {
    const { line, column } = positions.of(offset);
    return `${code.charAt(offset)} at line ${line}, column ${column}`;
  };
}
