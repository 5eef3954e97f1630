/** Which packages would bring what is missing here, by the package manager that is. */
import type { Installable, Missing } from '../contract/installable';
import type { EngineFound } from '../contract/model';

interface Manager {
  program: string;
  command: string;
  packages: Partial<Record<Missing['brings'], string[]>>;
}

/** Those of other systems leave out what would not be found once it is there, or is not among their packages. */
const MANAGERS: readonly Manager[] = [
  {
    program: 'apt',
    command: 'sudo apt install',
    packages: {
      sbcl: ['sbcl'],
      acl2: ['acl2'],
      clojure: ['clojure', 'libnrepl-clojure'],
      ecl: ['ecl'],
      abcl: ['abcl'],
      bubblewrap: ['bubblewrap'],
    },
  },
  {
    program: 'dnf',
    command: 'sudo dnf install',
    packages: { sbcl: ['sbcl'], ecl: ['ecl'], bubblewrap: ['bubblewrap'] },
  },
  {
    program: 'brew',
    command: 'brew install',
    packages: { sbcl: ['sbcl'], acl2: ['acl2'], ecl: ['ecl'], abcl: ['abcl'] },
  },
];

/**
 * null where no package manager is known.
 * @param find answers where a program is
 */
export async function installable(
  engines: readonly EngineFound[],
  find: (program: string) => Promise<string | undefined>,
): Promise<Installable | null> {
  for (const { program, command, packages } of MANAGERS) {
    if ((await find(program)) === undefined) continue;
    const here = new Set<string>(engines.filter(({ available }) => available).map(({ engine }) => engine));
    if ((await find('bwrap')) !== undefined) here.add('bubblewrap');
    const rows = Object.entries(packages) as [Missing['brings'], string[]][];
    return {
      command,
      missing: rows
        .filter(([brings]) => !here.has(brings))
        .map(([brings, names]) => ({ brings, packages: names })),
    };
  }
  return null;
}
