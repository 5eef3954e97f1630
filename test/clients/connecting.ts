/** A home whose programs are connected by `lisp-harbor clients add`, the harbor that they reach, and how they are run there. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'vitest';
import { runCommand } from '../command-line';
import { StartedHarbor, temporaryFolder } from '../started-harbor';
import type { Run } from './programs';
import { NODE } from './run-program';

/** In which way a program is connected. */
export const HOW = ['stdio', 'http'] as const;
export type How = (typeof HOW)[number];

export interface ConnectedRun {
  printed: string;
  /** The program's file while it was connected, and afterwards; empty where there is none. */
  written: string;
  left: string;
}

export class Connecting {
  /** HOME of the harbor and of every program, as for a person. */
  readonly home: string;
  readonly harbor: StartedHarbor;
  readonly #bin: string;

  static async begin(): Promise<Connecting> {
    const [home, bin] = [temporaryFolder('home'), temporaryFolder('bin')];
    writeFileSync(path.join(bin, 'node'), NODE, { mode: 0o700 });
    const env = { HOME: home, XDG_CONFIG_HOME: undefined, LISP_HARBOR_NODE: path.join(bin, 'node') };
    return new Connecting(home, bin, await StartedHarbor.start({ env }));
  }

  private constructor(home: string, bin: string, harbor: StartedHarbor) {
    this.home = home;
    this.#bin = bin;
    this.harbor = harbor;
  }

  /**
   * Runs a program between `clients add` and `clients remove`.
   * @param name as the table calls it
   */
  async run(name: string, how: How, { command, env }: Run, cwd: string): Promise<ConnectedRun> {
    const data = ['--data', this.harbor.data];
    const added = await runCommand(['clients', 'add', name, `--${how}`, ...data]);
    expect(added.code, added.stderr).toBe(0);
    const [, file = ''] = /\((\/.*)\)$/m.exec(added.stdout) ?? [];
    const [program, ...args] = command;
    const child = spawn(program, args, {
      cwd,
      env: { PATH: `${this.#bin}:${process.env.PATH}`, HOME: this.home, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const written = readFileSync(file, 'utf8');
    const removed = await runCommand(['clients', 'remove', name, ...data]);
    expect(removed.code, removed.stderr).toBe(0);
    return { printed: out + errors, written, left: existsSync(file) ? readFileSync(file, 'utf8') : '' };
  }

  async end(): Promise<void> {
    await this.harbor.stop();
    for (const folder of [this.home, this.#bin])
      rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
