/** Books certified in a process of their own: what is admitted, what it rests on, and where the certificate lies. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { issues, proofOf, startImage, verdicts } from './acl2-fixture';
import { type Files, writeFiles } from './loading-fixture';
import type { TestImage } from './test-image';

const BOOK = `(in-package "ACL2")
(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))
(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))
`;

async function withBooks(files: Files) {
  const image = await startImage();
  writeFiles(image.request.project, files);
  return { image, book: (name: string) => path.join(image.request.project, name) };
}

function certifyCode({ image }: TestImage, book: string): string {
  if (!image.world) throw new Error('ACL2 has no world.');
  return image.world.certifyCode(book);
}

function certify(image: TestImage, book: string, heard?: (stream: string, text: string) => void) {
  return image.evaluate(certifyCode(image, book), {}, heard);
}

it('is certified, printing as it goes, and the session’s world stays as it is', async () => {
  const { image, book } = await withBooks({ 'app.lisp': BOOK });
  await image.evaluate('(defun app (x) x) (defpkg "SHOP" nil) (in-package "SHOP")');
  let heard = '';
  const answer = await certify(image, book('app'), (_stream, text) => {
    heard += text;
  });
  expect([answer.outcome, answer.package, answer.values]).toEqual([
    'ok',
    'SHOP',
    [[`"${book('app')}.cert"`]],
  ]);
  expect(proofOf(answer)).toMatchObject({
    certification: { book: book('app'), certificate: `${book('app')}.cert` },
    command: null,
  });
  expect([issues(answer), proofOf(answer)]).toEqual([
    [],
    expect.not.objectContaining({ change: expect.anything() }),
  ]);
  expect(existsSync(`${book('app')}.cert`)).toBe(true);
  expect(heard).toMatch(/CERTIFICATION ATTEMPT[\s\S]*APP-ASSOC/);
  expect((await image.evaluate('(acl2::app 3)')).values).toEqual([['3']]);
  const included = await image.evaluate(`(acl2::ubt! 1) (acl2::include-book "app")`);
  expect([verdicts(included).at(-1), issues(included)]).toEqual(['admitted', ['outside-book']]);
});

it.each([
  ['with a theorem that is none', `${BOOK}(defthm wrong (equal (app x y) (app y x)))\n`],
  ['that skips a proof', `${BOOK}(skip-proofs (defthm wrong (equal (app x y) (app y x))))\n`],
  ['with an axiom', `${BOOK}(defaxiom wrong (equal (app x y) (app y x)))\n`],
  ['with a trust tag', `${BOOK}(defttag :mine)\n`],
  ['that includes one of no project', '(in-package "ACL2")\n(include-book "/other")\n'],
  ['that is not there', null],
])('a book %s is not', async (_what, text) => {
  const { image, book } = await withBooks(text === null ? {} : { 'app.lisp': text });
  const answer = await certify(image, book('app'));
  expect([answer.outcome, proofOf(answer).certification]).toMatchObject([
    'error',
    { book: book('app'), certificate: null },
  ]);
  expect(answer.condition?.message).toMatch(/ACL2 Error/);
  expect(existsSync(`${book('app')}.cert`)).toBe(false);
  expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
});

it('has the events of its .acl2 file below it', async () => {
  const { image, book } = await withBooks({
    'shop.acl2': `(defpkg "SHOP" '(defun x))\n`,
    'shop.lisp': '(in-package "SHOP")\n(defun price (x) x)\n',
  });
  const answer = await certify(image, book('shop'));
  expect(answer.outcome).toBe('ok');
  const included = await image.evaluate('(include-book "shop")');
  expect(included.outcome).toBe('ok');
  expect((await image.evaluate('(shop::price 3)')).values).toEqual([['3']]);
  // It is told as one event: neither what is in it nor its portcullis.
  expect(proofOf(included).events[0]).toMatchObject({
    events: [{ kind: 'INCLUDE-BOOK', depth: 0 }],
    eventCount: 3,
  });
});

it('a .acl2 file that fails is told with its line', async () => {
  const { image, book } = await withBooks({ 'shop.acl2': '\n(defpkg "SHOP" 3)\n', 'shop.lisp': BOOK });
  const answer = await certify(image, book('shop'));
  expect([answer.outcome, answer.report?.failures]).toMatchObject([
    'error',
    [{ file: `${book('shop')}.acl2`, line: 2 }],
  ]);
});

const SLOW = `(in-package "ACL2")
(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))
(make-event (prog2$ (cw "ready~%") (value (list 'defconst '*c* (fib 90)))))
`;

it('is interrupted like any evaluation, and nothing is left of it', async () => {
  const { image, book } = await withBooks({ 'slow.lisp': SLOW });
  const running = await image.running(certifyCode(image, book('slow')));
  const other = image.image.world?.commands({ limit: 1 });
  expect(await other).toMatchObject({ total: 0 });
  expect(await image.image.progress?.()).toMatchObject({ form: 0 });
  await image.interrupt('cooperative');
  expect((await running.settled).outcome).toBe('interrupted');
  expect(existsSync(`${book('slow')}.cert`)).toBe(false);
  expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
});

it('that reaches a limit has failed for that, and is not interrupted', async () => {
  const { image, book } = await withBooks({ 'slow.lisp': SLOW });
  const answer = await image.evaluate(certifyCode(image, book('slow')), { cpuSeconds: 1 });
  const reason = expect.stringMatching(/1 s of processor time/);
  expect(answer).toMatchObject({ outcome: 'error', condition: { message: reason }, notes: [] });
  expect(answer.report?.runs).toMatchObject([{ counts: { failed: 1 }, failures: [{ reason }] }]);
  expect(proofOf(answer).certification?.books).toMatchObject([{ state: 'failed', because: reason }]);
});

it('ends with the session', async () => {
  const { image, book } = await withBooks({
    'slow.lisp': `(in-package "ACL2")\n(make-event (prog2$ (cw "ready~%") (prog2$ (sleep 1000) '(value-triple 1))))\n`,
  });
  const running = await image.running(certifyCode(image, book('slow')));
  await image.image.end();
  expect((await running.settled).outcome).toBe('interrupted');
});

it('in which a form ends ACL2 fails alone', async () => {
  const { image, book } = await withBooks({
    'ends.lisp': '(in-package "ACL2")\n(make-event (prog2$ (exit 3) 3))\n',
  });
  const answer = await certify(image, book('ends'));
  expect([answer.outcome, answer.condition?.message]).toEqual(['error', expect.stringContaining('code 3')]);
  expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
});
