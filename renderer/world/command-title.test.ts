/** Titles and marks of the commands of a world. */
import { describe, expect, it } from 'vitest';
import type { WorldEvent } from '../../electron/contract/world';
import { wordsOf } from '../../electron/words/words';
import { marksOf, titleOf } from './command-title';

const WORDS = wordsOf('en');

function worldEvent(changes: Partial<WorldEvent>): WorldEvent {
  const marks = (changes.names ?? []).map((name) => ({ name, mode: null, guardsVerified: false }));
  return { kind: 'DEFTHM', names: [], depth: 0, skipped: false, rules: null, marks, ...changes };
}

describe('a command', () => {
  const text = '(IN-THEORY\n  (DISABLE F))';

  it('is the kind and names of the top-level events', () => {
    const hidden = worldEvent({ kind: 'DEFUN', names: ['HIDDEN'], depth: 1 });
    const own = (...names: string[]) => worldEvent({ kind: 'ENCAPSULATE', names });
    expect(titleOf({ events: [hidden, own('SEEN')], text }, WORDS)).toBe('ENCAPSULATE SEEN');
    expect(titleOf({ events: [own('A', 'B', 'C')], text }, WORDS)).toBe('ENCAPSULATE A, B, C');
    expect(titleOf({ events: [own('A', 'B', 'C', 'D', 'E')], text }, WORDS)).toBe(
      'ENCAPSULATE A, B, C and 2 more',
    );
  });

  it('is the form if the events have no names', () => {
    expect(titleOf({ events: [worldEvent({ kind: 'IN-THEORY' })], text }, WORDS)).toBe(
      '(IN-THEORY (DISABLE F))',
    );
    expect(titleOf({ events: [], text }, WORDS)).toBe('(IN-THEORY (DISABLE F))');
  });

  it('contains each mark once', () => {
    const f = { name: 'F', mode: 'program' as const, guardsVerified: false };
    const g = { name: 'G', mode: 'logic' as const, guardsVerified: true };
    expect(
      marksOf(
        {
          events: [
            worldEvent({ marks: [f, g], rules: 'enabled' }),
            worldEvent({ marks: [f], rules: 'partly', skipped: true }),
          ],
        },
        WORDS,
      ),
    ).toEqual(['program mode', 'guards verified', 'not proved', 'partly disabled']);
    expect(marksOf({ events: [worldEvent({ rules: 'disabled' })] }, WORDS)).toEqual(['disabled']);
    expect(marksOf({ events: [worldEvent({ rules: 'enabled' })] }, WORDS)).toEqual([]);
  });
});
