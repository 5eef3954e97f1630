/**
 * The calls of one editor over the local socket: the language server and the Jupyter kernel. Several run at a time, each
 * under an id that the editor chose. Their evaluations take the same path as all others.
 */
import type { Socket } from 'node:net';
import { type EditorHello, FromEditor, failureReply, type ToEditor } from '../../contract/local-socket';
import type { Client } from '../../contract/model';
import { exactJson } from '../../host/json';
import { LineReader } from '../../host/line-reader';
import type { RenderedResult } from '../../tools/rendering';
import type { Connection } from '../../tools/toolbox';
import {
  answerOf,
  interruptCall,
  MAX_LINE_BYTES,
  type ToolCallSessions,
  type ToolCalls,
  withNotes,
} from './tool-calls';

interface EditorServices {
  hello: EditorHello;
  client: Client;
  calls: ToolCalls;
  sessions: ToolCallSessions;
}

/** Serves until the socket closes, which interrupts what still runs. */
export async function serveEditor(socket: Socket, services: EditorServices): Promise<void> {
  const { hello, client, calls, sessions } = services;
  const { project, engine } = hello;
  const closed = new Promise((resolve) => socket.once('close', resolve));
  const connection = calls.connection(client, {
    conversation: `in ${client.key}`,
    project,
    ...(engine === undefined ? {} : { engine }),
  });
  const editor = new EditorCalls(socket, connection, services);
  const stopWatching = sessions.watchEnds(project, (ended) => editor.send(ended));
  const lines = new LineReader(MAX_LINE_BYTES);
  socket.on('data', (chunk) => {
    for (const line of lines.read(chunk)) editor.receive('text' in line ? parsed(line.text) : null);
  });
  socket.resume();
  await closed;
  stopWatching();
  editor.end();
}

type Request = Extract<FromEditor, { tool: string }>;

/** Waits of a call that an evaluation has outlived, in milliseconds. */
const WAIT_MS = 600_000;

/** A call that has not been answered. */
interface RunningCall {
  stop: AbortController;
  evaluation: number | undefined;
  /** Lines that were sent before code read them, and the reads that wait for one. */
  lines: (string | null)[];
  reads: ((line: string | null) => void)[];
}

class EditorCalls {
  readonly #socket: Socket;
  readonly #connection: Connection;
  readonly #services: EditorServices;
  readonly #running = new Map<number, RunningCall>();

  constructor(socket: Socket, connection: Connection, services: EditorServices) {
    this.#socket = socket;
    this.#connection = connection;
    this.#services = services;
  }

  send(message: ToEditor): void {
    if (this.#socket.writable) this.#socket.write(`${JSON.stringify(message)}\n`);
  }

  /** Handles one message. An invalid one closes the connection. */
  receive(message: FromEditor | null): void {
    const call = message && this.#running.get(message.id);
    if (message === null) this.#socket.destroy();
    else if ('tool' in message) void this.#answer(message);
    else if (call && 'input' in message) supply(call, message.input);
    else if (call) interruptCall(this.#connection, call.evaluation, call.stop);
  }

  end(): void {
    for (const call of this.#running.values()) {
      supply(call, null);
      call.stop.abort();
    }
  }

  async #answer(request: Request): Promise<void> {
    const { id } = request;
    const call: RunningCall = { stop: new AbortController(), evaluation: undefined, lines: [], reads: [] };
    this.#running.set(id, call);
    try {
      const result = await this.#run(request, call);
      this.send({ id, ok: true, value: answerOf(result) });
    } catch (error) {
      this.send({ id, ...failureReply(withNotes(error)) });
    } finally {
      this.#running.delete(id);
    }
  }

  async #run({ id, tool, arguments: args, live }: Request, call: RunningCall): Promise<RenderedResult> {
    const { client, calls, sessions } = this.#services;
    const connection = this.#connection;
    let endOutput: (() => void) | undefined;
    const context = {
      ...{ signal: call.stop.signal, live },
      begun: (evaluation: number) => {
        if (call.evaluation === evaluation) return;
        call.evaluation = evaluation;
        if (!live) return;
        endOutput = sessions.showOutput(evaluation, (output, stream) => this.send({ id, output, stream }));
      },
      ...(live ? { input: () => this.#read(id, call) } : {}),
    };
    try {
      return await calls.run({ tool, args, connection, client, context }, async (grant) => {
        let result = await connection.call(tool, args, { ...context, grant });
        while (live && goesOn(result) && call.evaluation !== undefined && !call.stop.signal.aborted)
          result = await connection.call(
            'job',
            { job: `job-${call.evaluation}`, action: 'wait', wait_ms: WAIT_MS },
            { signal: call.stop.signal, live, grant: null },
          );
        return result;
      });
    } finally {
      endOutput?.();
    }
  }

  /** Requests a line of input from the editor. */
  #read(id: number, call: RunningCall): Promise<string | null> {
    const sent = call.lines.shift();
    if (sent !== undefined) return Promise.resolve(sent);
    this.send({ id, reads: true });
    return new Promise((resolve) => call.reads.push(resolve));
  }
}

function supply({ lines, reads }: RunningCall, line: string | null): void {
  const read = reads.shift();
  if (read) read(line);
  else lines.push(line);
}

function goesOn({ structured }: RenderedResult): boolean {
  return 'job' in structured && structured.outcome === 'running';
}

function parsed(text: string): FromEditor | null {
  try {
    return FromEditor.parse(exactJson(text));
  } catch {
    return null;
  }
}
