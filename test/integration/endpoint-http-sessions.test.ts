/** The HTTP endpoint on the wire: sessions of the 2025 era, and what belongs to whom. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_SESSIONS } from '../../electron/endpoints/mcp/mcp-sessions';
import { type HttpFixture, httpFixture } from './endpoint-fixture';
import { ask, initialize, JSON_HEADERS, legacy, openSession } from './endpoint-messages';

let harbor: HttpFixture;

beforeEach(async () => {
  harbor = await httpFixture();
});

afterEach(() => harbor.close());

describe('sessions of the 2025 era', () => {
  it('S3-4 names a session at initialize, unguessable and in visible ASCII', async () => {
    const sessions = await Promise.all([1, 2, 3].map(() => openSession(harbor.port)));
    const ids = sessions.map((session) => session['mcp-session-id']);
    expect(new Set(ids).size).toBe(3);
    for (const id of ids) expect(id).toMatch(/^[!-~]{32,}$/);
  });

  it('S3-6 answers 400 without a session id, S3-7 404 for an unknown one', async () => {
    const missing = await ask(harbor.port, { body: legacy(7, 'tools/list') });
    expect([missing.status, missing.json.error?.code, missing.json.id]).toEqual([400, -32000, 7]);
    const unknown = { ...JSON_HEADERS, 'mcp-session-id': 'b6e5cb0c-0000-4000-8000-000000000000' };
    for (const method of ['POST', 'GET', 'DELETE']) {
      const answer = await ask(harbor.port, {
        method,
        headers: unknown,
        ...(method === 'POST' && { body: legacy(7, 'tools/list') }),
      });
      expect([method, answer.status, answer.json.error?.code]).toEqual([method, 404, -32001]);
    }
  });

  it('initialize with the id of an ended, unknown or foreign session begins a new one', async () => {
    const ended = await openSession(harbor.port);
    await ask(harbor.port, { method: 'DELETE', headers: ended });
    const unknown = { ...JSON_HEADERS, 'mcp-session-id': 'b6e5cb0c-0000-4000-8000-000000000000' };
    const foreign = { ...(await openSession(harbor.port)), authorization: 'Bearer token-b' };
    for (const headers of [ended, unknown, foreign]) {
      const begun = await ask(harbor.port, { headers, body: initialize() });
      expect([begun.status, begun.json.error]).toEqual([200, undefined]);
      const id = begun.headers['mcp-session-id'];
      expect(id).toMatch(/^[!-~]{32,}$/);
      expect(Object.values(headers)).not.toContain(id);
    }
  });

  it('S3-8 DELETE ends the session and what it held', async () => {
    const session = await openSession(harbor.port);
    expect(harbor.toolbox.live).toBe(1);
    expect((await ask(harbor.port, { method: 'DELETE', headers: session })).status).toBe(200);
    expect(harbor.toolbox.live).toBe(0);
    expect((await ask(harbor.port, { headers: session, body: legacy(1, 'tools/list') })).status).toBe(404);
    expect((await ask(harbor.port, { method: 'DELETE' })).status).toBe(400);
  });

  it('S3-37 GET is 405 with Allow without a session, an event stream with one', async () => {
    const without = await ask(harbor.port, { method: 'GET' });
    expect([without.status, without.headers.allow]).toEqual([405, 'POST, DELETE, OPTIONS']);
    const session = await openSession(harbor.port);
    const stream = await fetch(harbor.url, { headers: session });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    await stream.body?.cancel();
  });

  it('a session belongs to the client, the scopes and the profile it began with', async () => {
    const session = await openSession(harbor.port);
    const call = { body: legacy(1, 'tools/call', { name: 'who', arguments: {} }) };
    expect((await ask(harbor.port, { headers: session, ...call })).text).toContain('a 1');
    const others = [{ authorization: 'Bearer token-b' }, { authorization: 'Bearer token-reader' }];
    for (const other of others) {
      expect((await ask(harbor.port, { headers: { ...session, ...other }, ...call })).status).toBe(404);
      expect((await ask(harbor.port, { method: 'DELETE', headers: { ...session, ...other } })).status).toBe(
        404,
      );
    }
    expect((await ask(harbor.port, { path: '/mcp/other', headers: session, ...call })).status).toBe(404);
    expect((await ask(harbor.port, { headers: session, ...call })).status).toBe(200);
  });

  it('ends the sessions of a client whose token was revoked, and no others', async () => {
    const mine = await openSession(harbor.port);
    const theirs = await openSession(harbor.port, { ...JSON_HEADERS, authorization: 'Bearer token-b' });
    await harbor.mcp.endClient('a');
    expect(harbor.toolbox.live).toBe(1);
    expect((await ask(harbor.port, { headers: mine, body: legacy(1, 'ping') })).status).toBe(404);
    expect((await ask(harbor.port, { headers: theirs, body: legacy(1, 'ping') })).status).toBe(200);
  });

  it('S3-30 gives back the conversation that was idle longest when one client has too many', async () => {
    const [oldest, watched] = [await openSession(harbor.port), await openSession(harbor.port)];
    const stream = await fetch(harbor.url, { headers: watched });
    expect(stream.status).toBe(200);
    const third = await openSession(harbor.port);
    for (let count = 3; count < MAX_SESSIONS; count += 1) await openSession(harbor.port);
    const other = await openSession(harbor.port, { ...JSON_HEADERS, authorization: 'Bearer token-b' });
    const ping = async (headers: Record<string, string>) =>
      (await ask(harbor.port, { headers, body: legacy(1, 'ping') })).status;
    expect(await ping(oldest)).toBe(200);
    await openSession(harbor.port);
    // The oldest was used since, and the client of the one with a stream is there.
    expect(await ping(third)).toBe(404);
    for (const kept of [oldest, watched, other]) expect(await ping(kept)).toBe(200);
    // What it held is its client's still: only its transport has gone.
    expect(harbor.toolbox.live).toBe(MAX_SESSIONS + 2);
    await stream.body?.cancel();
  });

  it('S3-30 keeps a conversation whose call runs, though nobody listens', async () => {
    const session = { ...(await openSession(harbor.port)), 'mcp-protocol-version': '2025-11-25' };
    const holding = harbor.toolbox.held();
    const leaving = new AbortController();
    const call = legacy(5, 'tools/call', { name: 'hold', arguments: {} });
    await fetch(harbor.url, { method: 'POST', headers: session, body: call, signal: leaving.signal });
    const held = await holding;
    leaving.abort();
    for (let count = 0; count <= MAX_SESSIONS; count += 1) await openSession(harbor.port);
    expect(held.context.signal.aborted).toBe(false);
    held.release('done');
    expect((await ask(harbor.port, { headers: session, body: legacy(1, 'ping') })).status).toBe(200);
  });

  it('S1-60 takes notifications with 202 and refuses a version header it does not know', async () => {
    const session = await openSession(harbor.port);
    const initialized = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' });
    const answer = await ask(harbor.port, { headers: session, body: initialized });
    expect([answer.status, answer.text]).toEqual([202, '']);
    const strange = { ...session, 'mcp-protocol-version': '1999-01-01' };
    expect((await ask(harbor.port, { headers: strange, body: legacy(1, 'tools/list') })).status).toBe(400);
  });

  it('S3-2 S2-62 echoes a version it knows and counters with its newest', async () => {
    for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
      const { json } = await ask(harbor.port, { body: initialize(0, version) });
      expect(json.result?.protocolVersion).toBe(version);
    }
    for (const version of ['2024-10-07', '2026-07-28', '2031-01-01']) {
      const { json } = await ask(harbor.port, { body: initialize(0, version) });
      expect(json.result?.protocolVersion).toBe('2025-11-25');
    }
    const broken = await ask(harbor.port, { body: legacy(3, 'initialize', { protocolVersion: 1 }) });
    expect([broken.status, broken.json.error?.code, broken.json.id]).toEqual([400, -32602, 3]);
  });

  it('keeps the answer of a client whose stream broke until it asks again', async () => {
    const session = { ...(await openSession(harbor.port)), 'mcp-protocol-version': '2025-11-25' };
    const holding = harbor.toolbox.held();
    const leaving = new AbortController();
    const call = legacy(5, 'tools/call', { name: 'hold', arguments: {} });
    const broken = await fetch(harbor.url, {
      method: 'POST',
      headers: session,
      body: call,
      signal: leaving.signal,
    });
    const held = await holding;
    const first = await broken.body?.getReader().read();
    const eventId = /^id: (.+)$/m.exec(new TextDecoder().decode(first?.value))?.[1] ?? '';
    leaving.abort();
    held.release('kept for you');
    const resume = { ...session, 'last-event-id': eventId };
    await expect
      .poll(async () => (await ask(harbor.port, { method: 'GET', headers: resume })).text)
      .toContain('kept for you');
  });
});
