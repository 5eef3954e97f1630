/** What Landlock is told to allow, around whatever stays closed. */
import { describe, expect, it } from 'vitest';
import type { Confinement } from '../../electron/sandbox/confinement';
import { type FileSystem, type Grant, landlockGrants } from '../../electron/sandbox/landlock-grants';

/** Files by path; a folder ends with a slash, a link tells where it leads. */
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
  it('lets write in the project, and read what is needed', () => {
    expect(granted({ readable: ['/srv/lib', '/srv/gone'] })).toEqual(['read /srv/lib', 'write /srv/lisp']);
    expect(granted({}, ['/srv/lib'])).toEqual(['read /srv/lib', 'write /srv/lisp']);
  });

  it('grants a place once, the stronger way, and by where links lead', () => {
    const both = { readable: ['/srv/lisp', '/srv/lisp/elsewhere'], writable: ['/srv/lisp/keys'] };
    expect(granted({ ...both, writable: ['/srv/lisp'] })).toContain('write /srv/lisp/src');
    expect(granted(both)).toEqual(['read /srv/lisp', 'write /srv/lisp/keys']);
  });

  it('goes around what is hidden, deep down too, and follows no link to it', () => {
    const hidden = hide('/srv/lisp/keys', '/srv/lisp/src/deep/token');
    expect(granted({ hidden })).toEqual(['write /srv/lisp/notes', 'write /srv/lisp/src/deep/rest']);
  });

  it('shows of what is hidden what is named in it', () => {
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

  it('keeps a folder that may only be read from being written to by one around it', () => {
    const grants = granted({ readable: ['/srv/lisp/src'] });
    const written = ['write /srv/lisp/keys', 'write /srv/lisp/notes'];
    expect(grants).toEqual(['read /srv/lisp', 'read /srv/lisp/src', ...written]);
  });

  it('shows names and certificates with a network only, and no private key', () => {
    expect(granted({ hidden: hide('/etc/ssl/private') })).not.toContain('read /etc/ssl/certs');
    const grants = granted({ network: true, hidden: hide('/etc/ssl/private') });
    expect(grants).toEqual(['read /etc/ssl/certs', 'write /srv/lisp']);
  });

  it('shows of processes none but the program’s own, which is not looked up in the harbor', () => {
    const [own] = landlockGrants([], { writable: [], readable: [], network: false }, HOST, FILES);
    expect(own).toEqual({ path: '/proc/self/.', isFolder: true, power: 'read' });
  });
});
