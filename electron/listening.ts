/** Where a harbor listens: its endpoints are opened here, and a port that cannot be had is told, not fatal. */
import { asFailure, HarborError } from './contract/errors';
import type { BridgePort } from './endpoints/acl2-bridge/bridge-port';
import type { HttpServer } from './endpoints/http-server';
import type { LisplyPort } from './endpoints/lisply/lisply-port';
import type { LocalSocket } from './endpoints/local-socket';
import { LOOPBACK } from './endpoints/loopback';
import type { SwankHost } from './endpoints/swank-port';
import type { SwankPorts } from './endpoints/swank-ports';

export interface Endpoints {
  http: HttpServer;
  socket: LocalSocket;
  swank: SwankPorts;
  bridge: BridgePort;
  lisply: { port: LisplyPort };
}

/** What is asked of them: `socket` is a path, ports may be 0 for any free one. */
export interface Doors {
  socket: string;
  port: number;
  swank: { port: number; host: SwankHost } | null;
  /** The port of the ACL2 Bridge; undefined opens none. */
  bridgePort: number | undefined;
  /** The port of Lisply; undefined opens none. */
  lisplyPort: number | undefined;
}

export class Listening {
  readonly #endpoints: Endpoints;
  #socket: string | null = null;
  #url: string | null = null;
  #swankPort: number | null = null;
  #httpProblem: string | null = null;
  /** Why ports of other protocols that were asked for are not open. */
  #portProblems: string[] = [];

  constructor(endpoints: Endpoints) {
    this.#endpoints = endpoints;
  }

  /** Address of the MCP endpoint, or null while it does not listen. */
  get url(): string | null {
    return this.#url;
  }

  /** Why the HTTP endpoint does not listen, or null. */
  get httpProblem(): string | null {
    return this.#httpProblem;
  }

  /** Why ports that were asked for beside the HTTP endpoint are not open. */
  get portProblems(): readonly string[] {
    return this.#portProblems;
  }

  /** The first port that could not be had, or null. */
  get problem(): string | null {
    return this.#httpProblem ?? this.#portProblems[0] ?? null;
  }

  /** The port for Emacs that was asked for at the start; null when there is none. */
  get swankPort(): number | null {
    return this.#swankPort;
  }

  /** The port of the ACL2 Bridge; null when there is none. */
  get bridgePort(): number | null {
    return this.#endpoints.bridge.view?.port ?? null;
  }

  /** The address of Lisply where it asks for no token; null when there is none. */
  get lisplyUrl(): string | null {
    return this.#endpoints.lisply.port.view?.url ?? null;
  }

  /** Everything at which this harbor can be reached. */
  get addresses(): string[] {
    const swank = this.#endpoints.swank.views.map(({ host, port }) => `swank://${host}:${port}`);
    const bridge = this.bridgePort === null ? [] : [`acl2-bridge://${LOOPBACK}:${this.bridgePort}`];
    return [this.#url, this.#socket, this.lisplyUrl, ...swank, ...bridge].filter(
      (address) => address !== null,
    );
  }

  /** @throws HarborError `data_folder_in_use`, `data_folder_unusable` for the socket only */
  async open(doors: Doors): Promise<void> {
    const { http, socket, swank, bridge, lisply } = this.#endpoints;
    await socket.listen(doors.socket);
    this.#socket = doors.socket;
    this.#httpProblem = await problemOf(async () => {
      await http.listen(doors.port);
      this.#url = http.url;
    });
    const problems = [
      await problemOf(async () => {
        if (doors.swank) this.#swankPort = (await swank.serve(doors.swank.host, doors.swank.port)).port;
      }),
      await problemOf(async () => {
        if (doors.bridgePort !== undefined) await bridge.listen(doors.bridgePort);
      }),
      await problemOf(async () => {
        if (doors.lisplyPort !== undefined) await lisply.port.listen(doors.lisplyPort);
      }),
    ];
    this.#portProblems = problems.filter((problem) => problem !== null);
  }

  /** Closes them all, each also when another fails. */
  async close(): Promise<void> {
    const { http, socket, swank, bridge, lisply } = this.#endpoints;
    await Promise.allSettled([
      lisply.port.close(),
      http.close(),
      socket.close(),
      swank.closeAll(),
      bridge.close(),
    ]);
  }
}

async function problemOf(listen: () => Promise<void>): Promise<string | null> {
  try {
    await listen();
    return null;
  } catch (error) {
    if (!(error instanceof HarborError)) throw error;
    return asFailure(error).message;
  }
}
