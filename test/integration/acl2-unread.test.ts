/** What ACL2 itself reads from files and cannot read: where it stands is told, whoever asked for the file. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { startImage } from './acl2-fixture';
import { writeFiles } from './loading-fixture';

const FILES = {
  'open.lisp':
    '(in-package "ACL2")\n(defun f (x) x)\n\n; not closed\n(defun g (x)\n  (car x)\n\n(defun h (x) x)\n',
  'unknown.lisp': '(in-package "ACL2")\n#| a comment\n|#\n(defun f (x) (nowhere::g x))\n',
  'odd.lisp': '(in-package "ACL2")\n(defun f (x) x)\n(defconst *odd* 1.5)\n',
  'above.lisp': '(in-package "ACL2")\n(include-book "open")\n',
};

const OPEN =
  /The text ends inside the form that starts on line 5 of \S*open\.lisp\. A \), " or \| is missing\./;

async function project() {
  const image = await startImage();
  writeFiles(image.request.project, FILES);
  return { image, file: (name: string) => path.join(image.request.project, name) };
}

it.each([
  ['INCLUDE-BOOK', '(include-book "open")', 'open.lisp', 5, OPEN],
  ['INCLUDE-BOOK of what includes it', '(include-book "above")', 'open.lisp', 5, OPEN],
  ['CERTIFY-BOOK', '(certify-book "open")', 'open.lisp', 5, OPEN],
  ['LD', '(ld "open.lisp")', 'open.lisp', 5, OPEN],
  [
    'a package that is not there',
    '(include-book "unknown")',
    'unknown.lisp',
    4,
    /NOWHERE.*\(in the form that starts on line 4 of \S*unknown\.lisp\)/,
  ],
  [
    'what is no object of ACL2’s',
    '(include-book "odd")',
    'odd.lisp',
    3,
    /1\.5 is thus illegal in ACL2.*\(in the form that starts on line 3 of \S*odd\.lisp\)/,
  ],
])('%s tells file and line', async (_what, form, name, line, message) => {
  const { image, file } = await project();
  const { outcome, condition, report } = await image.evaluate(form);
  expect(outcome).toBe('error');
  expect([condition?.type, condition?.message.replaceAll(/\s+/g, ' ')]).toEqual([
    'Read error',
    expect.stringMatching(message),
  ]);
  expect(report?.failures).toMatchObject([{ file: file(name), line }]);
  expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
});

it('a form of a loaded file that reads another file has its own place, and tells that of the other', async () => {
  const { image, file } = await project();
  const { condition, report } = await image.evaluate(
    image.image.loader?.loadCode({ file: file('above.lisp') }) ?? '',
  );
  expect(condition?.message).toMatch(OPEN);
  expect(report?.failures).toMatchObject([
    { file: file('above.lisp'), line: 2, message: condition?.message },
  ]);
});

it('an error of a form that was read has no place in a file that was read before', async () => {
  const { image } = await project();
  await image.evaluate('(include-book "open")');
  const { condition, report } = await image.evaluate('(car (nosuch 1))');
  expect([condition?.type, report?.failures]).toEqual(['ACL2 Error [Translate]', []]);
});
