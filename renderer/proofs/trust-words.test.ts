/** Trust issues as text. */
import { describe, expect, it } from 'vitest';
import { TrustIssueKind } from '../../electron/contract/proof';
import { wordsOf } from '../../electron/words/words';
import { trustCount, trustLine } from './proof-display';

const WORDS = wordsOf('en');

describe('trust', () => {
  it('are one line, with names if they are few and short', () => {
    expect(trustLine([], WORDS)).toBe('no trust issues');
    expect(
      trustLine(
        [
          { kind: 'skip-proofs', about: ['(DEFTHM BAD NIL)'] },
          { kind: 'axiom', about: ['AX'] },
          { kind: 'program-mode', about: ['F', 'G', 'H'] },
        ],
        WORDS,
      ),
    ).toBe('rests on: skip-proofs, axiom AX, program mode');
    expect(trustLine([{ kind: 'axiom', about: ['A'.repeat(40)] }], WORDS)).toBe('rests on: axiom');
  });

  it('is counted', () => {
    const issue = { kind: 'axiom' as const, about: [] };
    expect([[], [issue], [issue, issue]].map((issues) => trustCount(issues, WORDS))).toEqual([
      'no issues',
      '1 issue',
      '2 issues',
    ]);
  });

  it('have a title and one sentence for each kind', () => {
    const words = TrustIssueKind.options.map((kind) => WORDS.trust.kinds[kind]);
    expect(new Set(words.map(({ title }) => title)).size).toBe(words.length);
    expect(words.filter(({ meaning }) => !/^[A-Z][^.]+\.$/.test(meaning))).toEqual([]);
  });
});
