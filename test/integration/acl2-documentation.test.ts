/** What is written about names: ACL2's own text, and topics of the XDOC table that books and sessions fill. */
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import type { Definition, Findings } from '../../electron/contract/knowledge';
import { Acl2Engine } from '../../electron/images/acl2/engine';
import { engineOptions, startImage, startRequest } from './acl2-fixture';
import { writeFiles } from './loading-fixture';
import type { TestImage } from './test-image';

/** As the books of XDOC begin, and with two topics as DEFXDOC puts them there. */
const XDOC = `(defpkg "XDOC" *common-lisp-symbols-from-main-lisp-package*)
  (table xdoc::xdoc 'xdoc::doc
    '(((:name . buoys) (:parents top) (:short . "Things that @(see float).")
       (:long . "<p>A buoy <i>floats</i>; see @('(buoy-p x)').</p>") (:from . "[books]/sea/buoys.lisp"))
      ((:name . buoy-p) (:short . "Recognizes @(see buoys).") (:long . ""))
      ((:name . append) (:short . "A false word of append.") (:long . "False."))))
  (defun buoy-p (x) (consp x))`;

/** An engine with these books and its own index of them. */
async function engineWith(files: Record<string, string>): Promise<{ engine: Acl2Engine; books: string }> {
  const { project } = await startRequest();
  const books = path.join(project, 'books');
  writeFiles(books, files);
  const lemmas = { ...engineOptions.lemmas, folder: path.join(project, 'lemmas') };
  return { engine: new Acl2Engine({ ...engineOptions, books, lemmas }), books };
}

function groups({ image: { knowledge, library } }: TestImage) {
  if (!knowledge || !library) throw new Error('ACL2 has both.');
  return { knowledge, library };
}

async function described(image: TestImage, symbol: string): Promise<Definition | undefined> {
  return (await groups(image).knowledge.describe({ symbol })).definitions[0];
}

const names = ({ results }: Findings) => results.map(({ text }) => text);

it('a topic of a book is told as text, with its book; a name that it documents has it too', async () => {
  const image = await startImage();
  await image.evaluate(XDOC);
  expect(await described(image, 'buoys')).toEqual({
    kind: 'topic',
    name: 'BUOYS',
    documentation: 'Things that float.\n\nA buoy floats; see (buoy-p x).\n\n([books]/sea/buoys.lisp)',
  });
  expect(await described(image, 'buoy-p')).toMatchObject({
    kind: 'function',
    documentation: 'Recognizes buoys.',
  });
});

it('no topic of a session stands in the place of ACL2’s own text', async () => {
  const image = await startImage();
  await image.evaluate(XDOC);
  const append = await described(image, 'append');
  expect(append?.documentation).toContain('zero or more lists');
  expect(append?.documentation).not.toContain('False');
  const { results } = await groups(image).library.topics(['append', 'false'], 20);
  expect(results.some(({ documentation }) => documentation?.includes('A false word'))).toBe(false);
});

it('is shown where the book of XDOC has replaced :DOC, without its books and their trust tag', async () => {
  const image = await startImage();
  await image.evaluate(`${XDOC} (defmacro xdoc::xdoc (name) (list 'value-triple name))
    (add-ld-keyword-alias! :doc '(1 xdoc::xdoc))`);
  const before = await image.evaluate('(+ 1 2)');
  const shown = await image.evaluate(':doc buoys');
  expect([shown.outcome, shown.values[0]?.[0]]).toEqual(['ok', expect.stringMatching(/^Things that float/)]);
  expect((await image.evaluate(':doc append')).values[0]?.[0]).toContain('zero or more lists');
  expect((await image.evaluate(':doc nowhere')).condition?.message).toContain('no documentation of NOWHERE');
  expect((await image.evaluate('(+ 1 2)')).report?.proof?.command).toBe(before.report?.proof?.command);
});

it('is searched by words, the nearest topics first', async () => {
  const image = await startImage(await engineWith({ 'boat.lisp': '' }));
  await image.evaluate(XDOC);
  const { library } = groups(image);
  expect(await library.topics(['BUOY', 'floats'], 20)).toMatchObject({
    results: [
      { kind: 'topic', text: 'BUOYS', documentation: 'Things that float.\n\n([books]/sea/buoys.lisp)' },
    ],
    total: 1,
  });
  const hints = await library.topics(['computed', 'hints'], 3);
  expect(names(hints)[0]).toBe('COMPUTED-HINTS');
  expect(hints.total).toBeGreaterThan(3);
  expect(hints.results).toHaveLength(3);
  expect(await library.topics(['unheard-of-anywhere'], 3)).toMatchObject({ results: [], total: 0 });
});

it.each([
  '17',
  '(1 . 2)',
  '((1 . 2) . 3)',
  '(((:name . 5) (:short . 6)) ((:name buoys) (:short)) (:name . x) (((:name . y))))',
  '(((:name . buoys) (:short . (a b)) (:long . #\\a) (:from . 5)))',
])('a table that holds %s breaks nothing', async (value) => {
  const image = await startImage();
  await image.evaluate(`(defpkg "XDOC" nil) (table xdoc::xdoc 'xdoc::doc '${value})`);
  expect(await described(image, 'hints')).toMatchObject({ kind: 'topic' });
  expect((await groups(image).library.topics(['hints'], 3)).total).toBeGreaterThan(3);
  const buoys = await described(image, 'buoys').catch(() => undefined);
  expect(buoys?.documentation).toBeUndefined();
});

const SEA = `(in-package "ACL2")
(include-book "std/portcullis" :dir :system)
(in-package "SEA")
(defxdoc defbuoy :short "Defines a buoy &mdash; it floats." :long "<p>Use @('(defbuoy b)').</p>")
(defmacro defbuoy (x) x)
`;

it('of books that are not included is shown and found, also where they were installed after the session', async () => {
  const { engine, books } = await engineWith({});
  const before = await startImage({ engine });
  writeFiles(books, { 'sea/buoy.lisp': SEA, 'boat.lisp': '(in-package "ACL2")' });
  const show = (symbol: string) => described(before, symbol);
  const notYet = /being indexed/;
  const topic = await vi.waitUntil(
    () => show('sea::defbuoy').catch((error) => (notYet.test(error.message) ? null : Promise.reject(error))),
    { timeout: 30_000 },
  );
  expect(topic).toEqual({
    ...{ kind: 'topic', name: 'SEA::DEFBUOY' },
    documentation: 'Defines a buoy — it floats.\n\nUse (defbuoy b).',
    include: '(include-book "sea/buoy" :dir :system)',
    source: { file: path.join(books, 'sea/buoy.lisp'), line: 4 },
  });
  expect(await show('DEFBUOY')).toEqual(topic);
  await expect(show('defbuo')).rejects.toMatchObject({ code: 'unknown_symbol' });
  expect((await groups(before).library.topics(['buoy', 'floats'], 3)).results).toEqual([
    {
      ...{ kind: 'topic', text: 'SEA::DEFBUOY', documentation: 'Defines a buoy — it floats.' },
      include: '(include-book "sea/buoy" :dir :system)',
    },
  ]);
  // A name of the session's own has no topic of a book.
  await before.evaluate('(defun defbuoy (x) x)');
  expect(await show('defbuoy')).toMatchObject({ kind: 'function' });
  expect((await show('defbuoy'))?.documentation).toBeUndefined();
  const after = await startImage({ engine });
  expect((await after.evaluate('(include-book "boat" :dir :system)')).outcome).toBe('ok');
});
