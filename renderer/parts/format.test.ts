/** Texts and paths for display. */
import { describe, expect, it } from 'vitest';
import { bareName, compactMessage, firstLine, oneLine, shortenPath } from './format';

describe('shortenPath', () => {
  it('leaves a path that fits', () => expect(shortenPath('/a/b', 4)).toBe('/a/b'));

  it('cuts in the middle and keeps the last part whole', () => {
    const short = shortenPath('/home/ada/.config/Claude/claude_desktop_config.json', 40);
    expect(short).toBe('/home/ada/…/claude_desktop_config.json');
    expect(short.length).toBeLessThanOrEqual(40);
  });

  it('knows Windows paths', () => {
    expect(shortenPath('C:\\Users\\ada\\AppData\\Roaming\\Claude\\config.json', 28)).toBe(
      'C:\\Users\\ada\\…\\config.json',
    );
  });

  it('keeps the end of a name that is too long by itself', () => {
    expect(shortenPath('/x/abcdefghijklmnopqrstuvwxyz', 10)).toBe('…rstuvwxyz');
  });
});

describe('oneLine', () => {
  it('joins lines of a pretty printer', () => {
    expect(oneLine('The value\n  3\nis not of type\n  LIST\n')).toBe('The value 3 is not of type LIST');
  });
});

describe('bareName', () => {
  it('leaves out the package, but not what is no package', () => {
    expect(['SB-IMPL::STREAM', 'SHOP:BASKET', ':KEY', 'X', '|a::b|', 'SHOP::|a::b|'].map(bareName)).toEqual([
      'STREAM',
      'BASKET',
      ':KEY',
      'X',
      '|a::b|',
      '|a::b|',
    ]);
  });
});

describe('firstLine', () => {
  it('marks that there is more', () => {
    expect(firstLine('\n(defun f ()\n  1)')).toBe('(defun f () …');
    expect(firstLine('(f)\n')).toBe('(f)');
  });
});

describe('compactMessage', () => {
  it('takes short messages back to one line', () => {
    expect(compactMessage('The value\n  (4)\nis not of type\n  NUMBER')).toBe(
      'The value (4) is not of type NUMBER',
    );
  });

  it('leaves long ones, and those with paragraphs, as they are', () => {
    expect(compactMessage('One.\n\nTwo.')).toBe('One.\n\nTwo.');
    const long = `${'a tide\n'.repeat(40)}out`;
    expect(compactMessage(long)).toBe(long);
  });
});
