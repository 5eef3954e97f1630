/** A harbor's endpoints: opened, closed, and where they can be reached. A port that cannot be had is told, and no reason to stop. */
import { HarborError } from '../contract/errors';
import type { HttpServer } from '../endpoints/http/http-server';
import type { LocalSocket } from '../endpoints/local/local-socket';
import type { DataFolder } from '../host/data-folder';
import type { Options } from '../host/options';
import { PORT_NAMES } from '../host/port-options';
import type { ProtocolPorts } from './ports';

export interface Endpoints {
  http: HttpServer;
  socket: LocalSocket;
  ports: ProtocolPorts;
}

/** Why endpoints that were asked for are not open. */
export interface OpeningProblems {
  http: HarborError | null;
  /** Of the ports beside it. */
  ports: readonly HarborError[];
}

/**
 * Opens those that are always there, and the ports that `asked` names.
 * @param usual the port of the HTTP endpoint when none is asked for
 * @throws HarborError `data_folder_in_use`, `data_folder_unusable` for the socket only
 */
export async function openEndpoints(
  { http, socket, ports }: Endpoints,
  folder: DataFolder,
  asked: Pick<Options, 'port' | 'https' | 'ports' | 'bridgeSocket'>,
  usual: number,
): Promise<OpeningProblems> {
  await socket.listen(folder.socket);
  const problem = await problemOf(http.listen(asked.port ?? usual));
  const problems: (HarborError | null)[] = [];
  if (asked.https) problems.push(await problemOf(http.listenTls(asked.https)));
  for (const name of PORT_NAMES) {
    const port = asked.ports[name];
    if (port !== undefined) problems.push(await problemOf(ports[name].listen(port)));
  }
  const { bridgeSocket } = asked;
  if (bridgeSocket !== undefined) problems.push(await problemOf(ports.bridge.listenAt(bridgeSocket)));
  return { http: problem, ports: problems.filter((each) => each !== null) };
}

/** Closes them all, each also when another fails. */
export async function closeEndpoints({ http, socket, ports }: Endpoints): Promise<void> {
  const endpoints = [...Object.values(ports), http, socket];
  await Promise.allSettled(endpoints.map((endpoint) => endpoint.close()));
}

async function problemOf(listening: Promise<unknown>): Promise<HarborError | null> {
  try {
    await listening;
    return null;
  } catch (error) {
    if (error instanceof HarborError) return error;
    throw error;
  }
}

export interface Addressed {
  /** None while it is closed. */
  readonly addresses: readonly string[];
}

/** Where this harbor can be reached: URLs, and the path of its socket. It is there before the endpoints are, for who lists them. */
export class Addresses {
  readonly #endpoints: Addressed[] = [];

  /** From now on those of these endpoints are among them. */
  add(...endpoints: readonly Addressed[]): void {
    this.#endpoints.push(...endpoints);
  }

  get all(): string[] {
    return this.#endpoints.flatMap(({ addresses }) => addresses);
  }
}
