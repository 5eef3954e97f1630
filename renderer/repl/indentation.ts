/** The column in which a line of Lisp belongs, as the formatter has it, while the text is still being written. Pure. */
import type { Dialect } from '../../electron/source/dialect';
import { formatted } from '../../electron/source/format/formatted';
import { read } from '../../electron/source/reader';

const CLOSERS: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };

/** @param before the text before the line, without its newline. null: in a string or a comment no column is right. */
export function columnAfter(before: string, dialect: Dialect): number | null {
  // What stands for the line's first form; the lists that are open are closed behind it.
  const { problem } = read(`${before}\nx`, dialect);
  if (problem !== null && problem.kind !== 'unclosed') return problem.kind === 'unterminated' ? null : 0;
  const openers = problem?.openers ?? [];
  const closers = openers.toReversed().map((at) => closerOf(before, at));
  const lines = formatted(`${before}\nx${closers.join('')}`, dialect).split('\n');
  return lines.at(-1)?.indexOf('x') ?? 0;
}

/** An opener may begin with a sign, as `#{` does. */
function closerOf(text: string, opener: number): string {
  const [sign = '('] = /[([{]/.exec(text.slice(opener)) ?? [];
  return CLOSERS[sign] ?? ')';
}
