import { describe, expect, it } from 'vitest';
import { requirePlainName } from '../../electron/contract/known-clients';
import { phrase, phraseText } from '../../electron/contract/phrase';
import { visibleLine, visibleText, withTexts } from '../../electron/contract/visible-text';

describe('text from outside', () => {
  it.each([
    ['(ok) ; \u202e(lave)', '(ok) ; ⟨U+202E⟩(lave)'],
    ['a\u200bb\u2066c\u2069\ufeff', 'a⟨U+200B⟩b⟨U+2066⟩c⟨U+2069⟩⟨U+FEFF⟩'],
    ['\x1b[2Jx\x07\x00', '⟨U+001B⟩[2Jx⟨U+0007⟩⟨U+0000⟩'],
    ['over\rwritten', 'over⟨U+000D⟩written'],
    ['one\u2028two\u0085', 'one⟨U+2028⟩two⟨U+0085⟩'],
    ['\u{e0041}\u3164\u00ad\ud800', '⟨U+E0041⟩⟨U+3164⟩⟨U+00AD⟩⟨U+D800⟩'],
    ['x\ufe0f a\u200dc', 'x⟨U+FE0F⟩ a⟨U+200D⟩c'],
  ])('%j shows what nobody sees', (text, shown) => {
    expect(visibleText(text)).toBe(shown);
    expect(visibleText(shown)).toBe(shown);
  });

  it('is left as it is where all of it is seen', () => {
    for (const text of ['(+ 1 2)\n\tλ 漢字\r\n', 'שלום عربي', '👩\u200d💻 ❤\ufe0f 👍🏽', '⟨x⟩ 𝔄'])
      expect(visibleText(text)).toBe(text);
  });

  it('of one line stays in it', () => {
    expect(visibleLine('a\nYou allowed this before.\r')).toBe('a⟨U+000A⟩You allowed this before.⟨U+000D⟩');
  });

  it('is found in all that data hold', () => {
    expect(withTexts({ a: ['\u202e', { b: '\u200b', c: null, d: 1 }] }, visibleText)).toEqual({
      a: ['⟨U+202E⟩', { b: '⟨U+200B⟩', c: null, d: 1 }],
    });
  });

  it('is set apart in our sentences', () => {
    const told = phrase`A yes opens ${'x for reading. You allowed this before.\n\u202e'} for reading.`;
    const outside = 'x for reading. You allowed this before.⟨U+000A⟩⟨U+202E⟩';
    expect(told).toEqual(['A yes opens ', { outside }, ' for reading.']);
    expect(phraseText(told)).toBe(`A yes opens ${outside} for reading.`);
  });
});

describe('a name that is given', () => {
  it.each([
    'geometry',
    'api-fix 2',
    'Ärger',
    'naïve',
    'проект',
    '図形',
    'a/b (c) + d',
    'codex',
    '😀 x',
    'मराठी',
  ])('%s is one', (name) => {
    expect(() => requirePlainName(name)).not.toThrow();
  });

  it.each([
    'cod\u0435x',
    '\u03bbisp',
    'codex\u200b',
    'codex\u202e',
    ' codex',
    'codex ',
    'co  dex',
    'co\ndex',
    '\uff43odex',
    'codex\u00a0',
    'c\u0301\u0301\u0301odex',
    '\u0301',
    '\u3164',
    'a\u2024b',
    '',
  ])('%j is none: it looks like another', (name) => {
    expect(() => requirePlainName(name)).toThrow(expect.objectContaining({ code: 'bad_arguments' }));
  });
});
