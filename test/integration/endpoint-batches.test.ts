/** Batches of JSON-RPC, which MCP had up to 2025-03-26, over HTTP and in lines. */
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { type HttpFixture, httpFixture, SECRET, socketFixture } from './endpoint-fixture';
import { call, Lines } from './endpoint-lines';
import { ask, initialize, JSON_HEADERS, legacy } from './endpoint-messages';

describe('batches over HTTP', () => {
  let harbor: HttpFixture;

  beforeEach(async () => {
    harbor = await httpFixture();
  });
  afterEach(() => harbor.close());

  const PAIR = `[${legacy(1, 'ping')},${legacy(2, 'tools/call', { name: 'echo', arguments: { text: 'hi' } })}]`;

  async function sessionOf(version: string): Promise<Record<string, string>> {
    const { headers } = await ask(harbor.port, { body: initialize(0, version) });
    return { ...JSON_HEADERS, 'mcp-session-id': String(headers['mcp-session-id']) };
  }

  it.each(['2025-06-18', '2025-11-25'])('are refused in %s', async (version) => {
    const headers = await sessionOf(version);
    const answer = await ask(harbor.port, { headers, body: PAIR });
    expect([answer.status, answer.json.error?.code]).toEqual([400, -32600]);
    expect(answer.text).toContain('2025-06-18');
    // Whatever the header claims, the session's version counts.
    const claims = { ...headers, 'mcp-protocol-version': '2025-03-26' };
    expect((await ask(harbor.port, { headers: claims, body: PAIR })).status).toBe(400);
    expect(harbor.toolbox.echoed).toEqual([]);
  });

  it('are refused in 2026-07-28', async () => {
    const headers = { ...JSON_HEADERS, 'mcp-protocol-version': '2026-07-28' };
    expect((await ask(harbor.port, { headers, body: PAIR })).status).toBe(400);
    expect(harbor.toolbox.echoed).toEqual([]);
  });

  it.each(['2025-03-26', '2024-11-05'])('are answered together in %s', async (version) => {
    const headers = await sessionOf(version);
    const { status, text } = await ask(harbor.port, { headers, body: PAIR });
    expect(status).toBe(200);
    const answers: { id: number }[] = JSON.parse(text);
    expect(answers.map(({ id }) => id).sort()).toEqual([1, 2]);
    for (const empty of ['[]', `[${initialize()}]`, '[1]'])
      expect((await ask(harbor.port, { headers, body: empty })).status).toBe(400);
  });
});

it('batches in lines are answered with one line where the revision has them, and refused later', async () => {
  const harbor = socketFixture();
  await harbor.start();
  onTestFinished(() => harbor.remove());
  const enter = () => {
    const socket = connect(harbor.socketPath);
    onTestFinished(() => void socket.destroy());
    const lines = new Lines(socket, socket);
    lines.send({ secret: SECRET, kind: 'mcp', client: 'test' });
    return lines;
  };
  const pair = `[${JSON.stringify(call(1, 'echo', { text: 'a' }))},{"jsonrpc":"2.0","id":2,"method":"ping"}]\n`;
  for (const version of ['2025-03-26', '2024-11-05']) {
    const lines = enter();
    lines.send(`${initialize('init', version)}\n`);
    await lines.answer('init');
    lines.send(pair);
    const answers: unknown = await lines.next();
    expect(answers).toHaveLength(2);
    expect(answers).toEqual(expect.arrayContaining([{ jsonrpc: '2.0', id: 2, result: {} }]));
    const holding = harbor.toolbox.held();
    lines.send(`[${JSON.stringify(call(3, 'hold'))},{"jsonrpc":"2.0","id":4,"method":"ping"}]\n`);
    await holding;
    lines.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 3 } });
    expect(await lines.next()).toEqual([{ jsonrpc: '2.0', id: 4, result: {} }]);
  }
  expect(harbor.toolbox.echoed).toEqual(['a', 'a']);
  for (const version of ['2025-06-18', '2025-11-25']) {
    const lines = enter();
    lines.send(pair);
    expect(await lines.next()).toMatchObject({ id: null, error: { code: -32600 } });
    lines.send(`${initialize('init', version)}\n`);
    await lines.answer('init');
    lines.send(pair);
    const refused = { code: -32600, message: expect.stringContaining('2025-06-18') };
    expect(await lines.next()).toMatchObject({ id: null, error: refused });
  }
  expect(harbor.toolbox.echoed).toHaveLength(2);
});
