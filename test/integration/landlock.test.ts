/** What Landlock actually prevents and allows. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import net from 'node:net';
import path from 'node:path';
import { beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { readHostLayout } from '../../electron/launchers/bubblewrap';
import { landlockInstead } from '../../electron/launchers/choose';
import { hostFileSystem, prepareLandlock } from '../../electron/launchers/landlock';
import type { Launcher } from '../../electron/launchers/launcher';

import type { Confinement } from '../../electron/sandbox/confinement';
import { landlockGrants, landlockOrder } from '../../electron/sandbox/landlock-rules';

import { LANDLOCK, landlockLauncher } from '../landlock-launcher';
import { PATIENT } from '../started-harbor';
import { type LaunchPlace, launchPlace, outcome } from './launch-place';

let launcher: Launcher;
let folder: string;
let confinement: Confinement;
let shell: LaunchPlace['shell'];

beforeAll(async () => {
  launcher = await landlockLauncher();
});

beforeEach(async () => {
  ({ folder, confinement, shell } = await launchPlace());
  await writeFile(path.join(folder, 'secret'), 'secret');
  await mkdir(path.join(folder, 'library'));
  await writeFile(path.join(folder, 'library/file'), 'shared');
  await writeFile(path.join(folder, 'project/file'), 'mine');
});

/** What the commands print in the sandbox. */
async function printed(script: string, more: Partial<Confinement> = {}): Promise<string> {
  return (await outcome(launcher.launch(shell(script), { ...confinement, ...more }))).stdout.trim();
}

/** Whether the commands succeed there. */
async function works(script: string, more: Partial<Confinement> = {}): Promise<boolean> {
  return (await outcome(launcher.launch(shell(script), { ...confinement, ...more }))).end.code === 0;
}

describe('Landlock confines', () => {
  it('reading', async () => {
    expect(await works('cat file')).toBe(true);
    for (const place of ['/etc/passwd', `${folder}/secret`, `${folder}/library/file`, '/proc/1/status'])
      expect(await works(`cat ${place}`), place).toBe(false);
    const readable = [`${folder}/library`, '/nowhere'];
    expect(await works(`cat ${folder}/library/file`, { readable })).toBe(true);
    expect(await works(`ls ${folder}`)).toBe(false);
  });

  it('writing, also in the /tmp of all', async () => {
    expect(await works('echo new > made && mkdir sub && mv made sub')).toBe(true);
    expect(await readFile(path.join(folder, 'project/sub/made'), 'utf8')).toBe('new\n');
    const readable = [`${folder}/library`];
    expect(await works(`echo x > ${folder}/library/made`, { readable })).toBe(false);
    for (const place of ['/made', '/usr/made', '/dev/made', '/dev/shm/made', `${folder}/made`])
      expect(await works(`echo x > ${place}`), place).toBe(false);
    expect(await works('echo x > /dev/null')).toBe(true);
  });

  it('what is hidden in a folder that is open, but for what is named in it', async () => {
    await mkdir(path.join(folder, 'project/keys'));
    await writeFile(path.join(folder, 'project/keys/private'), 'decoy');
    await writeFile(path.join(folder, 'project/keys/public'), 'shown');
    await writeFile(path.join(folder, 'project/token'), 'decoy');
    await mkdir(path.join(folder, 'project/src'));
    await symlink(path.join(folder, 'project/keys'), path.join(folder, 'project/way'));
    const hidden = [
      { path: `${folder}/project/keys`, isFolder: true },
      { path: `${folder}/project/token`, isFolder: false },
    ];
    const refused = [
      ...[
        'cat keys/private',
        'cat way/private',
        'ls keys',
        'echo x > keys/made',
        'cat token',
        'echo x > token',
      ],
      ...['mv keys elsewhere', 'mv token src', 'ln token src/token', 'ln keys/private src/private'],
    ];
    for (const script of refused) expect(await works(script, { hidden }), script).toBe(false);
    expect(await works('cat file && echo x > file && echo x > src/made', { hidden })).toBe(true);
    const readable = [`${folder}/project/keys/public`];
    expect(await works('grep shown keys/public && ! cat keys/private', { hidden, readable })).toBe(true);
    expect(await readFile(path.join(folder, 'project/token'), 'utf8')).toBe('decoy');
  });

  it('a folder that may only be read in one that may be written, at the price of new files beside it', async () => {
    for (const name of ['.git', 'src']) await mkdir(path.join(folder, 'project', name));
    const readable = [`${folder}/project/.git`];
    for (const script of ['echo x > .git/made', 'mv .git src', 'echo x > made'])
      expect(await works(script, { readable }), script).toBe(false);
    expect(await works('ls . .git && echo x > file && echo x > src/made', { readable })).toBe(true);
  });

  it('the network, unless it is shared, and then no more than that', async () => {
    const listen = async (where: net.ListenOptions) => {
      const server = net.createServer((socket) => socket.end('reached\n')).listen(where);
      await once(server, 'listening');
      onTestFinished(() => void server.close());
      return server.address();
    };
    const address = await listen({ host: '127.0.0.1', port: 0 });
    await listen({ path: path.join(folder, 'project/socket') });
    const port = typeof address === 'object' ? address?.port : 0;
    const reach = `bash -c 'read -r line < /dev/tcp/127.0.0.1/${port} && test "$line" = reached'`;
    const unix = `perl -e 'use Socket; socket(my $s, PF_UNIX, SOCK_STREAM, 0) && connect($s, sockaddr_un("socket")) || exit 1'`;
    const datagrams = `perl -e 'use Socket; socketpair(my $a, my $b, PF_UNIX, SOCK_DGRAM, 0) || exit 1'`;
    const udp = `perl -e 'use Socket; socket(my $s, PF_INET, SOCK_DGRAM, 0) || exit 1'`;
    expect(await works(reach)).toBe(false);
    expect(await works(reach, { network: true })).toBe(true);
    expect(await works(udp)).toBe(false);
    expect(await works(udp, { network: true })).toBe(true);
    for (const network of [false, true])
      for (const script of [unix, datagrams]) expect(await works(script, { network }), script).toBe(false);
  });

  it('other processes: no signal, no limit and no environment of theirs', async () => {
    const victim = spawn('sleep', ['3600'], { stdio: 'ignore' });
    onTestFinished(() => void victim.kill('SIGKILL'));
    for (const attempt of ['kill -0 $pid', 'prlimit --pid $pid --nofile=512:512', 'cat /proc/$pid/environ'])
      expect(await works(attempt.replace('$pid', String(victim.pid))), attempt).toBe(false);
    expect(await works('sleep 100 & kill $!')).toBe(true);
  });

  it('a program without any capability, to which nothing gives new ones', async () => {
    const told = await printed('grep -E "^(CapPrm|CapEff|NoNewPrivs|Seccomp):" /proc/$$/status');
    expect(told.replaceAll(/\s+/g, ' ')).toBe(
      'CapPrm: 0000000000000000 CapEff: 0000000000000000 NoNewPrivs: 1 Seccomp: 2',
    );
  });
});

describe('a program in it', () => {
  it('keeps nothing of the Lisp that it was: no signal, no descriptor', async () => {
    const signals = await printed('exec grep -E "^Sig(Blk|Ign)" /proc/self/status');
    expect(signals.replaceAll(/\s+/g, ' ')).toBe('SigBlk: 0000000000000000 SigIgn: 0000000000000000');
    const descriptors = 'for fd in 0 1 2 3 4 5 6 7 8 9; do test -e /proc/$$/fd/$fd && echo $fd; done; :';
    expect((await printed(descriptors)).split('\n')).toEqual(['0', '1', '2', '3']);
  });

  it('is run as it asks its processor to, by root too', async () => {
    // The effect of personality(2) is lost if a program would gain capabilities.
    expect(await printed('exec setarch -R sh -c "exec cat /proc/self/personality"')).toBe('00040000');
  });
});

it('ends with the process that started it', async () => {
  const program = { ...shell(''), command: '/bin/sleep', args: ['3600'] };
  const grants = landlockGrants([], confinement, readHostLayout(), hostFileSystem);
  const order = path.join(folder, 'order');
  await writeFile(order, landlockOrder({ program, grants, network: false, version: 1, filter: null }));
  const prepared = await prepareLandlock(LANDLOCK, process.env.PATH ?? '');
  if (!prepared.ok) throw new Error(prepared.reason);
  const script = `const order = require('node:fs').openSync(${JSON.stringify(order)});
    const options = { stdio: ['ignore', 'ignore', 'ignore', 'ignore', order] };
    const child = require('node:child_process').spawn('sbcl', ['--script', ${JSON.stringify(prepared.confiner)}], options);
    console.log(child.pid)`;
  const parent = spawn(process.execPath, ['-e', script], {
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const pid = Number(String((await once(parent.stdout, 'data'))[0]));
  const command = () => readFile(`/proc/${pid}/cmdline`, 'latin1').catch(() => '');
  await expect.poll(command, PATIENT).toBe('/bin/sleep\x003600\0');
  parent.kill('SIGKILL');
  await expect.poll(command, PATIENT).toBe('');
});

describe('where Landlock cannot be had', () => {
  it('images are unconfined, and both reasons are told', async () => {
    const { sandbox } = await landlockInstead(LANDLOCK, 'bubblewrap does not work here', '/nowhere');
    expect(sandbox).toMatchObject({ confined: false, launcher: 'local' });
    expect(sandbox.reason).toMatch(/^bubblewrap does not work here; .*Landlock.*SBCL.*apt install sbcl$/);
  });

  it('a file that does not compile is told of', async () => {
    const broken = path.join(folder, 'broken.lisp');
    await writeFile(broken, '(defun');
    const { sandbox } = await landlockInstead({ source: broken, folder }, 'bubblewrap does not work here');
    expect(sandbox.reason).toMatch(/Landlock.* \(.*ERROR/);
  });
});
