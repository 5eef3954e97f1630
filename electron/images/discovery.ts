/** The engines of this harbor: which there are, which are here, and which one a session gets that names none. */
import { HarborError } from '../contract/errors';
import type { EngineFound, EngineName } from '../contract/model';
import type { Engine } from './image';

/** How long an answer of discovery is good for; long enough for a burst of calls, short enough to notice an installation. */
const FRESH_MS = 10_000;

export class Engines {
  readonly #engines: readonly Engine[];
  readonly #preferred: () => EngineName | undefined;
  #found: { at: number; engines: Promise<EngineFound[]> } | null = null;

  /**
   * @param engines in the order in which a default is chosen
   * @param preferred what an option or a setting names as default
   */
  constructor(engines: readonly Engine[], preferred: () => EngineName | undefined) {
    this.#engines = engines;
    this.#preferred = preferred;
  }

  /** @throws HarborError `engine_unavailable` for an engine that this version does not run */
  get(name: EngineName): Engine {
    const engine = this.#engines.find((candidate) => candidate.name === name);
    if (engine) return engine;
    const known = this.#engines.map((candidate) => candidate.name).join(', ');
    throw new HarborError('engine_unavailable', `This harbor does not run ${name} yet. It runs: ${known}.`);
  }

  /** What a person has just changed is looked at anew. */
  forget(): void {
    this.#found = null;
  }

  /** What is on this machine. */
  discover(): Promise<EngineFound[]> {
    if (!this.#found || Date.now() - this.#found.at > FRESH_MS) {
      const engines = Promise.all(this.#engines.map((engine) => engine.discover()));
      this.#found = { at: Date.now(), engines };
    }
    return this.#found.engines;
  }

  /** The preferred engine, else the first that is here.
   * @throws HarborError `engine_unavailable` when there is none */
  async default(): Promise<EngineName> {
    const engine = await this.defaultOrNull();
    if (engine) return engine;
    throw new HarborError('engine_unavailable', 'No engine was found on this machine; `images` says why.');
  }

  /** As `default`, for those who only tell of it. */
  async defaultOrNull(): Promise<EngineName | null> {
    const available = async () => (await this.discover()).find((found) => found.available)?.engine;
    return this.#preferred() ?? (await available()) ?? null;
  }
}
