/** Root, who uses what is installed with a home of its own, where somebody who is nobody cannot: on the session bus, or by dpkg. */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { APP } from './package-files';

export class Root {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'root-'));
  readonly data = path.join(this.folder, 'data');
  readonly project = path.join(this.folder, 'project');
  readonly env: Record<string, string>;

  constructor() {
    mkdirSync(this.project);
    const { ELECTRON_RUN_AS_NODE: _, ...inherited } = process.env as Record<string, string>;
    this.env = { ...inherited, HOME: this.folder, XDG_RUNTIME_DIR: this.folder };
  }

  /** A program and its arguments. Chromium's own sandbox refuses root. */
  command(program: string, ...args: string[]): [string, ...string[]] {
    return program === APP ? [program, '--no-sandbox', ...args] : [program, ...args];
  }

  /** What a program prints that ends with 0. */
  say(...[program, ...args]: [string, ...string[]]): string {
    const [command, ...words] = this.command(program, ...args);
    return execFileSync(command, words, { cwd: this.project, env: this.env, encoding: 'utf8' });
  }

  own(): void {}

  end(): void {
    rmSync(this.folder, { recursive: true, maxRetries: 10 });
  }
}
