/** A real Emacs with SLIME or SLY, in batch mode, that evaluates lines in test/slime-emacs.el or test/sly-emacs.el. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { temporaryFolder } from './started-harbor';

interface EmacsOptions {
  /** Its HOME; unless given an empty folder of its own. */
  home?: string | undefined;
  /** The folder of SLIME, if not the installed. */
  slime?: string | undefined;
  /** The folder of SLY, for an Emacs with SLY. */
  sly?: string | undefined;
}

export class SlimeEmacs {
  readonly #process: ChildProcessWithoutNullStreams;
  readonly #answers: AsyncIterator<string>;
  readonly #ended: Promise<{ value: undefined; done: true }>;
  #said = '';

  readonly #home: string;

  constructor({ home, slime, sly }: EmacsOptions = {}) {
    this.#home = home ?? temporaryFolder('emacs');
    const program = path.join(import.meta.dirname, sly === undefined ? 'slime-emacs.el' : 'sly-emacs.el');
    this.#process = spawn('emacs', ['-q', '--batch', '-l', program], {
      env: {
        ...{ ...process.env, HOME: this.#home },
        ...(slime === undefined ? {} : { SLIME_FOLDER: slime }),
        ...(sly === undefined ? {} : { SLY_FOLDER: sly }),
      },
    });
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
  async repl(code: string): Promise<string> {
    const shown = await this.do(`(test-repl ${emacsString(code)})`);
    return shown.slice(1, -1).replaceAll('\\n', '\n').replaceAll(/\\(.)/g, '$1');
  }

  /** Begins to evaluate Lisp. */
  async begin(code: string): Promise<void> {
    await this.do(`(test-begin ${emacsString(code)})`);
  }

  async end(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#ended;
    rmSync(this.#home, { recursive: true, force: true });
  }
}

function emacsString(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}
