/** Which servers sessions may be attached to: those on this computer that a person named. */
import { HarborError } from '../contract/errors';
import { addressText, isLoopback, isSameServer, type ServerAddress } from '../contract/server';
import { isOfProject } from './port-files';

export interface NamedServersOptions {
  /** Those of the settings, which only a person changes. Asked anew each time. */
  named: () => readonly ServerAddress[];
  /** A person has named another one. */
  add: (server: ServerAddress) => void;
}

/** A server, and the folder of the session that is to be attached to it. */
export interface WantedServer {
  server: ServerAddress;
  project: string;
}

export class NamedServers {
  readonly #options: NamedServersOptions;

  constructor(options: NamedServersOptions) {
    this.#options = options;
  }

  /** Whether a person has named it, or the project's own port file does.
   * @throws HarborError `not_approved` for another computer, which nobody can name */
  has({ server, project }: WantedServer): boolean {
    if (!isLoopback(server.host))
      throw new HarborError(
        'not_approved',
        `${server.host} is not this computer; only servers on it are attached to.`,
      );
    return isOfProject(server, project) || this.#options.named().some((each) => isSameServer(each, server));
  }

  /** A person names it, for every client. */
  add(server: ServerAddress): void {
    this.#options.add(server);
  }

  /** `isAllowed`: a person has allowed it to the session, or lets its client choose among this computer's servers.
   * @throws HarborError `not_approved`, with how a person allows it */
  check({ isAllowed, ...wanted }: WantedServer & { isAllowed: boolean }): void {
    if (this.has(wanted) || isAllowed) return;
    throw new HarborError('not_approved', `${unnamed(wanted.server)} ${wayToName(wanted.server)}`);
  }
}

export function unnamed({ kind, ...address }: ServerAddress): string {
  return `No person has named the ${kind} server at ${addressText(address)}.`;
}

/** How a person names it, as a sentence. */
export function wayToName({ kind, host, port }: ServerAddress): string {
  const entry = JSON.stringify({ kind, host, port });
  return `A person names it in the window (Sessions, Attach…), or under "servers" in settings.json: ${entry}.`;
}
