/**
 * Projects that are not tidy: links to the root of the disk, upwards and in a circle, links that lead nowhere as Emacs
 * leaves them, folders that may not be read, and names that other programs read as patterns or that are no UTF-8.
 */
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** Names that shells and Lisps read as patterns; folders and files may be called so. */
export const WILD_NAMES = ['a*b', 'what?', 'one[1]'] as const;

/** Adds to the folder what makes a search of it go wrong; `below` is an existing folder in it, relative to it. */
export function makeOdd(folder: string, below: string): void {
  const inside = path.join(folder, below);
  mkdirSync(path.join(folder, 'dosdevices'));
  symlinkSync('/', path.join(folder, 'dosdevices/z:'));
  symlinkSync('..', path.join(inside, 'up'));
  symlinkSync('.', path.join(inside, 'here'));
  symlinkSync('circle-b', path.join(inside, 'circle-a'));
  symlinkSync('circle-a', path.join(inside, 'circle-b'));
  for (const suffix of ['lisp', 'clj', 'asd']) {
    symlinkSync('somebody@somewhere.1234:1', path.join(inside, `.#locked.${suffix}`));
    symlinkSync('nowhere', path.join(inside, `dangling.${suffix}`));
  }
  mkdirSync(path.join(inside, 'closed'));
  writeFileSync(path.join(inside, 'closed/hidden.lisp'), '(');
  chmodSync(path.join(inside, 'closed'), 0);
  for (const name of WILD_NAMES) mkdirSync(path.join(inside, name));
  for (const suffix of ['lisp', 'clj', 'asd', 'd'])
    writeFileSync(Buffer.from(`${inside}/caf\xe9.${suffix}`, 'latin1'), '; in an older encoding\n');
  mkdirSync(Buffer.from(`${inside}/dossi\xe9r`, 'latin1'));
}
