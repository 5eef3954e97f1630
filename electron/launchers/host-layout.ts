/** What launchers look at on this host: how it arranges the folders that programs run from, and its files. */
import { lstatSync, readdirSync, readlinkSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { HostLayout } from '../sandbox/bubblewrap-arguments';
import type { FileSystem } from '../sandbox/landlock-grants';

const FOLDERS = ['/bin', '/sbin', '/lib', '/lib32', '/lib64', '/libx32'];

/** Links (a merged `/usr`) and folders of their own, told apart; what does not exist is left out. */
export function readHostLayout(): HostLayout {
  const links: { path: string; target: string }[] = [];
  const folders: string[] = [];
  for (const path of FOLDERS) {
    const found = lstatSync(path, { throwIfNoEntry: false });
    if (found?.isSymbolicLink()) links.push({ path, target: readlinkSync(path) });
    else if (found?.isDirectory()) folders.push(path);
  }
  return { links, folders };
}

/** The file system of this host, for what is pure otherwise. */
export const hostFileSystem: FileSystem = {
  real(asked) {
    try {
      const real = realpathSync.native(asked);
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
