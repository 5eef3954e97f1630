import { describe, expect, it } from 'vitest';
import { inOneLine, quoted, quotedFurther, quotedOutput } from '../../electron/tools/prover/quoted';

/** Whatever some program shows as the end of a line. */
const LINE_ENDS = ['\n', '\r', '\r\n', '\v', '\f', '\u0085', '\u2028', '\u2029'];

describe('text from an image', () => {
  it.each(LINE_ENDS)('has no line that begins as ours do, after %j', (end) => {
    expect(quoted(`one${end}two`)).toBe('| one\n| two');
    expect(quotedFurther(`one${end}two`)).toBe('one\n|  two');
    expect(inOneLine(`one${end}two`)).toBe('one␤two');
  });

  it('loses empty lines around it, and keeps how it is indented', () => {
    expect(quotedOutput('\n \n  one\n\n\n\n two\n\n')).toBe('|   one\n|\n|  two');
    expect(quotedOutput(' \n')).toBe('');
  });

  it('is one line wherever it stands in data', () => {
    expect(inOneLine({ names: ['a\nb'], depth: 0, place: null })).toEqual({
      names: ['a␤b'],
      depth: 0,
      place: null,
    });
  });
});
