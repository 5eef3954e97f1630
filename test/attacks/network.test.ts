/**
 * Code in an image with network access: it reaches other computers and the ports that the user named, and
 * nothing else of this computer. A network namespace with one server of each kind stands for this computer.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BubblewrapLauncher, readHostLayout } from '../../electron/launchers/bubblewrap';
import type { Launcher } from '../../electron/launchers/launcher';
import { NetworkStack } from '../../electron/launchers/network-stack';
import { SHARED_NETWORK_GAP } from '../../electron/sandbox/confinement';
import { outcome } from '../integration/launch-place';
import type { Attack } from './attack';
import { type Batch, writeBatch } from './batch';
import { defaultList } from './confined-session';
import { SANDBOXES } from './launchers';
import { type Decoys, placeDecoys } from './place';
import { TCP, UNIX } from './programs/sockets';

/** Only a connection to another computer is what the permission is for. */
const ON_THIS_COMPUTER = TCP.filter(({ name }) => !name.includes('another computer'));

const ATTACKS: readonly Attack[] = [...UNIX, ...ON_THIS_COMPUTER];

const LAUNCHERS = [
  ...SANDBOXES.map(({ name, launcher }) => ({ name, launcher })),
  { name: 'bubblewrap without pasta', launcher: async () => new BubblewrapLauncher(readHostLayout()) },
];

/** Whether this user may open what pasta needs: on some machines, only root may. */
const HAS_TUNNELS = (() => {
  try {
    accessSync('/dev/net/tun', constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
})();

describe.each(LAUNCHERS)('with the network allowed in $name', ({ name, launcher: choose }) => {
  const ends: (() => unknown)[] = [];
  let attacked: { decoys: Decoys; batch: Batch; launcher: Launcher };

  beforeAll(async () => {
    const launcher = await choose();
    const decoys = await placeDecoys(ATTACKS.length, (end) => void ends.unshift(end));
    const batch = writeBatch(
      ATTACKS,
      ATTACKS.map((_, index) => index),
      decoys,
    );
    const { project, run } = decoys.shared;
    const confinement = { ...defaultList(decoys.shared).confinement(project), network: true };
    const bash = { command: '/bin/bash', args: [batch.file], env: { PATH: '/usr/bin:/bin' } };
    await outcome(
      launcher.launch(
        { ...bash, cwd: project, needs: [] },
        { ...confinement, readable: [...confinement.readable, run] },
      ),
    );
    attacked = { decoys, batch, launcher };
  });

  afterAll(async () => {
    for (const end of ends) await end();
  });

  it.each(ATTACKS.map((attack, index) => ({ name: attack.name, index })))(
    'code $name: held, or told as a gap',
    ({ index }) => {
      const { batch, launcher, decoys } = attacked;
      const said = batch.said(index);
      expect(said).toContain('over\n');
      const succeeds = said.includes('ESCAPED') || !decoys.untouched(index);
      const isTold = index >= UNIX.length && launcher.sandbox.sharesNetwork === true;
      if (succeeds) expect(isTold, said).toBe(true);
    },
  );

  it('says whether it shares the network', () => {
    const { sharesNetwork = false, gaps = [] } = attacked.launcher.sandbox;
    expect(sharesNetwork).toBe(name !== 'bubblewrap' || !HAS_TUNNELS);
    expect(gaps.some((gap) => gap.startsWith(SHARED_NETWORK_GAP))).toBe(sharesNetwork);
  });
});

/** Ports of the namespace that stands for this computer. */
const [ELSEWHERE, NAMED, UNNAMED] = [7001, 7002, 7003];
const [OWN_ADDRESS, OTHER_COMPUTER] = ['10.9.0.1', '10.8.0.1'];

/** Answers TCP, and a name server that knows every name, on a loopback address as that of systemd has. */
const SERVERS = `
const [net, dgram] = [require('node:net'), require('node:dgram')];
for (const [host, port] of [['${OTHER_COMPUTER}', ${ELSEWHERE}], ['127.0.0.1', ${NAMED}], ['127.0.0.1', ${UNNAMED}]])
  net.createServer((socket) => socket.on('error', () => undefined).end('reached\\n')).listen(port, host);
const names = dgram.createSocket('udp4', (query, { port, address }) => {
  const end = query.indexOf(0, 12) + 5;
  const head = Buffer.from(query.subarray(0, end));
  head.writeUInt16BE(0x8180, 2);
  head.writeUInt16BE(1, 6);
  head.writeUInt32BE(0, 8);
  const answer = Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, ${OTHER_COMPUTER.replaceAll('.', ', ')}]);
  names.send(Buffer.concat([head, answer]), port, address);
});
names.bind(53, '127.0.0.53', () => console.log('up'));
process.stdin.resume().on('end', () => process.exit());
`;

/** A pair of interfaces to another computer and one to a router, of which the far ends are unused. */
const MAKE_COMPUTER = `
ip link set lo up
for each in out far; do ip link add "$each" type veth peer name "$each-end"; ip link set "$each-end" up; done
ip addr add ${OWN_ADDRESS}/24 dev out; ip addr add ${OTHER_COMPUTER}/24 dev far
ip link set out up; ip link set far up
ip route add default via 10.9.0.254
mount --bind "$1" /etc/resolv.conf
exec "$2" -e "$3"
`;

describe.runIf(HAS_TUNNELS || process.getuid?.() === 0)('an image with a network of its own', () => {
  const folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'own-network-')));
  const project = path.join(folder, 'project');
  const ends: (() => unknown)[] = [() => rmSync(folder, { recursive: true, force: true })];
  let launcher: BubblewrapLauncher;

  beforeAll(async () => {
    mkdirSync(project);
    const names = path.join(folder, 'resolv.conf');
    writeFileSync(names, 'nameserver 127.0.0.53\n');
    const args = [
      '--user',
      '--map-root-user',
      '--net',
      '--mount',
      '--',
      'sh',
      '-e',
      '-c',
      MAKE_COMPUTER,
      'sh',
    ];
    const computer = spawn('unshare', [...args, names, process.execPath, SERVERS], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    ends.unshift(() => computer.stdin.end());
    await Promise.race([once(createInterface(computer.stdout), 'line'), once(computer, 'exit')]);
    expect(computer.exitCode).toBeNull();
    const enter = ['nsenter', '--target', String(computer.pid), '--user', '--net', '--preserve-credentials'];
    const pasta = path.join(folder, 'pasta');
    writeFileSync(pasta, `#!/bin/sh\nexec ${enter.join(' ')} --mount -- /usr/bin/pasta "$@"\n`);
    chmodSync(pasta, 0o755);
    const limit = { outside: [...enter, '--'], inside: [], env: {}, groups: [], release: async () => null };
    launcher = new BubblewrapLauncher(
      readHostLayout(),
      { gap: null, endsPrograms: false, expectImage: () => undefined, forImage: () => limit },
      NetworkStack.find(folder),
    );
  });

  afterAll(async () => {
    for (const end of ends) await end();
  });

  const run = async (script: string, network = true) => {
    const program = { command: '/bin/bash', args: ['-c', script], env: { PATH: '/usr/bin:/bin' } };
    const launched = launcher.launch(
      { ...program, cwd: project, needs: [] },
      { writable: [project], readable: [], network, loopbackPorts: [NAMED] },
    );
    const { stdout, stderr, end } = await outcome(launched);
    return `${stdout}${stderr}${end.error ?? ''}`;
  };
  const reads = (host: string, port: number) => `read -r line < /dev/tcp/${host}/${port} && echo "$line"`;

  it('reaches another computer by its address and by its name', async () => {
    expect(await run(reads(OTHER_COMPUTER, ELSEWHERE))).toBe('reached\n');
    expect(await run('getent ahostsv4 there.example')).toContain(OTHER_COMPUTER);
    expect(await run(reads('there.example', ELSEWHERE))).toBe('reached\n');
  });

  it('reaches on this computer only the port that the user named', async () => {
    expect(await run(reads('127.0.0.1', NAMED))).toBe('reached\n');
    for (const host of ['127.0.0.1', 'localhost', '0.0.0.0', OWN_ADDRESS, '10.9.0.254', '127.0.0.53'])
      expect(await run(`timeout 2 bash -c '${reads(host, UNNAMED)}'`), host).not.toContain('reached');
  });

  it('uses its own loopback', async () => {
    const listen = `perl -MIO::Socket::INET -e '$s = IO::Socket::INET->new(LocalAddr => "127.0.0.1", LocalPort => 7009, Listen => 1); $| = 1; print "up\\n"; $c = $s->accept; print $c "own\\n"'`;
    const script = `${listen} > up & until grep -q up up; do sleep 0.05; done; ${reads('127.0.0.1', 7009)}`;
    expect(await run(script)).toBe('own\n');
  });

  it('reaches nothing without the permission', async () => {
    for (const [host, port] of [
      [OTHER_COMPUTER, ELSEWHERE],
      ['127.0.0.1', NAMED],
    ] as const)
      expect(await run(reads(host, port), false), host).not.toContain('reached');
  });
});
