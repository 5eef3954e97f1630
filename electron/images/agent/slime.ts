/** Swank in an SBCL image: queries make it ready and end it, tunnels carry its connections. */
import type { Duplex } from 'node:stream';
import { z } from 'zod';
import type { SlimeServer } from '../optional-groups';
import type { AgentQueries } from './queries';
import type { Tunnels } from './tunnels';

/** Milliseconds that compiling and loading Swank may take; 4 s is usual, on a busy machine more. */
const START_MS = 180_000;

/** Milliseconds that its threads may take to end. */
const STOP_MS = 60_000;

const Started = z.object({ version: z.string().nullable() });
const Stopped = z.object({ threads: z.array(z.string()) });

export class AgentSlime implements SlimeServer {
  readonly #queries: AgentQueries;
  readonly #tunnels: Tunnels;
  readonly #folder: () => string;
  #started: Promise<string | null> | null = null;

  /** @param folder where the Lisp half of SLIME is; throws when there is none */
  constructor(queries: AgentQueries, tunnels: Tunnels, folder: () => string) {
    this.#queries = queries;
    this.#tunnels = tunnels;
    this.#folder = folder;
  }

  /** Loaded once; a failure is forgotten, for a person may have mended it. */
  start(): Promise<string | null> {
    if (this.#started !== null) return this.#started;
    const starting = this.#start();
    this.#started = starting;
    starting.catch(() => {
      this.#started = null;
    });
    return starting;
  }

  connect(): Duplex {
    return this.#tunnels.open();
  }

  async stop(): Promise<string[]> {
    if (this.#started === null) return [];
    return (await this.#queries.askAside('slime-stop', {}, Stopped, STOP_MS)).threads;
  }

  async #start(): Promise<string | null> {
    const folder = this.#folder();
    return (await this.#queries.askAside('slime-start', { folder }, Started, START_MS)).version;
  }
}
