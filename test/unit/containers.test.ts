import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Container } from '../../electron/contract/server';
import { Containers } from '../../electron/launchers/container';
import { publishedPort, runArguments, stopArguments } from '../../electron/launchers/container-arguments';
import { mountsOf } from '../../renderer/sessions/attach-form';

const container = (more: object = {}) => Container.parse({ image: 'genworks/gendl:latest', ...more });

describe('a container', () => {
  it('is not started with a folder in whose place a link is', async () => {
    const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'containers-')));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    symlinkSync('/etc', path.join(folder, 'link'));
    const from = path.join(folder, 'link/ssl');
    await expect(
      new Containers('/bin/false').start(container({ mounts: [{ from, to: '/lisp' }] }), 'x'),
    ).rejects.toMatchObject({ code: 'path_not_allowed', message: expect.stringContaining('/etc/ssl') });
  });
});

describe('the command line of a container', () => {
  it('starts HTTP only, on this computer only, unless more is asked for', () => {
    expect(runArguments(container(), 'x').join(' ')).toBe(
      'run --rm --name x --env START_HTTP=true --env HTTP_PORT=9080 --env START_HTTPS=false --env START_SWANK=false --env START_TELNET=false --publish 127.0.0.1::9080 genworks/gendl:latest',
    );
  });

  it('opens the services and the folders that a person chose', () => {
    const mounts = [
      { from: '/home/me/lisp', to: '/lisp' },
      { from: '/home/me/out', to: '/out', write: true },
    ];
    const line = runArguments(container({ services: ['swank', 'telnet', 'https'], mounts }), 'x').join(' ');
    expect(line).toContain('--env START_SWANK=true --env SWANK_PORT=4200');
    expect(line).toContain('--env START_TELNET=true --env TELNET_PORT=4023');
    expect(line).toContain('--env START_HTTPS=true --env HTTPS_PORT=9443');
    expect(line).toContain('--publish 127.0.0.1::4200');
    expect(line).toContain('--volume /home/me/lisp:/lisp:ro --volume /home/me/out:/out genworks');
  });

  it('takes an image that is an option, or a folder with a colon, for neither', () => {
    for (const wrong of [
      { image: '--privileged' },
      { image: 'a b' },
      { mounts: [{ from: '/a:/b', to: '/c' }] },
      { mounts: [{ from: 'a', to: '/c' }] },
    ])
      expect(Container.safeParse({ image: 'x', ...wrong }).success).toBe(false);
  });

  it('reads where a port is published', () => {
    expect(publishedPort('127.0.0.1:49153\n')).toBe(49_153);
    expect(publishedPort('')).toBeNull();
    expect(stopArguments('x')).toEqual(['stop', '--time', '2', 'x']);
  });
});

describe('mountsOf', () => {
  it('reads folders as Docker writes them', () => {
    expect(mountsOf('/a:/b, /c:/d:rw,/e:/f:ro')).toEqual([
      { from: '/a', to: '/b', write: false },
      { from: '/c', to: '/d', write: true },
      { from: '/e', to: '/f', write: false },
    ]);
    expect(mountsOf(' ')).toEqual([]);
    for (const wrong of ['/a', 'a:/b', '/a:/b:x', '/a:/b;/c:/d']) expect(mountsOf(wrong)).toBeNull();
  });
});
