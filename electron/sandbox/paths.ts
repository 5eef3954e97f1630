/** Compares and resolves paths. The comparisons are pure: they compare text, so callers pass real paths. */

import { type Dirent, lstatSync, readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { system } from '../host/system';

/** Git's folder in a work tree. */
export const REPOSITORY = '.git';

/** Reports whether `folder` is `other` or below it. */
export function isWithin(folder: string, other: string, platform: NodeJS.Platform): boolean {
  // Most paths are normal, and comparing them as text is many times faster.
  if (platform !== 'win32' && isNormal(folder) && isNormal(other))
    return folder.startsWith(other) && (folder.length === other.length || folder[other.length] === '/');
  const { relative, isAbsolute, sep } = flavour(platform);
  const way = relative(other, folder);
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

/** Reports whether a Unix path is absolute, has no empty, `.` or `..` segment, and is not the root. */
function isNormal(file: string): boolean {
  return file.startsWith('/') && !/\/\.{0,2}(?:\/|$)/.test(file);
}

/** Reports whether `folder` is below `other`. */
export function isBelow(folder: string, other: string, platform: NodeJS.Platform): boolean {
  return isWithin(folder, other, platform) && !isWithin(other, folder, platform);
}

/** Returns the folders above the file, nearest first. */
export function foldersAbove(file: string): string[] {
  const folders: string[] = [];
  for (let at = path.dirname(file); ; at = path.dirname(at)) {
    folders.push(at);
    if (at === path.dirname(at)) return folders;
  }
}

/** `path.win32.relative` compares without regard to case. */
export function flavour(platform: NodeJS.Platform): path.PlatformPath {
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

/** A line of /proc/self/mountinfo: the folder of a file system that is mounted at a path (proc(5)). */
interface Mount {
  device: string;
  root: string;
  at: string;
}

/**
 * Returns the other paths at which mount points show the folder; none on systems without /proc.
 * @param folder its real path
 */
export function otherPaths(folder: string): string[] {
  const mounts = mountsHere();
  const above = mounts.filter(({ at }) => isWithin(folder, at, 'linux'));
  // The last of several mounts at one place covers the others.
  const own = above.reduce<Mount | null>(
    (last, each) => (last && each.at.length < last.at.length ? last : each),
    null,
  );
  if (!own) return [];
  const inside = path.posix.join(own.root, path.posix.relative(own.at, folder));
  return mounts
    .filter((each) => each !== own && each.device === own.device && isWithin(inside, each.root, 'linux'))
    .map(({ root, at }) => path.posix.join(at, path.posix.relative(root, inside)));
}

function mountsHere(): Mount[] {
  if (!system.hasProc) return [];
  return readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .flatMap((line) => {
      const [, , device, root, at] = line.split(' ').map(withoutEscapes);
      return device && root && at ? [{ device, root, at }] : [];
    });
}

/** Spaces and other separators are octal there. */
function withoutEscapes(field: string): string {
  return field.replaceAll(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(parseInt(digits, 8)));
}

/** Returns no entries of a folder that does not exist or cannot be read. */
export function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
