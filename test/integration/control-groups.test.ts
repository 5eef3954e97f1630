/**
 * Control groups of the app, as far as this host allows them. Where it does not, each test shows that nothing
 * limits an image, and that this is reported.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readlinkSync, rmdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';
import { ControlGroups } from '../../electron/launchers/control-groups';

import { LandlockLauncher, prepareLandlock } from '../../electron/launchers/landlock';
import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';

import { type ImageLimit, type ImageLimits, UNLIMITED } from '../../electron/launchers/process-limits';
import { LANDLOCK } from '../landlock-launcher';
import { PATIENT } from '../started-harbor';
import { heard, launchPlace, outcome } from './launch-place';

const MOST = { tasks: 40, memoryBytes: 200 * 1024 ** 2 };
const ALLOCATE = `perl -e '$x = "x" x (400 * 1024 ** 2)'`;

const LAUNCHERS: Record<string, (limits: ImageLimits) => Promise<Launcher>> = {
  bubblewrap: async (limits) => new BubblewrapLauncher(readHostLayout(), limits),
  landlock: async (limits) => {
    const searchPath = process.env.PATH ?? '';
    const prepared = await prepareLandlock(LANDLOCK, searchPath);
    if (!prepared.ok) throw new Error(prepared.reason);
    const host = readHostLayout();
    return new LandlockLauncher({ ...prepared, host, limits, searchPath, reason: 'a test' });
  },
  'nothing else': async (limits) => new LocalLauncher('a test', limits),
};

/** A launcher that limits by groups only, and the limits it requested. */
async function limited(by: string) {
  const groups = await ControlGroups.find(MOST);
  const made: ImageLimit[] = [];
  const forImage = () => {
    const limit = groups.make();
    made.push(limit);
    return limit;
  };
  const launcher = await LAUNCHERS[by]?.({ ...UNLIMITED, gap: null, endsPrograms: true, forImage });
  if (!launcher) throw new Error(by);
  const { shell, confinement } = await launchPlace();
  const launch = (script: string) => launcher.launch(shell(script), confinement);
  return { groups, launch, folders: () => made.flatMap((limit) => limit.groups) };
}

it('an image that is expected has its groups before it is started, and moves nobody', async () => {
  const { groups, launch, folders } = await limited('nothing else');
  const own = () => readFileSync('/proc/self/cgroup', 'utf8');
  const before = own();
  groups.prepareNext();
  const launched = launch('echo up >&3; read -r end <&3');
  expect(await heard(launched)).toBe('up\n');
  const inside = folders().map((folder) => readFileSync(path.join(folder, 'cgroup.procs'), 'utf8').trim());
  expect(inside.every((pids) => pids !== '' && !pids.split('\n').includes(String(process.pid)))).toBe(true);
  expect(own()).toBe(before);
  await launched.signal('SIGKILL');
  await launched.ended;
  for (const folder of folders()) await expect.poll(() => existsSync(folder), PATIENT).toBe(false);
});

describe.each(Object.keys(LAUNCHERS))('by %s', (by) => {
  it('an image that takes too much memory is killed, and that is told', async () => {
    const { groups, launch } = await limited(by);
    const { end } = await outcome(launch(`exec ${ALLOCATE}`));
    if (groups.missing.includes('memory')) expect(end).toEqual({ code: 0, signal: null });
    else expect(end).toEqual({ code: null, signal: 'SIGKILL', exceededBytes: MOST.memoryBytes });
  });

  it('an image that is killed by the harbor has not been killed for the memory of a program', async () => {
    const { launch } = await limited(by);
    const launched = launch(`${ALLOCATE}; echo over >&3; read -r forever <&3`);
    expect(await heard(launched)).toBe('over\n');
    await launched.signal('SIGKILL');
    expect(await launched.ended).toEqual({ code: null, signal: 'SIGKILL' });
  });

  it('each image has its own groups, which are gone when it has ended, however it does', async () => {
    const { groups, launch, folders } = await limited(by);
    const [first, second] = [launch('echo up >&3; read -r end <&3'), launch('echo up >&3; read -r end <&3')];
    expect(await Promise.all([first, second].map(heard))).toEqual(['up\n', 'up\n']);
    const made = folders();
    expect(new Set(made).size).toBe(made.length);
    expect(made.length === 0).toBe(groups.missing.length === 2);
    expect(made.filter((folder) => !existsSync(folder))).toEqual([]);
    first.wire.end('end\n');
    await second.signal('SIGKILL');
    expect(await Promise.all([first.ended, second.ended])).toEqual([
      { code: 0, signal: null },
      { code: null, signal: 'SIGKILL' },
    ]);
    expect(made.filter((folder) => existsSync(folder))).toEqual([]);
  });

  it('programs that an image has left running end with it', async () => {
    const { groups, launch } = await limited(by);
    const launched = launch('setsid sh -c "echo up >&3; exec sleep 3600" & read -r end <&3');
    await heard(launched);
    const { pid } = (await launched.usage()) ?? {};
    const left = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim();
    await launched.signal('SIGKILL');
    await launched.ended;
    if (by !== 'bubblewrap' && groups.missing.length === 2) process.kill(Number(left), 'SIGKILL');
    await expect.poll(() => existsSync(`/proc/${left}/fd/1`), PATIENT).toBe(false);
  });
});

it('an image sees no group', async () => {
  const { launch } = await limited('bubblewrap');
  const { stdout } = await outcome(
    launch('ls -d /sys; grep -c cgroup /proc/self/mountinfo; cat /proc/1/cgroup'),
  );
  expect(stdout).toMatch(/^0\n/);
  expect(stdout).not.toContain('lisp-harbor');
});

it('groups of a harbor that was killed are removed when the next one starts, and no others', async () => {
  const groups = await ControlGroups.find(MOST);
  const limit = groups.make();
  const { pid: gone } = spawnSync('true');
  const beside = (name: string) =>
    limit.groups.map((folder) => {
      const at = path.join(path.dirname(folder), name);
      mkdirSync(at);
      onTestFinished(() => {
        if (existsSync(at)) rmdirSync(at);
      });
      return at;
    });
  const namespace = /\d+/.exec(readlinkSync('/proc/self/ns/pid'))?.[0];
  const busy = beside(`lisp-harbor-${gone}-${namespace}-abc`);
  const decoy = spawn('sleep', ['600']);
  for (const folder of busy) writeFileSync(path.join(folder, 'cgroup.procs'), String(decoy.pid));
  if (busy.length === 0) decoy.kill('SIGKILL');
  const left = [...beside(`lisp-harbor-${gone}-abc`), ...busy];
  const others = [...beside(`lisp-harbor-${process.ppid}-abc`), ...beside(`another-${gone}`)];
  await ControlGroups.find(MOST);
  expect(left.filter((folder) => existsSync(folder))).toEqual([]);
  await expect.poll(() => decoy.signalCode, PATIENT).toBe('SIGKILL');
  expect([...others, ...limit.groups].filter((folder) => !existsSync(folder))).toEqual([]);
  expect(await limit.release()).toBeNull();
  expect(left.length === 0).toBe(groups.missing.length === 2);
});

it('an image for which no group can be made any more does not start without one', async () => {
  const groups = await ControlGroups.find({ ...MOST, tasks: -1 });
  if (groups.missing.includes('pids')) expect(() => groups.make()).not.toThrow();
  else
    expect(() => groups.make()).toThrow(/control group .* cannot be created any more .*Restart Lisp Harbor/);
});
