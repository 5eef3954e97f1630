/** Claims are tried on small values after ACL2 has accepted them: false ones, and those that say nothing. */
import path from 'node:path';
import { expect, it } from 'vitest';
import { issues, proofOf, startImage, verdicts } from './acl2-fixture';
import { writeFiles } from './loading-fixture';

/** ACL2 8.5 proves it by running BOOLE$, whose definition says 1. Release 8.8 fixes that. */
const WRONG = '(defthm wrong (equal (boole$ *boole-set* 0 0) -1) :rule-classes nil)';
const AXIOM = '(defaxiom bad (equal (len x) 3) :rule-classes nil)';
const FALSE =
  '(defthm false (equal (car x) 1) :rule-classes nil :hints (("Goal" :use ((:instance bad (x nil))))))';

it('the verdict of a proved claim that is false is withdrawn, and what follows rests on it until it is undone', async () => {
  const { evaluate } = bound(await startImage());
  const proved = await evaluate(`${AXIOM} ${FALSE}`);
  expect(verdicts(proved)).toEqual(['axiom', 'refuted']);
  expect(proved.notes.filter((note) => note.includes('is false'))).toEqual([
    expect.stringContaining('BAD is false for x = nil'),
    expect.stringContaining('FALSE is false for x = nil'),
  ]);
  expect(proofOf(proved).issues).toContainEqual({ kind: 'refuted', about: ['FALSE'] });
  const later = await evaluate(
    '(thm (equal (car (cons x y)) x)) (thm (equal x y) :hints (("Goal" :use ((:instance bad (x nil))))))',
  );
  expect(verdicts(later)).toEqual(['proved', 'refuted']);
  expect(proofOf(later).events.map((event) => event.issues[0]?.kind)).toEqual(['refuted', 'refuted']);
  const written = await evaluate(
    '(defmacro same (x y) (list (quote equal) x y)) (thm (same x y) :hints (("Goal" :use ((:instance bad (x nil))))))',
  );
  expect(verdicts(written)).toEqual(['admitted', 'refuted']);
  const undone = await evaluate("(ubt! 'bad) (thm (equal (car (cons x y)) x))");
  expect([verdicts(undone), issues(undone)]).toEqual([['undone', 'proved'], []]);
  const inside = await evaluate(`(encapsulate () (local ${AXIOM.replace('bad', 'other')}) (defun f (x) x))
    (encapsulate (((g *) => *)) (local (defun g (x) x)) (defthm g-nil (implies (g x) (g x)) :rule-classes nil))`);
  expect(inside.notes.join()).not.toContain('is false');
});

it('a false claim is found that only an error of ACL2 itself has proved', async () => {
  const { image, request, evaluate } = bound(await startImage());
  const proved = await evaluate(WRONG);
  // Later releases of ACL2 do not prove it.
  if (proved.outcome !== 'ok') return expect(verdicts(proved)).toEqual(['failed']);
  expect([verdicts(proved), issues(proved)]).toEqual([['refuted'], ['refuted']]);
  writeFiles(request.project, { 'named.lisp': `(in-package "ACL2")\n${WRONG}\n` });
  const named = { file: path.join(request.project, 'named.lisp'), test: 'wrong' };
  for (const before of ['', "(ubt! 'wrong)"]) {
    await evaluate(before);
    const run = await evaluate(image.loader?.testCode(named) ?? '');
    expect(run.report?.runs).toMatchObject([
      { counts: { passed: 0, failed: 1 }, failures: [{ test: 'wrong', line: 2 }] },
    ]);
  }
  writeFiles(request.project, { 'wrong.lisp': `(in-package "ACL2")\n(encapsulate () ${WRONG})\n` });
  const book = await evaluate(image.world?.certifyCode(path.join(request.project, 'wrong')) ?? '');
  expect([book.outcome, book.condition?.message]).toEqual([
    'error',
    expect.stringContaining('WRONG is false'),
  ]);
  const check = { claim: null, trustTags: [], notes: [], book: 'wrong' };
  const checked = await evaluate('; a final check', { finalCheck: check });
  expect([checked.outcome, checked.condition?.message]).toEqual([
    'error',
    expect.stringContaining('WRONG is false'),
  ]);
});

it('a book with a claim that says nothing is certified and checked, with a note', async () => {
  const { image, request, evaluate } = bound(await startImage());
  const vacuous = '(defthm vac (implies (and (consp x) (atom x)) (equal x 3)) :rule-classes nil)';
  writeFiles(request.project, { 'vac.lisp': `(in-package "ACL2")\n${vacuous}\n` });
  const book = await evaluate(image.world?.certifyCode(path.join(request.project, 'vac')) ?? '');
  expect([book.outcome, book.notes.join()]).toEqual(['ok', expect.stringContaining('hypotheses of VAC')]);
  const check = { claim: 'vac', trustTags: [], notes: [], book: 'vac' };
  const checked = await evaluate('; a final check', { finalCheck: check });
  expect(checked.report?.finalCheck?.notes.join()).toContain('hypotheses of VAC');
});

function bound<I extends Awaited<ReturnType<typeof startImage>>>(image: I) {
  return { image: image.image, request: image.request, evaluate: image.evaluate.bind(image) };
}
