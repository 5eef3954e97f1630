import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BubblewrapLauncher } from '../../electron/launchers/bubblewrap';
import { chooseLauncher } from '../../electron/launchers/choose';
import { readHostLayout } from '../../electron/launchers/host-layout';
import type { Launched, Launcher, Program } from '../../electron/launchers/launcher';
import { LocalLauncher } from '../../electron/launchers/local';
import { refusal } from '../../electron/launchers/probe';
import type { Confinement } from '../../electron/sandbox/confinement';
import { PATIENT } from '../started-harbor';

const LAUNCHERS: Record<string, () => Promise<Launcher>> = {
  local: async () => new LocalLauncher('a test'),
  bubblewrap: async () => new BubblewrapLauncher(await readHostLayout()),
};

let folder: string;
let confinement: Confinement;

beforeEach(async () => {
  folder = await realpath(await mkdtemp(path.join(tmpdir(), 'launchers-')));
  await mkdir(path.join(folder, 'project'));
  confinement = { writable: [path.join(folder, 'project')], readable: [], network: false };
});

afterEach(() => rm(folder, { recursive: true, force: true }));

/** A shell that runs `script` in the project. */
const shell = (script: string, env: Record<string, string> = {}): Program => ({
  command: '/bin/sh',
  args: ['-c', script],
  env: { PATH: '/usr/bin:/bin', ...env },
  cwd: path.join(folder, 'project'),
  needs: [],
});

async function outcome(launched: Launched) {
  const [stdout, stderr, end] = await Promise.all([
    text(launched.stdout),
    text(launched.stderr),
    launched.ended,
  ]);
  return { stdout, stderr, end };
}

/** The next text on the wire. */
const heard = (launched: Launched) =>
  new Promise<string>((resolve) => launched.wire.once('data', (chunk) => resolve(String(chunk))));

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
    await expect.poll(() => launched.wire.destroyed).toBe(true);
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

describe('bubblewrap confines', () => {
  let launcher: Launcher;

  beforeEach(async () => {
    launcher = new BubblewrapLauncher(await readHostLayout());
    await writeFile(path.join(folder, 'secret'), 'secret');
    await mkdir(path.join(folder, 'library'));
    await writeFile(path.join(folder, 'library/file'), 'shared');
    await writeFile(path.join(folder, 'project/file'), 'mine');
  });

  /** Whether the commands succeed in the sandbox. */
  const works = async (script: string, more: Partial<Confinement> = {}) => {
    const { end } = await outcome(launcher.launch(shell(script), { ...confinement, ...more }));
    return end.code === 0;
  };

  it('reading', async () => {
    expect(await works('cat /etc/passwd')).toBe(false);
    expect(await works(`cat ${folder}/secret`)).toBe(false);
    expect(await works(`ls ${process.env.HOME ?? '/root'}`)).toBe(false);
    expect(await works('cat file')).toBe(true);
    expect(await works(`cat ${folder}/library/file`)).toBe(false);
    expect(await works(`cat ${folder}/library/file`, { readable: [`${folder}/library`, '/nowhere'] })).toBe(
      true,
    );
  });

  it('writing', async () => {
    expect(await works('echo new > made')).toBe(true);
    expect(await readFile(path.join(folder, 'project/made'), 'utf8')).toBe('new\n');
    expect(await works(`echo x > ${folder}/library/made`, { readable: [`${folder}/library`] })).toBe(false);
    for (const place of ['/made', '/usr/made', '/dev/made', '/dev/shm/made']) {
      expect(await works(`echo x > ${place}`), place).toBe(false);
    }
    expect(await works('echo x > /dev/null')).toBe(true);
  });

  it('a /tmp of its own, of which nothing reaches the host', async () => {
    const place = path.join(tmpdir(), `${path.basename(folder)}-made`);
    expect(await works(`echo x > ${place} && cat ${place}`)).toBe(true);
    expect(existsSync(place)).toBe(false);
    expect(await works(`echo x > ${folder}/made`)).toBe(true);
    expect(existsSync(path.join(folder, 'made'))).toBe(false);
  });

  it('a read-only folder inside a writable one, and a writable one inside a read-only one', async () => {
    await mkdir(path.join(folder, 'project/kept'));
    await mkdir(path.join(folder, 'library/open'));
    const both: Partial<Confinement> = {
      readable: [`${folder}/library`, `${folder}/project/kept`],
      writable: [`${folder}/project`, `${folder}/library/open`],
    };
    expect(await works('echo x > kept/made', both)).toBe(false);
    expect(await works(`echo x > ${folder}/library/open/made`, both)).toBe(true);
    expect(await works(`echo x > ${folder}/library/made`, both)).toBe(false);
  });

  it('the network, unless it is shared', async () => {
    const server = net.createServer((socket) => socket.end('reached\n')).listen(0, '127.0.0.1');
    await new Promise((resolve) => server.once('listening', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    const reach = `bash -c 'read -r line < /dev/tcp/127.0.0.1/${port} && test "$line" = reached'`;
    expect(await works(reach)).toBe(false);
    expect(await works(reach, { network: true })).toBe(true);
    await new Promise((resolve) => server.close(resolve));
  });

  it('processes: none of the host is seen or signalled, and no new user namespace is made', async () => {
    expect(await works(`kill -0 ${process.pid}`)).toBe(false);
    expect(await works(`test -e /proc/${process.pid}/status`)).toBe(false);
    expect(await works('unshare --user true')).toBe(false);
    const { stdout } = await outcome(
      launcher.launch(shell('grep -E "^(CapEff|NoNewPrivs)" /proc/self/status'), confinement),
    );
    expect(stdout.replaceAll(/\s+/g, ' ')).toBe('CapEff: 0000000000000000 NoNewPrivs: 1 ');
  });

  it('what the harbor has in its environment, also in that of the sandbox itself', async () => {
    process.env.HARBOR_SECRET = 'in the harbor only';
    const { stdout } = await outcome(launcher.launch(shell('cat /proc/*/environ'), confinement));
    delete process.env.HARBOR_SECRET;
    expect(stdout).toContain('PATH=');
    expect(stdout).not.toContain('HARBOR_SECRET');
  });

  it('descriptors: the program has its wire and nothing of the wrapper', async () => {
    const { stdout } = await outcome(
      launcher.launch(
        shell('for fd in 0 1 2 3 4 5 6 7 8 9; do test -e /proc/$$/fd/$fd && echo $fd; done; :'),
        confinement,
      ),
    );
    expect(stdout.trim().split('\n')).toEqual(['0', '1', '2', '3']);
  });

  it('with its own words when a folder to write to does not exist', async () => {
    const launched = launcher.launch(shell('true'), { ...confinement, writable: [`${folder}/gone`] });
    const { stderr, end } = await outcome(launched);
    expect(end.code).toBe(1);
    expect(stderr).toContain(`${folder}/gone`);
  });

  it('until the harbor goes: everything inside ends with the wrapper', async () => {
    const launched = launcher.launch(shell('trap "" TERM; sleep 1000 & echo up >&3; wait'), confinement);
    await heard(launched);
    const usage = await launched.usage();
    void launched.signal('SIGKILL');
    await launched.ended;
    await expect.poll(() => existsSync(`/proc/${usage?.pid}/fd/1`), PATIENT).toBe(false);
  });
});

describe('chooseLauncher', () => {
  it('confines by bubblewrap where it works', async () => {
    const { sandbox } = await chooseLauncher({ unconfined: false });
    expect(sandbox).toEqual({ confined: true, launcher: 'bubblewrap' });
  });

  it('says so when a person wants no sandbox', async () => {
    const { sandbox } = await chooseLauncher({ unconfined: true });
    expect(sandbox).toEqual({ confined: false, launcher: 'local', reason: 'started with --unconfined' });
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
