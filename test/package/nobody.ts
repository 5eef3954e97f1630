/** Somebody without rights, name or files but those in a folder, who uses what is installed. */
import { execFileSync } from 'node:child_process';
import { lchownSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const ROOT = path.resolve(import.meta.dirname, '../..');

interface Unprivileged {
  command: string[];
  env: NodeJS.ProcessEnv;
  folder: string;
  end: () => void;
}

export class Nobody {
  readonly folder: string;
  readonly data: string;
  readonly project: string;
  readonly env: Record<string, string>;
  readonly #as: readonly string[];
  readonly #end: () => void;

  static async take(): Promise<Nobody> {
    const setup = (await import(pathToFileURL(`${ROOT}/resources/setup/test-runs.mjs`).href)) as {
      unprivileged: () => Unprivileged;
    };
    return new Nobody(setup.unprivileged());
  }

  private constructor({ command, env, folder, end }: Unprivileged) {
    this.#as = command;
    this.#end = end;
    this.folder = folder;
    this.data = path.join(folder, 'data');
    this.project = path.join(folder, 'project');
    const { ELECTRON_RUN_AS_NODE: _, DISPLAY: _display, DBUS_SESSION_BUS_ADDRESS: _bus, ...bare } = env;
    this.env = { ...(bare as Record<string, string>), XDG_RUNTIME_DIR: folder };
    mkdirSync(this.project);
    this.own(this.project);
  }

  /** A program and its arguments, run by this user. */
  command(...words: string[]): [string, ...string[]] {
    const [program = '', ...before] = this.#as;
    return [program, ...before, ...words];
  }

  /** What a program prints that ends with 0, run without a display. */
  say(...words: string[]): string {
    const [program, ...args] = this.command(...words);
    return execFileSync(program, args, { cwd: this.project, env: this.env, encoding: 'utf8' });
  }

  /** Gives this user a file, or a folder with all that is in it. */
  own(file: string): void {
    const { uid, gid } = statSync(this.folder);
    const inside = statSync(file).isDirectory()
      ? readdirSync(file, { recursive: true, encoding: 'utf8' })
      : [];
    for (const each of ['', ...inside]) lchownSync(path.join(file, each), uid, gid);
  }

  end(): void {
    this.#end();
  }
}
