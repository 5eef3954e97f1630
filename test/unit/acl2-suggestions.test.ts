/** Suggestions for theorems that failed, as ACL2 tells it; test/integration has ACL2 itself try them. */
import { describe, expect, it } from 'vitest';
import { suggestionsOf } from '../../electron/images/acl2/suggestions/suggestions';
import { FALSE, failure, suggested } from './acl2-failures';

describe('a theorem', () => {
  it.each([
    ['(IMPLIES (NOT (CONSP X)) (NOT X))', '(true-listp x)'],
    ['(IMPLIES (AND (ATOM X) (P Y)) (EQUAL X NIL))', '(true-listp x)'],
    ['(ACL2-NUMBERP X)', '(acl2-numberp x)'],
    ['(IMPLIES (AND (ZP X) (ACL2-NUMBERP X)) (EQUAL 0 (* X X)))', '(natp x)'],
    ['(IMPLIES (NOT (INTEGERP X)) (EQUAL (F X) 0))', '(integerp x)'],
  ])('lacks a hypothesis by %s: %s', (checkpoint, hypothesis) => {
    expect(
      suggested({
        form: '(DEFTHM A (EQUAL (F X) X) :RULE-CLASSES NIL)',
        induction: [checkpoint],
        falseGoals: ['Subgoal *1/1'],
        arithmetic: true,
      }),
    ).toEqual([`hypothesis: (defthm a (implies ${hypothesis} (equal (f x) x)) :rule-classes nil)`]);
  });

  it('lacks none for a case of a definition, which a goal is about that may be true', () => {
    const told = { form: '(THM (P X))', top: ['(IMPLIES (NOT (STRINGP X)) (P (F X)))'] };
    expect(suggested(told).filter((text) => text.startsWith('hypothesis'))).toEqual([]);
    expect(suggested({ ...told, falseGoals: ['Subgoal 1'] })).toEqual([
      'hypothesis: (thm (implies (stringp x) (p x)))',
    ]);
  });

  it('lacks none with which it is false all the same, and the same of each variable where that helps', () => {
    const told = { form: '(THM (P X Y))', induction: ['(INTEGERP X)'] };
    const values = (x: string[], y: string[]) => [
      { variable: 'X', types: x },
      { variable: 'Y', types: y },
    ];
    const hypotheses = (...types: ReturnType<typeof values>[]) =>
      suggested({ ...told, falseFor: { ...FALSE, types } }).filter((text) => text.startsWith('hyp'));
    expect(hypotheses(values(['STRINGP'], ['INTEGERP']))).toEqual([
      'hypothesis: (thm (implies (integerp x) (p x y)))',
    ]);
    const lacking = values(['INTEGERP'], ['RATIONALP']);
    const both = ['hypothesis: (thm (implies (and (integerp x) (integerp y)) (p x y)))'];
    expect(hypotheses(lacking, values([], []))).toEqual(both);
    expect(hypotheses(lacking, values(['INTEGERP'], ['INTEGERP']))).toEqual([]);
    const typed = (type: string) => ({ ...told, form: `(THM (IMPLIES (${type} X) (P X Y)))` });
    const offered = (type: string) => suggested(typed(type)).filter((text) => text.startsWith('hyp')).length;
    expect(['STRINGP', 'RATIONALP', 'CONSP'].map(offered)).toEqual([0, 1, 1]);
  });

  it('has no lemma that is the theorem itself, simplified', () => {
    const told = { form: '(THM (P (F X)))', top: ['(EQUAL (G X) (H X))'] };
    const lemmas = (goal: string) => {
      const { checkpoints, ...rest } = failure(told);
      const named = checkpoints.map((each) => ({ ...each, goal }));
      return suggestionsOf({ ...rest, checkpoints: named }).filter(({ kind }) => kind === 'lemma').length;
    };
    expect([lemmas("Goal''"), lemmas('Subgoal 1')]).toEqual([0, 1]);
  });

  it('lacks none that it has, nor one about what it does not speak of', () => {
    const induction = ['(TRUE-LISTP X)', '(TRUE-LISTP Z)'];
    expect(suggested({ form: '(THM (IMPLIES (TRUE-LISTP X) (P X)))', induction })).toEqual([]);
  });

  it('lacks none that follows from one that it has', () => {
    const form = '(THM (IMPLIES (POSP N) (P N)))';
    const denied = { form, induction: ['(IMPLIES (NOT (INTEGERP N)) (P N))'], falseGoals: ['Subgoal *1/1'] };
    expect(suggested(denied)).toEqual([]);
    expect(suggested({ form: '(THM (P N))', induction: ['(NATP N)', '(RATIONALP N)'] })).toHaveLength(1);
  });

  it('is false, and nothing else helps but a hypothesis', () => {
    const falseFor = { ...FALSE, bindings: [{ variable: 'X', value: '(A . 1)' }], sides: ['NIL', '"A"'] };
    const told = { form: '(THM (EQUAL (F X) (G X)))', recursive: ['F'], induction: ['(EQUAL (G X) (F X))'] };
    const [first, ...more] = suggestionsOf(failure({ ...told, falseFor }));
    expect(first?.text).toBe(
      'The theorem is false for x = (a . 1): its sides are nil and "A" (found by testing).',
    );
    expect(more).toEqual([]);
    const untyped = suggested({ ...told, falseFor, induction: ['(TRUE-LISTP X)'] });
    expect(untyped.map((text) => text.split(':')[0])).toEqual(['counterexample', 'hypothesis']);
  });

  it('has no lemma in a checkpoint that is false', () => {
    const told = { form: '(THM (P X))', induction: ['(EQUAL (F X) (G X))'] };
    expect(suggested(told)).toHaveLength(1);
    expect(suggested({ ...told, falseGoals: ['Subgoal *1/1'] })).toEqual([]);
  });

  it('is about functions that call each other, of which there is no induction', () => {
    const told = { form: '(THM (P (EV X)))', induction: ['(P (EV X))'], clique: ['EV', 'OD'] };
    const found = suggestionsOf(failure(told)).filter(({ kind }) => kind === 'induction');
    expect(found.map(({ form }) => form)).toEqual(['(make-flag flag-ev ev)']);
    expect(found[0]?.text).toMatch(/defthm-flag-ev \(defthm \.\.\. :flag ev\) \(defthm \.\.\. :flag od\)/);
  });

  it('is about numbers, where no book about them is included', () => {
    const told = { form: '(THM (< (MOD A B) B))', top: ['(< (MOD A B) B)'] };
    const book = 'theory: (include-book "arithmetic-5/top" :dir :system)';
    expect(suggested(told)).toEqual([book]);
    expect(suggested({ ...told, arithmetic: true })).toEqual([]);
    const others = { form: '(THM (P A B))', induction: ['(EQUAL (* (F A) B) (* A (G B)))'] };
    expect(suggested(others).filter((text) => text.startsWith('theory'))).toEqual([]);
    expect(suggested({ ...others, induction: ['(EQUAL (* (F A) B) (* B (F A)))'] })).toContain(book);
  });

  it('has a lemma in a checkpoint, as a rewrite rule', () => {
    expect(
      suggested({
        form: '(THM (P X))',
        induction: ['(IMPLIES (CONSP X) (EQUAL (REV (CDR X)) (APP (REV (CDR X)) NIL)))'],
      }),
    ).toEqual(['lemma: (defthm app-of-rev (equal (app (rev b) nil) (rev b)))']);
  });

  it('has no lemma in the step of an induction, and one for all cases that are alike', () => {
    const told = { form: '(THM (P X))', recursive: ['F'] };
    const step =
      '(IMPLIES (AND (CONSP X) (EQUAL (F (CDR X)) (G X))) (EQUAL (F (CADR X)) (H (F (CDDR X)) X)))';
    expect(suggested({ ...told, induction: [step] })).toEqual([]);
    expect(suggested({ ...told, top: ['(EQUAL (+ 1 X) (F (G X)))', '(EQUAL (F (G X)) (H X))'] })).toEqual([
      'lemma: (defthm f-of-g (equal (f (g x)) (+ 1 x)))',
    ]);
    expect(suggested({ ...told, induction: ['(IMPLIES (CONSP X) (F (CADDR X) (CDR X) X))'] })).toEqual([
      'lemma: (defthm f-of-cadr (f (cadr b) b (cons a b)))',
    ]);
  });

  it('has an induction whose hypothesis is about another argument', () => {
    const told = { form: '(THM (P X ACC))', recursive: ['RUN'] };
    const step = '(IMPLIES (EQUAL (RUN (CDR X) ACC) (G X)) (EQUAL (RUN (CDR X) (CONS (CAR X) ACC)) (H X)))';
    const [only, ...more] = suggestionsOf(failure({ ...told, induction: [step] }));
    expect([only?.kind, only?.text, more]).toEqual([
      'induction',
      'Subgoal *1/1 is about (run (cdr x) (cons (car x) acc)), but its hypothesis has acc in place of (cons (car x) acc). Use the induction of a function whose recursive call has (cons (car x) acc) for acc.',
      [],
    ]);
    const found = step.replace('(CONS (CAR X) ACC)', 'ACC');
    expect(
      suggested({ ...told, induction: [found] }).filter((text) => /Use the induction/.test(text)),
    ).toEqual([]);
  });

  it('has no lemma in itself', () => {
    expect(suggested({ form: '(THM (EQUAL (F X) (G X)))', top: ['(EQUAL (F X) (G X))'] })).toEqual([]);
    const form = '(THM (IMPLIES (AND (P X) (Q Y)) (EQUAL (F X Y) (G X))))';
    const renamed = '(IMPLIES (AND (Q B) (P A)) (EQUAL (F A B) (G A)))';
    expect(suggested({ form, top: [renamed] })).toEqual([]);
  });

  it('has a constant that its induction changes', () => {
    const [first] = suggested({
      form: '(THM (EQUAL (CNT X 0) (LEN X)))',
      induction: ['(IMPLIES (CONSP X) (EQUAL (CNT (CDR X) 1) (+ 1 (LEN X))))'],
      recursive: ['CNT', 'LEN'],
    });
    expect(first).toBe('generalize: (cnt x 0) has a constant that the induct');
  });

  it('is about a disabled function', () => {
    const told = { form: '(THM (P (F X)))', top: ['(P (F X))'], disabled: ['F'] };
    expect(suggested(told)).toEqual(['theory: (thm (p (f x)) :hints (("Goal" :in-theory (enable f))))']);
    expect(suggested({ ...told, form: '(THM (P (F X)) :HINTS (("Goal" :EXPAND (P X))))' })).toEqual([
      'theory: f is disabled, and Subgoal 1 contains it',
    ]);
  });

  it('has no induction, another one, or one that was forbidden', () => {
    const told = {
      form: '(THM (EQUAL (F X) (G Y)))',
      recursive: ['F', 'G'],
      induction: ['(EQUAL (F X) (G Y))'],
    };
    expect(suggested({ ...told, printed: 'No induction schemes are suggested by *1.' })).toEqual([
      'induction: (thm (equal (f x) (g y)) :hints (("Goal" :induct (f x))))',
    ]);
    const printed = 'We will induct according to a scheme suggested by (F X).  This suggestion';
    expect(suggested({ ...told, printed })).toEqual([
      'induction: (thm (equal (f x) (g y)) :hints (("Goal" :induct (g y))))',
    ]);
    expect(suggested({ ...told, gaveUp: 'DO-NOT-INDUCT' })).toEqual([
      'induction: A :do-not-induct hint stopped the proof ',
    ]);
  });

  it('loops, makes a rule that does not fire, or meets a limit', () => {
    const form = '(THM (P X))';
    const printed = 'HARD ACL2 ERROR in REWRITE:  The call depth limit of 1000 has been exceeded';
    expect(suggested({ form, printed })).toEqual(['theory: The rewriter looped: two rules may undo ']);
    expect(suggested({ form, printed: 'ACL2 Warning [Free] in ( DEFTHM A ...):  A' })).toEqual([
      'theory: A rule generated from this would have fr',
    ]);
    expect(suggested({ form, steps: -500 })).toEqual(['limit: The proof stopped at the limit of 500 pr']);
  });
});
