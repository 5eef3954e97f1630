/** The versions of SLIME and SLY to test with: folders that SLIME_VERSIONS names, by their own names. */
import { existsSync } from 'node:fs';
import path from 'node:path';

export interface SlimeVersion {
  name: string;
  folder: string;
}

/** Known by the server that it brings. */
const isSly = ({ folder }: SlimeVersion): boolean => existsSync(path.join(folder, 'slynk'));

const all: readonly SlimeVersion[] = (process.env.SLIME_VERSIONS ?? '')
  .split(path.delimiter)
  .filter((folder) => folder !== '')
  .map((folder) => ({ name: path.basename(folder), folder }));

export const VERSIONS = all.filter((version) => !isSly(version));
export const SLY_VERSIONS = all.filter(isSly);
