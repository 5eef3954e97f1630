/** Regular expressions of callers, which could take for ever, on texts: they get a moment and no more. */
import { type Context, createContext, Script } from 'node:vm';
import { HarborError } from '../contract/errors';

/** Of the texts that are given at once: nobody else is served meanwhile. */
const LONGEST_MS = 500;
/** Of all texts of a search. */
const LONGEST_SEARCH_MS = 5000;

const MATCHES = new Script('texts.map((text) => { pattern.lastIndex = 0; return pattern.test(text); })');

/** Whether a pattern is somewhere in texts that come one after another. */
export class Pattern {
  readonly #written: string;
  readonly #context: Context;
  #leftMs = LONGEST_SEARCH_MS;

  /** @param flags JavaScript's; some that stand before a pattern, such as `(?i)`, count as well
   * @throws HarborError `bad_arguments` for a pattern that is wrong */
  constructor(written: string, flags: string) {
    this.#written = written;
    this.#context = createContext({ pattern: compiled(written, flags) });
  }

  /** @throws HarborError `bad_arguments` when it takes too long */
  matches(texts: readonly string[]): readonly boolean[] {
    const began = performance.now();
    try {
      if (this.#leftMs <= 0) throw this.#tooSlow();
      const timeout = Math.ceil(Math.min(LONGEST_MS, this.#leftMs));
      return MATCHES.runInContext(Object.assign(this.#context, { texts }), { timeout }) as boolean[];
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
        ? this.#tooSlow()
        : error;
    } finally {
      this.#leftMs -= performance.now() - began;
    }
  }

  #tooSlow(): HarborError {
    return new HarborError(
      'bad_arguments',
      `The pattern ${this.#written} takes too long. Write a simpler one.`,
    );
  }
}

/**
 * Whether the pattern is somewhere in each text, whatever the case of letters.
 * @throws HarborError `bad_arguments` for a pattern that is wrong or takes too long
 */
export function matches(pattern: string, texts: readonly string[]): readonly boolean[] {
  return new Pattern(pattern, 'im').matches(texts);
}

function compiled(written: string, flags: string): RegExp {
  const [begin = '', before = ''] = /^\(\?([ims]+)\)/.exec(written) ?? [];
  try {
    return new RegExp(written.slice(begin.length), [...new Set(flags + before)].join(''));
  } catch (error) {
    throw new HarborError('bad_arguments', `${(error as Error).message}. Patterns are JavaScript’s.`);
  }
}
