/** Finds SLIME and SLY on this computer, whose Lisp files are the servers of Emacs. */

import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { HarborError } from '../../contract/errors';
import type { EmacsProtocol } from '../../contract/harbor-status';

interface Package {
  /** SLIME or SLY. */
  title: string;
  /** The file by which its folder is recognized. */
  loader: string;
  /** Its places in a folder of libraries; `*` stands for versions, of which the newest is taken. */
  below: readonly string[];
  install: string;
}

const PACKAGES: Readonly<Record<EmacsProtocol, Package>> = {
  swank: {
    title: 'SLIME',
    loader: 'swank-loader.lisp',
    below: ['', 'slime', 'source/slime', 'local-projects/slime', 'dists/quicklisp/software/slime-*'],
    install: 'Install it, on Debian and Ubuntu with: apt install cl-swank',
  },
  slynk: {
    title: 'SLY',
    loader: 'slynk/slynk-loader.lisp',
    below: ['', 'sly', 'source/sly', 'local-projects/sly', 'dists/quicklisp/software/sly-*', 'sly-*'],
    install:
      'Install it in Emacs with: M-x package-install RET sly RET (from MELPA or NonGNU ELPA), and open a new session',
  },
};

/** Visible in every sandbox, see sandbox/bubblewrap-arguments.ts. */
const ALWAYS_VISIBLE = ['/usr'];

/** Where distributions install packages of Emacs. */
const SYSTEM_PACKAGES = ['/usr/share/emacs/site-lisp/elpa-src', '/usr/share/emacs/site-lisp/elpa'];

/** The folders that the sandbox of an image lets it read. */
interface Reach {
  launcher: { sandbox: { confined: boolean } };
  confinement: { readable: readonly string[]; writable: readonly string[] };
}

/** The user's folders of SLIME and SLY, from the settings. */
export type NamedFolders = (server: EmacsProtocol) => string | undefined;

/**
 * Returns the absolute folder of SLIME or SLY for an image: the user's folder, else the first in folders that the
 * image can read.
 * @throws HarborError `slime_missing` with what to install, or what is wrong with the user's folder
 */
export function emacsFolder(
  server: EmacsProtocol,
  named: string | undefined,
  { launcher, confinement: { readable, writable } }: Reach,
): string {
  const { title, loader, below, install } = PACKAGES[server];
  const isHere = (folder: string) => existsSync(path.join(folder, loader));
  if (named !== undefined) {
    const visible = launcher.sandbox.confined ? [...ALWAYS_VISIBLE, ...readable, ...writable] : ['/'];
    return namedFolder(named, { title, loader, isHere: isHere(named), visible });
  }
  const found = [...readable, ...SYSTEM_PACKAGES]
    .flatMap((library) => below.flatMap((place) => matching(library, place)))
    .find(isHere);
  if (found !== undefined) return found;
  throw new HarborError(
    'slime_missing',
    `The Lisp part of ${title} was not found. ${install}; or set the folder of your own ${title}, the one that contains ${loader}, under Settings.`,
  );
}

function namedFolder(
  folder: string,
  {
    title,
    loader,
    isHere,
    visible,
  }: { title: string; loader: string; isHere: boolean; visible: readonly string[] },
): string {
  if (!isHere)
    throw new HarborError(
      'slime_missing',
      `${folder}, the folder of ${title} in Settings, does not contain ${loader}. Set another folder, or none.`,
    );
  if (visible.some((parent) => isBelow(folder, parent))) return folder;
  throw new HarborError(
    'slime_missing',
    `This session was opened before ${folder} was set as the folder of ${title}, so its sandbox does not ` +
      'include it. Reset the session, or open a new one.',
  );
}

/** Returns the folders at a place below a library, the newest version first. */
function matching(library: string, place: string): string[] {
  if (!place.endsWith('*')) return [path.join(library, place)];
  const parent = path.join(library, path.dirname(place));
  const start = path.basename(place).slice(0, -1);
  if (!existsSync(parent)) return [];
  return readdirSync(parent)
    .filter((name) => name.startsWith(start) && /^v?\d/.test(name.slice(start.length)))
    .sort((a, b) => b.localeCompare(a, 'en', { numeric: true }))
    .map((name) => path.join(parent, name));
}

function isBelow(folder: string, parent: string): boolean {
  const way = path.relative(parent, folder);
  return way === '' || !(way.startsWith('..') || path.isAbsolute(way));
}
