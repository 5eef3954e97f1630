/** Paths that are refused by their text alone. */
import { describe, expect, it } from 'vitest';
import { pathTextProblem } from '../../electron/sandbox/file-policy';

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

/** Paths, each with a word of the reason. */
const everywhere: [string, RegExp][] = [
  ['', /empty/],
  ['a\0.lisp', /invisible/],
  ['a\n.lisp', /invisible/],
  ['.s\u200csh/id', /invisible/],
  ['a\u202elisp.exe', /invisible/],
  ['\ud800.lisp', /not valid in a file name/],
  ['\uff0e\uff0e/x', /normalizes to another path/],
  ['..\uff0fx', /normalizes to another path/],
  ['\u2025/x', /normalizes to another path/],
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
  ['.ssh./id', /dot or a space/],
  ['.ssh /id', /dot or a space/],
  ['SSH~1/id', /short name/],
];

describe('the text of a path', () => {
  it('is accepted if it is what it seems to be', () => {
    for (const file of fine) expect(pathTextProblem(file, 'linux'), file).toBeNull();
    for (const file of ['src\\a.lisp', 'C:\\work\\a.lisp', '..\\b', 'a~b.lisp'])
      expect(pathTextProblem(file, 'win32'), file).toBeNull();
  });

  it('is refused if it is different from what it seems to be', () => {
    for (const platform of ['linux', 'darwin', 'win32'] as const)
      for (const [file, why] of everywhere) expect(pathTextProblem(file, platform), file).toMatch(why);
  });

  it('is refused in the notation of another system', () => {
    for (const [file, why] of onUnix) expect(pathTextProblem(file, 'linux'), file).toMatch(why);
  });

  it('is refused on Windows for its special meanings there', () => {
    for (const [file, why] of onWindows) expect(pathTextProblem(file, 'win32'), file).toMatch(why);
  });
});
