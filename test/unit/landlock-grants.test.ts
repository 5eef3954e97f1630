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
  '/srv/work/': '',
  '/srv/work/keys/': '',
  '/srv/work/keys/private': '',
  '/srv/work/keys/public': '',
  '/srv/work/src/': '',
  '/srv/work/src/deep/': '',
  '/srv/work/src/deep/token': '',
  '/srv/work/src/deep/rest': '',
  '/srv/work/notes': '',
  '/srv/work/elsewhere': '/srv/work/keys/',
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
  const confinement = { writable: ['/srv/work'], readable: [], network: false, ...more };
  const kept = (grant: Grant) => /^\/(srv|etc)/.test(grant.path);
  return landlockGrants(needs, confinement, HOST, FILES)
    .filter(kept)
    .map(({ path, power }) => `${power} ${path}`)
    .sort();
}

const hide = (...paths: string[]) => paths.map((path) => ({ path, isFolder: `${path}/` in TREE }));

describe('landlockGrants', () => {
  it('lets write in the project, and read what is needed', () => {
    expect(granted({ readable: ['/srv/lib', '/srv/gone'] })).toEqual(['read /srv/lib', 'write /srv/work']);
    expect(granted({}, ['/srv/lib'])).toEqual(['read /srv/lib', 'write /srv/work']);
  });

  it('grants a place once, the stronger way, and by where links lead', () => {
    const both = { readable: ['/srv/work', '/srv/work/elsewhere'], writable: ['/srv/work/keys'] };
    expect(granted({ ...both, writable: ['/srv/work'] })).toContain('write /srv/work/src');
    expect(granted(both)).toEqual(['read /srv/work', 'write /srv/work/keys']);
  });

  it('goes around what is hidden, deep down too, and follows no link to it', () => {
    const hidden = hide('/srv/work/keys', '/srv/work/src/deep/token');
    expect(granted({ hidden })).toEqual(['write /srv/work/notes', 'write /srv/work/src/deep/rest']);
  });

  it('shows of what is hidden what is named in it', () => {
    const hidden = hide('/srv/work/keys');
    const readable = ['/srv/work/keys/public'];
    expect(granted({ hidden, readable })).toEqual([
      'read /srv/work/keys/public',
      'write /srv/work/notes',
      'write /srv/work/src',
    ]);
    expect(granted({ hidden, writable: ['/srv/work', '/srv/work/keys'] })).toEqual([
      'write /srv/work',
      'write /srv/work/keys',
    ]);
  });

  it('keeps a folder that may only be read from being written to by one around it', () => {
    const grants = granted({ readable: ['/srv/work/src'] });
    const written = ['write /srv/work/keys', 'write /srv/work/notes'];
    expect(grants).toEqual(['read /srv/work', 'read /srv/work/src', ...written]);
  });

  it('shows names and certificates with a network only, and no private key', () => {
    expect(granted({ hidden: hide('/etc/ssl/private') })).not.toContain('read /etc/ssl/certs');
    const grants = granted({ network: true, hidden: hide('/etc/ssl/private') });
    expect(grants).toEqual(['read /etc/ssl/certs', 'write /srv/work']);
  });

  it('shows of processes none but the program’s own, which is not looked up in the harbor', () => {
    const [own] = landlockGrants([], { writable: [], readable: [], network: false }, HOST, FILES);
    expect(own).toEqual({ path: '/proc/self/.', isFolder: true, power: 'read' });
  });
});
