/**
 * Decides which servers sessions may attach to, and which containers may be started: servers on this computer
 * that the user named, servers of port files, and containers with mounts that the user chose.
 */

import path from 'node:path';
import { HarborError } from '../contract/errors';
import {
  addressText,
  type Container,
  type FindPortOwner,
  isLoopback,
  isSameServer,
  type ServerAddress,
} from '../contract/server';
import { readWithin } from './project-files';

interface NamedServersOptions {
  /** Servers from settings and environment, which only the user can change. Called for each decision. */
  named: () => readonly ServerAddress[];
  /** Called when the user names another server. */
  add: (server: ServerAddress) => void;
  findListener: FindPortOwner;
}

export class NamedServers {
  readonly #options: NamedServersOptions;

  constructor(options: NamedServersOptions) {
    this.#options = options;
  }

  /**
   * Reports whether the user named the server: explicitly, or by starting it in the folder whose port file
   * contains its port. The file alone is no proof, because code and clients can write it.
   * @throws HarborError `not_approved` for another computer, which cannot be named; `engine_unavailable` if
   *   nothing listens on the port of a port file
   */
  async has(server: ServerAddress): Promise<boolean> {
    if (!isLoopback(server.host))
      throw new HarborError(
        'not_approved',
        `${server.host} is not this computer; sessions attach only to local servers.`,
      );
    if (this.#options.named().some((each) => isSameServer(each, server))) return true;
    if (server.portFile === undefined) return false;
    const listener = await this.#findListener(server.port, server.portFile);
    if (listener === 'nobody') throw stale(server.port, server.portFile);
    return listener === 'folder';
  }

  /**
   * Returns the current address: if the port file now contains another port, follows it to a server of that
   * folder only.
   */
  async current(server: ServerAddress): Promise<ServerAddress> {
    if (server.portFile === undefined) return server;
    const port = await namedBy(server.portFile);
    if (port === null || port === server.port) return server;
    return (await this.#findListener(port, server.portFile)) === 'folder' ? { ...server, port } : server;
  }

  /** Records that the user named the server, for every client. */
  add({ portFile, ...server }: ServerAddress): void {
    this.#options.add(server);
  }

  /**
   * Returns the address to connect to.
   * @param isAllowed the user allowed it for the session
   * @throws HarborError `not_approved`, with how to allow it; as `has`
   */
  async locate(server: ServerAddress, isAllowed: boolean): Promise<ServerAddress> {
    const current = await this.current(server);
    if ((await this.has(current)) || isAllowed) return current;
    throw new HarborError('not_approved', `${unnamed(current)} ${wayToName(current)}`);
  }

  #findListener(port: number, portFile: string) {
    return this.#options.findListener(port, folderOf(portFile));
  }
}

export function unnamed({ kind, portFile, ...address }: ServerAddress): string {
  const written =
    portFile === undefined
      ? ''
      : ' It is in a port file, which any code may write, and the server was not verifiably started in that folder.';
  return `The user has not named the ${kind} server at ${addressText(address)}.${written}`;
}

/** Returns a sentence on how the user names a server. */
export function wayToName({ kind, host, port }: ServerAddress): string {
  const entry = JSON.stringify({ kind, host, port });
  return `The user can name it in the window (Sessions, Attach…), or under "servers" in settings.json: ${entry}.`;
}

function stale(port: number, portFile: string): HarborError {
  return new HarborError(
    'engine_unavailable',
    `No server listens at 127.0.0.1:${port}: ${portFile} is stale. Start the server again, or pass its port.`,
  );
}

/** Port files of Clojure tools, Joyride and shadow-cljs, in search order. Each contains a decimal port. */
const PORT_FILES = ['.nrepl-port', '.joyride/.nrepl-port', '.shadow-cljs/nrepl.port'];

/** Maximum size of a port file in bytes. */
const MOST_BYTES = 1_000;

/**
 * Returns the server of the project's port file; `portFile` says where to look for it again.
 * @throws HarborError `engine_unavailable` if there is no port file, or no port in it; as `readWithin`
 */
export async function projectServer(project: string): Promise<ServerAddress> {
  for (const name of PORT_FILES) {
    const port = await portIn(project, name);
    if (port !== null) return { kind: 'nrepl', host: '127.0.0.1', port, portFile: path.join(project, name) };
  }
  throw new HarborError(
    'engine_unavailable',
    `No nREPL server found: ${project} has none of ${PORT_FILES.join(', ')}. Start a server there, or pass its port.`,
  );
}

/** Returns the folder that the port file belongs to. */
function folderOf(portFile: string): string {
  return partsOf(portFile).folder;
}

/**
 * Returns the current port in the file; null if the file is gone.
 * @throws HarborError as `projectServer`
 */
function namedBy(portFile: string): Promise<number | null> {
  const { folder, name } = partsOf(portFile);
  return portIn(folder, name);
}

function partsOf(portFile: string): { folder: string; name: string } {
  // The longest match: the first name is a suffix of another.
  const name =
    PORT_FILES.findLast((each) => portFile.endsWith(path.join('/', each))) ?? path.basename(portFile);
  return { folder: portFile.slice(0, -name.length - 1), name };
}

/**
 * Error messages never include the content, which could be any file.
 * @returns null if the file does not exist
 */
async function portIn(project: string, name: string): Promise<number | null> {
  const bytes = await readWithin(project, name, MOST_BYTES);
  if (bytes === null) return null;
  const text = bytes.toString('latin1').trim();
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new HarborError(
    'engine_unavailable',
    `${path.join(project, name)} does not contain a port: its ${bytes.length} bytes are not a number from 1 to 65535. Write the server's port there, or remove the file.`,
  );
}

interface NamedContainersOptions {
  /** Containers from settings, which only the user can change. Called for each decision. */
  named: () => readonly Container[];
  /** Called when the user names another container. */
  add: (container: Container) => void;
}

export class NamedContainers {
  readonly #options: NamedContainersOptions;

  constructor(options: NamedContainersOptions) {
    this.#options = options;
  }

  /** Returns the container of that image. */
  find(image: string): Container | undefined {
    return this.#options.named().find((each) => each.image === image);
  }

  /** Records that the user named the container, for every client. */
  add(container: Container): void {
    this.#options.add(container);
  }
}
