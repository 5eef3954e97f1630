/** What bubblewrap actually prevents and allows. */
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';

import type { Launcher } from '../../electron/launchers/launcher';
import { limitByCommand, UNLIMITED } from '../../electron/launchers/process-limits';
import type { Confinement } from '../../electron/sandbox/confinement';
import { PATIENT } from '../started-harbor';
import { heard, type LaunchPlace, launchPlace, outcome } from './launch-place';

let folder: string;
let confinement: Confinement;
let shell: LaunchPlace['shell'];

beforeEach(async () => {
  ({ folder, confinement, shell } = await launchPlace());
});

describe('bubblewrap confines', () => {
  let launcher: Launcher;

  beforeEach(async () => {
    launcher = new BubblewrapLauncher(readHostLayout());
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

  it('what is hidden in a folder that is open, but for what is named in it', async () => {
    await mkdir(path.join(folder, 'project/keys'));
    await writeFile(path.join(folder, 'project/keys/private'), 'decoy');
    await writeFile(path.join(folder, 'project/keys/public'), 'shown');
    await writeFile(path.join(folder, 'project/token'), 'decoy');
    const hidden = [
      { path: `${folder}/project/keys`, isFolder: true },
      { path: `${folder}/project/token`, isFolder: false },
    ];
    expect(await works('cat keys/private', { hidden })).toBe(false);
    expect(await works('echo x > keys/made', { hidden })).toBe(false);
    expect(await works('grep decoy token', { hidden })).toBe(false);
    expect(await works('echo x > token', { hidden })).toBe(false);
    expect(await works('mv keys elsewhere || rmdir keys', { hidden })).toBe(false);
    expect(await works('cat file', { hidden })).toBe(true);
    const readable = [`${folder}/project/keys/public`];
    expect(await works('grep shown keys/public && ! cat keys/private', { hidden, readable })).toBe(true);
    expect(await readFile(path.join(folder, 'project/token'), 'utf8')).toBe('decoy');
  });

  it('nothing at all when what hides a folder came to lie elsewhere', async () => {
    await mkdir(path.join(folder, 'project/keys'));
    await writeFile(path.join(folder, 'project/keys/private'), 'decoy');
    const swap = 'mkdir "$0/own" && mv "$0/keys" "$0/shown" && ln -s own "$0/keys"; exec "$@"';
    const outside = ['/bin/sh', '-c', swap, path.join(folder, 'project')];
    const limits = { ...UNLIMITED, forImage: () => limitByCommand({ outside, env: {}, inside: [] }) };
    const swapped = new BubblewrapLauncher(readHostLayout(), limits);
    const hidden = [{ path: `${folder}/project/keys`, isFolder: true }];
    const { stdout, end } = await outcome(
      swapped.launch(shell('cat shown/private'), { ...confinement, hidden }),
    );
    expect(stdout).toBe('');
    expect(end.error).toContain(`${folder}/project/keys is not what was allowed`);
  });

  it('system calls that reach into other processes and the kernel', async () => {
    const numbers = { ptrace: [101, 117], keyctl: [250, 219], bpf: [321, 280], io_uring_setup: [425, 425] };
    for (const [name, both] of Object.entries(numbers)) {
      const number = both[process.arch === 'arm64' ? 1 : 0];
      // The error of a call that the kernel refuses before it checks the arguments: EPERM.
      const script = `perl -e 'exit(syscall(${number}, 0, 0, 0, 0, 0) == -1 && $! == 1 ? 0 : 1)'`;
      expect(await works(script), name).toBe(true);
    }
  });

  it('within the limits of the host, by whatever stands around it', async () => {
    const limit = limitByCommand({
      outside: ['env', 'MARK=outside'],
      env: { BUS: 'of the user' },
      inside: ['/usr/bin/prlimit', '--nofile=77', '--'],
    });
    const limited = new BubblewrapLauncher(readHostLayout(), {
      ...UNLIMITED,
      gap: 'a gap',
      forImage: () => limit,
    });
    expect(limited.sandbox.gaps).toContain('a gap');
    const { stdout } = await outcome(limited.launch(shell('ulimit -n; cat /proc/1/environ'), confinement));
    expect(stdout).toMatch(/^77\n/);
    expect(stdout).not.toMatch(/MARK|BUS/);
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
