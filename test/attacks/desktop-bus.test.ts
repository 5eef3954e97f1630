/** A real session bus of D-Bus, over which code could use the desktop, the keyring and systemd: no image reaches it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { outcome } from '../integration/launch-place';
import { temporaryFolder } from '../started-harbor';
import { defaultList } from './confined-session';
import { NOTHING, SANDBOXES } from './launchers';
import { perl } from './scripts';

const root = temporaryFolder('bus');
const socket = path.join(root, 'run/bus');
const abstract = path.join(root, 'abstract');
const ends: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  for (const folder of ['run', 'project', 'home', 'data']) mkdirSync(path.join(root, folder));
  for (const address of [`unix:path=${socket}`, `unix:abstract=${abstract}`]) {
    const args = ['--session', '--nofork', '--print-address', '--address', address];
    const bus = spawn('dbus-daemon', args, { stdio: ['ignore', 'pipe', 'ignore'] });
    ends.push(async () => {
      const ended = once(bus, 'exit');
      bus.kill();
      await ended;
    });
    await once(createInterface(bus.stdout), 'line');
  }
});
afterAll(async () => {
  for (const end of ends) await end();
  rmSync(root, { recursive: true, force: true });
});

/** Logs in as D-Bus does, and prints what the bus says: OK and its identifier. */
const login = (address: string) =>
  perl(
    `socket(my $s, 1, 1, 0) or exit; connect($s, pack("Sa*", 1, ${address})) or exit; my $id = unpack("H*", $>); syswrite($s, "\\0AUTH EXTERNAL $id\\r\\n"); sysread($s, my $answer, 100); print $answer`,
  );

const SCRIPT = `${login(`"${socket}\\0"`)}; ${login(`"\\0${abstract}"`)}; echo "bus: $DBUS_SESSION_BUS_ADDRESS"`;

describe.each([...SANDBOXES, NOTHING])('in $name', ({ name, launcher: choose }) => {
  it.each([false, true])('with the network allowed: %s', async (network) => {
    const launcher = await choose();
    const [project, home, data] = ['project', 'home', 'data'].map((each) => path.join(root, each)) as [
      string,
      string,
      string,
    ];
    const confinement = defaultList({ home, data }).confinement(project);
    const bash = { command: '/bin/bash', args: ['-c', SCRIPT], env: { PATH: '/usr/bin:/bin' } };
    const { stdout } = await outcome(
      launcher.launch(
        { ...bash, cwd: project, needs: [] },
        // Even if a person allows reading the folder of the socket.
        { ...confinement, network, readable: [...confinement.readable, path.dirname(socket)] },
      ),
    );
    expect(stdout.match(/OK/g)?.length ?? 0, stdout).toBe(name === 'nothing' ? 2 : 0);
    expect(stdout).toContain('bus: \n');
  });
});
