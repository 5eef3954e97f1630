/** What a program with a model shows it of our answers. */
import { expect } from 'vitest';
import type { Shown } from '../../electron/endpoints/mcp/model-clients';
import type { ProgramRun } from './run-program';

/** A value, and an error that returns to top level. */
export const FORMS = ['(* 6 7)', '(error "on purpose")'] as const;

const VALUE = '=> 42';
const ERROR = '[SIMPLE-ERROR] on purpose';
/** Members of a result and of its data that are no words of its text. */
const DATA = /structuredContent|outcome/;

/**
 * The text of both, whole, and no data.
 * @param errorsTold how often the program by itself shows the text of an error
 */
export function expectOneStory(run: ProgramRun, errorsTold = 1): void {
  const [value, error] = resultsOf(run);
  expect(value.split(VALUE), value).toHaveLength(2);
  expect(error.split(ERROR), error).toHaveLength(errorsTold + 1);
  for (const result of [value, error]) expect(result).not.toMatch(DATA);
}

/** What a program that was sent text and data showed of a result, and of an error. */
export function shownOf(run: ProgramRun): { result: Shown; error: Shown } {
  const [value, error] = resultsOf(run);
  return { result: shownIn(value, VALUE), error: shownIn(error, ERROR) };
}

function resultsOf({ shown, printed }: ProgramRun): [string, string] {
  const [value = '', error = '', ...more] = shown.results;
  expect(more, printed).toEqual([]);
  expect(error, printed).not.toBe('');
  return [value, error];
}

function shownIn(result: string, text: string): Shown {
  if (!DATA.test(result)) return 'text';
  return result.includes(text) ? 'both' : 'data';
}
