/**
 * The connection of an editor’s process to the running harbor. It is made at the first call, which starts a harbor if
 * none runs, and again after the harbor has restarted. It loads only Node modules.
 */
import type { Socket } from 'node:net';
import { HarborError } from '../contract/errors';
import type {
  EditorHello,
  EndedEvaluation,
  FromEditor,
  LocalReply,
  Printed,
  ToEditor,
  ToolAnswer,
} from '../contract/local-socket';
import type { EngineName } from '../contract/model';
import type { DataFolder } from '../host/data-folder';
import { type ReachOptions, reachHarbor } from '../host/harbor-reach';
import { LineReader } from '../host/line-reader';
import { onAbort } from '../host/listeners';
import { bridgeSecret } from '../host/running-harbor';

/** The client of notebooks. */
export const JUPYTER_KEY = 'jupyter';

const MAX_LINE_BYTES = 64 * 1024 * 1024;

interface LinkOptions {
  folder: DataFolder;
  reach: ReachOptions;
  hello: Omit<EditorHello, 'secret' | 'kind'>;
  /** Called when an evaluation of the project has ended, whoever made it. */
  onEnded: (ended: EndedEvaluation) => void;
}

/** An evaluation that the editor follows: its output, and the lines that it reads. */
export interface LiveCall {
  show?: (text: string, stream: Printed) => void;
  /** Returns the next line; null at the end of the input. Absent: there is none. */
  read?: () => Promise<string | null>;
  /** Interrupts the evaluation, whose answer reports it. */
  signal?: AbortSignal;
}

interface Waiting extends LiveCall {
  resolve: (answer: ToolAnswer) => void;
  reject: (reason: HarborError) => void;
}

export class HarborLink {
  readonly #options: LinkOptions;
  readonly #closing = new AbortController();
  readonly #waiting = new Map<number, Waiting>();
  #calls = 0;
  #socket: Promise<Socket> | null = null;

  constructor(options: LinkOptions) {
    this.#options = options;
  }

  /** Whether a call has to connect first. */
  get isConnected(): boolean {
    return this.#socket !== null;
  }

  /** @throws HarborError why the call was refused or failed; `internal` if there is no harbor */
  async call(tool: string, args: Record<string, unknown>, live?: LiveCall): Promise<ToolAnswer> {
    const socket = await this.#connected();
    this.#calls += 1;
    const id = this.#calls;
    const answered = new Promise<ToolAnswer>((resolve, reject) =>
      this.#waiting.set(id, { ...live, resolve, reject }),
    );
    send(socket, { id, tool, arguments: args, live: live !== undefined });
    const removeListener = onAbort(live?.signal, () => send(socket, { id, interrupt: true }));
    return answered.finally(removeListener);
  }

  close(): void {
    this.#closing.abort();
    void this.#socket?.then((socket) => socket.destroy()).catch(() => undefined);
  }

  #connected(): Promise<Socket> {
    this.#socket ??= this.#connect().catch((error: unknown) => {
      this.#socket = null;
      const reason = error instanceof Error ? error.message : String(error);
      throw error instanceof HarborError ? error : new HarborError('internal', reason);
    });
    return this.#socket;
  }

  async #connect(): Promise<Socket> {
    const { folder, reach, hello } = this.#options;
    const { signal } = this.#closing;
    const socket = await reachHarbor(reach, { signal });
    const lines = new LineReader(MAX_LINE_BYTES);
    socket.on('data', (chunk) => {
      for (const line of lines.read(chunk))
        if ('text' in line) this.#receive(JSON.parse(line.text) as ToEditor | LocalReply, socket);
    });
    socket.on('error', () => {
      // `close` follows and is handled.
    });
    socket.once('close', () => this.#lose(new HarborError('internal', LOST)));
    const secret = await bridgeSecret(folder);
    socket.write(`${JSON.stringify({ ...hello, secret, kind: 'editor' } satisfies EditorHello)}\n`);
    return socket;
  }

  #receive(message: ToEditor | LocalReply, socket: Socket): void {
    if ('evaluation' in message) {
      this.#options.onEnded(message);
      return;
    }
    // Only the refusal of the connection has no id.
    if (!('id' in message)) {
      if (!message.ok) this.#lose(new HarborError(message.code, message.message));
      return;
    }
    const waiting = this.#waiting.get(message.id);
    if ('output' in message) waiting?.show?.(message.output, message.stream);
    else if ('reads' in message) void this.#read(message.id, waiting, socket);
    else {
      this.#waiting.delete(message.id);
      if (message.ok) waiting?.resolve(message.value as ToolAnswer);
      else waiting?.reject(new HarborError(message.code, message.message));
    }
  }

  async #read(id: number, waiting: Waiting | undefined, socket: Socket): Promise<void> {
    const input = (await waiting?.read?.().catch(() => null)) ?? null;
    send(socket, { id, input });
  }

  #lose(reason: HarborError): void {
    this.#socket = null;
    for (const { reject } of this.#waiting.values()) reject(reason);
    this.#waiting.clear();
  }
}

const SESSION_LOST: ReadonlySet<string> = new Set(['unknown_session', 'session_ended', 'internal']);

/** Reports whether a call failed because its session may exist no more. */
export function isSessionLost(error: unknown): boolean {
  return error instanceof HarborError && SESSION_LOST.has(error.code);
}

const LOST = 'The harbor stopped before it answered. The code may have run; the next call connects again.';

function send(socket: Socket, message: FromEditor): void {
  if (socket.writable) socket.write(`${JSON.stringify(message)}\n`);
}

/** Returns the engines that can be started on this computer. @throws HarborError as `HarborLink.call` */
export async function enginesFound(folder: DataFolder, reach: ReachOptions): Promise<EngineName[]> {
  const hello = { client: JUPYTER_KEY, project: process.cwd() };
  const link = new HarborLink({ folder, reach, hello, onEnded: () => undefined });
  try {
    return availableEngines((await link.call('images', {})).data);
  } finally {
    link.close();
  }
}

/** Returns the engines that a result of the tool `images` lists as available. */
export function availableEngines({ engines = [] }: ToolAnswer['data']): EngineName[] {
  const rows = engines as { engine: EngineName; available: boolean }[];
  return rows.flatMap(({ engine, available }) => (available ? [engine] : []));
}
