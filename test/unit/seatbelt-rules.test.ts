/** The macOS profile as text: what it allows, and in which order, because the last rule decides. */
import { describe, expect, it } from 'vitest';
import { seatbeltRules } from '../../electron/launchers/sandbox-exec';
import type { Confinement } from '../../electron/sandbox/confinement';

const CONFINEMENT: Confinement = { writable: ['/Users/ada/work'], readable: [], network: false };
const made = (more: Partial<Confinement> = {}, needs: string[] = []) =>
  seatbeltRules(needs, { ...CONFINEMENT, ...more });

describe('the profile of sandbox-exec', () => {
  it('denies by default', () => {
    expect(made().split('\n').slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
    expect(made()).not.toContain('(allow default)');
    expect(made()).not.toContain('/Users/ada"');
  });

  it('allows writing in the project and nowhere else', () => {
    const writing = made({ readable: ['/Users/ada/quicklisp'] }, ['/opt/lisp/core']);
    expect(writing.match(/\(allow file-read\* file-write\* .*/g)).toEqual([
      '(allow file-read* file-write* (subpath "/Users/ada/work"))',
    ]);
    for (const at of ['/Users/ada/quicklisp', '/opt/lisp/core'])
      expect(writing).toContain(`(allow file-read* (subpath "${at}")) (deny file-write* (subpath "${at}"))`);
  });

  it('decides by the deepest path', () => {
    const profile = made({
      readable: ['/Users/ada/code/keys/public'],
      hidden: [{ path: '/Users/ada/code/keys', isFolder: true }],
    });
    const at = (text: string) => profile.indexOf(text);
    const denied = at('(deny file-read* file-write* (subpath "/Users/ada/code/keys"))');
    expect(at('file-write* (subpath "/Users/ada/work"))')).toBeLessThan(denied);
    expect(denied).toBeLessThan(at('(allow file-read* (subpath "/Users/ada/code/keys/public"))'));
  });

  it('opens the network only if the project has one', () => {
    expect(made()).not.toContain('network');
    expect(made({ network: true })).toContain('(allow network*)');
  });

  it('escapes paths', () => {
    const profile = made({ writable: ['/a")(allow default)("\\'] });
    expect(profile).toContain('(subpath "/a\\")(allow default)(\\"\\\\")');
  });
});
