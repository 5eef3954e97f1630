/** Key checkpoints in few words: what was submitted is not told again, nor hypotheses that an earlier goal has. */
import { describe, expect, it } from 'vitest';
import type { KeyCheckpoint, KeyCheckpoints } from '../../electron/contract/proof';
import { checkpointLines, partsOf, textOf } from '../../electron/tools/prover/checkpoint-text';

const STEP = `(IMPLIES (AND (CONSP X)
              (EQUAL (F (CDR X))
                     (G (CDR X))))
         (EQUAL (F X)
                (G X)))`;

function goal(name: string, text: string, more: Partial<KeyCheckpoint> = {}): KeyCheckpoint {
  return { goal: name, text, form: text.replaceAll(/\s+/g, ' '), pushed: null, ...more };
}

function told(goals: readonly KeyCheckpoint[], whole = false): string {
  const checkpoints: KeyCheckpoints = { top: [], induction: [...goals], reverted: [], gaveUp: null };
  return checkpointLines(checkpoints, whole, 'job-1').slice(1).join('\n');
}

describe('a goal', () => {
  it('is taken apart into hypotheses and conclusion, and put together again', () => {
    const parts = partsOf(STEP);
    expect(parts).toEqual({
      hypotheses: ['(CONSP X)', '(EQUAL (F (CDR X))\n       (G (CDR X)))'],
      conclusion: '(EQUAL (F X)\n       (G X))',
    });
    expect(textOf(parts)).toBe(STEP);
    expect(textOf(partsOf('(IMPLIES (P X) (Q X))'))).toBe('(IMPLIES (P X)\n         (Q X))');
  });

  it.each(['(P X)', '(IMPLIES (P X))', '(IMPLIES P Q R)', '(IMPLIES (AND P', ')', '(A) (B)', ''])(
    'without hypotheses, or that is no form, is a conclusion: %s',
    (text) => expect(partsOf(text)).toEqual({ hypotheses: [], conclusion: text }),
  );
});

describe('key checkpoints', () => {
  it('that are what was submitted are not told again, but where all is', () => {
    const same = goal('Goal', '(P X)', { unchanged: true, pushed: '*1' });
    expect(told([same])).toBe('    Goal (pushed for induction: *1): the conjecture itself');
    expect(told([same], true)).toBe('    Goal (pushed for induction: *1)\n    | (P X)');
  });

  it('refer to the hypotheses of an earlier one, and say which of them they have not', () => {
    const all = goal('Subgoal *1/2.1', STEP.replace('(F X)', '(H X)'));
    const less = goal('Subgoal *1/1', STEP.replace('(CONSP X)', '(CONSP X) (P X)'));
    expect(told([less, all])).toContain(
      '    Subgoal *1/2.1, with the hypotheses of Subgoal *1/1 but (P X)\n    | (EQUAL (H X)\n    |        (G X))',
    );
    expect(told([all, less])).toContain(
      '    Subgoal *1/1, with the hypotheses of Subgoal *1/2.1\n    | (IMPLIES (P X)\n    |          (EQUAL (F X)\n    |                 (G X)))',
    );
    expect(told([all, less], true)).not.toContain('with the hypotheses');
  });

  it('with other hypotheses are told whole; strings are other ones by every blank', () => {
    const named = (name: string) => goal(name, `(IMPLIES (AND (P "${name}") (Q X) (Q Y)) (R X))`);
    expect(told([named('a  b'), named('a b')])).toContain(
      'with the hypotheses of a  b but (P "a  b")\n    | (IMPLIES (P "a b")',
    );
    const other = goal('Other', '(IMPLIES (AND (P X) (Q X) (Q Z)) (R X))');
    expect(told([named('a b'), other])).not.toContain('with the hypotheses');
  });

  it('name few of the names under which they were pushed', () => {
    const pushed = Array.from({ length: 60 }, (_, n) => `*1.${n}`).join(', ');
    expect(told([goal('Goal', '(P X)', { pushed })]).split('\n')[0]?.length).toBeLessThan(80);
  });
});
