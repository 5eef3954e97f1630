/** Which books are the system's, by their paths alone. */
import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { TrustIssue } from '../../electron/contract/proof';
import { IncludedBooks, SystemBooks } from '../../electron/images/acl2/system-books';

const BOOKS = '/usr/share/acl2/books';

it.each([
  [`${BOOKS}/arithmetic/top.lisp`, true],
  [`${BOOKS}-of-mine/top.lisp`, false],
  [`${BOOKS}/../mine/top.lisp`, false],
  [`${BOOKS}/x/../../mine.lisp`, false],
  [`${BOOKS}//top.lisp`, false],
  [`${BOOKS}/./top.lisp`, false],
  ['/usr/share/acl2', false],
  ['arithmetic/top.lisp', false],
  [`${BOOKS}/mine/top.lisp`, false],
  [`${BOOKS}/mine`, false],
  [`${BOOKS}/mine-not/top.lisp`, true],
])('%s: %s', (book, isSystem) => {
  expect(new SystemBooks(BOOKS, [`${BOOKS}/mine`, '/home/me']).has(book)).toBe(isSystem);
});

it('is none where there is no folder of them', () => {
  expect(new SystemBooks(undefined, []).has(`${BOOKS}/top.lisp`)).toBe(false);
});

it('knows a writable folder by its real path', () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-books-')));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const link = `${folder}-link`;
  symlinkSync(folder, link);
  onTestFinished(() => rmSync(link));
  expect(new SystemBooks(path.dirname(folder), [link]).has(path.join(folder, 'top.lisp'))).toBe(false);
});

it('keeps what was told of a world until it is told anew, and names so many', () => {
  const included = new IncludedBooks(new SystemBooks(BOOKS, []));
  const issues = (books: string[] | null): TrustIssue[] =>
    included.withBookIssues({ books, issues: [] }).issues;
  expect(issues(null)).toEqual([]);
  expect(issues(['/p/a.lisp', `${BOOKS}/b.lisp`])).toEqual([{ kind: 'outside-book', about: ['/p/a.lisp'] }]);
  expect(issues(null)).toEqual([{ kind: 'outside-book', about: ['/p/a.lisp'] }]);
  expect(issues(Array.from({ length: 60 }, (_, index) => `/p/${index}.lisp`))[0]?.about).toHaveLength(51);
  expect(issues([])).toEqual([]);
});
