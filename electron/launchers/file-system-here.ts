/** This machine's files, for those who decide about them. */
import { readdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import type { FileSystem } from '../sandbox/landlock-grants';

export const fileSystemHere: FileSystem = {
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
