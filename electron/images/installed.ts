/**
 * The installation that an engine runs. It is looked for anew whenever somebody asks what there is, so that one which a
 * person has just made or replaced is seen, and remembered for the starts in between.
 */
import { asFailure, HarborError } from '../contract/errors';
import type { EngineFound, EngineName } from '../contract/model';

export class Installed<I> {
  readonly #look: () => Promise<I>;
  #known: Promise<I> | null = null;

  /** @param look fails with a sentence on what is missing and how to get it */
  constructor(look: () => Promise<I>) {
    this.#look = look;
  }

  /** What discovery tells of it, or why it was not found. */
  async discover(
    engine: EngineName,
    facts: (installation: I) => Pick<EngineFound, 'version' | 'path' | 'reason'>,
  ): Promise<EngineFound> {
    try {
      return { engine, available: true, ...facts(await this.#find()) };
    } catch (error) {
      return { engine, available: false, reason: asFailure(error).message };
    }
  }

  /** @throws HarborError `engine_unavailable` with why it was not found */
  async get(): Promise<I> {
    try {
      return await (this.#known ?? this.#find());
    } catch (error) {
      this.#known = null;
      throw new HarborError('engine_unavailable', asFailure(error).message);
    }
  }

  #find(): Promise<I> {
    const found = this.#look();
    this.#known = found;
    return found;
  }
}
