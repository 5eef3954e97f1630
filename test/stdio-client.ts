/** A client that speaks MCP lines with the built stdio entry, byte by byte, joined to a started harbor. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import { ROOT } from './started-harbor';

export interface JsonRpcAnswer {
  jsonrpc: string;
  id: string | number | null;
  result?: Record<string, unknown>;
  error?: { code: number; message: string };
}

export interface StdioStart {
  /** All of it, when it is not to be the environment of the tests. */
  env?: NodeJS.ProcessEnv;
  /** Instead of the built entry in this very runtime. */
  command?: readonly [string, ...string[]];
}

const BUILT = [process.execPath, path.join(ROOT, 'out/electron/stdio.js')] as const;

export class StdioLines {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #lines: Interface;
  #closed = false;
  /** Resolves with the next line, or the end of them. */
  #stirred = Promise.withResolvers<void>();
  /** Every line that came on stdout and is no notification, as it was. */
  readonly received: string[] = [];

  constructor(
    harbor: { data: string; project: string },
    args: readonly string[] = [],
    { env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' }, command = BUILT }: StdioStart = {},
  ) {
    const [program, ...before] = command;
    const options = ['--data', harbor.data, '--project', harbor.project, ...args];
    this.child = spawn(program, [...before, ...options], {
      stdio: ['pipe', 'pipe', 'inherit'],
      env,
    });
    // What is said to an entry that has ended is never answered: that is told to whoever waits for it.
    this.child.stdin.on('error', () => undefined);
    this.#lines = createInterface(this.child.stdout);
    this.#lines.on('line', (line) => {
      if (!isNotification(line)) this.received.push(line);
      this.#stir();
    });
    this.#lines.once('close', () => {
      this.#closed = true;
      this.#stir();
    });
  }

  send(message: unknown): void {
    this.child.stdin.write(`${typeof message === 'string' ? message : JSON.stringify(message)}\n`);
  }

  /** The next `count` answers, in the order they come. */
  async answers(count: number): Promise<JsonRpcAnswer[]> {
    while (this.received.length < count && !this.#closed) {
      await this.#stirred.promise;
    }
    if (this.received.length < count) throw new Error('the stdio entry ended without an answer');
    return this.received.splice(0, count).map(checkedAnswer);
  }

  async ask(message: unknown): Promise<JsonRpcAnswer> {
    this.send(message);
    const [answer] = await this.answers(1);
    if (!answer) throw new Error('no answer');
    return answer;
  }

  /** The 2025-era handshake. */
  async initialize(protocolVersion = '2025-11-25'): Promise<JsonRpcAnswer> {
    const params = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const answer = await this.ask({ jsonrpc: '2.0', id: 'init', method: 'initialize', params });
    this.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    return answer;
  }

  /** The printed values of the last form, over a conversation that begins with this. */
  async values(code: string): Promise<string[] | undefined> {
    await this.initialize();
    const params = { name: 'eval', arguments: { code } };
    const { result } = await this.ask({ jsonrpc: '2.0', id: code, method: 'tools/call', params });
    return (result?.structuredContent as { forms: { values: string[] }[] } | undefined)?.forms.at(-1)?.values;
  }

  #stir(): void {
    this.#stirred.resolve();
    this.#stirred = Promise.withResolvers();
  }

  /** Closes stdin and answers the exit code. */
  async end(): Promise<number | null> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return this.child.exitCode;
    const ended = once(this.child, 'exit');
    this.child.stdin.end();
    const [code] = await ended;
    return code as number | null;
  }
}

/** JSON-RPC 2.0, section 4.1: a method without an id. The harbor may send one at any time. */
function isNotification(line: string): boolean {
  return /^\{"jsonrpc":"2\.0","method":"notifications\//.test(line);
}

/** The answer on a line. @throws Error when it is none by JSON-RPC 2.0: one id, and a result or an error, never both */
function checkedAnswer(line: string): JsonRpcAnswer {
  const answer = JSON.parse(line) as Record<string, unknown>;
  const either = Number('result' in answer) + Number('error' in answer);
  if (answer.jsonrpc !== '2.0' || !('id' in answer) || either !== 1)
    throw new Error(`No JSON-RPC answer: ${line}`);
  return answer as unknown as JsonRpcAnswer;
}
