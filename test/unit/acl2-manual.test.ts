/** The manual in the sources of books: its topics, who provides what they are about, and how they are found. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ManualBuild, topicsAbout, topicsIn, topicsNamed } from '../../electron/images/acl2/manual';

const TOP = `(in-package "FTY")
(defxdoc defprod :parents (fty)
  :short "Defines a \\"product\\" type."
  :long #{"""<p>A path: C:\\dir, "quoted".</p>"""})
(local (defxdoc hidden :short "A local topic."))
(defsection lists
  :short "Lists."
  (std::define size ((x natp)) :short "The size." x
    /// (defthm inside (equal (size x) x)))
  (acl2::defxdoc acl2::walls :long (xdoc::topstring (xdoc::p "One." "Two.") (xdoc::codeblock "(a)" "(b)"))))
(defmacro m (x) \`(defxdoc ,x :short "Of a template."))
(defxdoc without-text :parents (fty))
`;

it('topics are those of all documented events, with texts as the reader and the constructors make them', () => {
  expect(topicsIn('fty/top', TOP).map(({ name, line, short, long }) => [name, line, short, long])).toEqual([
    ['FTY::DEFPROD', 2, 'Defines a "product" type.', '<p>A path: C:\\dir, "quoted".</p>'],
    ['FTY::HIDDEN', 5, 'A local topic.', ''],
    ['FTY::LISTS', 6, 'Lists.', ''],
    ['FTY::SIZE', 8, 'The size.', ''],
    ['WALLS', 10, '', 'One.\n<p/>\nTwo.\n<p/>\n@({\n(a)\n(b)\n})'],
  ]);
});

async function manual(): Promise<string> {
  const folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-manual-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'a.topics');
  const build = new ManualBuild();
  build.add('fty/top', TOP);
  build.add('fty/types', '(in-package "FTY")\n(defmacro defprod (x) x)');
  build.add('fty/copy', '(in-package "FTY")\n(defmacro defprod (x) x)');
  build.add('other/types', '(defmacro defprod (x) x)');
  build.add('b', '(in-package "ACL2")\n(defxdoc defprod :short "Another.")\n(defmacro defprod (x) x)');
  await build.write(file, (book) => ({ 'other/types': 9, 'fty/types': 2, 'fty/copy': 1 })[book] ?? 0);
  return file;
}

it.each([
  [
    'defprod',
    [
      ['DEFPROD', 'b'],
      ['FTY::DEFPROD', 'fty/types'],
    ],
  ],
  [
    'fty::DefProd',
    [
      ['FTY::DEFPROD', 'fty/types'],
      ['DEFPROD', 'b'],
    ],
  ],
  [
    'std::defprod',
    [
      ['FTY::DEFPROD', 'fty/types'],
      ['DEFPROD', 'b'],
    ],
  ],
  ['prod', []],
])('%s names topics with the books that provide them', async (name, expected) => {
  const found = await topicsNamed(await manual(), name);
  expect(found.map((topic) => [topic.name, topic.provider])).toEqual(expected);
});

it('topics are found by all of the words, in names before texts', async () => {
  const file = await manual();
  const names = async (...words: string[]) =>
    (await topicsAbout(file, words, 9)).topics.map(({ name }) => name);
  expect(await names('size')).toEqual(['FTY::SIZE']);
  expect(await names('list')).toEqual(['FTY::LISTS']);
  expect(await names('"product"', 'QUOTED')).toEqual(['FTY::DEFPROD']);
  expect(await names('product', 'absent')).toEqual([]);
  expect(await topicsAbout(file, ['defprod'], 1)).toMatchObject({ topics: [{ name: 'DEFPROD' }], total: 2 });
});
