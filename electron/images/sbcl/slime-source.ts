/**
 * Where the Lisp half of SLIME is on this machine: in the folder that a person names, else where Debian puts it, else
 * among the Lisp libraries. It is known by its file swank-loader.lisp.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { HarborError } from '../../contract/errors';

const LOADER = 'swank-loader.lisp';

/** Folders below a library that may be SLIME's, or hold it under a name with its version. */
const BELOW_LIBRARY = ['slime', 'source/slime', 'local-projects/slime'] as const;
const QUICKLISP_SOFTWARE = 'dists/quicklisp/software';

export interface SlimeSearch {
  /** What a person named in the settings; absent means that it is looked for. */
  named?: string | undefined;
  /** Folders of Lisp libraries. */
  libraries: readonly string[];
  /** What the image can read: these folders and all below them. */
  visible: readonly string[];
}

/** The folder of SLIME, absolute. @throws HarborError `slime_missing` with what to install, or what is wrong with the named one */
export function findSlime({ named, libraries, visible }: SlimeSearch): string {
  if (named !== undefined) return namedFolder(named, visible);
  const found = libraries.flatMap(candidates).find(isSlime);
  if (found !== undefined) return found;
  throw new HarborError(
    'slime_missing',
    'The Lisp half of SLIME (Swank) was not found. Install it, on Debian and Ubuntu with: apt install cl-swank; or ' +
      `name the folder of your own SLIME, the one with ${LOADER} in it, under Settings.`,
  );
}

function namedFolder(folder: string, visible: readonly string[]): string {
  if (!isSlime(folder)) {
    throw new HarborError(
      'slime_missing',
      `There is no ${LOADER} in ${folder}, which Settings name as the folder of SLIME. Name another, or none.`,
    );
  }
  if (visible.some((parent) => isBelow(folder, parent))) return folder;
  throw new HarborError(
    'slime_missing',
    `This session was opened before ${folder} was named as the folder of SLIME, and its sandbox does not hold it. ` +
      'Reset the session, or open a new one.',
  );
}

function candidates(library: string): string[] {
  return [...BELOW_LIBRARY.map((name) => path.join(library, name)), ...fromQuicklisp(library)];
}

/** Newest first: Quicklisp names the folders by version, as slime-v2.30. */
function fromQuicklisp(library: string): string[] {
  const software = path.join(library, QUICKLISP_SOFTWARE);
  if (!existsSync(software)) return [];
  return readdirSync(software)
    .filter((name) => /^slime-v?\d/.test(name))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => path.join(software, name));
}

function isSlime(folder: string): boolean {
  return existsSync(path.join(folder, LOADER));
}

function isBelow(folder: string, parent: string): boolean {
  const way = path.relative(parent, folder);
  return way === '' || !(way.startsWith('..') || path.isAbsolute(way));
}
