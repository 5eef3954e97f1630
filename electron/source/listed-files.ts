/** Which files of a folder are worth reading: no hidden ones, nothing that was built. */
import type { DirectoryEntry } from './files';

/** Folders of what is built or fetched. */
const BUILT_FOLDERS: ReadonlySet<string> = new Set([
  'node_modules',
  'target',
  'out',
  'build',
  'dist',
  '__pycache__',
]);
/** What compilers and linkers write. */
const BUILT_FILES = /\.(?:fasl|fas|[a-z0-9]*fsl|abcl|cert|port|class|jar|o|a|so|dylib|dll|exe|core|pyc)$|~$/i;

/** What there is to say of a folder that holds more than was looked at. */
export function cutFolder(shown: string): string {
  return `${shown} holds more than was looked at: what is told of it is not all.`;
}

/** By name, folders before files.
 * @param hidden whether with those whose names begin with a dot */
export function listed(entries: readonly DirectoryEntry[], hidden = false): DirectoryEntry[] {
  return entries
    .filter((entry) => (hidden || !entry.name.startsWith('.')) && !isBuilt(entry))
    .sort((one, other) => order(one, other));
}

function isBuilt({ name, type }: DirectoryEntry): boolean {
  return type === 'file' ? BUILT_FILES.test(name) : BUILT_FOLDERS.has(name);
}

function order(one: DirectoryEntry, other: DirectoryEntry): number {
  if (one.type !== other.type) return one.type === 'directory' ? -1 : 1;
  return one.name < other.name ? -1 : 1;
}
