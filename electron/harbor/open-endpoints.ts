/** Where a harbor listens: its endpoints are opened here, and a port that cannot be had is told, not fatal. */
import { HarborError } from '../contract/errors';
import type { HttpServer } from '../endpoints/http/http-server';
import type { LocalSocket } from '../endpoints/local/local-socket';
import type { SideDoor } from '../endpoints/protocol-port';
import type { SwankHost } from '../endpoints/swank/swank-port';
import type { SwankPorts } from '../endpoints/swank/swank-ports';
import type { HttpsOptions, Ports } from '../host/port-options';

/** The ports of protocols that know no client and are not a session's own. */
export type SideDoors = Readonly<Record<Exclude<keyof Ports, 'swank'>, SideDoor>>;

export interface Endpoints {
  http: HttpServer;
  socket: LocalSocket;
  swank: SwankPorts;
  sideDoors: SideDoors;
}

/** What is asked of them: `socket` is a path, ports may be 0 for any free one. */
export interface Doors {
  socket: string;
  port: number;
  https: HttpsOptions | undefined;
  /** The image behind the port for Emacs. */
  slime: SwankHost;
  ports: Ports;
}

export class Listening {
  readonly #endpoints: Endpoints;
  #socket: string | null = null;
  #url: string | null = null;
  #swankPort: number | null = null;
  #httpProblem: HarborError | null = null;
  /** Why ports of other protocols that were asked for are not open. */
  #portProblems: HarborError[] = [];

  constructor(endpoints: Endpoints) {
    this.#endpoints = endpoints;
  }

  /** Address of the MCP endpoint, or null while it does not listen. */
  get url(): string | null {
    return this.#url;
  }

  /** Address of the MCP endpoint over TLS; null when there is none. */
  get httpsUrl(): string | null {
    return this.#endpoints.http.httpsUrl;
  }

  /** Why the HTTP endpoint does not listen, or null. */
  get httpProblem(): string | null {
    return this.#httpProblem?.message ?? null;
  }

  /** Why ports that were asked for beside the HTTP endpoint are not open. */
  get portProblems(): readonly string[] {
    return this.#portProblems.map(({ message }) => message);
  }

  /** Why the first port that could not be had is not open, or null. */
  get problem(): HarborError | null {
    return this.#httpProblem ?? this.#portProblems[0] ?? null;
  }

  /** The port for Emacs that was asked for at the start; null when there is none. */
  get swankPort(): number | null {
    return this.#swankPort;
  }

  /** Everything at which this harbor can be reached. */
  get addresses(): string[] {
    const { swank, sideDoors } = this.#endpoints;
    const emacs = swank.views.map(({ host, port }) => `swank://${host}:${port}`);
    const sides = Object.values(sideDoors).map(({ address }) => address);
    return [this.#url, this.httpsUrl, this.#socket, ...sides, ...emacs].filter((address) => address !== null);
  }

  /** @throws HarborError `data_folder_in_use`, `data_folder_unusable` for the socket only */
  async open(doors: Doors): Promise<void> {
    const { http, socket } = this.#endpoints;
    await socket.listen(doors.socket);
    this.#socket = doors.socket;
    this.#httpProblem = await problemOf(async () => {
      await http.listen(doors.port);
      this.#url = http.url;
    });
    const problems: (HarborError | null)[] = [];
    for (const listen of this.#asked(doors)) problems.push(await problemOf(listen));
    this.#portProblems = problems.filter((problem) => problem !== null);
  }

  /** Closes them all, each also when another fails. */
  async close(): Promise<void> {
    const { http, socket, swank, sideDoors } = this.#endpoints;
    const sides = Object.values(sideDoors).map((door) => door.close());
    await Promise.allSettled([...sides, http.close(), socket.close(), swank.closeAll()]);
  }

  /** What opens each port that was asked for beside that of the HTTP endpoint. */
  #asked({ https, slime, ports: { swank: swankPort, ...ports } }: Doors): (() => Promise<void>)[] {
    const { http, swank, sideDoors } = this.#endpoints;
    const asked: (() => Promise<void>)[] = [];
    if (https) asked.push(() => http.listenTls(https));
    if (swankPort !== undefined)
      asked.push(async () => {
        this.#swankPort = (await swank.serve(slime, swankPort)).port;
      });
    for (const name of Object.keys(sideDoors) as (keyof SideDoors)[]) {
      const port = ports[name];
      if (port !== undefined) asked.push(() => sideDoors[name].listen(port));
    }
    return asked;
  }
}

async function problemOf(listen: () => Promise<void>): Promise<HarborError | null> {
  try {
    await listen();
    return null;
  } catch (error) {
    if (!(error instanceof HarborError)) throw error;
    return error;
  }
}
