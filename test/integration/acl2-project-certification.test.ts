/** The books of a project: in the order in which they include each other, and none again that has not changed. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { issues, proofOf, startImage } from './acl2-fixture';
import { type Files, writeFiles } from './loading-fixture';
import type { Evaluated } from './test-image';

const SHOP: Files = {
  // Names of symbols of which packages are made, as ACL2's own books have them.
  'package.lsp': '(defpkg "SHOP" (union-eq *acl2-exports* *common-lisp-symbols-from-main-lisp-package*))\n',
  'cert.acl2':
    '(ld "package.lsp")\n(add-include-book-dir :parts "parts/")\n; cert-flags: ? t :skip-proofs-okp nil\n',
  'parts/price.acl2': '(ld "../package.lsp")\n',
  'parts/price.lisp': `(in-package "SHOP")
(local (defthm only-here (equal (car (cons x y)) x) :rule-classes nil))
(defun price (x) (nfix x))
(defthm price-natural (natp (price x)))
`,
  'basket.lisp': `(in-package "SHOP")
(local (encapsulate () (local (include-book "price" :dir :parts))))
(include-book "price" :dir :parts)
(defun total (l) (if (consp l) (+ (price (car l)) (total (cdr l))) 0))
`,
  'shop.lisp': `(in-package "SHOP")
(include-book "basket")
(include-book "parts/price")
(defthm total-natural (natp (total l)))
`,
};

async function project(files: Files = SHOP) {
  const image = await startImage();
  const folder = image.request.project;
  writeFiles(folder, files);
  const file = (name: string): string => path.join(folder, name);
  return {
    image,
    file,
    certify: (name: string) => image.evaluate(image.image.world?.certifyCode(file(name)) ?? ''),
    all: () => image.evaluate(image.image.loader?.testCode({}) ?? ''),
    change: (name: string, from: string, to: string) =>
      writeFileSync(file(name), readFileSync(file(name), 'utf8').replace(from, to)),
  };
}

/** The books that ACL2 was asked to certify, by their names. */
function certifiedAnew({ report, notes }: Evaluated): string[] {
  const [, unchanged = ''] = /nothing of it has changed: (.*)\./.exec(notes.join(' ')) ?? [];
  const left = unchanged.split(', ').map((name) => path.basename(name));
  const tests = report?.runs.flatMap(({ tests }) => tests) ?? [];
  return tests.map((test) => path.basename(test)).filter((name) => !left.includes(name));
}

it('is certified from nothing, changed, and certified again with only what has changed', async () => {
  const { image, file, certify, change } = await project();
  const first = await certify('shop');
  expect([first.condition?.message, first.outcome, certifiedAnew(first)]).toEqual([
    undefined,
    'ok',
    ['price', 'basket', 'shop'],
  ]);
  expect(first.values).toEqual([[`"${file('shop')}.cert"`]]);
  expect(first.stdout).toMatch(/^\[1 of 3\] parts\/price is certified\n\[2 of 3\] basket is certified\n/);
  expect(first.stderr).toContain('TOTAL-NATURAL');
  expect(first.stderr).not.toContain('PRICE-NATURAL');

  const again = await certify('shop');
  expect([again.outcome, certifiedAnew(again), again.values]).toEqual(['ok', [], first.values]);
  expect(proofOf(again).issues).toEqual(proofOf(first).issues);

  change('basket.lisp', '(defun total', '(defun goods (l) (len l))\n(defun total');
  const changed = await certify('shop');
  expect([changed.outcome, certifiedAnew(changed)]).toEqual(['ok', ['basket', 'shop']]);
  expect((await image.evaluate('(include-book "shop") (shop::goods (list 1 2))')).values.at(-1)).toEqual([
    '2',
  ]);
  expect(issues(await image.evaluate('(thm (natp (shop::total l)))'))).toEqual(['outside-book']);
});

it.each([
  ['what the portcullis loads', 'package.lsp', ['price', 'basket', 'shop']],
  ['the portcullis of one', 'parts/price.acl2', ['price', 'basket', 'shop']],
])('%s is part of a book', async (_what, name, expected) => {
  const { certify, change } = await project();
  await certify('shop');
  change(name, '\n', '\n; changed\n');
  expect(certifiedAnew(await certify('shop'))).toEqual(expected);
});

it('a certificate that was not written by this is no certificate', async () => {
  const { certify, file, change } = await project();
  await certify('shop');
  change('parts/price.cert', '(', '( ');
  expect(certifiedAnew(await certify('shop'))).toEqual(['price']);
  rmSync(`${file('basket')}.cert`);
  expect(certifiedAnew(await certify('shop'))).toEqual(['basket']);
});

it('all books of a project are its tests; what includes one that fails is left out, the others are not', async () => {
  const { all, change, file } = await project({
    ...SHOP,
    'alone.lisp': '; a book by itself\n(in-package "ACL2")\n(defun alone (x) x)\n',
    'alone.acl2': '',
    'no-book.lisp': '(defun raw (x) x)\n',
  });
  change('basket.lisp', '(defun total', '(defthm wrong (equal (price x) x))\n(defun total');
  const answer = await all();
  expect([answer.outcome, answer.report?.runs[0]?.counts]).toEqual([
    'error',
    { passed: 2, failed: 1, errors: 0, skipped: 1 },
  ]);
  expect(answer.report?.runs[0]?.failures[0]).toMatchObject({ test: file('basket'), kind: 'failed' });
  expect(answer.notes.join('\n')).toContain('Not tried, because what it includes is not certified: shop.');
  expect([existsSync(`${file('alone')}.cert`), existsSync(`${file('basket')}.cert`)]).toEqual([true, false]);
  change('basket.lisp', '(defthm wrong (equal (price x) x))', '');
  const mended = await all();
  expect([mended.outcome, certifiedAnew(mended)]).toEqual(['ok', ['basket', 'shop']]);
});

it('books that include each other have no order, which is told', async () => {
  const { certify } = await project({
    'one.lisp': '(in-package "ACL2")\n(include-book "two")\n',
    'two.lisp': '(in-package "ACL2")\n(include-book "one")\n',
  });
  const answer = await certify('one');
  expect([answer.outcome, answer.condition?.message]).toEqual([
    'error',
    'No order of these books certifies them: one includes two includes one.',
  ]);
});

it('a book with LOCAL events is not told as uncertified of itself', async () => {
  const { certify } = await project();
  const answer = await certify('parts/price');
  expect([answer.outcome, issues(answer)]).toEqual(['ok', []]);
});

it('an interrupt keeps what is certified by then', async () => {
  const { image, file, certify } = await project({
    'fast.lisp': '(in-package "ACL2")\n(defun fast (x) x)\n',
    'slow.lisp': `(in-package "ACL2")
(include-book "fast")
(make-event (prog2$ (cw "ready~%") (prog2$ (sleep 1000) '(value-triple 1))))
`,
  });
  const running = await image.running(image.image.world?.certifyCode(file('slow')) ?? '');
  await image.interrupt('cooperative');
  const answer = await running.settled;
  expect([answer.outcome, answer.report?.runs]).toEqual(['interrupted', []]);
  expect([existsSync(`${file('fast')}.cert`), existsSync(`${file('slow')}.cert`)]).toEqual([true, false]);
  expect(certifiedAnew(await certify('fast'))).toEqual([]);
});

const LOCAL = '(local (defthm only-here (equal (car (cons x y)) x) :rule-classes nil))';
const FALSE = '(defthm false nil :rule-classes nil)';

it.each([
  ['a skipped proof', `(skip-proofs ${FALSE})`, ['book-with-skipped-proofs', 'skip-proofs']],
  [
    'a skipped proof that only a LOCAL event has',
    `(encapsulate () (local (skip-proofs ${FALSE}))
       (defthm worse nil :rule-classes nil :hints (("Goal" :use false))))`,
    ['book-with-skipped-proofs', 'skip-proofs'],
  ],
  ['an axiom', '(defaxiom false nil :rule-classes nil)', ['axiom', 'book-with-axioms']],
])('cert-flags that allow %s do not hide it', async (_what, event, expected) => {
  const { certify } = await project({
    'cert.acl2': '; cert-flags: ? t :skip-proofs-okp t :defaxioms-okp t\n',
    'weak.lisp': `(in-package "ACL2")\n${LOCAL}\n${event}\n`,
  });
  for (const answer of [await certify('weak'), await certify('weak')])
    expect([answer.outcome, issues(answer)]).toEqual(['ok', expected]);
});
