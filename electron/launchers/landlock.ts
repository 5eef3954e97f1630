/**
 * Starts images confined by Landlock, which needs no user namespace. An SBCL process confines itself with
 * resources/sandbox/landlock.lisp and then executes the engine, so its pid is the engine's.
 */

import { createHash } from 'node:crypto';
import { readdirSync, realpathSync, statSync } from 'node:fs';
import { mkdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { asFailure } from '../contract/errors';
import type { SandboxReport } from '../contract/model';
import { runAlone } from '../host/child-process';
import { type HostLayout, mountsFor } from '../sandbox/bubblewrap-arguments';
import type { Confinement } from '../sandbox/confinement';
import { type FileSystem, landlockGaps, landlockGrants, landlockOrder } from '../sandbox/landlock-rules';
import { MountSources } from '../sandbox/mount-sources';
import { seccompFilter } from '../sandbox/seccomp';
import { type Child, childNotStarted, startChild } from './child';
import { type Launched, type Launcher, type Program, reportOf } from './launcher';
import { limitedProcess } from './local';
import { type ImageLimit, type ImageLimits, survivingProgramGaps } from './process-limits';

interface LandlockOptions {
  /** The compiled confiner and the Landlock version, from `prepareLandlock`. */
  confiner: string;
  version: number;
  host: HostLayout;
  limits: ImageLimits;
  /** Folders to search for `sbcl`, as in PATH. */
  searchPath: string;
  /** Why a stronger sandbox is not used, and how to get it. */
  reason: string;
}

export class LandlockLauncher implements Launcher {
  readonly sandbox: SandboxReport;
  readonly #options: LandlockOptions;

  constructor(options: LandlockOptions) {
    const { version, limits, reason } = options;
    const unfiltered = seccompFilter(process.arch) === null ? process.arch : null;
    const gaps = [
      ...landlockGaps(version, unfiltered),
      ...survivingProgramGaps(limits),
      ...(limits.gap === null ? [] : [limits.gap]),
    ];
    this.#options = options;
    this.sandbox = { confined: true, launcher: 'landlock', reason, sharesNetwork: true, gaps };
  }

  expectImage(): void {
    this.#options.limits.expectImage();
  }

  /**
   * @throws HarborError `engine_failed` if limits can no longer be set, `path_not_allowed` if a link replaced
   *   an allowed path
   */
  launch(program: Program, confinement: Confinement): Launched {
    const sources = MountSources.open(mountsFor(program, confinement), confinement);
    try {
      return this.#launch(program, confinement, filesOpenedAs(sources));
    } finally {
      // The confiner opens rule paths without following links, so it is enough that they had none.
      sources.close();
    }
  }

  #launch(program: Program, confinement: Confinement, files: FileSystem): Launched {
    const limit = this.#options.limits.forImage();
    const child = this.#start(limit, program, () => this.#order(program, confinement, files));
    return limitedProcess(child, reportOf(this.sandbox, confinement), limit);
  }

  #start({ outside, env, groups }: ImageLimit, { cwd }: Program, order: () => Uint8Array): Child {
    const { confiner, searchPath } = this.#options;
    const [command = '', ...args] = [...outside, 'sbcl', '--script', confiner];
    try {
      return startChild(command, args, { cwd, env: { ...env, PATH: searchPath }, input: order(), groups });
    } catch (error) {
      return childNotStarted(error);
    }
  }

  /** @throws Error if the order cannot be encoded, or a folder around a hidden path cannot be read */
  #order(program: Program, confinement: Confinement, files: FileSystem): Uint8Array {
    const { host, version } = this.#options;
    const { network } = confinement;
    const grants = landlockGrants(program.needs, confinement, host, files);
    return landlockOrder({
      program,
      grants,
      network,
      version,
      filter: seccompFilter(process.arch, {
        sharedHost: { network },
        alone: program.alone ?? false,
      }),
    });
  }
}

/** The host's file system, with the opened paths as they were when opened. */
function filesOpenedAs(sources: MountSources): FileSystem {
  return {
    real(requested) {
      const source = sources.at(requested);
      return source === undefined
        ? hostFileSystem.real(requested)
        : source && { ...source, path: source.real };
    },
    children: hostFileSystem.children,
  };
}

/** Compiling takes half a second, or a few on a busy machine. */
const COMPILE_MS = 60_000;

export interface LandlockFiles {
  /** The Lisp file that confines a program, `resources/sandbox/landlock.lisp`. */
  source: string;
  /** Folder for the compiled file; must not be reachable by code in images. */
  folder: string;
}

type Prepared = { ok: true; confiner: string; version: number } | { ok: false; reason: string };

/**
 * Compiles the confiner with the SBCL that will load it, at each start of the app, because an SBCL cannot
 * load files of another version. Loading the source would take 100 ms per image. `reason` is the end of a
 * sentence for the user.
 * @param searchPath folders to search for `sbcl`, as in PATH
 */
export async function prepareLandlock(files: LandlockFiles, searchPath: string): Promise<Prepared> {
  const sbcl = async (...args: string[]) =>
    (await runAlone('sbcl', args, { env: { PATH: searchPath }, timeout: COMPILE_MS })).stdout;
  try {
    const confiner = await compile(files, sbcl);
    const version = Number((await sbcl('--script', confiner, 'abi')).trim());
    if (version > 0) return { ok: true, confiner, version };
    return { ok: false, reason: 'this kernel does not support Landlock, the alternative sandbox' };
  } catch (error) {
    return { ok: false, reason: refusal(error) };
  }
}

/** Writes to another name first, because another instance or version may be loading the file. */
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
    return 'the Landlock sandbox needs SBCL, which was not found; on Debian and Ubuntu: apt install sbcl';
  const { message } = asFailure(error);
  const lastLine = message.trim().split('\n').at(-1) ?? message;
  return `SBCL could not set up Landlock, the alternative sandbox (${lastLine})`;
}

/** The host's file system, as an argument for pure functions. */
export const hostFileSystem: FileSystem = {
  real(requested) {
    try {
      const real = realpathSync.native(requested);
      return { path: real, isFolder: statSync(real).isDirectory() };
    } catch {
      return null;
    }
  },
  children(folder) {
    return readdirSync(folder, { withFileTypes: true })
      .filter((entry) => !entry.isSymbolicLink())
      .map((entry) => ({ path: path.join(folder, entry.name), isFolder: entry.isDirectory() }));
  },
};
