/** The licences of everything in the built app: known, permissive, and complete in the files that packages bring. */
import { expect, it } from 'vitest';
import { ROOT, setupModule } from '../unit/setup-checkout';

interface Bundled {
  name: string;
  version: string;
  licence: string;
  texts: string[];
}

interface Notices {
  bundledPackages(root: string): Bundled[];
  permissive(expression: string): boolean;
  notices(packages: Bundled[]): string;
  billOfMaterials(packages: Bundled[], app: object): { packages: { name: string; SPDXID: string }[] };
}

const setup = await setupModule<Notices>('notices');

it('every package in the app has a permissive licence', () => {
  const packages = setup.bundledPackages(ROOT);
  expect(packages.filter(({ licence }) => !setup.permissive(licence))).toEqual([]);
  const names = packages.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      ...['react', 'zod', 'lucide-react', '@fontsource/jetbrains-mono'],
      ...['@modelcontextprotocol/server', 'better-sqlite3', 'nbb'],
    ]),
  );
});

it.each([
  ['MIT', true],
  ['(BSD-3-Clause OR GPL-2.0)', true],
  ['MIT AND GPL-3.0', false],
  ['GPL-3.0-only', false],
  ['SEE LICENSE IN README', false],
  ['', false],
])('a licence of %j passes: %j', (licence, passes) => {
  expect(setup.permissive(licence)).toBe(passes);
});

it('notices and bill of materials name every package once', () => {
  const packages = setup.bundledPackages(ROOT);
  const text = setup.notices(packages);
  for (const { name, version } of packages) expect(text).toContain(`\n${name} ${version}\nLicence: `);
  expect(text).toContain('SIL OPEN FONT LICENSE');
  const bill = setup.billOfMaterials(packages, {
    name: 'lisp-harbor',
    version: '1.0.0',
    electron: '42.0.0',
    made: new Date(0),
  });
  expect(bill.packages).toHaveLength(packages.length + 2);
  expect(new Set(bill.packages.map(({ SPDXID }) => SPDXID)).size).toBe(bill.packages.length);
});
