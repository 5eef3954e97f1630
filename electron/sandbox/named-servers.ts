/** Which servers sessions may be attached to: those on this computer that a person named. */
import { HarborError } from '../contract/errors';
import { addressText, isLoopback, isSameServer, type ServerAddress } from '../contract/server';
import { isOfProject } from './port-files';

export class NamedServers {
  readonly #named: () => readonly ServerAddress[];

  /** `named` answers those of the settings, which only a person changes. Asked anew each time. */
  constructor(named: () => readonly ServerAddress[]) {
    this.#named = named;
  }

  /** `project` is the folder of the session, whose own port file names a server as well; `anyServer`: a person has left
   * it to the client which of this computer's servers it is.
   * @throws HarborError `not_approved`, with how a person allows it */
  check({
    server,
    project,
    anyServer,
  }: {
    server: ServerAddress;
    project: string;
    anyServer: boolean;
  }): void {
    const { kind, host, port } = server;
    if (!isLoopback(host))
      throw new HarborError(
        'not_approved',
        `${host} is not this computer; only servers on it are attached to.`,
      );
    if (anyServer || isOfProject(server, project)) return;
    if (this.#named().some((each) => isSameServer(each, server))) return;
    const entry = JSON.stringify({ kind, host, port });
    throw new HarborError(
      'not_approved',
      `No person has named the ${kind} server at ${addressText(server)}. A person does so in the window (Sessions, Attach…), or under "servers" in settings.json: ${entry}, and starts the harbor again.`,
    );
  }
}
