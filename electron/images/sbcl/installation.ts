/**
 * The SBCL of this machine: found on PATH, or what a person's own command line starts, and asked itself where its parts
 * are, for it may be a wrapper script.
 */
import path from 'node:path';
import { ask, findProgram } from '../agent/programs';

/** What the agent is written for; older ones lack parts of the debugger and of the compiler that it asks. */
const OLDEST = [2, 2, 9];

export interface Installation {
  version: string;
  /** The program that runs cores. */
  runtime: string;
  /** SBCL_HOME: the folder of its contribs. */
  home: string;
  /** What starts it: the program, and what a person gives it to load. */
  command: readonly [program: string, ...args: string[]];
}

const QUESTION = `(format t "~&~A~%~A~%~A~%" (lisp-implementation-version)
  sb-ext:*runtime-pathname* (truename (sb-int:sbcl-homedir-pathname)))`;

/**
 * @param own a person's command line; undefined: sbcl as it is found
 * @throws Error with a sentence on what is wrong and what to do about it
 */
export async function findInstallation(
  searchPath: string,
  own: readonly string[] = ['sbcl'],
): Promise<Installation> {
  const [name = 'sbcl', ...args] = own;
  const program = path.isAbsolute(name) ? name : await findProgram([name], searchPath);
  if (program === undefined) throw new Error(`${name === 'sbcl' ? 'SBCL' : name} was not found. ${advice()}`);
  const command: Installation['command'] = [program, ...args];
  const answer = await ask(program, quietly(command, '--eval', QUESTION));
  const [version, runtime, home] = answer.trim().split('\n').slice(-3);
  if (!version || !runtime?.startsWith('/') || !home?.startsWith('/'))
    throw new Error(`${program} does not answer as SBCL would; it printed: ${answer.trim() || 'nothing'}`);
  if (isOlder(version))
    throw new Error(`${program} is SBCL ${version}; ${OLDEST.join('.')} or later is needed. ${advice()}`);
  return { version, runtime, home, command };
}

/** Its arguments to do something and end. Options of the runtime come first; what the person's own load comes before `more`. */
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

function advice(): string {
  if (process.platform === 'darwin') return 'Install it with: brew install sbcl';
  if (process.platform === 'win32') return 'Install it from https://www.sbcl.org/platform-table.html';
  return 'Install it with: apt install sbcl (or your distribution’s package manager)';
}
