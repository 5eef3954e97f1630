/** What a book's text says of other files and of its certification, and how many processes work at once. */
import { describe, expect, it } from 'vitest';
import { Semaphore } from '../../electron/images/acl2/certification/certification';
import { certifyForm } from '../../electron/images/acl2/certification/certify-book';
import { readBookText } from '../../electron/images/acl2/certification/project-books';
import { isBook } from '../../electron/source/test-outline';

describe('a book', () => {
  it('names others wherever a form may be submitted, and not in comments or strings', () => {
    const { included } = readBookText(`(in-package "SHOP")
      ; (include-book "not-this")
      #| (include-book "nor-this") |#
      (local (acl2::include-book "one" :dir :System :ttags :all))
      (encapsulate () #-acl2-par (INCLUDE-BOOK "t\\"wo") "(include-book \\"nor-that\\")")
      (make-event '(progn (include-book "three" :load-compiled-file nil :dir :parts)))
      (include-book *not-known*)`);
    expect(included).toEqual([
      { name: 'one', dir: 'SYSTEM' },
      { name: 't"wo', dir: null },
      { name: 'three', dir: 'PARTS' },
    ]);
  });

  it('names folders, files that it loads, files that it needs, and its arguments', () => {
    const said = readBookText(`; cert-flags: ? t :ttags :all
      (add-include-book-dir! :parts "../parts/") (ld "package.lsp") ; (depends-on "table.txt")`);
    expect(said).toEqual({
      included: [],
      folders: [{ dir: 'PARTS', folder: '../parts/' }],
      loaded: ['package.lsp'],
      needed: ['table.txt'],
      flags: '? t :ttags :all',
    });
  });

  it.each([
    ['; words\n#| more |#\n (in-package "ACL2")', true],
    ['(acl2::in-package "ACL2")', true],
    ['(defpkg "A" nil) (in-package "A")', false],
    ['(in-package :a)', false],
    ['(in-package #:a)', false],
    ['; (in-package "A")', false],
    ['', false],
  ])('begins with IN-PACKAGE: %j', (text, expected) => {
    expect(isBook(text)).toBe(expected);
  });
});

it.each([
  [null, ':ttags :all'],
  ['? t', ':ttags :all'],
  [
    '? t :ttags (:a (:b "c")) :skip-proofs-okp t :useless-runes :write',
    ':ttags (:a (:b "c")) :skip-proofs-okp t',
  ],
  [':ttags nil) (defttag :x', ':ttags :all'],
  [':ttags', ':ttags :all'],
])('flags %j certify with %s', (flags, expected) => {
  expect(certifyForm('/p/b', flags)).toBe(`(acl2::certify-book "/p/b" acl2::? acl2::nil ${expected})`);
});

it('only so much is done at once, the rest in its turn, whatever fails', async () => {
  const atOnce = new Semaphore(2);
  let running = 0;
  let most = 0;
  const work = (fails: boolean) => async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(setImmediate);
    running -= 1;
    if (fails) throw new Error('failed');
  };
  const done = await Promise.allSettled(
    [false, true, false, true, false].map((fails) => atOnce.run(work(fails))),
  );
  expect([most, running, done.filter(({ status }) => status === 'rejected').length]).toEqual([2, 0, 2]);
  await atOnce.run(work(false));
});
