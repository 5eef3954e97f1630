/** Which Debian packages are asked for. */
import { existsSync, readdirSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { setupModule } from './setup-checkout';

interface Row {
  brings: string;
  packages: string[];
  neededBy: string;
}

interface Modules {
  offered(policy: string, name: string): boolean;
  missingPrograms(wanted: string[]): Row[];
  missingLispLibraries(): Row[];
  missingEmacsPackages(): Row[];
  programs: Row[];
  lispLibraries: Row[];
  emacsPackages: Row[];
  javaArchives: Row[];
  systemFiles: Row[];
  libraries: Row[];
}

let setup: Modules;
beforeAll(async () => {
  setup = await setupModule<Modules>('system-packages');
});

describe('a package name', () => {
  const policy = `libgtk-3-0t64:
  Installed: (none)
  Candidate: 3.24.41-4ubuntu1
  Version table:
libasound2:
  Installed: (none)
  Candidate: (none)
  Version table:
`;

  it('counts when the release has a candidate for it', () => {
    expect(setup.offered(policy, 'libgtk-3-0t64')).toBe(true);
  });

  it('does not count when only other packages provide it, or when nobody knows it', () => {
    expect(setup.offered(policy, 'libasound2')).toBe(false);
    expect(setup.offered(policy, 'libgtk-3-0')).toBe(false);
  });
});

describe('the table', () => {
  it('says for each row what needs it, and names each thing once', () => {
    const rows = [
      ...setup.programs,
      ...setup.lispLibraries,
      ...setup.emacsPackages,
      ...setup.javaArchives,
      ...setup.systemFiles,
      ...setup.libraries,
    ];
    for (const row of rows) {
      expect(row.neededBy, row.brings).not.toBe('');
      expect(row.packages.length, row.brings).toBeGreaterThan(0);
    }
    expect(new Set(rows.map((row) => row.brings)).size).toBe(rows.length);
  });

  it('asks only for programs that are not there', () => {
    expect(setup.missingPrograms(['sbcl', 'xauth']).length).toBeLessThanOrEqual(2);
    expect(setup.missingPrograms([])).toEqual([]);
  });

  it('asks only for Lisp libraries whose sources are not there', () => {
    const there = setup.lispLibraries.filter(({ brings }) =>
      existsSync(`/usr/share/common-lisp/source/${brings}`),
    );
    expect(setup.missingLispLibraries()).toEqual(setup.lispLibraries.filter((row) => !there.includes(row)));
  });

  it('asks only for packages of Emacs of which there is no version', () => {
    const folder = '/usr/share/emacs/site-lisp/elpa-src';
    const there = existsSync(folder) ? readdirSync(folder) : [];
    const missing = setup.emacsPackages.filter(
      ({ brings }) => !there.some((name) => name.startsWith(brings)),
    );
    expect(setup.missingEmacsPackages()).toEqual(missing);
  });
});
