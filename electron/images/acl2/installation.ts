/** Finds the ACL2 of this machine: its image, the files that it needs, and its version. */
import { access, constants, mkdtemp, open, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { spawnAlone } from '../../host/child-process';
import { system } from '../../host/system';
import { perProgram } from '../agent/programs';
import { type BooksProblem, findBooks } from './system-books';

export interface Installation {
  version: string;
  /** The program that starts ACL2: GCL's executable, or the script written by `save-exec`. */
  image: string;
  /** Command-line options of that program. */
  options: readonly string[];
  /** Folder of the system books; undefined if they are not installed. */
  books: string | undefined;
  /** A problem with the books and its remedy. */
  booksProblem: BooksProblem | null;
  /** Files and folders that the image reads. */
  needs: readonly string[];
}

export interface SearchOptions {
  /** An ACL2 and its books that the user configured. They take precedence. */
  program?: string | undefined;
  books?: string | undefined;
  /** Folders to search, in the syntax of PATH. */
  searchPath: string;
}

/** Milliseconds for ACL2 to report its version. */
const ANSWER_MS = 10_000;

/** Bytes read of a script. ACL2's own scripts are much smaller. */
const SCRIPT_BYTES = 8_192;

/** Folders of package managers, which are often missing in the PATH of a desktop program. */
const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin', '/opt/local/bin'];

/** Program names of ACL2. */
const NAMES = ['acl2', 'saved_acl2'];

/**
 * Matches a script that starts SBCL. SBCL would also load /etc/sbclrc, which the sandbox does not let it
 * read.
 */
const STARTS_SBCL = /--no-userinit/;

/**
 * The environment of ACL2. It contains nothing of the user's, because ACL2 would load files named there as
 * raw Lisp.
 */
export const PLAIN_ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  ACL2_CUSTOMIZATION: 'NONE',
} as const;

/** @throws Error with a sentence on the problem and its remedy */
export async function findInstallation(options: SearchOptions): Promise<Installation> {
  const program = options.program ?? (await findProgram(options.searchPath));
  if (program === undefined) throw new Error(`ACL2 was not found. ${system.install.acl2}`);
  if (!(await isExecutable(program))) throw new Error(`${program} is not an executable program.`);
  const script = await scriptIn(program);
  const image = (await imageStartedBy(script)) ?? (await realpath(program));
  const starter = await scriptIn(image);
  return {
    version: await versionOf(image),
    image,
    options: STARTS_SBCL.test(starter) ? ['--no-sysinit'] : [],
    ...(await findBooks(image, options.books)),
    needs: [path.dirname(image), ...(await programsIn(starter))],
  };
}

async function findProgram(searchPath: string): Promise<string | undefined> {
  const folders = [...searchPath.split(path.delimiter).filter(path.isAbsolute), ...USUAL_FOLDERS];
  for (const folder of folders)
    for (const name of NAMES) {
      const program = path.join(folder, name);
      if (await isExecutable(program)) return program;
    }
  return undefined;
}

async function isExecutable(file: string): Promise<boolean> {
  const found = await stat(file).catch(() => null);
  return (
    found?.isFile() === true &&
    access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
  );
}

/** Returns the start of a shell script; an empty string for any other program. */
async function scriptIn(file: string): Promise<string> {
  const handle = await open(file);
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(SCRIPT_BYTES), 0, SCRIPT_BYTES, 0);
    const beginning = buffer.toString('latin1', 0, bytesRead);
    return beginning.startsWith('#!') ? beginning : '';
  } finally {
    await handle.close();
  }
}

/**
 * Returns the image that Debian's script `acl2` starts. The script itself also sets a folder of books, which
 * may not exist.
 */
async function imageStartedBy(script: string): Promise<string | undefined> {
  const image = /^\s*exec\s+"?(\/[^\s"]*\/saved_acl2)"?(?:\s|$)/m.exec(script)?.[1];
  return image !== undefined && (await isExecutable(image)) ? realpath(image) : undefined;
}

/** Returns the paths in an image's script: the host Lisp and its folders. */
async function programsIn(script: string): Promise<string[]> {
  const paths = new Set(script.match(/\/[^\s"'$:;=]+/g) ?? []);
  const present = await Promise.all(
    [...paths].map(async (file) => ((await stat(file).catch(() => null))?.isFile() ? [file] : [])),
  );
  return present.flat();
}

/** Runs ACL2 in an empty folder that is also its HOME, because GCL and ACL2 load files from both. */
const versionOf = perProgram(async (image) => {
  const home = await mkdtemp(path.join(tmpdir(), 'lisp-harbor-acl2-'));
  try {
    const child = spawnAlone(image, [], {
      cwd: home,
      env: { ...PLAIN_ENVIRONMENT, HOME: home },
      stdio: ['ignore', 'pipe', 'ignore'],
      timeout: ANSWER_MS,
    });
    const failed = new Promise<never>((_resolve, reject) => {
      child.on('error', reject);
    });
    const banner = await Promise.race([child.stdout ? text(child.stdout) : '', failed]);
    const version = /ACL2 Version (\S+)/.exec(banner)?.[1];
    if (version !== undefined) return version;
    throw new Error(
      `${image} did not report an ACL2 version. Its output: ${banner.trim().slice(-500) || 'nothing'}`,
    );
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});
