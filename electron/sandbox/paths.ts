/**
 * Compares and resolves paths, and knows which folders can never be a project. The comparisons are pure: they
 * compare text, so callers pass real paths.
 */

import { lstatSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';

export interface Places {
  platform: NodeJS.Platform;
  home: string;
  dataFolder: string;
  /** Folders whose subfolders may be projects, but not the folders themselves. */
  temporaryFolders: readonly string[];
}

/** Temporary folders of every Unix, even if TMPDIR names another; macOS has them in /private. */
const TEMPORARY = ['/tmp', '/var/tmp', '/private/tmp', '/private/var/tmp'];

/** First path segments of system folders. */
const UNIX = 'bin boot dev etc lib lib32 lib64 libx32 opt proc root run sbin sys usr var'.split(' ');
const SYSTEM: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [...UNIX, 'Applications', 'Library', 'System', 'cores', 'private'],
  win32: ['windows', 'program files', 'program files (x86)', 'programdata', '$recycle.bin', 'recovery'],
};

/** Returns why the folder cannot be a project, as the end of "it is …"; null if the user may choose it. */
export function projectRefusal(folder: string, paths: Places): string | null {
  const { platform, home, temporaryFolders } = paths;
  const never = readRefusal(folder, paths);
  if (never !== null) return never;
  const temporary = [...temporaryFolders, ...(platform === 'win32' ? [] : TEMPORARY)];
  const below = (other: string) => isBelow(folder, other, platform);
  if (temporary.some((other) => isWithin(other, folder, platform)))
    return 'a system-wide folder for temporary files';
  if (below(home) || isWithin(folder, paths.dataFolder, platform) || temporary.some(below)) return null;
  return isSystem(folder, platform) ? 'a system folder' : null;
}

/** Returns why clients may not read the folder as a whole, as the end of "it is …"; null if they may. */
export function readRefusal(folder: string, { platform, home, dataFolder }: Places): string | null {
  const holds = (other: string) => isWithin(other, folder, platform);
  if (flavour(platform).parse(folder).root === folder) return 'the root of the file system';
  if (holds(home) && isWithin(folder, home, platform)) return 'your home folder';
  if (holds(home)) return 'a folder that contains your home folder';
  if (holds(dataFolder)) return "a folder that contains Lisp Harbor's own data";
  if (!isBelow(folder, dataFolder, platform)) return null;
  const scratch = flavour(platform).join(dataFolder, 'scratch');
  return isWithin(folder, scratch, platform) ? null : "inside Lisp Harbor's own data folder";
}

/** Git's folder in a work tree. */
export const REPOSITORY = '.git';

/** Reports whether the folder is `.git` or inside one; files there are executed outside the sandbox. */
export function isInRepository(folder: string): boolean {
  return folder.split(/[\\/]/).some((segment) => segment.toLowerCase() === REPOSITORY);
}

/** Reports whether `folder` is `other` or below it. */
export function isWithin(folder: string, other: string, platform: NodeJS.Platform): boolean {
  const { relative, isAbsolute, sep } = flavour(platform);
  const way = relative(other, folder);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function isBelow(folder: string, other: string, platform: NodeJS.Platform): boolean {
  return isWithin(folder, other, platform) && !isWithin(other, folder, platform);
}

function isSystem(folder: string, platform: NodeJS.Platform): boolean {
  const { root } = flavour(platform).parse(folder);
  const first = folder.slice(root.length).split(flavour(platform).sep)[0] ?? '';
  const known = SYSTEM[platform] ?? UNIX;
  return known.includes(platform === 'win32' ? first.toLowerCase() : first);
}

/** `path.win32.relative` compares without regard to case. */
function flavour(platform: NodeJS.Platform): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}

/** Maximum number of links to follow, as in Linux. */
const MOST_LINKS = 40;

/**
 * Resolves symbolic links of the nearest existing ancestor and appends the rest unchanged. A broken link
 * resolves to its target path, so a decision by the path does not reveal whether the target exists.
 */
export function realPath(file: string): string {
  return new RealPaths().of(file);
}

/** Real paths at one moment; shared ancestors are resolved once. */
export class RealPaths {
  readonly #known = new Map<string, string>();

  /** Like `realPath`. */
  of(file: string): string {
    return this.#following(path.resolve(file), MOST_LINKS);
  }

  #following(absolute: string, linksRemaining: number): string {
    const known = this.#known.get(absolute);
    if (known !== undefined) return known;
    const real = resolvedPath(absolute) ?? this.#belowParent(absolute, linksRemaining);
    this.#known.set(absolute, real);
    return real;
  }

  #belowParent(absolute: string, linksRemaining: number): string {
    const parent = path.dirname(absolute);
    if (parent === absolute) return absolute;
    const at = path.join(this.#following(parent, linksRemaining), path.basename(absolute));
    const target = linksRemaining > 0 ? linkTarget(at) : null;
    return target === null ? at : this.#following(path.resolve(path.dirname(at), target), linksRemaining - 1);
  }
}

/** Returns null if the path cannot be reached. Checks existence first, which is cheaper than an exception. */
function resolvedPath(absolute: string): string | null {
  try {
    return lstatSync(absolute, { throwIfNoEntry: false }) ? realpathSync.native(absolute) : null;
  } catch {
    return null;
  }
}

/**
 * Reports whether a link on the way to the file is in one of the folders; code that can write there controls
 * the target.
 */
export function passesLinkIn(file: string, folders: readonly string[], platform: NodeJS.Platform): boolean {
  return linksOn(file).some((link) => folders.some((folder) => isWithin(link, folder, platform)));
}

/** Returns the paths of the links that are followed on the way to the file, which need not exist. */
function linksOn(file: string): string[] {
  const absolute = path.resolve(file);
  let { root: done } = path.parse(absolute);
  const links: string[] = [];
  const remaining = absolute.slice(done.length).split(path.sep);
  for (
    let name = remaining.shift();
    name !== undefined && links.length < MOST_LINKS;
    name = remaining.shift()
  ) {
    // `done` is real, so `..` is its parent folder.
    const at = path.join(done, name);
    const target = linkTarget(at);
    if (target === null) done = at;
    else {
      links.push(at);
      if (path.isAbsolute(target)) ({ root: done } = path.parse(target));
      remaining.unshift(...target.split(path.sep));
    }
  }
  return links;
}

/** Returns null if it is not a link. */
function linkTarget(file: string): string | null {
  try {
    return lstatSync(file, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(file) : null;
  } catch {
    return null;
  }
}
