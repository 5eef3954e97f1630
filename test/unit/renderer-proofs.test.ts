/** Words and choices of the window about proofs: trust, verdicts, commands of a world. */
import { describe, expect, it } from 'vitest';
import { type EventSummary, TrustIssueKind, type Verdict } from '../../electron/contract/proof';
import type { WorldEvent } from '../../electron/contract/world';
import { changedWorld, onlyEvent, saysTrust } from '../../renderer/proofs';
import { TRUST_WORDS, trustCount, trustLine } from '../../renderer/trust';
import { marksOf, titleOf } from '../../renderer/world';

function event(verdict: Verdict): EventSummary {
  return { operator: 'DEFTHM', verdict, names: [], steps: null, milliseconds: null, checkpoints: 0 };
}

function worldEvent(changes: Partial<WorldEvent>): WorldEvent {
  const marks = (changes.names ?? []).map((name) => ({ name, mode: null, guardsVerified: false }));
  return { kind: 'DEFTHM', names: [], depth: 0, skipped: false, rules: null, marks, ...changes };
}

describe('trust', () => {
  it('is said in a line, with names where they are few and short', () => {
    expect(trustLine([])).toBe('no trust issues');
    expect(
      trustLine([
        { kind: 'skip-proofs', about: ['(DEFTHM BAD NIL)'] },
        { kind: 'axiom', about: ['AX'] },
        { kind: 'program-mode', about: ['F', 'G', 'H'] },
      ]),
    ).toBe('rests on: skip-proofs, axiom AX, program mode');
    expect(trustLine([{ kind: 'axiom', about: ['A'.repeat(40)] }])).toBe('rests on: axiom');
  });

  it('is counted', () => {
    const issue = { kind: 'axiom' as const, about: [] };
    expect([[], [issue], [issue, issue]].map(trustCount)).toEqual(['no issues', '1 issue', '2 issues']);
  });

  it('has a title of its own and one sentence for every kind', () => {
    const words = TrustIssueKind.options.map((kind) => TRUST_WORDS[kind]);
    expect(new Set(words.map(({ title }) => title)).size).toBe(words.length);
    expect(words.filter(({ meaning }) => !/^[A-Z][^.]+\.$/.test(meaning))).toEqual([]);
  });

  it('is worth a word where something succeeded or there is an issue', () => {
    const issues = [{ kind: 'axiom' as const, about: ['AX'] }];
    expect(saysTrust('error', { events: [event('failed')], issues: [] })).toBe(false);
    expect(saysTrust('error', { events: [event('failed')], issues })).toBe(true);
    expect(saysTrust('error', { events: [event('admitted'), event('failed')], issues: [] })).toBe(true);
    expect(saysTrust('ok', { events: [], issues: [] })).toBe(true);
  });
});

describe('a summary', () => {
  const proof = (...verdicts: Verdict[]) => ({
    events: verdicts.map(event),
    total: verdicts.length,
    issues: [],
  });

  it('has one event that says it all only where that agrees with the outcome', () => {
    expect(onlyEvent({ outcome: 'ok', proof: proof('admitted') })?.verdict).toBe('admitted');
    expect(onlyEvent({ outcome: 'error', proof: proof('failed') })?.verdict).toBe('failed');
    expect(onlyEvent({ outcome: 'interrupted', proof: proof('interrupted') })?.verdict).toBe('interrupted');
    // The event was admitted, and a form after it was none.
    expect(onlyEvent({ outcome: 'error', proof: proof('admitted') })).toBeNull();
    expect(onlyEvent({ outcome: 'ok', proof: proof('admitted', 'admitted') })).toBeNull();
    expect(onlyEvent({ outcome: 'ok', proof: { ...proof('admitted'), total: 9 } })).toBeNull();
    expect(onlyEvent({ outcome: 'ok' })).toBeNull();
  });

  it('tells whether the world is another one', () => {
    expect(changedWorld({ outcome: 'ok', proof: proof('proved', 'redundant') })).toBe(false);
    expect(changedWorld({ outcome: 'error', proof: proof('admitted', 'failed') })).toBe(true);
    expect(changedWorld({ outcome: 'ok', proof: proof('undone') })).toBe(true);
    expect(changedWorld({ outcome: 'ok', proof: proof('restored') })).toBe(true);
    // One of those that it leaves out may have changed it.
    expect(changedWorld({ outcome: 'ok', proof: { ...proof('proved'), total: 9 } })).toBe(true);
    expect(changedWorld({ outcome: 'ok' })).toBe(false);
  });
});

describe('a command', () => {
  const text = '(IN-THEORY\n  (DISABLE F))';

  it('is called by what it brought itself', () => {
    const hidden = worldEvent({ kind: 'DEFUN', names: ['HIDDEN'], depth: 1 });
    const own = (...names: string[]) => worldEvent({ kind: 'ENCAPSULATE', names });
    expect(titleOf({ events: [hidden, own('SEEN')], text })).toBe('ENCAPSULATE SEEN');
    expect(titleOf({ events: [own('A', 'B', 'C')], text })).toBe('ENCAPSULATE A, B, C');
    expect(titleOf({ events: [own('A', 'B', 'C', 'D', 'E')], text })).toBe('ENCAPSULATE A, B, C and 2 more');
  });

  it('is called by its form where it brought no names', () => {
    expect(titleOf({ events: [worldEvent({ kind: 'IN-THEORY' })], text })).toBe('(IN-THEORY (DISABLE F))');
    expect(titleOf({ events: [], text })).toBe('(IN-THEORY (DISABLE F))');
  });

  it('has each mark once', () => {
    const f = { name: 'F', mode: 'program' as const, guardsVerified: false };
    const g = { name: 'G', mode: 'logic' as const, guardsVerified: true };
    expect(
      marksOf({
        events: [
          worldEvent({ marks: [f, g], rules: 'enabled' }),
          worldEvent({ marks: [f], rules: 'partly', skipped: true }),
        ],
      }),
    ).toEqual(['program mode', 'guards verified', 'not proved', 'partly disabled']);
    expect(marksOf({ events: [worldEvent({ rules: 'disabled' })] })).toEqual(['disabled']);
    expect(marksOf({ events: [worldEvent({ rules: 'enabled' })] })).toEqual([]);
  });
});
