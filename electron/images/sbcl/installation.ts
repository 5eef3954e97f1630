/**
 * Locates SBCL and SLIME on this machine. SBCL is found on PATH or by the user's own command line, and
 * queried for its parts, because the command may be a wrapper script.
 */

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
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

const LOADER = 'swank-loader.lisp';

/** Subfolders of a library that may be SLIME, or contain it under a versioned name. */
const BELOW_LIBRARY = ['slime', 'source/slime', 'local-projects/slime'] as const;
const QUICKLISP_SOFTWARE = 'dists/quicklisp/software';

interface SlimeSearch {
  /** Folder from the settings; undefined to search for it. */
  named?: string | undefined;
  /** Folders of Lisp libraries. */
  libraries: readonly string[];
  /** Folders that the image can read, including everything below. */
  visible: readonly string[];
}

/**
 * Returns the absolute folder of SLIME's Lisp files, recognized by swank-loader.lisp: the user's folder, else
 * Debian's, else one among the Lisp libraries. @throws HarborError `slime_missing` with what to install, or
 * what is wrong with the user's folder
 */
export function findSlime({ named, libraries, visible }: SlimeSearch): string {
  if (named !== undefined) return namedFolder(named, visible);
  const found = libraries.flatMap(candidates).find(isSlime);
  if (found !== undefined) return found;
  throw new HarborError(
    'slime_missing',
    'The Lisp part of SLIME (Swank) was not found. Install it, on Debian and Ubuntu with: apt install ' +
      `cl-swank; or set the folder of your own SLIME, the one that contains ${LOADER}, under Settings.`,
  );
}

function namedFolder(folder: string, visible: readonly string[]): string {
  if (!isSlime(folder)) {
    throw new HarborError(
      'slime_missing',
      `${folder}, the folder of SLIME in Settings, does not contain ${LOADER}. Set another folder, or none.`,
    );
  }
  if (visible.some((parent) => isBelow(folder, parent))) return folder;
  throw new HarborError(
    'slime_missing',
    `This session was opened before ${folder} was set as the folder of SLIME, so its sandbox does not ` +
      'include it. Reset the session, or open a new one.',
  );
}

function candidates(library: string): string[] {
  return [...BELOW_LIBRARY.map((name) => path.join(library, name)), ...fromQuicklisp(library)];
}

/** Newest first; Quicklisp names the folders by version, such as slime-v2.30. */
function fromQuicklisp(library: string): string[] {
  const software = path.join(library, QUICKLISP_SOFTWARE);
  if (!existsSync(software)) return [];
  return readdirSync(software)
    .filter((name) => /^slime-v?\d/.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => path.join(software, name));
}

function isSlime(folder: string): boolean {
  return existsSync(path.join(folder, LOADER));
}

function isBelow(folder: string, parent: string): boolean {
  const way = path.relative(parent, folder);
  return way === '' || !(way.startsWith('..') || path.isAbsolute(way));
}
