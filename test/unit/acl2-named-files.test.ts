/** What a source of ACL2 names of other sources. */
import { expect, it } from 'vitest';
import { namedFiles, sourcesOf } from '../../electron/images/acl2/final-check/check-sources';

function named(text: string, file = 'lib/main.lisp', folders = new Map<string, string>()) {
  return namedFiles(text, file, folders).map(({ file, role }) => `${role} ${file}`);
}

it('finds the books that are included, wherever the form stands', () => {
  const text = `(in-package "ACL2")
; (include-book "comment")
#| (include-book "block") |#
(include-book "a")
(LOCAL (acl2::Include-Book "sub/b" :ttags :all))
(encapsulate () (local (include-book "../c")) (defthm x t))
(defconst *s* "(include-book \\"string\\")")
(include-book "arithmetic/top" :dir :system)`;
  expect(named(text)).toEqual(['book lib/a.lisp', 'book lib/sub/b.lisp', 'book c.lisp']);
});

it('knows the folders that a source names by a keyword, also in one that is read later', () => {
  const folders = new Map<string, string>();
  expect(
    named('(add-include-book-dir :own "../own") (include-book "a" :dir :own)', 'lib/x.acl2', folders),
  ).toEqual(['book own/a.lisp']);
  expect(named('(include-book "b" :dir :OWN)', 'x.lisp', folders)).toEqual(['book own/b.lisp']);
});

it('finds files that are loaded, and is not stopped by what cannot be read', () => {
  expect(named('(ld "package.lsp") (ld something) (include-book) (include-book "a" (((')).toEqual([
    'loaded lib/package.lsp',
    'book lib/a.lisp',
  ]);
});

it('books come after those that they include, each with what goes below it', async () => {
  const files: Record<string, string> = {
    'main.lisp': '(include-book "lib/a") (include-book "lib/b")',
    'lib/a.lisp': '(include-book "b")',
    'lib/b.lisp': '(include-book "missing")',
    'lib/cert.acl2': '(ld "package.lsp")',
    'lib/b.acl2': '',
    'lib/package.lsp': '(include-book "c")',
    'lib/c.lisp': '',
    'lib/a.cert': 'never read',
    'other.lisp': '',
  };
  const { books, files: read } = await sourcesOf('main', async (file) => {
    const text = files[file];
    return text === undefined ? null : Buffer.from(text);
  });
  expect(books.indexOf('lib/b')).toBeLessThan(books.indexOf('lib/a'));
  expect(books.at(-1)).toBe('main');
  expect([...read.keys()].sort()).toEqual([
    'lib/a.lisp',
    'lib/b.acl2',
    'lib/b.lisp',
    'lib/c.lisp',
    'lib/cert.acl2',
    'lib/package.lsp',
    'main.lisp',
  ]);
});

it('a macro may name a book that includes its own; books of other macros come before those that call them', async () => {
  const files: Record<string, string> = {
    'main.lisp': '(include-book "top") (low)',
    'top.lisp': '(defmacro init () \'(include-book "raw")) (defmacro low () \'(include-book "low"))',
    'raw.lisp': '(include-book "top")',
    'low.lisp': '',
  };
  const { books } = await sourcesOf('main', async (file) => {
    const text = files[file];
    return text === undefined ? null : Buffer.from(text);
  });
  expect(books).toEqual(['low', 'top', 'raw', 'main']);
  files['top.lisp'] += ' (include-book "raw")';
  const circle = sourcesOf('main', async (file) => Buffer.from(files[file] ?? ''));
  await expect(circle).rejects.toThrow('include each other');
});
