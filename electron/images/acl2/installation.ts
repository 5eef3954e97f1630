/** The ACL2 of this machine: the image that is run, what it needs, and the version that it says itself. */
import { access, constants, mkdtemp, open, realpath, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { spawnAlone } from '../../host/child-process';
import { type BooksProblem, findBooks } from './system-books';

export interface Installation {
  version: string;
  /** The program that starts ACL2: GCL's executable, or the script that `save-exec` wrote. */
  image: string;
  /** What it is started with. */
  options: readonly string[];
  /** Folder of the system's books; undefined where they are not installed. */
  books: string | undefined;
  /** What is wrong about them, and what to do about it. */
  booksProblem: BooksProblem | null;
  /** Files and folders that the image reads to run. */
  needs: readonly string[];
}

export interface SearchOptions {
  /** An ACL2 that a person named, and its books; they come before what is found. */
  program?: string | undefined;
  books?: string | undefined;
  /** Folders to look in, as in PATH. */
  searchPath: string;
}

/** Milliseconds that ACL2 may take to say what it is. */
const ANSWER_MS = 10_000;

/** Bytes of a script that are read; ACL2's own are a fraction of it. */
const SCRIPT_BYTES = 8_192;

/** Where package managers put it; a desktop program's PATH often lacks them. */
const USUAL_FOLDERS = ['/usr/local/bin', '/usr/bin', '/opt/homebrew/bin', '/opt/local/bin'];

/** The names under which ACL2 is installed. */
const NAMES = ['acl2', 'saved_acl2'];

/** A script that starts SBCL, which would load /etc/sbclrc as well; a sandbox lets nobody read that. */
const STARTS_SBCL = /--no-userinit/;

/** ACL2 is started with these and nothing of the user's, whose files it would load as raw Lisp. */
export const PLAIN_ENVIRONMENT = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  LANG: 'C.UTF-8',
  ACL2_CUSTOMIZATION: 'NONE',
} as const;

/** @throws Error with a sentence on what is wrong and what to do about it. */
export async function findInstallation(options: SearchOptions): Promise<Installation> {
  const program = options.program ?? (await findProgram(options.searchPath));
  if (program === undefined) throw new Error(`ACL2 was not found. ${advice()}`);
  if (!(await isExecutable(program))) throw new Error(`${program} is no program that can be run.`);
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

/** The beginning of a shell script; empty for any other program. */
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

/** Debian's `acl2` is a script that only starts an image, with a folder of books that may not be there. */
async function imageStartedBy(script: string): Promise<string | undefined> {
  const image = /^\s*exec\s+"?(\/[^\s"]*\/saved_acl2)"?(?:\s|$)/m.exec(script)?.[1];
  return image !== undefined && (await isExecutable(image)) ? realpath(image) : undefined;
}

/** The Lisp that an image's script starts, with its folders. */
async function programsIn(script: string): Promise<string[]> {
  const paths = new Set(script.match(/\/[^\s"'$:;=]+/g) ?? []);
  const present = await Promise.all(
    [...paths].map(async (file) => ((await stat(file).catch(() => null))?.isFile() ? [file] : [])),
  );
  return present.flat();
}

/** Asks in an empty folder that is its HOME as well, because GCL and ACL2 load files of both. */
async function versionOf(image: string): Promise<string> {
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
      `${image} does not answer as ACL2 would; it printed: ${banner.trim().slice(-500) || 'nothing'}`,
    );
  } finally {
    await rm(home, { recursive: true, force: true });
  }
}

function advice(): string {
  if (process.platform === 'linux')
    return 'Install it with: apt install acl2 (or build it from https://www.cs.utexas.edu/~moore/acl2/ and put saved_acl2 on the PATH, or name it in the environment variable ACL2)';
  return 'Build it from https://www.cs.utexas.edu/~moore/acl2/ and put saved_acl2 on the PATH, or name it in the environment variable ACL2.';
}
