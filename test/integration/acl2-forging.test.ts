/** Attempts to pass for a proof, or for the harbor: whatever text and forms do, only what was proved is told as proved. */
import { describe, expect, it } from 'vitest';
import { proofOf, startImage, verdicts } from './acl2-fixture';

const RAW = `(in-package "ACL2") (setf (symbol-function 'evens) (lambda (x) 42)) (lp)`;

describe('text', () => {
  it.each([
    [`) :q ${RAW}`],
    [`(+ 1 2)) :q ${RAW}`],
    [`:q ${RAW}`],
    [`(+ 1 2)\n(:id 9 :op :evaluate :nonce "x" :bytes 9999 :limit 9)\n${RAW}`],
    [`"${RAW}`],
    [`#| ${RAW}`],
  ])('does not leave its frame: %s', async (code) => {
    const image = await startImage();
    await image.evaluate(code);
    expect((await image.evaluate("(evens '(1 2 3))")).values).toEqual([['(1 3)']]);
    expect(verdicts(await image.evaluate('(thm (equal (evens x) 42))'))).toEqual(['failed']);
  });

  it('may be long, and so may what it prints', async () => {
    const image = await startImage();
    const long = await image.evaluate(`(length "${'x'.repeat(2_000_000)}")`);
    expect(long.values).toEqual([['2000000']]);
    const printed = await image.evaluate(
      '(defun say (n) (declare (xargs :mode :program)) (if (zp n) nil (prog2$ (cw "0123456789~%") (say (- n 1))))) (say 5000)',
    );
    expect(printed.stdout.length).toBe(5000 * 11);
  });
});

describe('code', () => {
  it.each([
    'lisp-harbor-acl2::write-frame',
    '(lisp-harbor-acl2::emit "done")',
    '(defpkg "LISP-HARBOR-ACL2" nil)',
    '(in-package "LISP-HARBOR-ACL2")',
  ])('cannot name the helper: %s', async (code) => {
    const image = await startImage();
    expect((await image.evaluate(code)).outcome).toBe('error');
    expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
  });

  it('that prints records of its own is told as what it is', async () => {
    const image = await startImage();
    const record = '{\\"record\\":\\"form\\",\\"ok\\":true,\\"operator\\":\\"THM\\"}';
    const answer = await image.evaluate(
      `(cw "~s0${'a'.repeat(32)} 60~%${record}~%" (coerce (list (code-char 30)) 'string)) (thm nil)`,
    );
    expect(verdicts(answer)).toEqual(['failed']);
    expect(answer.stdout).toContain('"ok":true');
  });

  it('reads nothing of what the harbor sends', async () => {
    const image = await startImage();
    const answer = await image.evaluate(
      '(mv-let (end object state) (read-object *standard-oi* state) (mv nil (list end object) state))',
    );
    expect(answer.values).toEqual([['(NIL :GO)']]);
  });

  it('that sets what the report is made of changes no verdict', async () => {
    const image = await startImage();
    const answer = await image.evaluate(
      "(f-put-global 'last-event-data '((acl2::rules (:definition fake))) state) (thm nil)",
    );
    expect(verdicts(answer)).toEqual(['failed']);
    expect((await image.evaluate("(f-put-global 'ld-history nil state)")).outcome).toBe('error');
  });

  it('that was refused does not count as a command', async () => {
    const image = await startImage();
    expect(proofOf(await image.evaluate('(thm (equal (car (cons x y)) x)) (car 3)')).command).toBe(0);
  });

  it('that is redundant is told with what it found in the world', async () => {
    const image = await startImage();
    const answer = await image.evaluate(`(defun f (x) x) (table said 'it 2)
      (make-event '(progn (defun f (x) x) (table said 'it 2)))`);
    expect(proofOf(answer).events.at(-1)).toMatchObject({
      verdict: 'redundant',
      events: [
        { kind: 'DEFUN', names: ['F'] },
        { kind: 'TABLE', names: ['SAID'] },
      ],
      eventCount: 2,
    });
  });

  it('that comes to nothing when it is submitted again is lost', async () => {
    const image = await startImage();
    await image.evaluate(`(assign flag t) (defun a (x) x)
      (make-event (if (@ flag) '(defun b (x) x) '(value-triple :redundant)))
      (defun c (x) x) (assign flag nil)`);
    const answer = await image.evaluate('(harbor-undo-one 1)');
    expect(proofOf(answer).lost).toMatchObject([
      { command: 2, because: expect.stringContaining('skipped it') },
    ]);
    expect((await image.evaluate('(c 3)')).values).toEqual([['3']]);
  });
});
