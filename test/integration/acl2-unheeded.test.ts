/** Commands of ACL2's that tell an error and then end as if there had been none. */
import { describe, expect, it } from 'vitest';
import { proofOf, startImage } from './acl2-fixture';

const TRACED = '(defun traced (x) x)';

it.each([
  [':ubt nosuch', 'The object NOSUCH is not a logical name.'],
  [':ubt 99', 'exceeds the current maximum command number'],
  [':ubu 1', "Can't undo back to where we already are!"],
  ['(trace$ nosuch)', 'Ignoring request to trace function NOSUCH'],
  ['(trace$ (traced :bad t))', 'The keyword :BAD is illegal for trace specs'],
  [':monitor nosuch t', 'NOSUCH does not represent any runes'],
  ["(unmonitor 'nosuch)", 'does not specify any runes'],
])('%s is an error, as ACL2 says', async (command, why) => {
  const image = await startImage();
  await image.evaluate(TRACED);
  const { outcome, condition } = await image.evaluate(`${command} (+ 1 2)`);
  expect(outcome).toBe('error');
  expect(condition?.message.replaceAll(/\s+/g, ' ')).toContain(why);
});

it.each([
  [':u', "Can't undo into system initialization."],
  [':ubt! nosuch', 'The object NOSUCH is not a logical name.'],
])('%s, which says nothing, has its reason told', async (command, why) => {
  const image = await startImage();
  const { outcome, notes } = await image.evaluate(command);
  expect(outcome).toBe('ok');
  expect(notes.join('\n')).toContain(`ACL2 continued after an error: ${why}`);
});

it('what a command did in part is told with what it left out', async () => {
  const image = await startImage();
  await image.evaluate(TRACED);
  const { outcome, values, notes } = await image.evaluate('(trace$ traced nosuch)');
  expect([outcome, values]).toEqual(['ok', [['((TRACED))']]]);
  expect(notes.join('\n')).toMatch(/after an error: Ignoring request to trace function NOSUCH/);
});

it.each([
  [
    'a form that deals with it',
    '(mv-let (erp val state) (er soft \'a "b") (declare (ignore erp val)) (value nil))',
  ],
  ['an LD that goes on', "(ld '((thm (equal x y)) (+ 1 2)) :ld-error-action :continue)"],
  [
    'one that failed within an event',
    '(make-event (mv-let (erp val state) (thm (equal x y)) (declare (ignore erp val)) (value (quote (value-triple :seen)))))',
  ],
  ['the output of a failed proof, once more', '(thm (equal x y))', ':pso'],
])('%s has no error', async (_what, ...forms) => {
  const image = await startImage();
  let last = await image.evaluate(forms[0] ?? '');
  for (const form of forms.slice(1)) last = await image.evaluate(form);
  expect(last).toMatchObject({ outcome: 'ok', condition: null, notes: [] });
});

describe('VERIFY', () => {
  it.each([
    ['nothing is said', '(verify (implies (consp x) (equal x y)))', ['MAIN']],
    [
      'instructions do not prove it',
      '(verify (equal (append x y) z) :instructions (:induct))',
      ['(MAIN . 1)', '(MAIN . 2)'],
    ],
    ['an instruction fails', '(verify (equal x y) :instructions ((:dv 9)))', ['MAIN']],
    ['a form holds it', '(er-progn (verify (equal x y)) (value :proved))', ['MAIN']],
  ])('is an error that tells what is open where %s', async (_what, form, goals) => {
    const image = await startImage();
    const evaluated = await image.evaluate(form);
    const { outcome, condition } = evaluated;
    expect(outcome).toBe('error');
    const message = condition?.message.replaceAll(/\s+/g, ' ');
    expect(message).toContain(`open: ${goals.join(' and ')}.`);
    expect(message).toContain('(VERIFY term :INSTRUCTIONS (:INDUCT :PROVE))');
    expect(proofOf(evaluated).builder?.goals.map(({ name }) => name)).toEqual(goals);
    expect(evaluated.stderr).not.toContain('Undefined instruction');
    expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
  });

  it('succeeds where its instructions prove it, and is entered again where it was left', async () => {
    const image = await startImage();
    expect((await image.evaluate('(verify (equal x x) :instructions (:prove))')).outcome).toBe('ok');
    await image.evaluate('(verify (implies (consp x) (equal x y)) :instructions (:promote))');
    const again = await image.evaluate('(verify)');
    expect(proofOf(again).builder?.goals[0]?.hypotheses).toEqual(['(CONSP X)']);
  });
});

it('an error about something huge that nobody has printed is told by its place alone', async () => {
  const image = await startImage();
  await image.evaluate('(defun doubled (n x) (if (zp n) x (doubled (- n 1) (cons x x))))');
  const { outcome, notes } = await image.evaluate(
    '(with-output! :off error (mv-let (erp val state) (er soft \'here "~x0" (doubled 60 nil)) (declare (ignore erp val)) (value :invisible)))',
  );
  expect([outcome, notes]).toEqual(['ok', ['ACL2 continued after an error: HERE']]);
});
