/** The ACL2 Bridge at a unix socket: clients are served there, nobody else may open it, and nothing of the user's is replaced. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { PythonBridgeClient } from '../python-bridge-client';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

async function started(socket: string): Promise<StartedHarbor> {
  const harbor = await StartedHarbor.start({ args: ['--bridge-socket', socket] });
  onTestFinished(async () => {
    await harbor.stop();
  });
  return harbor;
}

describe.skipIf(process.platform === 'win32')('the socket of the ACL2 Bridge', () => {
  it('serves clients, is for its user only, and goes with the harbor', async () => {
    const socket = path.join(temporaryFolder('bridge'), 'acl2.socket');
    const harbor = await started(socket);
    expect(harbor.ready).toMatchObject({ bridgeSocket: socket });
    expect(harbor.ready.bridge).toBeUndefined();
    expect(statSync(socket).mode & 0o777).toBe(0o600);
    const client = await PythonBridgeClient.connect(socket);
    expect(await client.value('LISP', '(append (list 1 2) (list 3))')).toBe('(1 2 3)');
    await client.close();
    await harbor.stop();
    expect(existsSync(socket)).toBe(false);
  });

  it('takes the place of one that a program left which is gone', async () => {
    const socket = path.join(temporaryFolder('bridge'), 'acl2.socket');
    const listening = `require('net').createServer().listen(${JSON.stringify(socket)}, () => console.log('listening'))`;
    const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1' };
    const other = spawn(process.execPath, ['-e', listening], { stdio: ['ignore', 'pipe', 'inherit'], env });
    await once(other.stdout, 'data');
    other.kill('SIGKILL');
    await once(other, 'exit');
    expect(statSync(socket).isSocket()).toBe(true);
    expect((await started(socket)).ready.bridgeSocket).toBe(socket);
  });

  it('replaces no file, no link and no socket that is served', async () => {
    const folder = temporaryFolder('bridge');
    const [file, link, served] = [
      path.join(folder, 'notes'),
      path.join(folder, 'link'),
      path.join(folder, 'served'),
    ];
    writeFileSync(file, 'kept');
    symlinkSync(file, link);
    const server = createServer().listen(served);
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    for (const [place, told] of [
      [file, /another file/],
      [link, /another file/],
      [served, /another program/],
      [path.join(folder, 'no/such'), /cannot be opened/],
    ] as const)
      await expect(started(place)).rejects.toThrow(told);
    expect(readFileSync(file, 'utf8')).toBe('kept');
  });
});
