/** The package as it is installed: made as for a release, but of the Electron that is here, and used by somebody who is nobody. */
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chownSync, copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Browser, chromium, expect, type Page } from '@playwright/test';
import { ROOT } from '../e2e/fixture';

export const COMMAND = '/usr/bin/lisp-harbor';
export const APP = '/opt/Lisp Harbor/lisp-harbor';

/** Makes the Debian package and answers its file. */
export function makePackage(): string {
  execFileSync('npm', ['run', '-s', 'dist', '--', '--test-build', 'deb'], { cwd: ROOT, stdio: 'inherit' });
  const made = readdirSync(path.join(ROOT, 'release')).filter((name) => name.endsWith('.deb'));
  if (made.length !== 1) throw new Error(`There is not one package, but: ${made.join(', ')}`);
  return path.join(ROOT, 'release', made[0] ?? '');
}

/** As a person does it who downloaded it: apt brings what it needs. */
export function install(file: string): void {
  execFileSync('apt-get', ['install', '-y', '--no-install-recommends', file], { stdio: 'inherit' });
}

export function uninstall(): void {
  execFileSync('dpkg', ['--purge', 'lisp-harbor'], { stdio: 'inherit' });
}

/** A user without rights, name or files but those in its folder. */
export class Nobody {
  readonly folder: string;
  readonly data: string;
  readonly project: string;
  readonly env: NodeJS.ProcessEnv;
  readonly #as: readonly string[];
  readonly #end: () => void;

  static async take(): Promise<Nobody> {
    const setup = (await import(pathToFileURL(`${ROOT}/resources/setup/unprivileged.mjs`).href)) as {
      unprivileged: () => { command: string[]; env: NodeJS.ProcessEnv; folder: string; end: () => void };
    };
    return new Nobody(setup.unprivileged());
  }

  private constructor({
    command,
    env,
    folder,
    end,
  }: {
    command: string[];
    env: NodeJS.ProcessEnv;
    folder: string;
    end: () => void;
  }) {
    this.#as = command;
    this.#end = end;
    this.folder = folder;
    this.data = path.join(folder, 'data');
    this.project = path.join(folder, 'project');
    const { ELECTRON_RUN_AS_NODE: _, DISPLAY: _display, DBUS_SESSION_BUS_ADDRESS: _bus, ...bare } = env;
    this.env = { ...bare, XDG_RUNTIME_DIR: folder };
    mkdirSync(this.project);
    this.#own(this.project);
  }

  /** What a program prints that ends with 0, run without a display. */
  say(...words: string[]): string {
    return execFileSync('setpriv', [...this.#as.slice(1), ...words], {
      cwd: this.project,
      env: this.env,
      encoding: 'utf8',
    });
  }

  /** A program and its arguments, run by this user. */
  command(...words: string[]): [string, ...string[]] {
    const [program = '', ...before] = this.#as;
    return [program, ...before, ...words];
  }

  /** Opens the app's window on the display of the tests. A fused app takes no debugger but the page's own. */
  async open(...options: string[]): Promise<OpenedApp> {
    const authority = path.join(this.folder, 'xauthority');
    copyFileSync(process.env.XAUTHORITY ?? '', authority);
    this.#own(authority);
    const [program, ...args] = this.command(APP, '--remote-debugging-port=0', '--password-store=basic');
    const child = spawn(program, [...args, '--data', this.data, '--port', '0', ...options], {
      cwd: this.project,
      env: { ...this.env, DISPLAY: process.env.DISPLAY, XAUTHORITY: authority },
      stdio: 'inherit',
    });
    const told = path.join(this.data, 'electron/DevToolsActivePort');
    await expect.poll(() => existsSync(told) && readFileSync(told, 'utf8').includes('\n')).toBe(true);
    const [port] = readFileSync(told, 'utf8').split('\n');
    const browser = await chromium.connectOverCDP(`http://127.0.0.1:${port}`);
    await expect.poll(() => browser.contexts()[0]?.pages().length).toBe(1);
    const [page] = browser.contexts()[0]?.pages() ?? [];
    if (page === undefined) throw new Error('The window has no page.');
    return { child, browser, page };
  }

  end(): void {
    this.#end();
  }

  #own(file: string): void {
    const { uid, gid } = statSync(this.folder);
    chownSync(file, uid, gid);
  }
}

export interface OpenedApp {
  child: ChildProcess;
  browser: Browser;
  page: Page;
}
