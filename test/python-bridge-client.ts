/** A client of the ACL2 Bridge in Python (checklist/bridge-client.py), driven from a test. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';

const SCRIPT = path.join(import.meta.dirname, 'checklist/bridge-client.py');

/** What the messages of a reply say, those of one type joined. */
export type BridgeReply = Partial<Record<'RETURN' | 'ERROR' | 'STDOUT', string>>;

export class PythonBridgeClient {
  readonly #child: ChildProcessByStdio<Writable, Readable, Readable>;
  readonly #lines: AsyncIterator<string>;
  #errors = '';
  #worker = '';

  /** @param place a port, or the path of a socket
   * @param counts what the lengths of commands count */
  static async connect(
    place: number | string,
    counts: 'bytes' | 'characters' = 'characters',
  ): Promise<PythonBridgeClient> {
    const client = new PythonBridgeClient(place, counts);
    client.#worker = (await client.#line()) as string;
    return client;
  }

  private constructor(place: number | string, counts: string) {
    this.#child = spawn('python3', [SCRIPT, String(place), counts], { stdio: ['pipe', 'pipe', 'pipe'] });
    this.#child.stderr.on('data', (chunk: Buffer) => {
      this.#errors += chunk.toString();
    });
    this.#lines = createInterface(this.#child.stdout)[Symbol.asyncIterator]();
  }

  /** The name in the greeting. */
  get worker(): string {
    return this.#worker;
  }

  async command(type: string, content: string): Promise<BridgeReply> {
    this.#child.stdin.write(`${JSON.stringify([type, content])}\n`);
    return (await this.#line()) as BridgeReply;
  }

  /** What the first value is in the encoding `type`. */
  async value(type: string, content: string): Promise<string | undefined> {
    return (await this.command(type, content)).RETURN;
  }

  /** Ends the client as its program would. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const ended = once(this.#child, 'exit');
    this.#child.stdin.end();
    await ended;
  }

  async #line(): Promise<unknown> {
    const { value, done } = await this.#lines.next();
    if (done) throw new Error(`The client ended:\n${this.#errors}`);
    return JSON.parse(value);
  }
}
