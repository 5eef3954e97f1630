/**
 * Tools that are called at the command line, a call for each connection to the local socket. What connects two of them is
 * the folder, and the name of the agent that types there: such calls share a session and a memory of what was told, as long as
 * the harbor runs.
 */
import type { Socket } from 'node:net';
import { HarborError } from '../../contract/errors';
import {
  type Printed,
  type ToolAnswer,
  ToolCall,
  type ToolHello,
  type ToToolCaller,
} from '../../contract/local-socket';
import { type Client, EngineName } from '../../contract/model';
import { thereAre } from '../../contract/names-there';
import { exactJson } from '../../host/bounded-json';
import { type Line, LineReader } from '../../host/line-reader';
import { cleanText } from '../../tools/clean-text';
import type { Connection, Toolbox } from '../../tools/connection';
import { noted, type ToolResult } from '../../tools/tool';
import { wireData } from '../../tools/wire-data';
import type { CallGate } from '../mcp/mcp-conversation';

/** What calls at the command line need to know of sessions. */
export interface ToolCallSessions {
  /** The project that a command means which was typed in that folder. */
  projectAt(folder: string, client: Client): string;
  /** The handle of the client's session of that handle or name, of that engine if one is named; under a new name one is opened.
   * @throws HarborError `unknown_session`, `bad_arguments` where it has another engine, and why none can be opened */
  named(name: string, asked: NamedSession): Promise<string>;
  /** Shows all that an evaluation has printed and will print, until what this answers is called. */
  showOutput(evaluation: number, show: (text: string, stream: Printed) => void): () => void;
}

export interface NamedSession {
  connection: Connection;
  client: Client;
  engine: string | undefined;
}

export interface ToolCallServices {
  gate: CallGate;
  toolbox: Toolbox;
  sessions: ToolCallSessions;
}

const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Whoever types after this long may be another agent, and does not know what was told. */
const FORGETS_AFTER_MS = 30 * 60_000;

/** Names the default sessions to a later harbor, where they go on. */
const CONVERSATION = 'at the command line';

export class ToolCalls {
  readonly #services: ToolCallServices;
  readonly #connections = new Map<string, Connection>();

  constructor(services: ToolCallServices) {
    this.#services = services;
  }

  /**
   * Serves one call; a socket that is closed before its answer cancels it.
   * @throws HarborError why there is no answer; the socket is then still open
   */
  async serve(socket: Socket, hello: ToolHello, client: Client): Promise<void> {
    const connection = this.#connectionFor(hello, client);
    const call = new OneCall(socket, connection);
    call.tell({ taken: true });
    const asked = await call.asked;
    try {
      const result = await this.#answer(call, asked, hello, client);
      socket.end(`${JSON.stringify({ ok: true, value: answerOf(result) })}\n`);
    } catch (error) {
      if (!(error instanceof HarborError) || error.notes.length === 0) throw error;
      throw new HarborError(error.code, [error.message, ...error.notes.map(noted)].join('\n'));
    } finally {
      call.end();
    }
  }

  /** Ends what the calls have had in common. */
  async end(): Promise<void> {
    const ending = [...this.#connections.values()];
    this.#connections.clear();
    await Promise.allSettled(ending.map((connection) => connection.end()));
  }

  #connectionFor({ folder, agent, project: named, engine }: ToolHello, client: Client): Connection {
    const { toolbox, sessions } = this.#services;
    const project = named ?? sessions.projectAt(folder, client);
    const key = JSON.stringify([project, engine, agent]);
    const known = this.#connections.get(key);
    if (known) return known;
    const connection = toolbox.connect(client, {
      profile: 'default',
      shared: false,
      conversation: agent === undefined ? CONVERSATION : `${CONVERSATION} as ${agent}`,
      forgetsAfterMs: FORGETS_AFTER_MS,
      project,
      ...(engine !== undefined && { engine: engineNamed(engine) }),
    });
    this.#connections.set(key, connection);
    return connection;
  }

  #answer(call: OneCall, { tool, arguments: given }: ToolCall, hello: ToolHello, client: Client) {
    const { gate, sessions } = this.#services;
    const { connection, signal } = call;
    const { scope = null, approval } = connection.needs(tool) ?? {};
    const { session: name, engine, live } = hello;
    const named = { connection, client, engine };
    const args = name === undefined ? given : { ...given, session: name };
    const gated = {
      ...{ client, endpoint: 'socket', tool, scope, args, signal },
      ...(approval === undefined ? {} : { approval }),
      check: () => connection.check(tool, given),
    };
    return gate.run(gated, async () => {
      const session = name === undefined ? {} : { session: await sessions.named(name, named) };
      const begun = (evaluation: number) => call.begun(evaluation, live ? sessions.showOutput : undefined);
      return connection.call(tool, { ...given, ...session }, { signal, live, begun });
    });
  }
}

/** One call as its socket brings it: what is asked, then perhaps that it be interrupted. */
class OneCall {
  readonly connection: Connection;
  readonly asked: Promise<ToolCall>;
  readonly #socket: Socket;
  readonly #lines = new LineReader(MAX_LINE_BYTES);
  readonly #gone = new AbortController();
  #evaluation: number | undefined;
  #endOutput: (() => void) | undefined;

  constructor(socket: Socket, connection: Connection) {
    this.#socket = socket;
    this.connection = connection;
    const { promise, resolve, reject } = Promise.withResolvers<ToolCall>();
    this.asked = promise;
    let isAsked = false;
    const take = (line: Line): void => {
      const call = isAsked ? null : callIn(line);
      if (isAsked) this.#interrupt();
      else if (call) resolve(call);
      else
        reject(
          new HarborError(
            'bad_arguments',
            `What follows the hello is no call of a tool, or longer than ${MAX_LINE_BYTES} bytes.`,
          ),
        );
      isAsked = true;
    };
    socket.on('data', (chunk) => {
      for (const line of this.#lines.read(chunk)) take(line);
    });
    socket.once('close', () => {
      this.#gone.abort();
      reject(new HarborError('cancelled', 'The caller went away before it had asked for anything.'));
    });
    socket.resume();
  }

  /** Aborted when the caller goes away. */
  get signal(): AbortSignal {
    return this.#gone.signal;
  }

  tell(message: ToToolCaller): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  /** @param showOutput absent where nobody wants output before the answer */
  begun(evaluation: number, showOutput?: ToolCallSessions['showOutput']): void {
    if (this.#evaluation === evaluation) return;
    this.#evaluation = evaluation;
    this.#endOutput = showOutput?.(evaluation, (output, stream) => this.tell({ output, stream }));
  }

  end(): void {
    this.#endOutput?.();
  }

  /** The call goes on until what it began has ended, and tells how. What has begun nothing yet is given up. */
  #interrupt(): void {
    if (this.#evaluation === undefined) {
      this.#gone.abort();
    } else {
      const args = { job: `job-${this.#evaluation}`, action: 'cancel' };
      // Where it has ended by then, its answer is on the way.
      this.connection.call('job', args, { signal: this.signal }).catch(() => undefined);
    }
  }
}

/** null for what is none, or too much. */
function callIn(line: Line): ToolCall | null {
  try {
    return 'text' in line ? ToolCall.parse(exactJson(line.text)) : null;
  } catch {
    return null;
  }
}

/** @throws HarborError `bad_arguments` */
function engineNamed(name: string): EngineName {
  const known = EngineName.safeParse(name);
  if (known.success) return known.data;
  throw new HarborError('bad_arguments', `There is no engine ${name}. ${thereAre(name, EngineName.options)}`);
}

function answerOf({ text, verbatim, asides = [], structured, whole, isError }: ToolResult): ToolAnswer {
  const own = verbatim ? text : cleanText(text);
  const told = [own, ...asides.map(cleanText)].join('\n');
  return { text: told, data: wireData(structured, whole), isError };
}
