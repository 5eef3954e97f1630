/** Regular expressions of callers, which could take for ever, on texts: they get a moment and no more. */
import { createContext, Script } from 'node:vm';
import { HarborError } from '../contract/errors';

const LONGEST_MS = 500;

const MATCHES = new Script('texts.map((text) => { pattern.lastIndex = 0; return pattern.test(text); })');

/**
 * Whether the pattern is somewhere in each text, whatever the case of letters.
 * @throws HarborError `bad_arguments` for a pattern that is wrong or takes too long
 */
export function matches(pattern: string, texts: readonly string[]): readonly boolean[] {
  const context = createContext({ pattern: compiled(pattern), texts });
  try {
    return MATCHES.runInContext(context, { timeout: LONGEST_MS }) as boolean[];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new HarborError('bad_arguments', `The pattern ${pattern} takes too long. Write a simpler one.`);
  }
}

function compiled(pattern: string): RegExp {
  try {
    return new RegExp(pattern, 'im');
  } catch (error) {
    throw new HarborError('bad_arguments', `${(error as Error).message}. Patterns are JavaScript’s.`);
  }
}
