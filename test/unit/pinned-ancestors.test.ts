import { describe, expect, it } from 'vitest';
import { seatbeltRules } from '../../electron/launchers/sandbox-exec';
import { mountArguments, mounts } from '../../electron/sandbox/bubblewrap-arguments';
import { pinnedAncestors } from '../../electron/sandbox/confinement';

describe('heldFolders', () => {
  it('are all folders between a writable folder and a closed path in it', () => {
    expect(pinnedAncestors(['/p/a/b/secret', '/p/a/c/lib'], ['/p'])).toEqual(['/p/a', '/p/a/b', '/p/a/c']);
    expect(pinnedAncestors(['/p/.git', '/elsewhere/a/secret'], ['/p'])).toEqual([]);
  });

  it('include those above a nested writable folder, which could be moved with its parent', () => {
    expect(pinnedAncestors(['/p/a/open/b/secret'], ['/p', '/p/a/open'])).toEqual(['/p/a', '/p/a/open/b']);
  });

  it('are none where nothing is writable', () => {
    expect(pinnedAncestors(['/p/lib', '/p/lib/a/secret'], ['/p'])).toEqual([]);
    expect(pinnedAncestors(['/p/lib', '/p/lib/a/open/b'], ['/p', '/p/lib/a/open'])).toEqual([]);
  });

  it('are part of each sandbox', () => {
    const hidden = [{ path: '/srv/p/a/secret', isFolder: false }];
    const confinement = { writable: ['/srv/p'], readable: [], hidden, network: false };
    expect(mountArguments(mounts([], confinement, [])).join(' ')).toContain(
      '--bind /srv/p /srv/p --bind /srv/p/a /srv/p/a ',
    );
    expect(seatbeltRules([], confinement)).toContain('(deny file-write-unlink (literal "/srv/p/a"))');
  });
});
