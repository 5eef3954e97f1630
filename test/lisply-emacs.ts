/** A real Emacs that resources/emacs/lisply.el has made a Lisply backend. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT, temporaryFolder } from './started-harbor';

const PROGRAM = path.join(ROOT, 'resources/emacs/lisply.el');

export class LisplyEmacs {
  readonly url: string;
  readonly #process: ChildProcess;
  readonly #home: string;

  static async start(): Promise<LisplyEmacs> {
    const home = temporaryFolder('emacs');
    const child = spawn('emacs', ['-Q', '--batch', '-l', PROGRAM, '-f', 'lisply-run'], {
      env: { ...process.env, HOME: home },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`Emacs ended with ${String(code)}`);
    });
    const [url] = await Promise.race([once(createInterface(child.stderr), 'line'), ended]);
    ended.catch(() => undefined);
    return new LisplyEmacs(child, home, String(url));
  }

  private constructor(child: ChildProcess, home: string, url: string) {
    this.#process = child;
    this.#home = home;
    this.url = url;
  }

  /** What interrupts an evaluation in it. */
  interrupt(): void {
    this.#process.kill('SIGUSR2');
  }

  async stop(): Promise<void> {
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
    rmSync(this.#home, { recursive: true, force: true });
  }
}
