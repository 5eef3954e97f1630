/** The versions of SLIME to test with: folders that SLIME_VERSIONS names, by their own names. */
import path from 'node:path';

export interface SlimeVersion {
  name: string;
  folder: string;
}

export const VERSIONS: readonly SlimeVersion[] = (process.env.SLIME_VERSIONS ?? '')
  .split(path.delimiter)
  .filter((folder) => folder !== '')
  .map((folder) => ({ name: path.basename(folder), folder }));
