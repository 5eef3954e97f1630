/** The HTTP endpoint on the wire: the protocol of 2026-07-28, which has no sessions. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, httpFixture } from './endpoint-fixture';
import { ask, JSON_HEADERS, legacy, modern } from './endpoint-messages';

let harbor: HttpFixture;

beforeEach(async () => {
  harbor = await httpFixture();
});

afterEach(() => harbor.close());

describe('2026-07-28', () => {
  it('discovers, lists and calls without a session', async () => {
    const discovered = await ask(harbor.port, modern(1, 'server/discover'));
    expect(discovered.status).toBe(200);
    expect(discovered.json.result?.supportedVersions).toEqual(['2026-07-28']);
    const called = await ask(
      harbor.port,
      modern('unique-id', 'tools/call', { name: 'echo', arguments: { text: 'hé' } }),
    );
    expect(called.json.id).toBe('unique-id');
    expect(called.json.result).toMatchObject({
      resultType: 'complete',
      isError: false,
      structuredContent: { text: 'hé' },
    });
    expect(called.headers['mcp-session-id']).toBeUndefined();
  });

  it('refuses headers that are missing or say something else (-32020), versions (-32022) and methods (-32601)', async () => {
    const list = modern(1, 'tools/list');
    const { 'mcp-method': _, ...without } = list.headers;
    const mismatched = { ...list.headers, 'mcp-method': 'tools/call' };
    for (const headers of [without, mismatched]) {
      const answer = await ask(harbor.port, { headers, body: list.body });
      expect([answer.status, answer.json.error?.code]).toEqual([400, -32020]);
    }
    const future = await ask(harbor.port, {
      headers: { ...list.headers, 'mcp-protocol-version': '2031-01-01' },
      body: list.body.replace('2026-07-28', '2031-01-01'),
    });
    expect([future.status, future.json.error?.code]).toEqual([400, -32022]);
    expect(future.json.error?.data).toMatchObject({ supported: ['2026-07-28'] });
    const unknown = await ask(harbor.port, modern(1, 'no/such'));
    expect([unknown.status, unknown.json.error?.code]).toEqual([404, -32601]);
    const bare = await ask(harbor.port, { headers: list.headers, body: legacy(1, 'tools/list') });
    expect([bare.status, bare.json.error?.code]).toEqual([400, -32602]);
  });

  it('answers GET and DELETE with 405', async () => {
    for (const method of ['GET', 'DELETE']) {
      const headers = { ...JSON_HEADERS, 'mcp-protocol-version': '2026-07-28' };
      expect((await ask(harbor.port, { method, headers })).status).toBe(405);
    }
  });

  it('keeps one connection per client and profile, shared by its conversations', async () => {
    const who = modern(1, 'tools/call', { name: 'who', arguments: {} });
    for (let count = 0; count < 3; count += 1) expect((await ask(harbor.port, who)).text).toContain('a 1');
    const other = { ...who.headers, authorization: 'Bearer token-b' };
    expect((await ask(harbor.port, { headers: other, body: who.body })).text).toContain('b 2');
    expect(harbor.toolbox.connections).toEqual([
      { client: 'a', profile: null, shared: true, conversation: 'of all, chosen' },
      { client: 'b', profile: null, shared: true, conversation: 'of all, chosen' },
    ]);
  });
});
