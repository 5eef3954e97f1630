/** Discovers the installed engines and chooses the default engine. */

import { asFailure, HarborError } from '../contract/errors';
import { mention, ours } from '../contract/mention';
import type { EngineFound, EngineName } from '../contract/model';
import { type Note, note } from '../contract/note';
import type { Engine } from './image';

/**
 * Milliseconds for which a result is reused: long enough for a burst of calls, short enough to notice an
 * installation.
 */
const CACHE_MS = 10_000;

export class Engines {
  readonly #engines: readonly Engine[];
  readonly #preferred: () => EngineName | undefined;
  readonly #found = new Map<Engine, { at: number; found: Promise<EngineFound> }>();

  /**
   * @param engines in order of preference for the default
   * @param preferred returns the default set by an option or setting
   */
  constructor(engines: readonly Engine[], preferred: () => EngineName | undefined) {
    this.#engines = engines;
    this.#preferred = preferred;
  }

  /** @throws HarborError `engine_unavailable` for an engine that this version does not support */
  get(name: EngineName): Engine {
    const engine = this.#engines.find((candidate) => candidate.name === name);
    if (engine) return engine;
    const known = this.#engines.map((candidate) => candidate.name).join(', ');
    throw new HarborError('engine_unavailable', `${name} is not supported. Supported engines: ${known}.`);
  }

  /** Discards cached results after the user changed settings. */
  invalidate(): void {
    this.#found.clear();
  }

  /** Returns the state of all engines on this machine. */
  discover(): Promise<EngineFound[]> {
    return Promise.all(this.#engines.map((engine) => this.#discover(engine)));
  }

  /**
   * Lets engines prepare their first session. Never rejects.
   * @param failed called for each failure
   */
  async buildAhead(failed: (failure: unknown) => void): Promise<void> {
    for (const engine of this.#engines) await engine.buildAhead?.().catch(failed);
  }

  /**
   * Returns the engine of new sessions on a project: the preferred one, else one that owns the project, else
   * the first available one.
   * @throws HarborError `engine_unavailable` if there is none
   */
  async default(project?: string): Promise<EngineName> {
    const engine = await this.defaultOrNull(project);
    if (engine) return engine;
    throw new HarborError('engine_unavailable', 'No engine was found on this machine.', {
      mentions: [mention`${ours('images')} shows the reasons.`],
    });
  }

  /**
   * As `default`, but returns null if there is none. Does not wait for engines after the first available one.
   */
  async defaultOrNull(project?: string): Promise<EngineName | null> {
    const preferred = this.#preferred();
    if (preferred) return preferred;
    if (project !== undefined)
      for (const engine of this.#engines)
        if ((await engine.ownsProject?.(project)) && (await this.#discover(engine)).available)
          return engine.name;
    for (const engine of this.#engines) if ((await this.#discover(engine)).available) return engine.name;
    return null;
  }

  /** Returns what to say of a session whose engine was chosen because no other was found. */
  async fallbackNotes(name: EngineName): Promise<Note[]> {
    const [first] = this.#engines;
    if (first === undefined || !this.get(name).isFallback || this.#preferred() === name) return [];
    const { available, reason = '' } = await this.#discover(first);
    if (available) return [];
    return [note('fallback_engine', `This session is ClojureScript on ${name}, not Common Lisp. ${reason}`)];
  }

  /** Returns a cached result and refreshes it in the background if the engine was available. */
  #discover(engine: Engine): Promise<EngineFound> {
    const known = this.#found.get(engine);
    if (known && Date.now() - known.at <= CACHE_MS) return known.found;
    const discovered = engine.discover();
    const found = known ? known.found.then((before) => (before.available ? before : discovered)) : discovered;
    const entry = { at: Date.now(), found };
    this.#found.set(engine, entry);
    void discovered.then(() => {
      entry.found = discovered;
    });
    return found;
  }
}

/**
 * The installation that an engine uses. Each discovery searches again, so that a new installation is found;
 * starts use the last result.
 */
export class InstallationCache<I> {
  readonly #look: () => Promise<I>;
  #known: Promise<I> | null = null;

  /** @param look throws an error with a sentence on what is missing and how to install it */
  constructor(look: () => Promise<I>) {
    this.#look = look;
  }

  /** Returns the properties of the installation, or why it was not found. */
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

  /** @throws HarborError `engine_unavailable` with the reason */
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
