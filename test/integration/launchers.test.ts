import { readFile } from 'node:fs/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';
import { chooseLauncher, imageLimits, refusal } from '../../electron/launchers/choose';

import type { Launcher } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';

import type { Confinement } from '../../electron/sandbox/confinement';
import { LANDLOCK, landlockLauncher } from '../landlock-launcher';
import { PATIENT } from '../started-harbor';
import { heard, type LaunchPlace, launchPlace, outcome } from './launch-place';

const LAUNCHERS: Record<string, () => Promise<Launcher>> = {
  local: async () => new LocalLauncher('a test'),
  'local, within limits': async () => new LocalLauncher('a test', await imageLimits({ shareHost: true })),
  bubblewrap: async () => new BubblewrapLauncher(readHostLayout()),
  landlock: landlockLauncher,
};

let folder: string;
let confinement: Confinement;
let shell: LaunchPlace['shell'];

beforeEach(async () => {
  ({ folder, confinement, shell } = await launchPlace());
});

describe.each(Object.keys(LAUNCHERS))('%s launcher', (name) => {
  let launcher: Launcher;

  beforeEach(async () => {
    launcher = await (LAUNCHERS[name]?.() ?? Promise.reject(new Error(name)));
  });

  it('gives a wire on descriptor 3, both ways, apart from stdout and stderr', async () => {
    const launched = launcher.launch(
      shell('read -r line <&3; echo "heard $line" >&3; echo out; echo err >&2'),
      confinement,
    );
    launched.wire.write('λ\n');
    expect(await heard(launched)).toBe('heard λ\n');
    expect(await outcome(launched)).toMatchObject({
      stdout: 'out\n',
      stderr: 'err\n',
      end: { code: 0, signal: null },
    });
  });

  it('passes on its streams and the wire, and no descriptor of this process', async () => {
    // Electron's own are passed on to whatever is started without care.
    const { stdout } = await outcome(
      launcher.launch(shell('exec 9< /proc/self/fd; ls -l /proc/$$/fd'), confinement),
    );
    const listed = [...stdout.matchAll(/ (\d+) -> (\S+)/g)].map(([, fd, to]) => ({ fd: Number(fd), to }));
    expect(listed.filter(({ fd }) => fd > 3 && fd !== 9)).toEqual([]);
  });

  it('passes on exactly the environment given, and the working directory', async () => {
    const { stdout } = await outcome(
      launcher.launch(shell('/usr/bin/env; pwd', { ONLY: 'a  b' }), confinement),
    );
    const lines = stdout.trim().split('\n');
    expect(lines.filter((line) => !/^(_|SHLVL|OLDPWD)=/.test(line))).toEqual(
      expect.arrayContaining([
        'PATH=/usr/bin:/bin',
        'ONLY=a  b',
        `PWD=${folder}/project`,
        `${folder}/project`,
      ]),
    );
    expect(lines.filter((line) => !/^(_|SHLVL|OLDPWD)=/.test(line))).toHaveLength(4);
  });

  it('tells exit codes and signals', async () => {
    expect(await launcher.launch(shell('exit 7'), confinement).ended).toMatchObject({
      code: 7,
      signal: null,
    });
    expect(await launcher.launch(shell('kill -TERM $$'), confinement).ended).toEqual({
      code: null,
      signal: 'SIGTERM',
    });
  });

  it.each(['SIGTERM', 'SIGKILL'] as const)('ends a program by %s', async (signal) => {
    const launched = launcher.launch(shell('echo up >&3; while :; do sleep 60; done'), confinement);
    await heard(launched);
    launched.signal(signal);
    const end = await launched.ended;
    expect(end).toMatchObject({ code: null, signal });
    launched.signal(signal);
  });

  it('lets a program handle a signal', async () => {
    const program = shell(
      'trap "echo caught >&3; exit 3" TERM; echo up >&3; while :; do sleep 60 & wait $!; done',
    );
    const launched = launcher.launch(program, confinement);
    await heard(launched);
    const caught = heard(launched);
    launched.signal('SIGTERM');
    expect(await caught).toBe('caught\n');
    expect(await launched.ended).toMatchObject({ code: 3 });
  });

  it('tells pid and memory of the program itself, and nothing once it is gone', async () => {
    const launched = launcher.launch(shell('echo up >&3; read -r line <&3; : marker'), confinement);
    await heard(launched);
    const usage = await launched.usage();
    if (!usage) throw new Error('no usage');
    expect(await readFile(`/proc/${usage.pid}/cmdline`, 'utf8')).toMatch(/^\/bin\/sh\0-c\0echo up/);
    expect(usage.memoryBytes).toBeGreaterThan(10_000);
    process.kill(usage.pid, 'SIGKILL');
    expect(await launched.ended).toMatchObject({ code: null, signal: 'SIGKILL' });
    expect(await launched.usage()).toBeNull();
  });

  it('survives writing to a wire that nobody reads any more', async () => {
    const launched = launcher.launch(shell('exit 0'), confinement);
    launched.wire.write('x'.repeat(1_000_000));
    expect(await launched.ended).toMatchObject({ code: 0 });
    launched.wire.write('x'.repeat(1_000_000));
    await expect.poll(() => launched.wire.destroyed, PATIENT).toBe(true);
  });

  it('tells when a program cannot be started, and keeps every stream usable', async () => {
    const launched = launcher.launch({ ...shell(''), command: '/no/such/program' }, confinement);
    launched.wire.write('hello');
    const { stderr, end } = await outcome(launched);
    expect(end.code).not.toBe(0);
    expect(`${end.error} ${stderr}`).toContain('/no/such/program');
    expect(await launched.usage()).toBeNull();
    launched.signal('SIGKILL');
  });

  it('tells when the arguments cannot be passed', async () => {
    const launched = launcher.launch({ ...shell(''), args: ['-c', 'a\0b'] }, confinement);
    expect((await launched.ended).error).toContain('null bytes');
  });
});

describe('chooseLauncher', () => {
  it('confines by bubblewrap where it works', async () => {
    const { sandbox } = await chooseLauncher({ unconfined: false, landlock: LANDLOCK });
    expect(sandbox).toMatchObject({ confined: true, launcher: 'bubblewrap' });
  });

  it('tries what failed again, with limits that were tried by themselves', async () => {
    const launcher = new LocalLauncher('a test');
    const tried = Promise.resolve({ launcher, trial: { ok: false as const, reason: 'no group let it in' } });
    const { sandbox } = await chooseLauncher({ unconfined: false, landlock: LANDLOCK, tried });
    expect(sandbox).toMatchObject({ confined: true, launcher: 'bubblewrap' });
  });

  it('says so when a person wants no sandbox', async () => {
    const { sandbox } = await chooseLauncher({ unconfined: true, landlock: LANDLOCK });
    expect(sandbox).toMatchObject({ confined: false, reason: 'started with --unconfined' });
  });
});

describe('refusal', () => {
  it.each([
    [{ code: null, signal: null, error: 'spawn bwrap ENOENT' }, '', 'apt install bubblewrap'],
    [{ code: 1, signal: null }, 'bwrap: setting up uid map: Permission denied', 'apparmor'],
    [{ code: 1, signal: null }, 'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted', 'apparmor'],
    [{ code: 1, signal: null }, 'bwrap: Unknown option --disable-userns', '0.8 or later'],
    [{ code: null, signal: 'SIGSYS' as const }, '', 'SIGSYS'],
  ])('tells what to do about %j %s', (end, said, remedy) => {
    const reason = refusal(end, said);
    expect(reason).toContain(remedy);
    expect(reason).toContain(said);
  });
});
