/** Where a searched text is in what is shown. */
import { describe, expect, it } from 'vitest';
import { markHits } from './hits';

const shown = (texts: string[], query: string) =>
  markHits(
    texts.map((text) => ({ text })),
    query,
  ).map(({ text, hit }) => (hit ? `[${text}]` : text));

describe('hits', () => {
  it('are every place of the text, letters of either case', () => {
    expect(shown(['(Dist a) (dist b)'], 'DIST')).toEqual(['(', '[Dist]', ' a) (', '[dist]', ' b)']);
    expect(shown(['distdist'], 'dist')).toEqual(['[dist]', '[dist]']);
    expect(shown(['dist'], 'dist')).toEqual(['[dist]']);
  });

  it('go over the borders of pieces', () => {
    expect(shown(['(de', 'fun', ' f)'], 'defun f')).toEqual(['(', '[de]', '[fun]', '[ f]', ')']);
  });

  it('are none for no text, nor where there are none', () => {
    expect(shown(['(a)'], '')).toEqual(['(a)']);
    expect(shown(['(a)', 'b'], 'c')).toEqual(['(a)', 'b']);
  });

  it('are not told where letters change their length', () => {
    expect(shown(['İİdist'], 'dist')).toEqual(['İİdist']);
  });
});
