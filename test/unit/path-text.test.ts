/** Which paths are refused by their text alone. */
import { describe, expect, it } from 'vitest';
import { refusedText } from '../../electron/sandbox/path-text';

const fine = [
  'src/a.lisp',
  '../b',
  '/usr/share/x',
  'a:b.lisp',
  'naïve/λ.lisp',
  'nai\u0308ve',
  '.',
  'a b/c.lisp',
];

/** Each with a word of why. */
const everywhere: [string, RegExp][] = [
  ['', /empty/],
  ['a\0.lisp', /cannot be seen/],
  ['a\n.lisp', /cannot be seen/],
  ['.s\u200csh/id', /cannot be seen/],
  ['a\u202elisp.exe', /cannot be seen/],
  ['\ud800.lisp', /file name can hold/],
  ['\uff0e\uff0e/x', /reads like another path/],
  ['..\uff0fx', /reads like another path/],
  ['\u2025/x', /reads like another path/],
  ['a.lisp::$DATA', /stream/],
  ['a.lisp:hidden:$DATA', /stream/],
];

const onUnix: [string, RegExp][] = [
  ['C:', /drive/],
  ['C:\\Windows\\x', /drive/],
  ['c:/Windows/x', /drive/],
  ['\\\\?\\C:\\x', /backslashes/],
  ['..\\..\\x', /backslashes/],
  ['//server/share', /another computer/],
];

const onWindows: [string, RegExp][] = [
  ['\\\\?\\C:\\x', /device or another computer/],
  ['\\\\.\\PhysicalDrive0', /device or another computer/],
  ['//server/share/x', /device or another computer/],
  ['C:x.lisp', /relative to a drive/],
  ['C:', /relative to a drive/],
  ['a.lisp:hidden', /stream/],
  ['C:\\a.lisp:hidden', /stream/],
  ['con', /device con/],
  ['src\\NUL.lisp', /device NUL/],
  ['src/com1', /device com1/],
  ['.ssh./id', /dot or a blank/],
  ['.ssh /id', /dot or a blank/],
  ['SSH~1/id', /short name/],
];

describe('the text of a path', () => {
  it('is taken when it says what it is', () => {
    for (const file of fine) expect(refusedText(file, 'linux'), file).toBeNull();
    for (const file of ['src\\a.lisp', 'C:\\work\\a.lisp', '..\\b', 'a~b.lisp'])
      expect(refusedText(file, 'win32'), file).toBeNull();
  });

  it('is refused when it says something else than it seems to', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      for (const [file, why] of everywhere) expect(refusedText(file, platform), file).toMatch(why);
  });

  it('is refused in the form of another system', () => {
    for (const [file, why] of onUnix) expect(refusedText(file, 'linux'), file).toMatch(why);
  });

  it('is refused on Windows for what Windows makes of it', () => {
    for (const [file, why] of onWindows) expect(refusedText(file, 'win32'), file).toMatch(why);
  });
});
