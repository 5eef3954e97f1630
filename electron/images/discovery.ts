/** The engines of this harbor: which there are, which are here, and which one a session gets that names none. */
import { HarborError } from '../contract/errors';
import type { EngineFound, EngineName } from '../contract/model';
import type { Engine } from './image';

/** How long an answer of discovery is good for; long enough for a burst of calls, short enough to notice an installation. */
const FRESH_MS = 10_000;

export class Engines {
  readonly #engines: readonly Engine[];
  readonly #preferred: () => EngineName | undefined;
  readonly #found = new Map<Engine, { at: number; found: Promise<EngineFound> }>();

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
    this.#found.clear();
  }

  /** What is on this machine. */
  discover(): Promise<EngineFound[]> {
    return Promise.all(this.#engines.map((engine) => this.#discover(engine)));
  }

  /** Has engines build what they need for a first session. Never rejects.
   * @param failed hears of a failure */
  async buildAhead(failed: (failure: unknown) => void): Promise<void> {
    for (const engine of this.#engines) await engine.buildAhead?.().catch(failed);
  }

  /** The preferred engine, else the first that is here.
   * @throws HarborError `engine_unavailable` when there is none */
  async default(): Promise<EngineName> {
    const engine = await this.defaultOrNull();
    if (engine) return engine;
    throw new HarborError('engine_unavailable', 'No engine was found on this machine. `images` says why.');
  }

  /** As `default`, for those who only tell of it. Engines that come later in the order are not waited for. */
  async defaultOrNull(): Promise<EngineName | null> {
    const preferred = this.#preferred();
    if (preferred) return preferred;
    for (const engine of this.#engines) if ((await this.#discover(engine)).available) return engine.name;
    return null;
  }

  /** Whether an engine still is where it was is looked for beside: nobody waits for that. */
  #discover(engine: Engine): Promise<EngineFound> {
    const known = this.#found.get(engine);
    if (known && Date.now() - known.at <= FRESH_MS) return known.found;
    const looked = engine.discover();
    const found = known ? known.found.then((before) => (before.available ? before : looked)) : looked;
    const entry = { at: Date.now(), found };
    this.#found.set(engine, entry);
    void looked.then(() => {
      entry.found = looked;
    });
    return found;
  }
}
