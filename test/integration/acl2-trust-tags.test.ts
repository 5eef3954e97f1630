/** The lock of trust tags, and what CERTIFY-BOOK, which has an argument for them, cannot do about it. */
import { expect, it } from 'vitest';
import { issues, startImage } from './acl2-fixture';
import { writeFiles } from './loading-fixture';

const RAW = `(in-package "ACL2")
(defttag :mine)
(progn! (set-raw-mode t))
`;

const CERTIFY = '(certify-book "raw" ? nil :ttags :all)';

it.each([
  ['the argument :TTAGS', CERTIFY],
  ['a tag by its name', '(certify-book "raw" ? nil :ttags (:mine))'],
  ['a tag of one book', '(certify-book "raw" ? nil :ttags ((:mine "raw")))'],
  ['the argument :TTAGSX', '(set-write-acl2x t state) (certify-book "raw" ? nil :ttagsx :all :acl2x t)'],
  ['LD', `(ld '(${CERTIFY}))`],
])('%s is no key to the lock', async (_what, code) => {
  const image = await startImage();
  writeFiles(image.request.project, { 'raw.lisp': RAW });
  let heard = '';
  const answer = await image.evaluate(code, {}, (_stream, text) => {
    heard += text;
  });
  expect(issues(answer)).not.toContain('trust-tag');
  expect(heard).not.toContain('TTAG NOTE: Adding ttag');
  expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
});

it('a book without trust tags is certified whatever that argument says', async () => {
  const image = await startImage();
  writeFiles(image.request.project, { 'app.lisp': '(in-package "ACL2")\n(defun app (x) x)\n' });
  const answer = await image.evaluate('(certify-book "app" ? nil :ttags :all)');
  expect(answer.outcome).toBe('ok');
});
