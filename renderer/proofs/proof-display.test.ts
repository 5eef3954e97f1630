/** Parts of a proof report that the window shows. */
import { describe, expect, it } from 'vitest';
import type { EventSummary, Verdict } from '../../electron/contract/proof';
import { changedWorld, onlyEvent, showsTrust } from './proof-display';

function event(verdict: Verdict): EventSummary {
  return { operator: 'DEFTHM', verdict, names: [], steps: null, milliseconds: null, checkpoints: 0 };
}

describe('trust', () => {
  it('is worth a word where something succeeded or there is an issue', () => {
    const issues = [{ kind: 'axiom' as const, about: ['AX'] }];
    expect(showsTrust('error', { events: [event('failed')], issues: [] })).toBe(false);
    expect(showsTrust('error', { events: [event('failed')], issues })).toBe(true);
    expect(showsTrust('error', { events: [event('admitted'), event('failed')], issues: [] })).toBe(true);
    expect(showsTrust('ok', { events: [], issues: [] })).toBe(true);
  });
});

describe('a summary', () => {
  const proof = (...verdicts: Verdict[]) => ({
    events: verdicts.map(event),
    total: verdicts.length,
    issues: [],
  });

  it('has one event that says it all only if that agrees with the outcome', () => {
    expect(onlyEvent({ outcome: 'ok', proof: proof('admitted') })?.verdict).toBe('admitted');
    expect(onlyEvent({ outcome: 'error', proof: proof('failed') })?.verdict).toBe('failed');
    expect(onlyEvent({ outcome: 'interrupted', proof: proof('interrupted') })?.verdict).toBe('interrupted');
    // The event was admitted, and a form after it was none.
    expect(onlyEvent({ outcome: 'error', proof: proof('admitted') })).toBeNull();
    expect(onlyEvent({ outcome: 'ok', proof: proof('admitted', 'admitted') })).toBeNull();
    expect(onlyEvent({ outcome: 'ok', proof: { ...proof('admitted'), total: 9 } })).toBeNull();
    expect(onlyEvent({ outcome: 'ok' })).toBeNull();
  });

  it('reports whether the world changed', () => {
    expect(changedWorld({ outcome: 'ok', proof: proof('proved', 'redundant') })).toBe(false);
    expect(changedWorld({ outcome: 'error', proof: proof('admitted', 'failed') })).toBe(true);
    expect(changedWorld({ outcome: 'ok', proof: proof('undone') })).toBe(true);
    expect(changedWorld({ outcome: 'ok', proof: proof('restored') })).toBe(true);
    // One of those that it leaves out may have changed it.
    expect(changedWorld({ outcome: 'ok', proof: { ...proof('proved'), total: 9 } })).toBe(true);
    expect(changedWorld({ outcome: 'ok' })).toBe(false);
  });
});
