import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Container } from '../../electron/contract/server';
import { Containers, publishedPort, runArguments, stopArguments } from '../../electron/launchers/container';

import { mountsOf } from '../../renderer/sessions/attach-server';

const container = (more: object = {}) => Container.parse({ image: 'genworks/gendl:latest', ...more });

describe('a container', () => {
  it('is not started with a mount that is a link', async () => {
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
  it('starts only HTTP, on this computer only, unless more is requested', () => {
    expect(runArguments(container(), 'x').join(' ')).toBe(
      'run --rm --name x --env START_HTTP=true --env HTTP_PORT=9080 --env START_HTTPS=false --env START_SWANK=false --env START_TELNET=false --publish 127.0.0.1::9080 genworks/gendl:latest',
    );
  });

  it('publishes the services and mounts the folders that the user chose', () => {
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

  it('refuses an image name that looks like an option, and a folder with a colon', () => {
    for (const wrong of [
      { image: '--privileged' },
      { image: 'a b' },
      { mounts: [{ from: '/a:/b', to: '/c' }] },
      { mounts: [{ from: 'a', to: '/c' }] },
    ])
      expect(Container.safeParse({ image: 'x', ...wrong }).success).toBe(false);
  });

  it('parses the published port', () => {
    expect(publishedPort('127.0.0.1:49153\n')).toBe(49_153);
    expect(publishedPort('')).toBeNull();
    expect(stopArguments('x')).toEqual(['stop', '--time', '2', 'x']);
  });
});

describe('mountsOf', () => {
  it("parses folders in Docker's notation", () => {
    expect(mountsOf('/a:/b, /c:/d:rw,/e:/f:ro')).toEqual([
      { from: '/a', to: '/b', write: false },
      { from: '/c', to: '/d', write: true },
      { from: '/e', to: '/f', write: false },
    ]);
    expect(mountsOf(' ')).toEqual([]);
    for (const wrong of ['/a', 'a:/b', '/a:/b:x', '/a:/b;/c:/d']) expect(mountsOf(wrong)).toBeNull();
  });
});
