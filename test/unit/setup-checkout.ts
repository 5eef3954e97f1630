/** For tests of the set-up: its own files in a checkout made for the test, because each one works on the checkout it lies in. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { onTestFinished } from 'vitest';

export const ROOT = path.resolve(import.meta.dirname, '../..');

/**
 * A module of resources/setup, which has no TypeScript to import from.
 * @param name file name without `.mjs`
 */
export async function setupModule<Shape>(name: string): Promise<Shape> {
  return (await import(pathToFileURL(path.join(ROOT, `resources/setup/${name}.mjs`)).href)) as Shape;
}

/** An empty folder that goes with the test. */
export function emptyFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'setup-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A checkout with the real set-up files, the real npm scripts, and the files given: path in the checkout → content. */
export function checkout(files: Record<string, string> = {}): string {
  const root = emptyFolder();
  cpSync(path.join(ROOT, 'resources/setup'), path.join(root, 'resources/setup'), { recursive: true });
  cpSync(path.join(ROOT, 'package.json'), path.join(root, 'package.json'));
  writeFiles(root, files);
  return root;
}

export function writeFiles(root: string, files: Record<string, string>): void {
  for (const [file, content] of Object.entries(files)) {
    const target = path.join(root, file);
    mkdirSync(path.dirname(target), { recursive: true });
    writeFileSync(target, content);
  }
}

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** A program of which a test waits for what it says and how it ends. Its whole process group goes with the test. */
export class Program {
  readonly child: ChildProcess;
  /** Once nothing of it writes any more, its own children included. */
  readonly ended: Promise<Ended>;
  /** Its own exit code, whatever its children do. */
  readonly exited: Promise<number | null>;
  #stdout = '';
  #stderr = '';

  /** @param env wins over the environment of the tests; undefined takes a variable away */
  constructor(command: string, args: readonly string[], cwd: string, env: NodeJS.ProcessEnv = {}) {
    this.child = spawn(command, args, { cwd, env: { ...process.env, ...env }, detached: true });
    this.child.stdout?.on('data', (chunk: Buffer) => {
      this.#stdout += chunk.toString();
    });
    this.child.stderr?.on('data', (chunk: Buffer) => {
      this.#stderr += chunk.toString();
    });
    this.exited = once(this.child, 'exit').then(([code]) => code as number | null);
    this.ended = once(this.child, 'close').then(([code]) => ({
      code: code as number | null,
      stdout: this.#stdout,
      stderr: this.#stderr,
    }));
    onTestFinished(() => endGroup(this.child));
  }

  /** Resolves once stdout holds `text`; fails when the program ends before that. */
  async says(text: string): Promise<void> {
    const over = this.ended.then((ended) => {
      throw new Error(`ended before it said ${JSON.stringify(text)}: ${JSON.stringify(ended)}`);
    });
    while (!this.#stdout.includes(text)) {
      await Promise.race([once(this.child.stdout ?? this.child, 'data'), over]);
    }
    over.catch(() => undefined);
  }
}

function endGroup({ pid }: ChildProcess): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing of the group is left, as it should be.
  }
}

/** Runs one of the set-up's entries in the runtime of the tests, which is a Node of Electron. */
export function runEntry(
  root: string,
  entry: string,
  args: readonly string[] = [],
  env: NodeJS.ProcessEnv = {},
): Program {
  const script = path.join(root, 'resources/setup', `${entry}.mjs`);
  return new Program(process.execPath, [script, ...args], root, { ELECTRON_RUN_AS_NODE: '1', ...env });
}
