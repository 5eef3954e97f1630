/** MCP in lines over TCP: the transport `:tcp` of the document, and who may come over it. */
import { existsSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type WholeRecord, wholeData } from '../evaluation';
import { call, Lines, type Message } from '../integration/endpoint-lines';
import { initialize } from '../integration/endpoint-messages';
import { PATIENT, StartedHarbor } from '../started-harbor';

/** The first evaluation may have to build what images start from. */
const PATIENTLY = { timeout: 120_000 };

let harbor: StartedHarbor;
const open: Socket[] = [];

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--tcp-port', '0'] });
});
afterEach(() => {
  for (const socket of open.splice(0)) socket.destroy();
});
afterAll(() => harbor.stop());

function socketTo(port = harbor.ready.tcp ?? 0): Socket {
  const socket = connect(port, '127.0.0.1');
  open.push(socket);
  return socket;
}

async function conversation(port?: number): Promise<Lines & { socket: Socket }> {
  const socket = socketTo(port);
  const lines = new Lines(socket, socket);
  lines.send(`${initialize('init')}\n`);
  await lines.answer('init');
  return Object.assign(lines, { socket });
}

function structured<R>({ result }: Message): R {
  if (!result) throw new Error('an error came instead of a result');
  return wholeData(result.structuredContent) as R;
}

async function evaluated(lines: Lines, id: number, code: string): Promise<WholeRecord> {
  lines.send(call(id, 'eval', { code }));
  return structured(await lines.answer(id));
}

async function ownSessions(lines: Lines): Promise<string[]> {
  lines.send(call('images', 'images'));
  const { sessions } = structured<{ sessions: { session: string }[] }>(await lines.answer('images'));
  return sessions.map(({ session }) => session);
}

describe('MCP over TCP', PATIENTLY, () => {
  it('S2-7 speaks lines of JSON on the port that is told, on this computer alone', async () => {
    const lines = await conversation();
    expect((await evaluated(lines, 1, '(+ 1 2)')).values).toEqual(['3']);
    lines.send('{not json\n');
    expect((await lines.answer(null)).error?.code).toBe(-32700);
    const addresses = (await (await harbor.client()).callTool({ name: 'images', arguments: {} }))
      .structuredContent as { endpoints: string[] };
    expect(addresses.endpoints).toContain(`tcp://127.0.0.1:${harbor.ready.tcp}`);
  });

  it('S2-7 answers each of 200 pipelined requests of mixed kinds exactly once', async () => {
    const lines = await conversation();
    const ids = Array.from({ length: 200 }, (_, index) => index);
    const request = (id: number): object => {
      if (id % 5 === 0) return { jsonrpc: '2.0', id, method: 'no/such' };
      if (id % 7 === 0) return { jsonrpc: '2.0', id, method: 'tools/list', params: {} };
      if (id % 11 === 0) return call(id, 'images');
      return call(id, 'eval', { code: id % 3 === 0 ? '(error "x")' : `(+ ${id} 1)` });
    };
    lines.send(ids.map((id) => `${JSON.stringify(request(id))}\n`).join(''));
    for (const id of ids) {
      const answer = await lines.answer(id);
      if (id % 5 === 0) expect(answer.error?.code).toBe(-32601);
      else if (id % 7 === 0) expect(answer.result).toHaveProperty('tools');
      else if (id % 11 === 0) expect(answer.result).not.toHaveProperty('isError', true);
      else if (id % 3 === 0) expect(answer.result).toMatchObject({ isError: true });
      else expect(structured<WholeRecord>(answer).values).toEqual([String(id + 1)]);
    }
    lines.send({ jsonrpc: '2.0', id: 'last', method: 'ping' });
    await lines.answer('last');
    lines.socket.end();
    expect(await lines.rest()).toEqual([]);
  });

  it('serves the profile that was given', async () => {
    const other = await StartedHarbor.start({ args: ['--tcp-port', '0', '--profile', 'cl-mcp-server'] });
    const lines = await conversation(other.ready.tcp);
    lines.send({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const { tools } = (await lines.answer(1)).result as { tools: { name: string }[] };
    expect(tools.map(({ name }) => name)).toContain('evaluate-lisp');
    await other.stop();
  });
});

describe('a connection over TCP', PATIENTLY, () => {
  it('is a client of its own: it sees and reaches its sessions alone, and they end with it', async () => {
    const [one, other] = [await conversation(), await conversation()];
    await evaluated(one, 1, '(defvar *mine* 1)');
    one.send(call(2, 'open_session'));
    const { session } = structured<{ session: string }>(await one.answer(2));
    expect(await ownSessions(one)).toHaveLength(2);
    expect(existsSync(path.join(harbor.data, 'sessions', session))).toBe(true);
    expect((await evaluated(other, 1, "(boundp '*mine*)")).values).toEqual(['NIL']);
    other.send(call(3, 'eval', { code: '1', session }));
    expect((await other.answer(3)).result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/^unknown_session/) }],
    });
    one.socket.end();
    await one.rest();
    await expect.poll(() => existsSync(path.join(harbor.data, 'sessions', session)), PATIENT).toBe(false);
    expect(await ownSessions(other)).toHaveLength(1);
  });

  it('that opens as HTTP or TLS is closed without a word', async () => {
    for (const opening of [
      'POST / HTTP/1.1\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n',
      '\x16\x03\x01\x02',
    ]) {
      const socket = socketTo();
      socket.write(Buffer.from(opening, 'latin1'));
      expect(await text(socket)).toBe('');
    }
  });
});
