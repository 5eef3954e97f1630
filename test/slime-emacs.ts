/** A real Emacs with SLIME, in batch mode, that does what test/slime-emacs.el is told line by line. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { temporaryFolder } from './started-harbor';

const PROGRAM = path.join(import.meta.dirname, 'slime-emacs.el');

export class SlimeEmacs {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;
  readonly #ended: Promise<{ value: undefined; done: true }>;
  #said = '';

  /** Ended with the test. `home` is its HOME, empty unless given. */
  static start(home: string = temporaryFolder('emacs')): SlimeEmacs {
    const emacs = new SlimeEmacs(home);
    onTestFinished(() => emacs.end());
    return emacs;
  }

  private constructor(home: string) {
    this.#process = spawn('emacs', ['-q', '--batch', '-l', PROGRAM], { env: { ...process.env, HOME: home } });
    this.#process.stderr.on('data', (text: Buffer) => {
      this.#said += text.toString();
    });
    this.#ended = once(this.#process, 'exit').then(() => ({ value: undefined, done: true }));
    this.#answers = createInterface(this.#process.stdout)[Symbol.asyncIterator]();
  }

  /** What it has shown in its echo area. */
  get said(): string {
    return this.#said;
  }

  /** The value of an Emacs Lisp form, as Emacs prints it. Throws what Emacs signals. */
  async do(form: string): Promise<string> {
    this.#process.stdin.write(`${form.replaceAll('\n', ' ')}\n`);
    const { value, done } = await Promise.race([this.#answers.next(), this.#ended]);
    if (done) throw new Error(`Emacs ended: ${this.#said}`);
    const answer = /^\((:value|:error) (.*)\)$/.exec(value);
    if (answer?.[1] === ':value') return answer[2] ?? '';
    throw new Error(`Emacs: ${answer?.[2] ?? value}\n${this.#said}`);
  }

  /** As M-x slime-connect. */
  async connect(port: number): Promise<void> {
    await this.do(`(test-connect ${port})`);
  }

  /** Evaluates Lisp as C-x C-e does; output and values as Emacs prints the list of both. */
  evaluate(code: string): Promise<string> {
    return this.do(`(test-eval ${emacsString(code)})`);
  }

  /** Evaluates Lisp at the REPL's prompt; what the REPL shows of it. */
  repl(code: string): Promise<string> {
    return this.do(`(test-repl ${emacsString(code)})`);
  }

  /** Begins to evaluate Lisp. */
  async begin(code: string): Promise<void> {
    await this.do(`(test-begin ${emacsString(code)})`);
  }

  async end(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
  }
}

function emacsString(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
