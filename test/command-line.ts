/** Runs `lisp-harbor …` as a clone has it, in this very runtime. */
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { ROOT } from './started-harbor';

export interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

const ENTRY = path.join(ROOT, 'resources/setup/lisp-harbor.mjs');

/** Where it is typed, and what its environment has beside ours. */
interface Place {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
}

export function startCommand(
  args: readonly string[],
  { env, ...place }: Place = {},
): ChildProcessByStdio<Writable, Readable, Readable> {
  return spawn(process.execPath, [ENTRY, ...args], {
    ...place,
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ...env },
  });
}

/** @param input for stdin, which then ends */
export function runCommand(args: readonly string[], input = '', place: Place = {}): Promise<Ended> {
  return endOf(startCommand(args, place), input);
}

/** What a program says to all of its input, and how it ends. */
export async function endOf(
  child: ChildProcessByStdio<Writable, Readable, Readable>,
  input: string,
): Promise<Ended> {
  child.stdin.end(input);
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  return { code, stdout, stderr };
}
