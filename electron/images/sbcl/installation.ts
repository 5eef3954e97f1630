/**
 * Locates SBCL on this machine: on PATH or by the user's own command line. It is queried for its parts, because
 * the command may be a wrapper script.
 */

import { existsSync } from 'node:fs';
import path from 'node:path';
import { system } from '../../host/system';
import { findProgram, programOutput } from '../agent/programs';

/** Oldest supported version; older ones lack parts of the debugger and the compiler. */
const OLDEST = [2, 2, 9];

export interface Installation {
  version: string;
  /** The program that runs cores. */
  runtime: string;
  /** SBCL_HOME, the folder of its contribs. */
  home: string;
  /** The program, and the user's arguments for files to load. */
  command: readonly [program: string, ...args: string[]];
}

/** Prints version, runtime and home, each on a line. */
export const QUESTION = `(format t "~&~A~%~A~%~A~%" (lisp-implementation-version)
  sb-ext:*runtime-pathname* (truename (sb-int:sbcl-homedir-pathname)))`;

/**
 * @param own the user's command line; sbcl by default
 * @throws Error with a sentence on what is wrong and what to do
 */
export async function findInstallation(
  searchPath: string,
  own: readonly string[] = ['sbcl'],
): Promise<Installation> {
  const [name = 'sbcl', ...args] = own;
  const program = path.isAbsolute(name) ? name : await findProgram([name], searchPath);
  if (program === undefined || !existsSync(program))
    throw new Error(`${name === 'sbcl' ? 'SBCL' : `SBCL (${name})`} was not found. ${system.install.sbcl}`);
  const command: Installation['command'] = [program, ...args];
  const answer = await programOutput(program, quietly(command, '--eval', QUESTION));
  const [version, runtime, home] = answer.trim().split('\n').slice(-3);
  if (!version || !runtime?.startsWith('/') || !home?.startsWith('/'))
    throw new Error(`${program} does not respond like SBCL; it printed: ${answer.trim() || 'nothing'}`);
  if (isOlder(version))
    throw new Error(
      `${program} is SBCL ${version}; ${OLDEST.join('.')} or later is needed. ${system.install.sbcl}`,
    );
  return { version, runtime, home, command };
}

/**
 * Returns arguments to run something and exit. Runtime options come first, then the user's own, then `more`.
 */
export function quietly([, ...own]: Installation['command'], ...more: readonly string[]): string[] {
  const quiet = ['--no-sysinit', '--no-userinit', '--disable-debugger', '--non-interactive'];
  return ['--noinform', ...own, ...quiet, ...more];
}

/** @param version such as 2.2.9.debian or 2.4.0-rc1 */
function isOlder(version: string): boolean {
  const numbers = version.split(/[.-]/).map(Number);
  const differing = OLDEST.findIndex((number, index) => numbers[index] !== number);
  return differing >= 0 && !((numbers[differing] ?? 0) > (OLDEST[differing] ?? 0));
}
