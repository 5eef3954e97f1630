/**
 * Which folders can never be a project, and why. Pure: paths are compared as text, so they must be real ones, with
 * symbolic links followed.
 */
import path from 'node:path';

export interface Places {
  platform: NodeJS.Platform;
  home: string;
  dataFolder: string;
  /** What lies below one of these is fine, wherever it is; it itself is not. */
  temporaryFolders: readonly string[];
}

/** Temporary folders of every Unix, whatever TMPDIR says; macOS has them in /private. */
const TEMPORARY = ['/tmp', '/var/tmp', '/private/tmp', '/private/var/tmp'];

/** First segments of paths that belong to the system. */
const UNIX = 'bin boot dev etc lib lib32 lib64 libx32 opt proc root run sbin sys usr var'.split(' ');
const SYSTEM: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  darwin: [...UNIX, 'Applications', 'Library', 'System', 'cores', 'private'],
  win32: ['windows', 'program files', 'program files (x86)', 'programdata', '$recycle.bin', 'recovery'],
};

/** @returns the reason as the end of "it is …", or null when a person may choose the folder */
export function neverAProject(folder: string, places: Places): string | null {
  const { platform, home, temporaryFolders } = places;
  const never = neverOpen(folder, places);
  if (never !== null) return never;
  const temporary = [...temporaryFolders, ...(platform === 'win32' ? [] : TEMPORARY)];
  const below = (other: string) => isBelow(folder, other, platform);
  if (temporary.some((other) => isWithin(other, folder, platform)))
    return 'a folder of the whole system for temporary files';
  if (below(home) || isWithin(folder, places.dataFolder, platform) || temporary.some(below)) return null;
  return isSystem(folder, platform) ? 'a system folder' : null;
}

/** Of a folder that clients may not even read as a whole.
 * @returns the reason as the end of "it is …", or null */
export function neverOpen(folder: string, { platform, home, dataFolder }: Places): string | null {
  const holds = (other: string) => isWithin(other, folder, platform);
  if (flavour(platform).parse(folder).root === folder) return 'the root of the file system';
  if (holds(home) && isWithin(folder, home, platform)) return 'your home folder itself';
  if (holds(home)) return 'a folder that holds your home folder';
  if (holds(dataFolder)) return "a folder that holds Lisp Harbor's own data";
  if (!isBelow(folder, dataFolder, platform)) return null;
  const scratch = flavour(platform).join(dataFolder, 'scratch');
  return isWithin(folder, scratch, platform) ? null : "in Lisp Harbor's own data folder";
}

/** What Git keeps in a work tree. */
export const REPOSITORY = '.git';

/** Whether the folder is Git's own or in one: what may be written there runs outside of the sandbox. */
export function isInRepository(folder: string): boolean {
  return folder.split(/[\\/]/).some((segment) => segment.toLowerCase() === REPOSITORY);
}

/** Whether `folder` is `other` or lies below it. */
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

/** On Windows paths are compared without regard to case, which `path.win32.relative` does. */
function flavour(platform: NodeJS.Platform): path.PlatformPath {
  return platform === 'win32' ? path.win32 : path.posix;
}
