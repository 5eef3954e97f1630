/** Which servers sessions may be attached to: those on this computer that a person named, and those of port files. */
import { HarborError } from '../contract/errors';
import {
  addressText,
  isLoopback,
  isSameServer,
  type ServerAddress,
  type WhoListens,
} from '../contract/server';
import { folderOf, namedBy } from './port-files';

export interface NamedServersOptions {
  /** Those of the settings and the environment, which only a person changes. Asked anew each time. */
  named: () => readonly ServerAddress[];
  /** A person has named another one. */
  add: (server: ServerAddress) => void;
  whoListens: WhoListens;
}

export class NamedServers {
  readonly #options: NamedServersOptions;

  constructor(options: NamedServersOptions) {
    this.#options = options;
  }

  /**
   * Whether a person has named it: in so many words, or by starting it in the folder whose port file has its port. The
   * file alone names nothing, for code and clients may write it.
   * @throws HarborError `not_approved` for another computer, which nobody can name; `engine_unavailable` for the port of a
   * file where nobody listens
   */
  async has(server: ServerAddress): Promise<boolean> {
    if (!isLoopback(server.host))
      throw new HarborError(
        'not_approved',
        `${server.host} is not this computer; only servers on it are attached to.`,
      );
    if (this.#options.named().some((each) => isSameServer(each, server))) return true;
    if (server.portFile === undefined) return false;
    const listener = await this.#whoListens(server.port, server.portFile);
    if (listener === 'nobody') throw stale(server.port, server.portFile);
    return listener === 'folder';
  }

  /** Where it is by now: its port file may name another port since, and is followed to a server of that folder only. */
  async current(server: ServerAddress): Promise<ServerAddress> {
    if (server.portFile === undefined) return server;
    const port = await namedBy(server.portFile);
    if (port === null || port === server.port) return server;
    return (await this.#whoListens(port, server.portFile)) === 'folder' ? { ...server, port } : server;
  }

  /** A person names it, for every client. */
  add({ portFile, ...server }: ServerAddress): void {
    this.#options.add(server);
  }

  /** Where to connect to.
   * @param isAllowed a person has allowed it to the session
   * @throws HarborError `not_approved`, with how a person allows it; as `has` */
  async locate(server: ServerAddress, isAllowed: boolean): Promise<ServerAddress> {
    const current = await this.current(server);
    if ((await this.has(current)) || isAllowed) return current;
    throw new HarborError('not_approved', `${unnamed(current)} ${wayToName(current)}`);
  }

  #whoListens(port: number, portFile: string) {
    return this.#options.whoListens(port, folderOf(portFile));
  }
}

export function unnamed({ kind, portFile, ...address }: ServerAddress): string {
  const written =
    portFile === undefined
      ? ''
      : ' A port file does, which any code may write, and it is not shown that the server was started in that folder.';
  return `No person has named the ${kind} server at ${addressText(address)}.${written}`;
}

/** How a person names it, as a sentence. */
export function wayToName({ kind, host, port }: ServerAddress): string {
  const entry = JSON.stringify({ kind, host, port });
  return `A person names it in the window (Sessions, Attach…), or under "servers" in settings.json: ${entry}.`;
}

function stale(port: number, portFile: string): HarborError {
  return new HarborError(
    'engine_unavailable',
    `No server answers at 127.0.0.1:${port}: ${portFile} is stale. Start the server again, or give its port.`,
  );
}
