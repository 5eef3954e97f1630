/** The lemmas of books: which a source has, the file they are kept in, and what is found there. */
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import {
  indexFile,
  lemmasIn,
  makeIndex,
  manualFile,
  searchIndex,
} from '../../electron/images/acl2/lemma-index';
import { LemmaPattern } from '../../electron/images/acl2/lemma-pattern';

import { readTerm } from '../../electron/images/acl2/terms';

const LISTS = `(in-package "ACL2") ; lists
#| (defthm in-a-comment (equal (len x) 1)) |#
(defthm Len-of-append
  (equal (len (append x y)) ; both
         (+ (len x) (len y))))
(local (defthm hidden (equal (len (rev x)) (len x))))
(defund f (x) (defthm no (equal (len x) 2)))
(encapsulate ()
  (local (include-book "std/lists/rev" :dir :system))
  (defthmd len-of-rev
    (equal (len (rev x)) (len x))
    :hints (("Goal" :in-theory (enable rev)))))
`;

const PACKAGED = `(in-package "SHOP")
(define price ((x natp)) x
  ///
  (std::defrule natp-of-price (implies (natp x) (natp (price x))))
  (acl2::defthm acl2::plain (equal (price 1) '(a . b))))
(defthm |odd name| (equal (len (append x y)) (+ (len y) (len x))))
`;

describe('the source of a book', () => {
  it('has the lemmas that are there for others, in one line each', () => {
    expect(lemmasIn(LISTS)).toEqual([
      { name: 'len-of-append', formula: '(equal (len (append x y)) (+ (len x) (len y)))', line: 3 },
      { name: 'len-of-rev', formula: '(equal (len (rev x)) (len x))', line: 10 },
    ]);
  });

  it('has those of other packages under their names', () => {
    expect(lemmasIn(PACKAGED).map(({ name, formula }) => [name, formula])).toEqual([
      ['shop::natp-of-price', '(implies (natp x) (natp (price x)))'],
      ['acl2::plain', "(equal (price 1) '(a . b))"],
      ['SHOP::|odd name|', '(equal (len (append x y)) (+ (len y) (len x)))'],
    ]);
  });

  it('has none that must fail, and marks those whose proof is skipped', () => {
    const text = `(must-fail (defthm wrong (equal (car x) x)))
      (std::must-fail! (encapsulate () (defthm wrong-too (equal (car x) x))))
      (skip-proofs (defthm assumed (equal (car x) x)))
      (encapsulate () (skip-proofs (encapsulate () (defthm assumed-too (equal (cdr x) x)))) (defthm sure (equal x x)))`;
    expect(lemmasIn(text).map(({ name, skipped }) => [name, skipped])).toEqual([
      ['assumed', true],
      ['assumed-too', true],
      ['sure', undefined],
    ]);
  });

  it.each(['', '(defthm', '(defthm a)', '(defthm a b)', ')(defthm a (p x', '(defthm "a" (p x))'])(
    'has none where it is %j',
    (text) => {
      expect(lemmasIn(text)).toEqual([]);
    },
  );
});

function folders() {
  const root = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-lemmas-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const [books, cache] = [path.join(root, 'books'), path.join(root, 'cache')];
  mkdirSync(path.join(books, 'std/lists/tests'), { recursive: true });
  writeFileSync(path.join(books, 'std/lists/append.lisp'), LISTS);
  writeFileSync(path.join(books, 'std/lists/tests/copied.lisp'), LISTS);
  writeFileSync(path.join(books, 'shop.lisp'), PACKAGED);
  writeFileSync(path.join(books, 'notes.txt'), '(defthm no-book (equal (len (append x y)) 1))');
  return { books, cache };
}

const found = async (file: string, pattern: string, limit = 10) => {
  const { lemmas, total } = await searchIndex(file, new LemmaPattern(readTerm(pattern) ?? 'T'), limit);
  return { lemmas: lemmas.map(({ book, name, line }) => `${book}:${line} ${name}`), total };
};

describe('the index of a folder', () => {
  it('finds each lemma once, in the book that others build on, the nearest first', async () => {
    const { books, cache } = folders();
    const { file } = await indexFile(cache, books);
    const told: string[] = [];
    await makeIndex(file, books, (done, of) => told.push(`${done}/${of}`));
    expect(told).toEqual(['1/3', '2/3', '3/3']);
    expect(await found(file, '(equal (len (append ? ?)) ?)')).toEqual({
      lemmas: ['shop:6 SHOP::|odd name|', 'std/lists/append:3 len-of-append'],
      total: 2,
    });
    expect(await found(file, '(natp ?)', 1)).toEqual({ lemmas: ['shop:4 shop::natp-of-price'], total: 1 });
    expect((await found(file, '(equal ? ?)', 1)).total).toBe(4);
    expect(await found(file, '(nowhere ?)')).toEqual({ lemmas: [], total: 0 });
  });

  it('prefers the book that most others include', async () => {
    const { books, cache } = folders();
    writeFileSync(path.join(books, 'a.lisp'), LISTS);
    writeFileSync(path.join(books, 'b.lisp'), '(include-book "a")');
    writeFileSync(path.join(books, 'std/top.lisp'), '(include-book "lists/append")');
    writeFileSync(path.join(books, 'c.lisp'), '(include-book "std/top" :dir :system)');
    const { file } = await indexFile(cache, books);
    await makeIndex(file, books, () => undefined);
    expect((await found(file, '(len (rev ?))')).lemmas).toEqual(['std/lists/append:10 len-of-rev']);
  });

  it('tells of lemmas that say the same the best one, and how many there are', async () => {
    const { books, cache } = folders();
    const renamed = '(defthm other-name (equal (len (binary-append a b)) (+ (len a) (len b))))';
    writeFileSync(path.join(books, 'other.lisp'), renamed);
    const { file } = await indexFile(cache, books);
    await makeIndex(file, books, () => undefined);
    const { lemmas, total } = await searchIndex(
      file,
      new LemmaPattern(readTerm('(len (append ? ?))') ?? 'T'),
      9,
    );
    expect(total).toBe(2);
    expect(lemmas.map(({ name, alike }) => [name, alike])).toEqual([
      ['SHOP::|odd name|', 0],
      ['len-of-append', 2],
    ]);
  });

  it('finds lemmas by a part of their name, the one of just that name first', async () => {
    const { books, cache } = folders();
    writeFileSync(path.join(books, 'z.lisp'), '(defthm len-of (equal (len (rev x)) 1))');
    const { file } = await indexFile(cache, books);
    await makeIndex(file, books, () => undefined);
    const { lemmas } = await searchIndex(file, 'LEN-OF', 9);
    expect(lemmas.map(({ name }) => name)).toEqual(['len-of', 'len-of-rev', 'len-of-append']);
    expect((await searchIndex(file, 'natp-of-pri', 9)).lemmas.map(({ name }) => name)).toEqual([
      'shop::natp-of-price',
    ]);
  });

  it('prefers certified books, and says which are not', async () => {
    const { books, cache } = folders();
    writeFileSync(path.join(books, 'std/lists/tests/copied.cert'), '');
    const { file } = await indexFile(cache, books);
    await makeIndex(file, books, () => undefined);
    const { lemmas } = await searchIndex(file, new LemmaPattern(readTerm('(len ?)') ?? 'T'), 9);
    expect(lemmas.map(({ name, book, isCertified }) => [name, book, isCertified])).toEqual([
      ['len-of-rev', 'std/lists/tests/copied', true],
      ['len-of-append', 'std/lists/tests/copied', true],
      ['SHOP::|odd name|', 'shop', false],
    ]);
  });

  it('is another where the folder has changed; the one before serves until that is there, and only one is kept', async () => {
    const { books, cache } = folders();
    const before = await indexFile(cache, books);
    expect(before.existing).toBe(null);
    await makeIndex(before.file, books, () => undefined);
    expect(await indexFile(cache, books)).toEqual({ file: before.file, existing: before.file });
    utimesSync(path.join(books, 'std'), 1, 1);
    const after = await indexFile(cache, books);
    expect(after.file).not.toBe(before.file);
    expect(after.existing).toBe(before.file);
    await makeIndex(after.file, books, () => undefined);
    expect(readdirSync(cache).sort()).toEqual(
      [after.file, manualFile(after.file)].map((each) => path.basename(each)),
    );
  });
});
