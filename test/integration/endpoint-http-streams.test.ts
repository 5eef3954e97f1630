/** Streams of the 2025 era over HTTP, as the first line of the SDK's clients takes them: resumed, taken over, cancelled. */
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { ToolListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PATIENT } from '../started-harbor';
import { type HttpFixture, httpFixture } from './endpoint-fixture';
import { ask, legacy, openSession } from './endpoint-messages';

let harbor: HttpFixture;

beforeEach(async () => {
  harbor = await httpFixture();
});

afterEach(() => harbor.close());

const CALL = { name: 'hold', arguments: {} };

/** One HTTP exchange of a client: what it asked with, and the answer. */
interface Exchange {
  method: string;
  lastEventId: string | null;
  status: number;
  type: string | null;
}

/** A client of the SDK, and each HTTP exchange it had. */
async function sdkClient() {
  const exchanges: Exchange[] = [];
  const errors: Error[] = [];
  const transport = new StreamableHTTPClientTransport(new URL(harbor.url), {
    requestInit: { headers: { authorization: 'Bearer token-a' } },
    fetch: async (url, init) => {
      const answer = await fetch(url, init);
      const lastEventId = new Headers(init?.headers).get('last-event-id');
      const type = answer.headers.get('content-type');
      exchanges.push({ method: init?.method ?? 'GET', lastEventId, status: answer.status, type });
      return answer;
    },
  });
  const client = new Client({ name: 'first-line', version: '1' });
  client.onerror = (error) => errors.push(error);
  await client.connect(transport as Transport);
  const gets = () => exchanges.filter(({ method }) => method === 'GET');
  await expect.poll(() => gets().length, PATIENT).toBe(1);
  return { client, transport, exchanges, errors, gets };
}

describe('a client that comes back after each stream with event ids', () => {
  it('is given none where the answer comes at once', async () => {
    const { client, exchanges } = await sdkClient();
    await client.ping();
    await client.listTools();
    await client.callTool({ name: 'echo', arguments: { text: 'hi' } });
    const answers = exchanges.filter(({ method, status }) => method === 'POST' && status === 200);
    expect(answers.map(({ type }) => type)).toEqual(Array(4).fill('application/json'));
    await client.close();
  });

  it('hears after a long call that nothing more comes, and keeps its own stream', async () => {
    const { client, transport, gets, errors } = await sdkClient();
    const tokens: string[] = [];
    const holding = harbor.toolbox.held();
    const call = client.callTool(CALL, undefined, { onresumptiontoken: (token) => tokens.push(token) });
    const held = await holding;
    await expect.poll(() => tokens.length, PATIENT).toBe(1);
    held.release('done');
    expect((await call).content).toEqual([{ type: 'text', text: 'done' }]);
    await expect.poll(() => tokens.length, PATIENT).toBe(2);
    await transport.resumeStream(tokens.at(-1) ?? '');
    expect(gets().map(({ status }) => status)).toEqual([200, 204]);
    expect(gets().at(-1)).toMatchObject({ lastEventId: tokens.at(-1), status: 204 });
    expect(errors).toEqual([]);
    const told = new Promise((resolve) =>
      client.setNotificationHandler(ToolListChangedNotificationSchema, resolve),
    );
    harbor.toolbox.change({ kind: 'tools' });
    await told;
    await client.close();
  });

  it('may come back while the call runs, and gets its answer there', async () => {
    const session = await openSession(harbor.port);
    const holding = harbor.toolbox.held();
    const first = await fetch(harbor.url, {
      method: 'POST',
      headers: session,
      body: legacy(5, 'tools/call', CALL),
    });
    const held = await holding;
    const reader = first.body?.getReader();
    const begun = new TextDecoder().decode((await reader?.read())?.value);
    const lastEventId = /^id: (.+)$/m.exec(begun)?.[1] ?? '';
    const again = fetch(harbor.url, { headers: { ...session, 'last-event-id': lastEventId } });
    const resumed = await again;
    // The newer one takes over: the older one has ended.
    expect((await reader?.read())?.done).toBe(true);
    held.release('here');
    const answer = await resumed.text();
    expect(answer).toContain('here');
    // A client that knows it all is told not to come again, however often it does.
    const known = { ...session, 'last-event-id': /^id: (.+)$/m.exec(answer)?.[1] ?? '' };
    expect((await ask(harbor.port, { method: 'GET', headers: known })).status).toBe(204);
    const missed = await ask(harbor.port, {
      method: 'GET',
      headers: { ...session, 'last-event-id': lastEventId },
    });
    expect(missed.text).toBe(answer);
  });
});

describe('a newer GET', () => {
  it('takes the place of the older one, which ends', async () => {
    const session = await openSession(harbor.port);
    const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    await ask(harbor.port, { headers: session, body: initialized });
    const older = await fetch(harbor.url, { headers: session });
    const newer = await fetch(harbor.url, { headers: session });
    expect([older.status, newer.status]).toEqual([200, 200]);
    expect(await older.text()).toBe('');
    harbor.toolbox.change({ kind: 'tools' });
    const event = new TextDecoder().decode((await newer.body?.getReader().read())?.value);
    expect(event).toContain('notifications/tools/list_changed');
    const lastEventId = /^id: (.+)$/m.exec(event)?.[1] ?? '';
    harbor.toolbox.change({ kind: 'tools' });
    const resumed = await fetch(harbor.url, { headers: { ...session, 'last-event-id': lastEventId } });
    expect(new TextDecoder().decode((await resumed.body?.getReader().read())?.value)).toContain(
      'list_changed',
    );
  });

  it('is refused for what is no event of the session', async () => {
    const session = await openSession(harbor.port);
    const strange = { ...session, 'last-event-id': 'nonsense' };
    expect((await ask(harbor.port, { method: 'GET', headers: strange })).status).toBe(400);
  });
});

describe('a cancelled request', () => {
  const cancelling = (requestId: number) =>
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

  it('gets no answer: its stream just ends, and there is nothing to come back for', async () => {
    const session = await openSession(harbor.port);
    const holding = harbor.toolbox.held();
    const begun = await fetch(harbor.url, {
      method: 'POST',
      headers: session,
      body: legacy(9, 'tools/call', CALL),
    });
    await holding;
    const cancelled = await ask(harbor.port, { headers: session, body: cancelling(9) });
    expect(cancelled.status).toBe(202);
    const text = await begun.text();
    expect(text).toMatch(/^id: \S+\nretry: 1000\ndata: \n\n$/);
    const resume = { ...session, 'last-event-id': /^id: (.+)$/m.exec(text)?.[1] ?? '' };
    expect((await ask(harbor.port, { method: 'GET', headers: resume })).status).toBe(204);
  });

  it('leaves its id to another, and its client goes on', async () => {
    const { client, errors } = await sdkClient();
    const [holding, leaving] = [harbor.toolbox.held(), new AbortController()];
    const call = client.callTool(CALL, undefined, { signal: leaving.signal });
    await holding;
    leaving.abort('enough');
    await expect(call).rejects.toThrow('enough');
    expect((await client.callTool({ name: 'echo', arguments: { text: 'on' } })).content).toEqual([
      { type: 'text', text: 'on' },
    ]);
    expect(errors).toEqual([]);
    await client.close();
  });
});

describe('requests of one session', () => {
  it('have ids of their own while they run', async () => {
    const session = await openSession(harbor.port);
    const holding = harbor.toolbox.held();
    const call = ask(harbor.port, { headers: session, body: legacy(1, 'tools/call', CALL) });
    const held = await holding;
    const same = await ask(harbor.port, { headers: session, body: legacy(1, 'ping') });
    expect([same.status, same.json.error?.code]).toEqual([400, -32600]);
    held.release('first');
    expect((await call).text).toContain('first');
    expect((await ask(harbor.port, { headers: session, body: legacy(1, 'ping') })).status).toBe(200);
  });
});
