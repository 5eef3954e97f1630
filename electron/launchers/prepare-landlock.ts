/**
 * Makes ready what confines images by Landlock: its Lisp file is compiled by the SBCL that is to load it, at each start
 * of the harbor, for an SBCL loads no other's files. Loading the source itself takes a hundred milliseconds.
 */
import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { asFailure } from '../contract/errors';
import { runAlone } from '../host/child-process';

/** Compiling takes half a second, on a busy machine a few. */
const COMPILE_MS = 60_000;

export interface LandlockFiles {
  /** The Lisp file that confines a program, `resources/sandbox/landlock.lisp`. */
  source: string;
  /** Where what it is compiled to may lie: code in images must not reach it. */
  folder: string;
}

export type Prepared = { ok: true; confiner: string; version: number } | { ok: false; reason: string };

/** `reason` is the end of a sentence for people. @param searchPath folders where `sbcl` is, as in PATH */
export async function prepareLandlock(files: LandlockFiles, searchPath: string): Promise<Prepared> {
  const sbcl = async (...args: string[]) =>
    (await runAlone('sbcl', args, { env: { PATH: searchPath }, timeout: COMPILE_MS })).stdout;
  try {
    const confiner = await compile(files, sbcl);
    const version = Number((await sbcl('--script', confiner, 'abi')).trim());
    if (version > 0) return { ok: true, confiner, version };
    return { ok: false, reason: 'this kernel has no Landlock, which could confine images instead' };
  } catch (error) {
    return { ok: false, reason: refusal(error) };
  }
}

/** Under another name first: another harbor may load the file at this moment, or another version of it. */
async function compile({ source, folder }: LandlockFiles, sbcl: (...args: string[]) => Promise<string>) {
  const version = createHash('sha256')
    .update(await readFile(source))
    .digest('hex')
    .slice(0, 16);
  const target = path.join(folder, `landlock-${version}.fasl`);
  const unfinished = path.join(folder, `landlock-${version}-${process.pid}.fasl`);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  try {
    const compiling = `(compile-file ${lispString(source)} :output-file ${lispString(unfinished)})`;
    await sbcl(...QUIETLY, '--eval', `(unless ${compiling} (exit :code 1))`);
    await rename(unfinished, target);
    return target;
  } finally {
    await rm(unfinished, { force: true });
  }
}

const QUIETLY = ['--noinform', '--no-sysinit', '--no-userinit', '--disable-debugger', '--non-interactive'];

function lispString(text: string): string {
  return `"${text.replaceAll(/["\\]/g, '\\$&')}"`;
}

function refusal(error: unknown): string {
  if (error instanceof Error && 'syscall' in error && error.syscall === 'spawn sbcl')
    return 'by Landlock they are confined only where SBCL is, which was not found: on Debian and Ubuntu: apt install sbcl';
  const { message } = asFailure(error);
  const said = message.trim().split('\n').at(-1) ?? message;
  return `Landlock, which could confine images instead, cannot be asked for by SBCL (${said})`;
}
