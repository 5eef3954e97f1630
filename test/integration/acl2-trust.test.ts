/** What a session's settings and its books do to trust; what a single form does is in the corpus. */
import { existsSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { engine, issues, proofOf, startImage, startRequest, verdicts } from './acl2-fixture';
import { TestImage } from './test-image';

const SOUND = '(in-package "ACL2")\n(defthm sound (equal (car (cons x y)) x) :rule-classes nil)\n';
const PLANTED_EVENT = '(defun planted (x) x)\n';
const EVIL = '(in-package "ACL2")\n(defthm evil nil :rule-classes nil)\n';

async function book(
  image: Awaited<ReturnType<typeof startImage>>,
  name: string,
  text: string,
): Promise<string> {
  const file = path.join(image.request.project, `${name}.lisp`);
  await writeFile(file, text);
  return file;
}

async function certify(image: TestImage, name: string): Promise<void> {
  expect(await image.evaluate(`(certify-book "${name}" ? nil)`)).toMatchObject({ outcome: 'ok' });
}

describe('a setting of the session', () => {
  it.each([
    ['(set-ld-skip-proofsp t state) (thm nil)', ['skipped'], ['proofs-skipped-now']],
    [
      '(set-ld-skip-proofsp t state) (defthm a nil :rule-classes nil) (set-ld-skip-proofsp nil state)',
      ['skipped'],
      ['proofs-skipped-now', 'skip-proofs'],
    ],
    [
      '(defun f (x) x) (redef!) (defun f (x) (list x))',
      ['admitted', 'admitted'],
      ['redefinition', 'redefinition-allowed'],
    ],
    [':redef', [], ['redefinition-allowed']],
  ])('%s', async (code, expected, kinds) => {
    const image = await startImage();
    const answer = await image.evaluate(code);
    expect(answer.outcome).toBe('ok');
    expect(verdicts(answer)).toEqual(expected);
    expect([...new Set(issues(answer))]).toEqual(kinds);
  });
});

it('tells each kind of issue once, about all that the evaluation has of it', async () => {
  const image = await startImage();
  const axiom = (name: string) => `(defaxiom ${name} (equal (car x) x) :rule-classes nil)`;
  const answer = await image.evaluate(`${axiom('one')} ${axiom('two')} (ubt! 'two)`);
  expect(proofOf(answer).issues).toEqual([{ kind: 'axiom', about: ['ONE', 'TWO'] }]);
});

describe('a book', () => {
  it('that is not certified is included without its proofs, which is told', async () => {
    const image = await startImage();
    await book(image, 'evil', EVIL);
    expect(issues(await image.evaluate('(include-book "evil")'))).toEqual([
      'outside-book',
      'uncertified-book',
    ]);
  });

  it('that is not certified and local leaves its mark on what was proved from it', async () => {
    const image = await startImage();
    await book(image, 'evil', EVIL);
    const answer = await image.evaluate(`(encapsulate ()
      (local (include-book "evil"))
      (defthm a nil :rule-classes nil :hints (("Goal" :use evil))))`);
    expect(answer.outcome).toBe('ok');
    expect(issues(answer)).toContain('uncertified-book');
  });

  it('that is certified here is of the project, and that is told', async () => {
    const image = await startImage();
    await book(image, 'sound', SOUND);
    await certify(image, 'sound');
    const answer = await image.evaluate('(ubt! 1) (include-book "sound")');
    expect(verdicts(answer).at(-1)).toBe('admitted');
    expect(issues(answer)).toEqual(['outside-book']);
  });

  it('whose text was changed under its certificate is not certified, dates or not', async () => {
    const image = await startImage();
    const file = await book(image, 'sound', SOUND);
    await certify(image, 'sound');
    await writeFile(file, SOUND.replace('(car (cons x y)) x', '(car (cons x y)) y'));
    await utimes(file, new Date(), new Date(0));
    expect(issues(await image.evaluate('(ubt! 1) (include-book "sound")'))).toContain('uncertified-book');
  });

  it('with an axiom has it told, certified or not', async () => {
    const image = await startImage();
    await book(
      image,
      'axioms',
      '(in-package "ACL2")\n(defaxiom ax (equal (car x) (cdr x)) :rule-classes nil)\n',
    );
    expect((await image.evaluate('(certify-book "axioms" ? nil :defaxioms-okp t)')).outcome).toBe('ok');
    const answer = await image.evaluate('(ubt! 1) (include-book "axioms")');
    expect(issues(answer)).toEqual(['axiom', 'book-with-axioms', 'outside-book']);
  });

  it.each(['#1000003#', '#99999999999#', '##', '#99999999999=(a)', '#=(a)'])(
    'whose .port file has a label that refers to nothing (%s) reads no memory',
    async (label) => {
      const image = await startImage();
      await book(image, 'sound', SOUND);
      const port = path.join(image.request.project, 'sound.port');
      await writeFile(port, `(in-package "ACL2")\n(defconst *found* '${label})\n`);
      const answer = await image.evaluate('(include-book "sound")');
      expect([answer.outcome, answer.condition?.message]).toEqual([
        'error',
        expect.stringMatching(/does not refer to a labelled object|is not a valid label/),
      ]);
      expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
    },
  );

  it('whose .port file shares what it has is included with it', async () => {
    const image = await startImage();
    await book(image, 'sound', SOUND);
    const port = path.join(image.request.project, 'sound.port');
    await writeFile(port, `(in-package "ACL2")\n(defconst *found* '(#1=(a) #1#))\n`);
    const answer = await image.evaluate('(include-book "sound") *found*');
    expect(answer.values.at(-1)).toEqual(['((A) (A))']);
  });

  it('with a trust tag is refused', async () => {
    const image = await startImage();
    await book(image, 'tagged', '(in-package "ACL2")\n(defttag :mine)\n');
    expect((await image.evaluate('(include-book "tagged" :ttags :all)')).outcome).toBe('error');
  });
});

describe('files that ACL2 and its host Lisp load at their start', () => {
  it.each(['init.lsp', 'acl2-init.lsp', 'acl2-customization.lsp', '.sbclrc'])(
    '%s of the project is not loaded, nor what an earlier image left in the HOME',
    async (name) => {
      const request = await startRequest();
      const trace = path.join(request.project, 'planted');
      const planted = `(cl:with-open-file (s "${trace}" :direction :output) (cl:print 1 s))\n`;
      for (const folder of [request.project, request.home])
        await writeFile(path.join(folder, name), name.includes('customization') ? PLANTED_EVENT : planted);
      const image = new TestImage(await engine.start(request));
      onTestFinished(() => image.image.end());
      expect((await image.evaluate('(planted 1)')).outcome).toBe('error');
      expect(existsSync(trace)).toBe(false);
    },
  );
});
