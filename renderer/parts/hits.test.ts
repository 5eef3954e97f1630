/** Matches of a search text. */
import { describe, expect, it } from 'vitest';
import { markHits } from './code';

const shown = (texts: string[], query: string) =>
  markHits(
    texts.map((text) => ({ text })),
    query,
  ).map(({ text, hit }) => (hit ? `[${text}]` : text));

describe('hits', () => {
  it('are all occurrences, ignoring case', () => {
    expect(shown(['(Dist a) (dist b)'], 'DIST')).toEqual(['(', '[Dist]', ' a) (', '[dist]', ' b)']);
    expect(shown(['distdist'], 'dist')).toEqual(['[dist]', '[dist]']);
    expect(shown(['dist'], 'dist')).toEqual(['[dist]']);
  });

  it('span several pieces', () => {
    expect(shown(['(de', 'fun', ' f)'], 'defun f')).toEqual(['(', '[de]', '[fun]', '[ f]', ')']);
  });

  it('are empty for an empty text, or if nothing matches', () => {
    expect(shown(['(a)'], '')).toEqual(['(a)']);
    expect(shown(['(a)', 'b'], 'c')).toEqual(['(a)', 'b']);
  });

  it('are not found if changing case changes the length', () => {
    expect(shown(['İİdist'], 'dist')).toEqual(['İİdist']);
  });
});
