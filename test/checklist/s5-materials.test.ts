/** Libraries of a project: where package managers have put them, and what they are, as a bill of materials. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { evaluate, values } from '../evaluation';
import { type Files, system, writeFiles } from '../integration/loading-fixture';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

const FOO = '.qlot/dists/quicklisp/software/foo-20260101-git';
const BAR = 'ocicl/bar-20260101-abcdef0';

const FILES: Files = {
  'app.asd': system('app', '(:file "app")', ':version "1.0" :license "MIT" :depends-on ("foo" "bar")'),
  'app.lisp': '(defun app () (list (foo) (bar)))\n',
  'far.asd': system('far', '', ':depends-on ("foo" "nowhere-to-be-found")'),
  [`${FOO}/foo.asd`]: system(
    'foo',
    '(:file "foo")',
    ':version "1.2.3" :license "BSD-3-Clause" :depends-on ("bar")',
  ),
  [`${FOO}/foo.lisp`]: '(defun foo () :foo)\n',
  [`${BAR}/bar.asd`]: system('bar', '(:file "bar")', ':license "Do what\nyou \\"like\\""'),
  [`${BAR}/bar.lisp`]: '(defun bar () :bar)\n',
};

beforeAll(async () => {
  harbor = await sharedHarbor();
  writeFiles(harbor.project, FILES);
  client = await harbor.client();
});
afterAll(() => harbor.stop());

async function printed(code: string): Promise<string> {
  const { structured } = await evaluate(client, code);
  expect([structured.outcome, structured.condition]).toEqual(['ok', undefined]);
  return structured.stdout;
}

const written = async (format: string) => {
  await printed(`(lisp-harbor:bill-of-materials "app" :format ${format} :file "bill.json")`);
  return JSON.parse(readFileSync(path.join(harbor.project, 'bill.json'), 'utf8'));
};

it('S5-41 lists the systems without loading any, as a tree', async () => {
  expect(await printed('(lisp-harbor:bill-of-materials "app")')).toBe(
    [
      `app 1.0 · MIT · ${harbor.project}/`,
      `  foo 1.2.3 · BSD-3-Clause · ${path.join(harbor.project, FOO)}/`,
      `    bar · Do what you "like" · ${path.join(harbor.project, BAR)}/`,
      '  bar (above)\n',
    ].join('\n'),
  );
  expect(await printed('(lisp-harbor:bill-of-materials "far")')).toContain(
    'nowhere-to-be-found · not found\n',
  );
  expect(await values(client, '(list (fboundp (quote foo)) (fboundp (quote app)))')).toEqual(['(NIL NIL)']);
});

it('S5-41 writes SPDX and CycloneDX', async () => {
  const spdx = await written(':spdx');
  expect(spdx).toMatchObject({ spdxVersion: 'SPDX-2.3', dataLicense: 'CC0-1.0', name: 'app' });
  const packages = new Map<string, Record<string, string>>(
    spdx.packages.map((each: Record<string, string>) => [each.name, each]),
  );
  expect([...packages.keys()].sort()).toEqual(['app', 'bar', 'foo']);
  expect(packages.get('foo')).toMatchObject({ versionInfo: '1.2.3', licenseDeclared: 'BSD-3-Clause' });
  expect(packages.get('bar')).toMatchObject({
    licenseDeclared: 'NOASSERTION',
    licenseComments: 'Do what you "like"',
  });
  expect(spdx.relationships).toContainEqual({
    ...{ spdxElementId: 'SPDXRef-foo', relationshipType: 'DEPENDS_ON', relatedSpdxElement: 'SPDXRef-bar' },
  });
  const cyclone = await written(':cyclonedx');
  expect(cyclone).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
  expect(cyclone.metadata.component).toMatchObject({ name: 'app', licenses: [{ license: { id: 'MIT' } }] });
  expect(cyclone.dependencies).toContainEqual({ ref: 'foo', dependsOn: ['bar'] });
  expect(cyclone.dependencies).toContainEqual({ ref: 'bar', dependsOn: [] });
});

it('S5-40 loads a system with the libraries of qlot and ocicl in its project', async () => {
  expect(await values(client, '(progn (asdf:load-system "app") (app))')).toEqual(['(:FOO :BAR)']);
});
