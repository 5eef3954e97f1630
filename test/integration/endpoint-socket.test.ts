/** The local socket: who may enter, MCP in lines, commands. */
import { once } from 'node:events';
import { chmodSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HarborError } from '../../electron/contract/errors';
import { command } from '../../electron/host/running-harbor';
import { SECRET, type SocketFixture, socketFixture } from './endpoint-fixture';
import { call, Lines, type Message } from './endpoint-lines';
import { initialize, modernMeta } from './endpoint-messages';

let harbor: SocketFixture;
const open: Socket[] = [];

beforeEach(async () => {
  harbor = socketFixture({
    double: async (args) => Number(args) * 2,
    refuse: async () => {
      throw new HarborError('not_supported', 'Say which.');
    },
    who: async (_args, client) => client.key,
  });
  await harbor.start();
});

afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy();
  await harbor.remove();
});

function enter(
  hello: string | object = { secret: SECRET, kind: 'mcp', client: 'test' },
  { socketPath } = harbor,
): Lines {
  const socket = connect(socketPath);
  open.push(socket);
  const lines = new Lines(socket, socket);
  lines.send(hello);
  return lines;
}

async function initialized(): Promise<Lines> {
  const lines = enter();
  lines.send(`${initialize('init')}\n`);
  await lines.answer('init');
  return lines;
}

describe('the door', () => {
  it('is a socket of mode 0600 in a folder of mode 0700, whatever they were', async () => {
    expect(statSync(harbor.socketPath).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(harbor.socketPath)).mode & 0o777).toBe(0o700);
    const loose = socketFixture();
    mkdirSync(path.dirname(loose.socketPath));
    chmodSync(path.dirname(loose.socketPath), 0o755);
    await loose.start();
    expect(statSync(path.dirname(loose.socketPath)).mode & 0o777).toBe(0o700);
    await loose.remove();
  });

  it('is not taken from a harbor that answers, and is taken from a dead one', async () => {
    await expect(harbor.start()).rejects.toMatchObject({ code: 'data_folder_in_use' });
    const other = socketFixture();
    await other.start();
    // Closing removes the socket by its name, so under another name it stays behind as after a crash.
    renameSync(other.socketPath, `${other.socketPath}.old`);
    await other.stop();
    renameSync(`${other.socketPath}.old`, other.socketPath);
    await other.start();
    await other.remove();
  });

  it('refuses a wrong secret, a hello that is none, and one that is too long', async () => {
    const refusals = [
      [{ secret: 'wrong', kind: 'mcp', client: 'test' }, 'client_unknown'],
      [{ secret: '', kind: 'command', command: 'double', arguments: 1 }, 'client_unknown'],
      [{ secret: SECRET, kind: 'mcp' }, 'bad_arguments'],
      [{ secret: SECRET, kind: 'mcp', client: 'a b' }, 'bad_arguments'],
      [{ secret: SECRET, kind: 'mcp', client: 'a', engine: 'cobol' }, 'bad_arguments'],
      ...['you', 'You', 'command-line', 'serve'].map(
        (client) => [{ secret: SECRET, kind: 'mcp', client }, 'bad_arguments'] as const,
      ),
      ['GET / HTTP/1.1\r\n', 'bad_arguments'],
      [`{"secret":"${'x'.repeat(70_000)}`, 'bad_arguments'],
    ] as const;
    for (const [hello, code] of refusals) {
      const [refusal, ...more] = await enter(hello).rest();
      expect([refusal?.ok, refusal?.code, more]).toEqual([false, code, []]);
    }
    expect(harbor.toolbox.connections).toEqual([]);
  });

  it('refuses a hello that does not come', async () => {
    const impatient = socketFixture({}, 200);
    await impatient.start();
    const [refusal, ...more] = await enter('{"half":', impatient).rest();
    expect(refusal).toMatchObject({
      ok: false,
      code: 'bad_arguments',
      message: expect.stringContaining('0.2 s'),
    });
    expect(more).toEqual([]);
    await impatient.remove();
  });

  it('tells a project that is not approved before any MCP', async () => {
    const lines = enter({ secret: SECRET, kind: 'mcp', client: 'test', project: '/' });
    expect(await lines.rest()).toMatchObject([{ ok: false, code: 'project_not_approved' }]);
  });
});

describe('MCP in lines', () => {
  it('gives each connection its own session, ended with its socket (S3-32)', async () => {
    const first = enter({
      secret: SECRET,
      kind: 'mcp',
      client: 'one',
      profile: 'other',
      engine: 'sbcl',
      project: '/p',
    });
    first.send(`${initialize(1)}\n`);
    expect((await first.answer(1)).result?.protocolVersion).toBe('2025-11-25');
    expect(harbor.toolbox.connections).toEqual([
      { client: 'one', profile: 'other', profileChosen: true, engine: 'sbcl', project: '/p', shared: false },
    ]);
    const ended = once(harbor.toolbox.events, 'ended');
    open[0]?.destroy();
    expect(await ended).toEqual([1]);
  });

  it('reads what comes in the same packet as the hello, in pieces, with CRLF', async () => {
    const hello = JSON.stringify({ secret: SECRET, kind: 'mcp', client: 'test' });
    const lines = enter(`${hello}\n${initialize(1)}\r\n\r\n`);
    await lines.answer(1);
    const text = Buffer.from(`${JSON.stringify(call(2, 'echo', { text: 'λ→𝔘' }))}\n`);
    for (const byte of text) open[0]?.write(Uint8Array.of(byte));
    expect((await lines.answer(2)).result?.structuredContent).toEqual({ text: 'λ→𝔘' });
  });

  it('S1-42 answers each of 200 pipelined requests once, failing ones included', async () => {
    const lines = await initialized();
    const names = ['echo', 'fail', 'crash', 'nosuch'];
    const ids = Array.from({ length: 200 }, (_, index) => (index % 2 === 0 ? index : `s${index}`));
    lines.send(
      ids
        .map((id, index) => `${JSON.stringify(call(id, names[index % 4] ?? '', { text: `${id}` }))}\n`)
        .join(''),
    );
    const answers: Message[] = [];
    for (const _ of ids) answers.push(await lines.next());
    expect(new Set(answers.map((answer) => answer.id))).toEqual(new Set(ids));
    for (const answer of answers) {
      expect(answer.jsonrpc).toBe('2.0');
      expect((answer.result === undefined) !== (answer.error === undefined)).toBe(true);
    }
  });

  it('S1-63 S1-64 S1-67 answers lines that are no request, and goes on', async () => {
    const lines = await initialized();
    const cases = [
      ['{not valid json}', -32700, null],
      ['[1]', -32600, null],
      ['"x"', -32600, null],
      ['{"id":5,"method":"ping"}', -32600, 5],
      ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
      ['{"jsonrpc":"2.0","id":6,"method":"no/such"}', -32601, 6],
      [JSON.stringify(call(7, 'nosuch')), -32602, 7],
      [`{"jsonrpc":"2.0","id":8,"method":"ping","params":"${'x'.repeat(17 * 1024 * 1024)}"}`, -32600, null],
    ] as const;
    for (const [line, code, id] of cases) {
      lines.send(`${line}\n`);
      expect(await lines.next()).toMatchObject({ jsonrpc: '2.0', id, error: { code } });
    }
    lines.send('{"jsonrpc":"2.0","method":"notifications/x"}\n{"jsonrpc":"2.0","id":9,"method":"ping"}\n');
    expect(await lines.next()).toEqual({ jsonrpc: '2.0', id: 9, result: {} });
  });

  it('S1-68 refuses requests before initialize, save ping', async () => {
    const lines = enter();
    lines.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
    lines.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
    expect(await lines.next()).toEqual({ jsonrpc: '2.0', id: 1, result: {} });
    lines.send(call(2, 'echo', { text: 'early' }));
    expect((await lines.answer(2)).error).toEqual({
      code: -32600,
      message: expect.stringContaining('initialize'),
    });
    expect(harbor.toolbox.echoed).toEqual([]);
    lines.send(`${initialize(3)}\n`);
    await lines.answer(3);
    lines.send(call(4, 'echo', { text: 'now' }));
    expect((await lines.answer(4)).result?.isError).toBe(false);
  });

  it('serves 2026-07-28 without a handshake, and refuses versions it does not know', async () => {
    const lines = enter();
    const future = { ...modernMeta(), 'io.modelcontextprotocol/protocolVersion': '2031-01-01' };
    lines.send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: future } });
    expect((await lines.answer(1)).error).toMatchObject({
      code: -32022,
      data: { supported: ['2026-07-28'] },
    });
    lines.send({ jsonrpc: '2.0', id: 2, method: 'server/discover', params: { _meta: modernMeta() } });
    expect((await lines.answer(2)).result?.supportedVersions).toEqual(['2026-07-28']);
    const params = { name: 'echo', arguments: { text: 'x' }, _meta: modernMeta() };
    lines.send({ jsonrpc: '2.0', id: 3, method: 'tools/call', params });
    expect((await lines.answer(3)).result).toMatchObject({
      resultType: 'complete',
      structuredContent: { text: 'x' },
    });
  });

  it.each([
    ['2025-11-25', {}],
    ['2026-07-28', modernMeta()],
  ])('%s: progress and cancel reach the call', async (version, meta) => {
    const lines = version === '2025-11-25' ? await initialized() : enter();
    const holding = harbor.toolbox.held();
    const params = { name: 'hold', arguments: {}, _meta: { ...meta, progressToken: 'p' } };
    lines.send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const held = await holding;
    held.context.progress?.('half');
    expect((await lines.next()).params).toMatchObject({ progressToken: 'p', progress: 1, message: 'half' });
    const aborted = once(harbor.toolbox.events, 'aborted');
    lines.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1, _meta: meta } });
    await aborted;
    lines.send({ jsonrpc: '2.0', id: 2, method: 'tools/list', params: { _meta: meta } });
    expect((await lines.next()).id).toBe(2);
  });

  it('a call running when its client leaves is aborted', async () => {
    const lines = await initialized();
    const holding = harbor.toolbox.held();
    lines.send(call(1, 'hold'));
    const held = await holding;
    const ended = once(harbor.toolbox.events, 'ended');
    open[0]?.end();
    await ended;
    expect(held.context.signal.aborted).toBe(true);
  });

  it('answers all of a client that sends much and reads late', async () => {
    const lines = await initialized();
    open[0]?.pause();
    for (let id = 0; id < 40; id += 1) lines.send(call(id, 'big', { text: '500000' }));
    for (let id = 0; id < 40; id += 1) {
      open[0]?.resume();
      const { result } = await lines.answer(id);
      expect(JSON.stringify(result?.structuredContent).length).toBeGreaterThan(500_000);
    }
  });
});

describe('commands', () => {
  it('answer a value, or fail with the code and message of the harbor', async () => {
    expect(await command(harbor.socketPath, SECRET, 'double', 21)).toBe(42);
    expect(await command(harbor.socketPath, SECRET, 'who', null)).toBe('command-line');
    await expect(command(harbor.socketPath, SECRET, 'refuse', null)).rejects.toMatchObject({
      code: 'not_supported',
      message: 'Say which.',
    });
    await expect(command(harbor.socketPath, SECRET, 'toString', null)).rejects.toMatchObject({
      code: 'bad_arguments',
    });
    await expect(command(harbor.socketPath, 'wrong', 'double', 1)).rejects.toMatchObject({
      code: 'client_unknown',
    });
    await expect(command(`${harbor.socketPath}.none`, SECRET, 'double', 1)).rejects.toMatchObject({
      message: expect.stringContaining('No harbor answers'),
    });
  });
});
