/** What to tell a person about a failure in the debugger. */
import type { Words } from '../../electron/words/words';
import { CallError, messageOf } from '../bridge';

/** Whether what was to be acted on is not held any more, or not yet again. */
export function isGoneOn(error: unknown): boolean {
  return error instanceof CallError && error.code === 'not_held';
}

/** What main says of that names what agents can do then, which a person does not do. */
export function heldProblem(error: unknown, words: Words): string {
  return isGoneOn(error) ? words.debug.goneOn : messageOf(error);
}
