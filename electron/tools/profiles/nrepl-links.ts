/**
 * The links of the profile `nrepl`, one for each client and shared by its connections: the last of them that ends takes the
 * connections to the server along, whose state is the server's own.
 */
import type { Client } from '../../contract/model';
import { type LinkOptions, NreplLink } from './nrepl-link';
import type { Joining } from './profile';

interface Shared {
  link: NreplLink;
  connections: number;
}

export class NreplLinks {
  readonly #options: LinkOptions;
  readonly #shared = new Map<string, Shared>();

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  of(client: Client): NreplLink {
    return this.#of(client).link;
  }

  /** A connection of the client has begun; answers what to do when it has ended. */
  joined(joining: Joining): () => Promise<void> {
    const { client } = joining;
    const shared = this.#of(client);
    shared.connections += 1;
    shared.link.lookOut(joining);
    return async () => {
      shared.connections -= 1;
      if (shared.connections > 0) return;
      this.#shared.delete(client.key);
      await shared.link.leave();
    };
  }

  #of({ key }: Client): Shared {
    const known = this.#shared.get(key) ?? { link: new NreplLink(this.#options), connections: 0 };
    this.#shared.set(key, known);
    return known;
  }
}
