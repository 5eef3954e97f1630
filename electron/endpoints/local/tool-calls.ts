/**
 * Tool calls from the command line, one per connection to the local socket. Calls from the same project,
 * engine and agent name share a default session and its notes for as long as the harbor runs.
 */

import type { Socket } from 'node:net';
import type { Grant } from '../../contract/approvals';
import { HarborError, listSimilarNames } from '../../contract/errors';
import {
  type EndedEvaluation,
  type Printed,
  type ToolAnswer,
  ToolCall,
  type ToolHello,
  type ToToolCaller,
} from '../../contract/local-socket';
import { type Client, EngineName } from '../../contract/model';

import { exactJson } from '../../host/json';
import { type Line, LineReader } from '../../host/line-reader';
import { noteLines, type RenderedResult } from '../../tools/rendering';
import type { CallContext } from '../../tools/tool';
import type { Connection, ConnectOptions, Toolbox } from '../../tools/toolbox';
import { cleanText, wireData } from '../../tools/wire-data';

import type { CallGate } from '../mcp/caller';

/** The sessions of tool calls. */
export interface ToolCallSessions {
  /** Returns the project of a command that was typed in `folder`. */
  projectAt(folder: string, client: Client): string;
  /**
   * Returns the handle of the client’s session with this handle or name. A new name opens a session.
   * @throws HarborError `unknown_session`; `bad_arguments` if the session has another engine; or why no
   *   session can be opened
   */
  named(name: string, call: NamedSession): Promise<string>;
  /** Shows the past and future output of an evaluation. The returned function stops it. */
  showOutput(evaluation: number, show: (text: string, stream: Printed) => void): () => void;
  /** Reports evaluations of the project that end, until the returned function is called. */
  watchEnds(project: string, report: (ended: EndedEvaluation) => void): () => void;
}

export interface NamedSession {
  connection: Connection;
  client: Client;
  grant: Grant | null;
  engine: string | undefined;
}

export interface ToolCallServices {
  gate: CallGate;
  toolbox: Toolbox;
  sessions: ToolCallSessions;
}

export const MAX_LINE_BYTES = 16 * 1024 * 1024;

/** Idle time after which earlier notes are repeated, because another agent may be using the command line. */
const FORGETS_AFTER_MS = 30 * 60_000;

/** Conversation name by which a restarted harbor finds the default sessions. */
const CONVERSATION = 'at the command line';

export class ToolCalls {
  readonly #services: ToolCallServices;
  readonly #connections = new Map<string, Connection>();

  constructor(services: ToolCallServices) {
    this.#services = services;
  }

  /**
   * Serves one call. If the socket closes first, the call is cancelled.
   * @throws HarborError why there is no answer; the socket is still open then
   */
  async serve(socket: Socket, hello: ToolHello, client: Client): Promise<void> {
    const connection = this.#connectionFor(hello, client);
    const call = new OneCall(socket, connection);
    call.send({ taken: true });
    const request = await call.request;
    try {
      const result = await this.#answer(call, request, hello, client);
      socket.end(`${JSON.stringify({ ok: true, value: answerOf(result) })}\n`);
    } catch (error) {
      throw withNotes(error);
    } finally {
      call.end();
    }
  }

  /** Closes the shared connections. */
  async end(): Promise<void> {
    const ending = [...this.#connections.values()];
    this.#connections.clear();
    await Promise.allSettled(ending.map((connection) => connection.end()));
  }

  #connectionFor({ folder, agent, project: named, engine }: ToolHello, client: Client): Connection {
    const project = named ?? this.#services.sessions.projectAt(folder, client);
    return this.connection(client, {
      conversation: agent === undefined ? CONVERSATION : `${CONVERSATION} as ${agent}`,
      project,
      ...(engine !== undefined && { engine: engineNamed(engine) }),
    });
  }

  /** Returns the client's connection for these options, which lasts until the harbor ends. */
  connection(
    client: Client,
    options: Required<Pick<ConnectOptions, 'conversation' | 'project'>> & Pick<ConnectOptions, 'engine'>,
  ): Connection {
    const key = JSON.stringify([client.key, options]);
    const existing = this.#connections.get(key);
    if (existing) return existing;
    const connection = this.#services.toolbox.connect(client, {
      profile: 'default',
      shared: false,
      forgetsAfterMs: FORGETS_AFTER_MS,
      ...options,
    });
    this.#connections.set(key, connection);
    return connection;
  }

  #answer(call: OneCall, { tool, arguments: parameters }: ToolCall, hello: ToolHello, client: Client) {
    const { sessions } = this.#services;
    const { connection, signal } = call;
    const { session: name, engine, live } = hello;
    const named = { connection, client, engine };
    const args = name === undefined ? parameters : { ...parameters, session: name };
    const context = { signal, ...(name === undefined ? {} : { sessionName: name }) };
    return this.run({ tool, args, parameters, connection, client, context }, async (grant) => {
      const session = name === undefined ? {} : { session: await sessions.named(name, { ...named, grant }) };
      const begun = (evaluation: number) => call.begun(evaluation, live ? sessions.showOutput : undefined);
      return connection.call(tool, { ...parameters, ...session }, { ...context, grant, live, begun });
    });
  }

  /**
   * Admits and records one call.
   * @param work runs it with the grant
   * @throws HarborError why it is refused, or that of the call
   */
  run(
    { tool, args, parameters = args, connection, client, context }: AdmittedCall,
    work: (grant: Grant | null) => Promise<RenderedResult>,
  ): Promise<RenderedResult> {
    const { scope = null, approval } = connection.needs(tool) ?? {};
    const gated = {
      ...{ client, endpoint: 'socket', tool, scope, args, signal: context.signal },
      ...(approval === undefined ? {} : { approval }),
      accept: () => connection.accept(tool, args, context),
      check: () => connection.check(tool, parameters),
    };
    return this.#services.gate.run(gated, work);
  }
}

interface AdmittedCall {
  tool: string;
  /** As the user sees them. */
  args: Readonly<Record<string, unknown>>;
  /** As they are checked; absent: `args`. */
  parameters?: Readonly<Record<string, unknown>>;
  connection: Connection;
  client: Client;
  context: Omit<CallContext, 'grant'>;
}

/** One call: the request, then optionally an interrupt. */
class OneCall {
  readonly connection: Connection;
  readonly request: Promise<ToolCall>;
  readonly #socket: Socket;
  readonly #lines = new LineReader(MAX_LINE_BYTES);
  readonly #disconnected = new AbortController();
  #evaluation: number | undefined;
  #endOutput: (() => void) | undefined;

  constructor(socket: Socket, connection: Connection) {
    this.#socket = socket;
    this.connection = connection;
    const { promise, resolve, reject } = Promise.withResolvers<ToolCall>();
    this.request = promise;
    let isReceived = false;
    const receive = (line: Line): void => {
      const call = isReceived ? null : callIn(line);
      if (isReceived) interruptCall(connection, this.#evaluation, this.#disconnected);
      else if (call) resolve(call);
      else
        reject(
          new HarborError(
            'bad_arguments',
            `The message after the hello is not a tool call, or is longer than ${MAX_LINE_BYTES} bytes.`,
          ),
        );
      isReceived = true;
    };
    socket.on('data', (chunk) => {
      for (const line of this.#lines.read(chunk)) receive(line);
    });
    socket.once('close', () => {
      this.#disconnected.abort();
      reject(new HarborError('cancelled', 'The client disconnected before it sent a request.'));
    });
    socket.resume();
  }

  /** Aborts when the client disconnects. */
  get signal(): AbortSignal {
    return this.#disconnected.signal;
  }

  send(message: ToToolCaller): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  /** @param showOutput absent: output is not streamed */
  begun(evaluation: number, showOutput?: ToolCallSessions['showOutput']): void {
    if (this.#evaluation === evaluation) return;
    this.#evaluation = evaluation;
    this.#endOutput = showOutput?.(evaluation, (output, stream) => this.send({ output, stream }));
  }

  end(): void {
    this.#endOutput?.();
  }
}

/**
 * Interrupts the evaluation of a call, which continues until the evaluation ends and then reports the result. A
 * call without one is cancelled.
 */
export function interruptCall(
  connection: Connection,
  evaluation: number | undefined,
  stop: AbortController,
): void {
  if (evaluation === undefined) {
    stop.abort();
    return;
  }
  const args = { job: `job-${evaluation}`, action: 'cancel' };
  // If the evaluation has ended meanwhile, its answer is already being sent.
  connection.call('job', args, { signal: stop.signal, grant: null }).catch(() => undefined);
}

/** Returns the error with its notes in the message. */
export function withNotes(error: unknown): unknown {
  if (!(error instanceof HarborError) || error.notes.length === 0) return error;
  return new HarborError(error.code, [error.message, ...noteLines(error.notes)].join('\n'));
}

/** Returns null if the line is not a tool call or is too large. */
function callIn(line: Line): ToolCall | null {
  try {
    return 'text' in line ? ToolCall.parse(exactJson(line.text)) : null;
  } catch {
    return null;
  }
}

/** @throws HarborError `bad_arguments` */
function engineNamed(name: string): EngineName {
  const existing = EngineName.safeParse(name);
  if (existing.success) return existing.data;
  throw new HarborError(
    'bad_arguments',
    `There is no engine ${name}. ${listSimilarNames(name, EngineName.options)}`,
  );
}

export function answerOf({ text, verbatim, asides, structured, whole, isError }: RenderedResult): ToolAnswer {
  const own = verbatim ? text : cleanText(text);
  const printed = [own, ...asides.map(cleanText)].join('\n');
  return { text: printed, data: wireData(structured, whole), isError };
}
