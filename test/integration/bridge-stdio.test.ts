/** The stdio bridge between a client and a harbor that may start late, restart, or refuse. */
import { mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createOrReadBridgeSecret } from '../../electron/endpoints/local/local-socket';
import { runStdio, type StdioOptions } from '../../electron/endpoints/local/stdio-bridge';
import { SECRET, type SocketFixture, socketFixture } from './endpoint-fixture';
import { call, Lines } from './endpoint-lines';
import { initialize, modernMeta } from './endpoint-messages';

let harbor: SocketFixture;
let secrets: string;

beforeEach(() => {
  harbor = socketFixture();
  secrets = mkdtempSync(path.join(tmpdir(), 'harbor-secret-'));
  writeFileSync(path.join(secrets, 'bridge.secret'), `${SECRET}\n`);
});

afterEach(async () => {
  await harbor.remove();
  rmSync(secrets, { recursive: true, force: true });
});

interface Bridge {
  stdin: PassThrough;
  client: Lines;
  exit: Promise<number>;
  stderr: () => string;
}

function bridge(options: Partial<StdioOptions> = {}): Bridge {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const exit = runStdio({
    socketPath: () => harbor.socketPath,
    isLocked: () => false,
    secretFile: path.join(secrets, 'bridge.secret'),
    hello: { client: 'claude-desktop' },
    startHarbor: () => harbor.start().then(() => RUNS),
    stdin,
    stdout,
    stderr,
    restartTimeoutMs: 0,
    ...options,
  });
  void exit.then(() => stdout.destroy());
  return { stdin, client: new Lines(stdout, stdin), exit, stderr: () => String(stderr.read() ?? '') };
}

const RUNS = { ended: () => null };

const INITIALIZED = { jsonrpc: '2.0', method: 'notifications/initialized' };

async function opened(options: Partial<StdioOptions> = {}): Promise<Bridge> {
  const running = bridge(options);
  running.client.send(`${initialize('init')}\n`);
  await running.client.answer('init');
  running.client.send(INITIALIZED);
  return running;
}

describe('a harbor', () => {
  it('is joined when it runs', async () => {
    await harbor.start();
    const { client, stdin, exit } = await opened({
      startHarbor: () => Promise.reject(new Error('started a second one')),
      hello: { client: 'codex', profile: 'other', engine: 'nbb', project: '/p' },
    });
    client.send(call(1, 'who'));
    expect((await client.answer(1)).result?.structuredContent).toEqual({ text: 'codex 1' });
    expect(harbor.toolbox.connections).toMatchObject([{ profile: 'other', engine: 'nbb', project: '/p' }]);
    stdin.end();
    expect(await exit).toBe(0);
  });

  it('is started when none runs, for what the client already sent', async () => {
    const { client, stdin, exit } = bridge();
    client.send(
      `${initialize(0)}\n${JSON.stringify(INITIALIZED)}\n${JSON.stringify(call(1, 'echo', { text: 'a' }))}\n`,
    );
    expect((await client.answer(0)).result?.serverInfo).toMatchObject({ name: 'lisp-harbor' });
    expect((await client.answer(1)).result?.isError).toBe(false);
    stdin.end();
    expect(await exit).toBe(0);
  });

  it('that cannot be started is told on stderr, with exit 1', async () => {
    const { exit, stderr } = bridge({
      startHarbor: () => Promise.reject(new Error('The data folder is read-only.')),
    });
    expect(await exit).toBe(1);
    expect(stderr()).toBe('The data folder is read-only.\n');
  });

  it('that ends while it starts is told on stderr at once, with exit 1', async () => {
    const failed = { yielded: false, reason: 'The harbor ended with code 1 at its start.' };
    const { exit, stderr } = bridge({ startHarbor: () => Promise.resolve({ ended: () => failed }) });
    expect(await exit).toBe(1);
    expect(stderr()).toBe('The harbor ended with code 1 at its start.\n');
  });

  it('that refuses the hello is told on stderr, with exit 1 and nothing on stdout', async () => {
    await harbor.start();
    const { client, exit, stderr } = bridge({ hello: { client: 'stdio', project: '/' } });
    expect(await exit).toBe(1);
    expect(stderr()).toBe('The folder / is no project.\n');
    expect(await client.rest()).toEqual([]);
  });

  it('without its secret file is an error, not a hang', async () => {
    await harbor.start();
    const { exit, stderr } = bridge({ secretFile: path.join(secrets, 'none') });
    expect(await exit).toBe(1);
    expect(stderr()).toContain('ENOENT');
  });
});

describe('a restart of the harbor', () => {
  it('2025 era: replays initialize unseen, tells that tools may have changed, and goes on', async () => {
    await harbor.start();
    const { client, stdin, exit } = await opened();
    await harbor.restart();
    expect(await client.next()).toEqual({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
    client.send(call('after', 'who'));
    expect((await client.answer('after')).result?.structuredContent).toEqual({ text: 'claude-desktop 2' });
    stdin.end();
    expect(await exit).toBe(0);
    expect(await client.rest()).toEqual([]);
  });

  it('requests that were running fail once and are not run again; those sent meanwhile run', async () => {
    await harbor.start();
    const { client, stdin, exit } = await opened();
    const holding = harbor.toolbox.held();
    client.send(call(1, 'hold'));
    await holding;
    let again = false;
    harbor.toolbox.events.once('held', () => {
      again = true;
    });
    await harbor.stop();
    expect(await client.answer(1)).toMatchObject({
      error: { code: -32603, message: expect.stringContaining('may or may not have run') },
    });
    // Nobody listens now: the request itself makes the bridge start a harbor.
    client.send(call(2, 'echo', { text: 'meanwhile' }));
    expect((await client.answer(2)).result?.isError).toBe(false);
    stdin.end();
    expect(await exit).toBe(0);
    expect(again).toBe(false);
    expect(harbor.toolbox.echoed).toEqual(['meanwhile']);
  });

  it('an initialize without its answer is sent to the next harbor', async () => {
    // Takes the hello and the request, and dies without a word.
    const dying = createServer((socket) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
        if (!text.includes('"initialize"')) return;
        dying.close();
        socket.destroy();
      });
    });
    mkdirSync(path.dirname(harbor.socketPath));
    await new Promise<void>((resolve) => dying.listen(harbor.socketPath, resolve));
    const { client, stdin, exit } = bridge();
    client.send(`${initialize(0)}\n`);
    expect((await client.answer(0)).result?.protocolVersion).toBe('2025-11-25');
    stdin.end();
    expect(await exit).toBe(0);
    expect(await client.rest()).toEqual([]);
  });

  it('2026-07-28: simply goes on', async () => {
    await harbor.start();
    const { client, stdin, exit } = bridge();
    const who = (id: number): object => ({
      jsonrpc: '2.0',
      id,
      method: 'tools/call',
      params: { name: 'who', arguments: {}, _meta: modernMeta() },
    });
    client.send(who(1));
    expect((await client.answer(1)).result?.structuredContent).toEqual({ text: 'claude-desktop 1' });
    await harbor.restart();
    client.send(who(2));
    expect((await client.answer(2)).result?.structuredContent).toEqual({ text: 'claude-desktop 2' });
    stdin.end();
    expect(await exit).toBe(0);
    expect(await client.rest()).toEqual([]);
  });
});

describe('the stream', () => {
  it('S1-68 EOF ends with exit 0 after the answers that are due', async () => {
    await harbor.start();
    const { client, stdin, exit } = await opened();
    const holding = harbor.toolbox.held();
    client.send(call(1, 'hold'));
    const held = await holding;
    stdin.end();
    held.release('in time');
    expect((await client.answer(1)).result?.structuredContent).toEqual({ text: 'in time' });
    expect(await exit).toBe(0);
    await expect.poll(() => harbor.toolbox.live).toBe(0);
  });

  it('is told on stderr by name when that is asked for, and is quiet otherwise', async () => {
    await harbor.start();
    for (const debug of [true, false]) {
      const { client, stdin, exit, stderr } = await opened({ debug });
      client.send(call(1, 'echo', { text: 'secret' }));
      await client.answer(1);
      stdin.end();
      await exit;
      const said = stderr();
      if (debug)
        expect(said).toMatch(
          /^debug To the harbor: tools\/call 1\n(?:debug .*\n)*debug To the client: answer 1$/m,
        );
      else expect(said).toBe('');
      expect(said).not.toContain('secret');
    }
  });

  it('passes batches, and waits for the answers in them', async () => {
    await harbor.start();
    const { client, stdin, exit } = bridge();
    client.send(`${initialize('init', '2025-03-26')}\n`);
    await client.answer('init');
    const holding = harbor.toolbox.held();
    client.send(`[${JSON.stringify(call(1, 'hold'))},{"jsonrpc":"2.0","id":2,"method":"ping"}]\n`);
    const held = await holding;
    stdin.end();
    held.release('in time');
    expect(await client.next()).toMatchObject([{ id: 2 }, { id: 1 }]);
    expect(await exit).toBe(0);
  });

  it('EOF does not wait for a cancelled request', async () => {
    await harbor.start();
    const { client, stdin, exit } = await opened();
    const holding = harbor.toolbox.held();
    client.send(call(1, 'hold'));
    await holding;
    client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
    stdin.end();
    expect(await exit).toBe(0);
  });

  it('EOF does not wait for a harbor that nobody asked anything', async () => {
    const { stdin, exit } = bridge({ startHarbor: () => new Promise(() => {}) });
    stdin.end();
    expect(await exit).toBe(0);
  });

  it('passes 5 MB lines, split characters, CRLF, blank lines, a last line without its end, and non-JSON', async () => {
    await harbor.start();
    const { client, stdin, exit } = await opened();
    const text = 'λ𝔘'.repeat(850_000);
    const bytes = Buffer.from(`${JSON.stringify(call(1, 'echo', { text }))}\r\n\r\n`);
    expect(bytes.length).toBeGreaterThan(5_000_000);
    for (let start = 0; start < bytes.length; start += 65_521)
      stdin.write(bytes.subarray(start, start + 65_521));
    expect((await client.answer(1)).result?.structuredContent).toEqual({ text });
    client.send('{not valid json}\n');
    expect((await client.answer(null)).error?.code).toBe(-32700);
    stdin.end(JSON.stringify(call(2, 'echo', { text: 'last' })));
    expect((await client.answer(2)).result?.structuredContent).toEqual({ text: 'last' });
    expect(await exit).toBe(0);
  });

  it('S1-42 200 pipelined requests give 200 answers, in spite of slow reading', async () => {
    await harbor.start();
    const { client, stdin, exit } = await opened();
    const ids = Array.from({ length: 200 }, (_, index) => index);
    for (const id of ids) client.send(call(id, id % 5 === 0 ? 'fail' : 'big', { text: '20000' }));
    stdin.end();
    const answers = (await client.rest()).map((answer) => answer.id);
    expect(await exit).toBe(0);
    expect(answers.sort((a, b) => Number(a) - Number(b))).toEqual(ids);
  });
});

describe('the secret', () => {
  it('is made once, 256 bits, for this user alone', async () => {
    const file = path.join(secrets, 'new.secret');
    const secret = createOrReadBridgeSecret(file);
    expect(secret).toMatch(/^[0-9a-f]{64}$/);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(createOrReadBridgeSecret(file)).toBe(secret);
    writeFileSync(file, 'garbage');
    expect(createOrReadBridgeSecret(file)).not.toBe(secret);
  });
});
