/** Regular expressions of callers on texts: they get a moment. */
import { describe, expect, it } from 'vitest';
import { Pattern } from '../../electron/source/regexp-search';

describe('a pattern', () => {
  it('says of each text whether it is there, as its flags and those before it say', () => {
    const texts = ['area', 'AREA', 'volume'];
    expect(new Pattern('area', '').matches(texts)).toEqual([true, false, false]);
    expect(new Pattern('area', 'i').matches(texts)).toEqual([true, true, false]);
    expect(new Pattern('(?i)area', '').matches(texts)).toEqual([true, true, false]);
    expect(new Pattern('(?is)A.EA', 'i').matches(['a\nea'])).toEqual([true]);
  });

  it('is refused where it is none', () => {
    expect(() => new Pattern('(', '')).toThrow(/^Invalid regular expression/);
  });

  it('is given up when it takes too long', () => {
    expect(() => new Pattern('^(a+)+$', '').matches([`${'a'.repeat(60)}b`])).toThrow(/takes too long/);
  });
});
