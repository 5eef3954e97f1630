/** Lemmas found by a pattern, in the world and in books that are not loaded. */
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Findings } from '../../electron/contract/knowledge';
import { noteTexts } from '../../electron/contract/note';
import { Acl2Engine } from '../../electron/images/acl2/engine';
import { OneForm } from '../../electron/source/code';
import { engineOptions, proofOf, startImage } from './acl2-fixture';
import { writeFiles } from './loading-fixture';
import { sessionsFixture } from './sessions-fixture';
import type { TestImage } from './test-image';

const LENGTHS = `(in-package "ACL2")
(defthm len-of-append (equal (len (append x y)) (+ (len x) (len y))))
(defthm consp-of-append (equal (consp (append x y)) (or (consp x) (consp y))))
`;

const OWN = '(defthm len-of-rev (equal (len (revappend x y)) (+ (len x) (len y))))';

/** An engine whose books are these, and whose index is its own. */
function engineWith(books: Record<string, string>): { engine: Acl2Engine; folder: string } {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-lemmas-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const folder = path.join(root, 'books');
  writeFiles(folder, books);
  const lemmas = { ...engineOptions.lemmas, folder: path.join(root, 'lemmas') };
  return { engine: new Acl2Engine({ ...engineOptions, books: folder, lemmas }), folder };
}

function lemmas(image: TestImage, pattern: string, limit = 20): Promise<Findings> {
  const { library } = image.image;
  if (!library) throw new Error('ACL2 has its library.');
  return library.lemmas(OneForm.read(pattern, 'common-lisp', 'query'), limit);
}

/** Once the books have been read. */
async function lemmasOfAll(image: TestImage, pattern: string, limit?: number): Promise<Findings> {
  return vi.waitUntil(
    async () => {
      const found = await lemmas(image, pattern, limit);
      return found.notes?.some(({ text }) => text.includes('being indexed')) ? null : found;
    },
    { timeout: 60_000, interval: 50 },
  );
}

const names = ({ results }: Findings) => results.map(({ text }) => text);

it('of books are suggested for a failed proof, and say whether they close it', async () => {
  const { engine, folder } = engineWith({
    'std/append.lisp': LENGTHS,
    'other.lisp':
      '(in-package "ACL2")\n(defthm integerp-of-len-of-revappend (integerp (len (revappend x y))))\n',
  });
  const author = await startImage({ project: folder });
  const certified = await author.evaluate(
    '(certify-book "std/append" ? nil) (ubt! 1) (certify-book "other" ? nil)',
  );
  expect(certified.outcome).toBe('ok');
  const image = await startImage({ engine });
  await lemmasOfAll(image, '(len (append ? ?))');
  const suggested = async (form: string) =>
    (proofOf(await image.evaluate(form)).events[0]?.suggestions ?? []).filter(({ form }) =>
      form?.startsWith('(include-book'),
    );
  const [append, ...more] = await suggested(
    '(thm (equal (len (append x y)) (+ (len y) (len x))) :hints (("Goal" :do-not-induct t)))',
  );
  expect(append).toMatchObject({
    form: '(include-book "std/append" :dir :system)',
    text: expect.stringMatching(/contains \(len \(append x y\)\).* len-of-append: .*Tried: it is proved/i),
  });
  expect(more).toEqual([]);
  const [reverse] = await suggested(
    '(thm (equal (len (revappend x y)) (+ (len y) (len x))) :hints (("Goal" :do-not-induct t)))',
  );
  expect(reverse?.form).toBe('(include-book "other" :dir :system)');
  expect(reverse?.text).not.toContain('it is proved');
});

it('are those of the world, of the session first, then those of books with the form that includes them', async () => {
  const { engine, folder } = engineWith({ 'std/append.lisp': LENGTHS, 'shop.lisp': '(in-package "ACL2")' });
  const image = await startImage({ engine });
  await image.evaluate(OWN);
  const { results, total, notes } = await lemmasOfAll(image, '(equal (len ?) ?)');
  expect(noteTexts(notes ?? [])).toEqual([`Book sources are in ${folder}.`]);
  expect(results[0]).toEqual({
    kind: 'theorem',
    text: 'LEN-OF-REV',
    formula: '(EQUAL (LEN (REVAPPEND X Y)) (+ (LEN X) (LEN Y)))',
    command: 1,
  });
  const others = results.slice(1).filter(({ builtIn }) => !builtIn);
  expect(others).toEqual([
    {
      kind: 'theorem',
      text: 'len-of-append',
      formula: '(equal (len (append x y)) (+ (len x) (len y)))',
      include: '(include-book "std/append" :dir :system)',
      source: { file: path.join(folder, 'std/append.lisp'), line: 2 },
      uncertified: true,
    },
  ]);
  // What has the pattern only within it is no nearer for being there already.
  expect(results.at(-1)?.builtIn).toBe(true);
  expect(total).toBe(results.length);
});

it('of a book that is included are those of the world, and not told twice', async () => {
  const { engine } = engineWith({ 'std/append.lisp': LENGTHS });
  const image = await startImage({ engine });
  await image.evaluate('(include-book "std/append" :dir :system)');
  const found = await lemmasOfAll(image, '(equal (len (append ? ?)) ?)');
  expect([names(found), found.total]).toEqual([['LEN-OF-APPEND'], 1]);
});

it('say that the books are being read as long as they are, and what the world has meanwhile', async () => {
  const book = Array.from({ length: 300 }, (_, at) => `(defthm l${at} (equal (len (append x '${at})) 1))`);
  const many = Array.from({ length: 200 }, (_, at) => [`b${at}.lisp`, book.join('\n')]);
  const { engine } = engineWith(Object.fromEntries(many));
  const image = await startImage({ engine });
  await image.evaluate(OWN);
  const first = await lemmas(image, '(len (revappend ? ?))');
  expect(names(first)).toEqual(['LEN-OF-REV']);
  expect(noteTexts(first.notes ?? [])).toEqual([expect.stringMatching(/^The books are being indexed/)]);
  const all = await lemmasOfAll(image, '(len (append ? 7))', 5);
  expect([names(all), all.total]).toEqual([['l7'], 1]);
});

it('are undone with their theorems, and found by the names of macros', async () => {
  const image = await startImage(engineWith({ 'none.lisp': '' }));
  await image.evaluate(`(defmacro both (x y) (list 'append x y)) (add-macro-alias both binary-append)
    (defthm car-of-both (implies (consp x) (equal (car (append x y)) (car x)))) `);
  expect(names(await lemmasOfAll(image, '(car (append ?x ?))'))).toEqual(['CAR-OF-BOTH']);
  expect(names(await lemmas(image, '(car (unheard-of ?x))'))).toEqual([]);
  await image.evaluate(':u');
  expect(names(await lemmas(image, '(car (append ?x ?))'))).toEqual([]);
});

it('while something is evaluated are those of books', async () => {
  const image = await startImage(engineWith({ 'std/append.lisp': LENGTHS }));
  await lemmasOfAll(image, '(len (append ? ?))');
  await image.evaluate('(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))');
  const running = await image.running('(cw "ready~%") (fib 70)');
  const found = await lemmas(image, '(len (append ? ?))');
  expect(names(found)).toEqual(['len-of-append']);
  expect(found.notes?.[0]?.text).toBe(
    'The world was not searched because an evaluation is running in this session.',
  );
  await image.interrupt('cooperative');
  await running.settled;
});

it.each([':len', '?', '"x"'])('are not found by %s, which is neither a call nor a name', async (pattern) => {
  const image = await startImage(engineWith({ 'none.lisp': '' }));
  await expect(lemmas(image, pattern)).rejects.toMatchObject({ code: 'bad_arguments' });
});

it('are what other engines do not have, which say who has', async () => {
  const { open } = sessionsFixture();
  const session = await open();
  expect(() => session.ability('library')).toThrow(/a session of acl2 has both/);
});
