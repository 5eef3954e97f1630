/** The libraries that every image may read: the Lisps' own and those that a person keeps in the usual places. */
import { existsSync } from 'node:fs';
import path from 'node:path';

// Of Maven's folder the jars only: its settings hold passwords.
const IN_HOME = ['quicklisp', 'common-lisp', '.local/share/common-lisp', '.m2/repository'];
const OF_SYSTEM = [
  '/usr/share/common-lisp',
  '/usr/local/share/common-lisp',
  '/usr/share/java',
  '/usr/lib/sbcl',
  '/usr/local/lib/sbcl',
];

/** Those that are there, absolute. */
export function libraryFolders(home: string): string[] {
  return [...IN_HOME.map((name) => path.join(home, name)), ...OF_SYSTEM].filter((folder) =>
    existsSync(folder),
  );
}
