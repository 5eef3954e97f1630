/** Final checks and the system's books: rebuilt from sources, or believed and named; trust tags only as a person allowed them. */
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Acl2Engine } from '../../electron/images/acl2/engine';
import { verdictOf } from '../../electron/sessions/export/final-check';
import { engineOptions, startImage } from './acl2-fixture';
import { writeFiles } from './loading-fixture';

const LOW = '(in-package "ACL2")\n(defthm low (equal (car (cons p q)) p) :rule-classes nil)\n';
const FALSE = '(in-package "ACL2")\n(defthm low (equal (car (cons p q)) q) :rule-classes nil)\n';
const MAIN = `(in-package "ACL2")
(include-book "sub/low" :dir :system)
(defthm claim (equal (car (cons p q)) p) :rule-classes nil :hints (("Goal" :use low)))
`;

/** A system whose book `low` is certified, and the final check of a book on it. */
async function withSystem(trustSystemBooks: boolean) {
  const owner = await startImage();
  const books = owner.request.project;
  writeFiles(books, { 'sub/low.lisp': LOW, 'top.lisp': '(in-package "ACL2")\n' });
  expect((await owner.evaluate('(certify-book "sub/low" ? nil)')).outcome).toBe('ok');
  const engine = new Acl2Engine({ ...engineOptions, books, trustSystemBooks: () => trustSystemBooks });
  const image = await startImage({ engine });
  writeFiles(image.request.project, { 'main.lisp': MAIN });
  const check = async (trustTags: string[] = []) => {
    const checks = { book: 'main', claim: 'claim', trustTags, notes: [] };
    const answer = await image.evaluate('; a final check', { finalCheck: checks });
    return { answer, report: answer.report?.finalCheck };
  };
  return { books, image, check, low: path.join(books, 'sub/low.lisp') };
}

it('rebuilds system books in a private copy, and so notices one whose certificate is stale', async () => {
  const { check, low } = await withSystem(false);
  const { answer, report } = await check();
  expect([answer.condition?.message, report && verdictOf(report)]).toEqual([
    undefined,
    expect.stringContaining('Only ACL2 is trusted.'),
  ]);
  expect(report?.files.map(({ file, role }) => [file, role])).toEqual([
    ['main.lisp', 'book'],
    ['sub/low.lisp', 'system'],
  ]);
  const { mtime } = statSync(low);
  writeFileSync(low, FALSE);
  utimesSync(low, mtime, mtime);
  expect((await check()).answer.outcome).toBe('error');
});

it('names the system books that a person lets it believe, and loads no compiled file of theirs', async () => {
  const { check, books, image } = await withSystem(true);
  for (const extension of ['o', 'fasl']) writeFileSync(path.join(books, `sub/low.${extension}`), 'nonsense');
  writeFileSync(
    path.join(books, 'sub/low@expansion.lsp'),
    '(in-package "ACL2")\n(setf (symbol-function \'evens) (lambda (x) (declare (ignore x)) 42))\n',
  );
  writeFiles(image.request.project, {
    'main.lisp': `${MAIN}(make-event (list 'defconst '*seen* (list 'quote (evens '(1 2 3)))))\n(defthm seen (equal *seen* '(1 3)) :rule-classes nil)\n`,
  });
  const { answer, report } = await check();
  expect([answer.condition?.message, report?.issues]).toEqual([
    undefined,
    [{ kind: 'system-books', about: [expect.stringMatching(/^1 /)] }],
  ]);
  expect(report && verdictOf(report)).not.toContain('Only ACL2 is trusted');
});

it('refuses trust tags that an agent names and no person has allowed', async () => {
  const { check, image } = await withSystem(false);
  const { answer } = await check(['mine']);
  expect([answer.outcome, answer.condition?.message]).toEqual(['error', expect.stringContaining('MINE')]);
  image.image.rawLisp?.allow();
  expect((await check(['mine'])).answer.outcome).toBe('ok');
});
