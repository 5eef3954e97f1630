/** The SBCL of this machine: found on PATH, and asked itself where its parts are, for it may be a wrapper script. */
import { execFile } from 'node:child_process';
import { access, constants } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

export interface Installation {
  version: string;
  /** The program that runs cores. */
  runtime: string;
  /** SBCL_HOME: the folder of its contribs. */
  home: string;
}

/** Milliseconds that SBCL may take to say what it is. */
const ANSWER_MS = 10_000;

/** Where package managers put it; a desktop program's PATH often lacks them. */
const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin', '/opt/local/bin'];

const QUESTION = `(format t "~&~A~%~A~%~A~%" (lisp-implementation-version)
  sb-ext:*runtime-pathname* (truename (sb-int:sbcl-homedir-pathname)))`;

/** @throws Error with a sentence on what is wrong and what to do about it. */
export async function findInstallation(searchPath: string): Promise<Installation> {
  const program = await findProgram(searchPath);
  if (program === undefined) throw new Error(`SBCL was not found. ${advice()}`);
  const answer = await ask(program);
  const [version, runtime, home] = answer.trim().split('\n').slice(-3);
  if (version && runtime?.startsWith('/') && home?.startsWith('/')) return { version, runtime, home };
  throw new Error(`${program} does not answer as SBCL would; it printed: ${answer.trim() || 'nothing'}`);
}

async function findProgram(searchPath: string): Promise<string | undefined> {
  const folders = [...searchPath.split(path.delimiter).filter(path.isAbsolute), ...USUAL_FOLDERS];
  for (const folder of folders) {
    const program = path.join(folder, 'sbcl');
    if (await isExecutable(program)) return program;
  }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  return access(file, constants.X_OK).then(
    () => true,
    () => false,
  );
}

async function ask(program: string): Promise<string> {
  const args = ['--noinform', '--no-sysinit', '--no-userinit', '--disable-debugger', '--non-interactive'];
  try {
    const { stdout } = await promisify(execFile)(program, [...args, '--eval', QUESTION], {
      timeout: ANSWER_MS,
    });
    return stdout;
  } catch (error) {
    throw new Error(`${program} does not run: ${printed(error)}`, { cause: error });
  }
}

/** What a program printed before it failed, or why it could not be run at all. */
export function printed(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { stderr, stdout } = error as { stderr?: unknown; stdout?: unknown };
  const text = [stdout, stderr]
    .filter((part) => typeof part === 'string')
    .join('\n')
    .trim();
  return text.slice(-2_000) || error.message;
}

function advice(): string {
  if (process.platform === 'darwin') return 'Install it with: brew install sbcl';
  if (process.platform === 'win32') return 'Install it from https://www.sbcl.org/platform-table.html';
  return 'Install it with: apt install sbcl (or your distribution’s package manager)';
}
