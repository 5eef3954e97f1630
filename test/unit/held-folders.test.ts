import { describe, expect, it } from 'vitest';
import { heldFolders } from '../../electron/sandbox/held-folders';
import { mountArguments, mounts } from '../../electron/sandbox/mounts';
import { seatbeltRules } from '../../electron/sandbox/seatbelt-rules';

describe('heldFolders', () => {
  it('are all between a folder that may be written and what is closed in it', () => {
    expect(heldFolders(['/p/a/b/secret', '/p/a/c/lib'], ['/p'])).toEqual(['/p/a', '/p/a/b', '/p/a/c']);
    expect(heldFolders(['/p/.git', '/elsewhere/a/secret'], ['/p'])).toEqual([]);
  });

  it('are those above a writable folder too, which would be moved with one that holds it', () => {
    expect(heldFolders(['/p/a/open/b/secret'], ['/p', '/p/a/open'])).toEqual(['/p/a', '/p/a/open/b']);
  });

  it('are none in what cannot be written anyway', () => {
    expect(heldFolders(['/p/lib', '/p/lib/a/secret'], ['/p'])).toEqual([]);
    expect(heldFolders(['/p/lib', '/p/lib/a/open/b'], ['/p', '/p/lib/a/open'])).toEqual([]);
  });

  it('are told to each sandbox', () => {
    const hidden = [{ path: '/srv/p/a/secret', isFolder: false }];
    const confinement = { writable: ['/srv/p'], readable: [], hidden, network: false };
    expect(mountArguments(mounts([], confinement, [])).join(' ')).toContain(
      '--bind /srv/p /srv/p --bind /srv/p/a /srv/p/a ',
    );
    expect(seatbeltRules([], confinement)).toContain('(deny file-write-unlink (literal "/srv/p/a"))');
  });
});
