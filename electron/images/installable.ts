/** Returns which packages of the system's package manager would install missing programs. */
import type { Installable, Missing } from '../contract/harbor-status';
import type { EngineFound } from '../contract/model';

interface Manager {
  program: string;
  command: string;
  packages: Partial<Record<Missing['brings'], string[]>>;
}

/**
 * Packages by manager. Programs that would not be found after installation, or have no package, are omitted.
 */
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
      bubblewrap: ['bubblewrap', 'passt'],
    },
  },
  {
    program: 'dnf',
    command: 'sudo dnf install',
    packages: { sbcl: ['sbcl'], ecl: ['ecl'], bubblewrap: ['bubblewrap', 'passt'] },
  },
  {
    program: 'brew',
    command: 'brew install',
    packages: { sbcl: ['sbcl'], acl2: ['acl2'], ecl: ['ecl'], abcl: ['abcl'] },
  },
];

/**
 * Returns null if no package manager is known.
 * @param find returns the path of a program
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
