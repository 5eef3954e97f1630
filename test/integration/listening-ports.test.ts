/** Whose server listens on a port, told of real processes. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findListenerOwner, isListening } from '../../electron/images/attachable-servers';
import { freePort } from '../free-port';
import { temporaryFolder } from '../started-harbor';

/** Listens, and ends with the pipe that is its descriptor 3. */
const LISTENING = `
  const net = require('node:net');
  const server = net.createServer().listen(0, process.argv[1], () => console.log(server.address().port));
  new net.Socket({ fd: 3 }).on('end', () => process.exit()).resume();`;

/** The same for a user who may not reach our own runtime: Perl is on every Debian. */
const IN_PERL = `perl -MSocket -e '
  socket(my $server, PF_INET, SOCK_STREAM, 0); bind($server, sockaddr_in(0, INADDR_LOOPBACK)); listen($server, 5);
  my ($port) = sockaddr_in(getsockname($server)); $| = 1; print "$port\\n";
  open(my $pipe, "<&=3"); 1 while sysread($pipe, my $byte, 1);'`;

/** The port of a server of its own; what is no orphan is taken for an image, for this process is the harbor here. */
async function port(
  cwd: string,
  { host = '127.0.0.1', by = '', orphan = true, program = '"$NODE" -e "$CODE"' } = {},
): Promise<number> {
  const command = `${by} ${program} ${host} ${orphan ? '&' : ''}`;
  const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', NODE: process.execPath, CODE: LISTENING };
  const { stdio } = spawn('sh', ['-c', command], { cwd, env, stdio: ['ignore', 'pipe', 'inherit', 'pipe'] });
  onTestFinished(() => void stdio[3]?.destroy());
  const [line] = await once(createInterface({ input: stdio[1] as Readable }), 'line');
  return Number(line);
}

/** While it listens. */
async function whose(served: number, folder: string) {
  const told = await findListenerOwner(served, folder);
  expect(await isListening({ host: '127.0.0.1', port: served })).toBe(true);
  return told;
}

describe('a port', () => {
  it.each([{}, { host: '0.0.0.0' }, { host: '::' }, { host: '::ffff:127.0.0.1' }])(
    'is of the folder where this user started its server: %j',
    async (how) => {
      const folder = temporaryFolder('served');
      const served = await port(folder, how);
      expect(await whose(served, folder)).toBe('folder');
      expect(await whose(served, temporaryFolder('other'))).toBe('unknown');
    },
  );

  it.each([
    ['by a harbor itself', { orphan: false }],
    ['in a sandbox, and left by whoever started it there', { by: 'setpriv --no-new-privs' }],
    ['for another address', { host: '127.0.0.2' }],
    ['for the other protocol', { host: '::1' }],
  ])('is not, where it was started %s', async (_, how) => {
    const folder = temporaryFolder('served');
    expect(await whose(await port(folder, how), folder)).toBe('unknown');
  });

  it.runIf(process.getuid?.() === 0).each([
    ['of another user', { by: 'setpriv --reuid=65534 --clear-groups', program: IN_PERL }],
    ['among other files', { by: 'unshare --mount' }],
  ])('is not, where it is %s', async (_, how) => {
    const folder = temporaryFolder('served');
    expect(await whose(await port(folder, how), folder)).toBe('unknown');
  });

  it('is nobody’s where nobody listens', async () => {
    expect(await findListenerOwner(await freePort(), temporaryFolder('served'))).toBe('nobody');
  });
});
