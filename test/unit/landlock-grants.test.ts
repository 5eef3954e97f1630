/** The Landlock grants of a confinement, around closed paths. */
import { describe, expect, it } from 'vitest';
import type { Confinement } from '../../electron/sandbox/confinement';
import { type FileSystem, type Grant, landlockGrants } from '../../electron/sandbox/landlock-rules';

/** Files by path; a folder ends with a slash, a link has a target. */
const TREE: Record<string, string> = {
  '/usr/': '',
  '/etc/ssl/': '',
  '/etc/ssl/certs/': '',
  '/etc/ssl/private/': '',
  '/srv/lisp/': '',
  '/srv/lisp/keys/': '',
  '/srv/lisp/keys/private': '',
  '/srv/lisp/keys/public': '',
  '/srv/lisp/src/': '',
  '/srv/lisp/src/deep/': '',
  '/srv/lisp/src/deep/token': '',
  '/srv/lisp/src/deep/rest': '',
  '/srv/lisp/notes': '',
  '/srv/lisp/elsewhere': '/srv/lisp/keys/',
  '/srv/lib/': '',
};

const FILES: FileSystem = {
  real(asked) {
    const target = TREE[asked] || asked;
    const path = target.replace(/\/$/, '');
    if (`${path}/` in TREE) return { path, isFolder: true };
    return path in TREE ? { path, isFolder: false } : null;
  },
  children(folder) {
    return Object.entries(TREE)
      .filter(([at, link]) => link === '' && /^[^/]+\/?$/.test(at.replace(`${folder}/`, '')))
      .map(([at]) => ({ path: at.replace(/\/$/, ''), isFolder: at.endsWith('/') }));
  },
};

const HOST = { links: [], folders: ['/lib'] };

function granted(more: Partial<Confinement> = {}, needs: readonly string[] = []): string[] {
  const confinement = { writable: ['/srv/lisp'], readable: [], network: false, ...more };
  const kept = (grant: Grant) => /^\/(srv|etc)/.test(grant.path);
  return landlockGrants(needs, confinement, HOST, FILES)
    .filter(kept)
    .map(({ path, power }) => `${power} ${path}`)
    .sort();
}

const hide = (...paths: string[]) => paths.map((path) => ({ path, isFolder: `${path}/` in TREE }));

describe('landlockGrants', () => {
  it('allows writing in the project, and reading what is needed', () => {
    expect(granted({ readable: ['/srv/lib', '/srv/gone'] })).toEqual(['read /srv/lib', 'write /srv/lisp']);
    expect(granted({}, ['/srv/lib'])).toEqual(['read /srv/lib', 'write /srv/lisp']);
  });

  it('grants a path once, with the stronger power, at its real path', () => {
    const both = { readable: ['/srv/lisp', '/srv/lisp/elsewhere'], writable: ['/srv/lisp/keys'] };
    expect(granted({ ...both, writable: ['/srv/lisp'] })).toContain('write /srv/lisp/src');
    expect(granted(both)).toEqual(['read /srv/lisp', 'write /srv/lisp/keys']);
  });

  it('goes around hidden paths at any depth, and follows no link to them', () => {
    const hidden = hide('/srv/lisp/keys', '/srv/lisp/src/deep/token');
    expect(granted({ hidden })).toEqual(['write /srv/lisp/notes', 'write /srv/lisp/src/deep/rest']);
  });

  it('grants named paths inside hidden ones', () => {
    const hidden = hide('/srv/lisp/keys');
    const readable = ['/srv/lisp/keys/public'];
    expect(granted({ hidden, readable })).toEqual([
      'read /srv/lisp/keys/public',
      'write /srv/lisp/notes',
      'write /srv/lisp/src',
    ]);
    expect(granted({ hidden, writable: ['/srv/lisp', '/srv/lisp/keys'] })).toEqual([
      'write /srv/lisp',
      'write /srv/lisp/keys',
    ]);
  });

  it('keeps a read-only folder read-only inside a writable one', () => {
    const grants = granted({ readable: ['/srv/lisp/src'] });
    const written = ['write /srv/lisp/keys', 'write /srv/lisp/notes'];
    expect(grants).toEqual(['read /srv/lisp', 'read /srv/lisp/src', ...written]);
  });

  it('grants names and certificates with a network only, and never private keys', () => {
    expect(granted({ hidden: hide('/etc/ssl/private') })).not.toContain('read /etc/ssl/certs');
    const grants = granted({ network: true, hidden: hide('/etc/ssl/private') });
    expect(grants).toEqual(['read /etc/ssl/certs', 'write /srv/lisp']);
  });

  it('grants only the program’s own process, which is not resolved in the app', () => {
    const [own] = landlockGrants([], { writable: [], readable: [], network: false }, HOST, FILES);
    expect(own).toEqual({ path: '/proc/self/.', isFolder: true, power: 'read' });
  });
});
