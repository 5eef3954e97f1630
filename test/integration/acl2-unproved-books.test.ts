/** Books whose proofs ACL2 can be made to skip while it certifies them: nothing of them passes for proved. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { engine, issues, startImage, startRequest } from './acl2-fixture';
import { writeFiles } from './loading-fixture';
import { TestImage } from './test-image';

const FALSE = '(in-package "ACL2")\n(defthm false nil :rule-classes nil)\n';
const OVER = `(in-package "ACL2")
(include-book "false")
(defthm over nil :rule-classes nil :hints (("Goal" :use false)))
`;

const USING_IT = '(thm nil :hints (("Goal" :use false)))';

it.each([
  '(certify-book "false" ? nil)',
  '(certify-book "false" ? nil :pcert :create)',
  '(certify-book "false" ? nil :pcert t)',
  '(certify-book "false" ? nil :pcert :convert)',
  '(certify-book "false" ? nil :pcert :complete)',
  '(prog2$ (setenv$ "ACL2_PCERT_ARG" "CREATE") (certify-book "false" ? nil))',
  `(certify-book-fn "false" '? nil nil nil nil nil nil nil :default :create nil nil state)`,
  `(er-progn (set-write-acl2x '(t) state) (certify-book "false" ? nil :acl2x t))`,
  `(er-progn (set-write-acl2x '(include-book) state) (certify-book "false" ? nil :acl2x t))`,
  `(state-global-let* ((write-acl2x '(t))) (certify-book "false" ? nil :acl2x t))`,
  '(er-progn (set-ld-skip-proofsp t state) (certify-book "false" ? nil))',
  '(skip-proofs (certify-book "false" ? nil))',
])('%s proves nothing', async (way) => {
  const image = await startImage();
  const { project } = image.request;
  writeFiles(project, { 'false.lisp': FALSE });
  expect((await image.evaluate(way)).outcome).toBe('error');
  expect((await image.evaluate(USING_IT)).outcome).toBe('error');
  for (const name of ['false.cert', 'false.pcert0', 'false.acl2x'])
    expect(existsSync(path.join(project, name)), name).toBe(false);
});

it('a .acl2 file that sets the environment certifies nothing by it, and no older certificate counts', async () => {
  const image = await startImage();
  const { project } = image.request;
  writeFiles(project, { 'false.lisp': '(in-package "ACL2")\n' });
  const code = image.image.world?.certifyCode(path.join(project, 'false')) ?? '';
  expect((await image.evaluate(code)).outcome).toBe('ok');
  writeFiles(project, { 'false.lisp': FALSE, 'false.acl2': '(setenv$ "ACL2_PCERT_ARG" "CREATE")\n' });
  expect((await image.evaluate(code)).outcome).toBe('error');
});

it('a book that changes while it is certified is refused each time', async () => {
  const image = await startImage();
  const { project } = image.request;
  const changes = `(mv-let (channel state) (open-output-channel "false.lisp" :character state)
    (pprogn (princ$ "(in-package \\"ACL2\\")" channel state) (newline channel state)
            (close-output-channel channel state) (value :changed)))`;
  writeFiles(project, { 'false.lisp': FALSE, 'false.acl2': changes });
  const code = image.image.world?.certifyCode(path.join(project, 'false')) ?? '';
  expect((await image.evaluate(code)).outcome).toBe('error');
  // Both files are what they were before, and the certificate is that of something else.
  writeFiles(project, { 'false.lisp': FALSE });
  expect((await image.evaluate(code)).outcome).toBe('error');
  expect(readFileSync(path.join(project, 'false.lisp'), 'utf8')).not.toBe(FALSE);
});

it('a provisional certificate is none', async () => {
  const request = await startRequest();
  const image = new TestImage(await engine.start(request));
  writeFiles(request.project, { 'false.lisp': FALSE, 'over.lisp': OVER });
  image.image.rawLisp?.allow();
  expect((await image.evaluate('(certify-book "false" ? nil :pcert :create)')).outcome).toBe('ok');
  await image.image.end();
  const later = await startImage({ project: request.project });
  expect(existsSync(path.join(request.project, 'false.pcert0'))).toBe(true);
  const included = await later.evaluate('(include-book "false")');
  expect([included.outcome, issues(included)]).toEqual(['ok', ['outside-book', 'uncertified-book']]);
  expect((await later.evaluate('(ubt! 1) (certify-book "over" ? nil)')).outcome).toBe('error');
});
