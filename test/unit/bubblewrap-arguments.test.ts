import { describe, expect, it } from 'vitest';
import {
  bubblewrapArguments,
  type ConfinedProgram,
  type HostLayout,
  mountsFor,
} from '../../electron/sandbox/bubblewrap-arguments';
import type { Confinement } from '../../electron/sandbox/confinement';

const MERGED: HostLayout = { links: [{ path: '/lib', target: 'usr/lib' }], folders: [] };
const PROGRAM: ConfinedProgram = {
  command: '/opt/lisp/run',
  args: ['--quiet'],
  env: { HOME: '/data/home' },
  cwd: '/srv/project',
  needs: ['/opt/lisp'],
};
const CONFINEMENT: Confinement = { writable: ['/srv/project'], readable: [], network: false };

const made = (
  confinement: Partial<Confinement> = {},
  program: Partial<ConfinedProgram> = {},
  host: HostLayout = MERGED,
) => {
  const whole = { ...PROGRAM, ...program };
  const allowed = { ...CONFINEMENT, ...confinement };
  const shown = { network: allowed.network, mounts: mountsFor(whole, allowed) };
  return bubblewrapArguments(whole, shown, host, { info: 4, seccomp: 5 });
};

/** The arguments as one text, to check their order. */
const text = (...given: Parameters<typeof made>) => ` ${made(...given).join(' ')} `;

describe('bubblewrapArguments', () => {
  it('unshares everything, forbids further user namespaces, and drops capabilities', () => {
    for (const option of [
      '--unshare-all',
      '--unshare-user',
      '--disable-userns',
      '--die-with-parent',
      '--new-session',
    ]) {
      expect(made()).toContain(option);
    }
    expect(text()).toContain(' --cap-drop ALL ');
  });

  it("passes exactly the program's environment", () => {
    expect(text({}, { env: { A: 'one two', B: '' } })).toContain(
      ' --clearenv --setenv A one two --setenv B  --',
    );
  });

  it('follows the layout of the host', () => {
    expect(text()).toContain(' --ro-bind /usr /usr --symlink usr/lib /lib ');
    const unmerged = text({}, {}, { links: [], folders: ['/bin', '/lib'] });
    expect(unmerged).toContain(' --ro-bind /usr /usr --ro-bind /bin /bin --ro-bind /lib /lib ');
    expect(unmerged).not.toContain('--symlink');
  });

  it('shares the network only if allowed, with the files for name resolution', () => {
    expect(text()).not.toContain('--share-net');
    expect(text()).not.toContain('/etc/resolv.conf');
    expect(text()).not.toContain('/etc/ssl');
    expect(text({ network: true })).toContain(' --share-net ');
    expect(text({ network: true })).toContain(' --ro-bind-try /etc/resolv.conf /etc/resolv.conf ');
  });

  it('never exposes the identity of the user', () => {
    for (const confinement of [{ network: false }, { network: true }]) {
      expect(text(confinement)).not.toMatch(/\/etc\/(passwd|shadow|group) /);
      expect(made(confinement)).not.toContain('/etc');
    }
  });

  it('mounts a sized /tmp before anything below it, and makes / read-only after all mounts', () => {
    const args = made({ writable: ['/tmp/project'] }, { cwd: '/tmp/project' });
    const tmp = args.lastIndexOf('--tmpfs');
    expect(args.slice(tmp - 2, tmp + 2)).toEqual(['--size', '268435456', '--tmpfs', '/tmp']);
    expect(args.indexOf('/tmp/project')).toBeGreaterThan(tmp);
    const sealed = args.indexOf('/dev', args.indexOf('--remount-ro')) - 1;
    expect(args.slice(sealed, sealed + 4)).toEqual(['--remount-ro', '/dev', '--remount-ro', '/']);
    for (const mount of ['--bind', '--ro-bind', '--ro-bind-try', '--tmpfs', '--dev', '--proc']) {
      expect(args.lastIndexOf(mount)).toBeLessThan(sealed);
    }
  });

  it('mounts a folder before its contents, whatever its power', () => {
    const all = text({
      readable: ['/home/ann', '/srv/project/.git'],
      writable: ['/home/ann/project', '/srv/project'],
    });
    const order = ['/home/ann ', '/home/ann/project ', '/srv/project ', '/srv/project/.git '];
    const places = order.map((path) => all.indexOf(` ${path}`));
    expect(places[0]).toBeLessThan(places[1] ?? 0);
    expect(places[2]).toBeLessThan(places[3] ?? 0);
    expect(all).toContain(' --bind /home/ann/project /home/ann/project ');
    expect(all).toContain(' --ro-bind-try /srv/project/.git /srv/project/.git ');
  });

  it('skips optional paths that are missing, and requires the others', () => {
    expect(text({ readable: ['/maybe'] })).toContain(' --ro-bind-try /maybe /maybe ');
    expect(text({}, { needs: ['/must'] })).toContain(' --ro-bind /must /must ');
    expect(text({ writable: ['/srv/project'] })).toContain(' --bind /srv/project /srv/project ');
  });

  it('mounts a path once, with the strongest requested power', () => {
    const all = text({ readable: ['/a', '/b', '/a/'], writable: ['/a'] }, { needs: ['/b', '/a'] });
    expect(all.match(/ --\S+ \/a \/a /g)).toEqual([' --bind /a /a ']);
    expect(all.match(/ --\S+ \/b \/b /g)).toEqual([' --ro-bind /b /b ']);
  });

  it('hides paths in a visible folder, and shows named paths inside them', () => {
    const hidden = [
      { path: '/srv/project/keys', isFolder: true },
      { path: '/srv/project/token', isFolder: false },
      { path: '/home/ann/.ssh', isFolder: true },
      { path: '/etc/ssl/private', isFolder: true },
    ];
    const all = text({ readable: ['/srv/project/keys/public'], hidden });
    const cover = all.indexOf(' --perms 0700 --size 4096 --tmpfs /srv/project/keys ');
    expect(all.indexOf(' --bind /srv/project ')).toBeLessThan(cover);
    expect(cover).toBeLessThan(all.indexOf(' --ro-bind-try /srv/project/keys/public '));
    expect(all).toContain(' --remount-ro /srv/project/keys ');
    expect(all).toContain(' --ro-bind /dev/null /srv/project/token ');
    expect(all).not.toContain('/home/ann');
    expect(all).not.toContain('/etc/ssl/private');
    expect(text({ hidden, network: true })).toContain(' --tmpfs /etc/ssl/private ');
    expect(text({ hidden, readable: ['/srv/project/token'] })).not.toContain('/dev/null');
  });

  it('does not mount paths below /usr again, but does mount similar names', () => {
    const all = text({ readable: ['/usr/share/lisp', '/usr-local'] }, { needs: ['/usr/lib/sbcl'] });
    expect(all).not.toContain('/usr/share/lisp');
    expect(all).not.toContain('/usr/lib/sbcl');
    expect(all).toContain(' --ro-bind-try /usr-local /usr-local ');
  });

  it('ends with the program, after a separator', () => {
    expect(text().endsWith(' --seccomp 5 --info-fd 4 -- /opt/lisp/run --quiet ')).toBe(true);
  });
});
