/**
 * The connections of clients whose requests nothing else connects: one for each client and profile, shared by all its
 * conversations, with the default session that they have in common.
 */
import type { Client } from '../../contract/model';
import type { Connection, Toolbox } from '../../tools/connection';
import { ownerOf } from './mcp-exchange';

interface Shared {
  clientKey: string;
  connection: Connection;
}

export class SharedConnections {
  readonly #toolbox: Toolbox;
  readonly #shared = new Map<string, Shared>();

  constructor(toolbox: Toolbox) {
    this.#toolbox = toolbox;
  }

  /** @param profile null: the one that is chosen for the client
   * @throws HarborError as `Toolbox.connect` does */
  of(client: Client, profile: string | null): Connection {
    const owner = ownerOf({ client, profile });
    const known = this.#shared.get(owner);
    if (known) return known.connection;
    const conversation = `of all, ${profile ?? 'chosen'}`;
    const connection = this.#toolbox.connect(client, { profile, shared: true, conversation });
    this.#shared.set(owner, { clientKey: client.key, connection });
    return connection;
  }

  /** Ends those of one client, or all. */
  async end(clientKey: string | undefined): Promise<void> {
    const ending = [...this.#shared].filter(
      ([, shared]) => clientKey === undefined || shared.clientKey === clientKey,
    );
    for (const [owner] of ending) this.#shared.delete(owner);
    await Promise.all(ending.map(([, { connection }]) => connection.end()));
  }
}
