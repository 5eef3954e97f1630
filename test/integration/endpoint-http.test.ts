/** The HTTP endpoint on the wire: every status code, who is let in, and what belongs to whom. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpServer } from '../../electron/endpoints/http-server';
import {
  ask,
  type HttpFixture,
  httpFixture,
  initialize,
  JSON_HEADERS,
  legacy,
  modern,
  openSession,
  VERSION,
} from './endpoint-fixture';

let harbor: HttpFixture;

beforeEach(async () => {
  harbor = await httpFixture();
});

afterEach(() => harbor.close());

describe('who is let in', () => {
  it('S4-17 S4-26 GET /health answers without a token and tells only status and version', async () => {
    const answer = await ask(harbor.port, { method: 'GET', path: '/health', headers: {} });
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.text)).toEqual({ status: 'ok', version: VERSION });
    expect((await ask(harbor.port, { path: '/health', headers: {} })).status).toBe(405);
  });

  it('refuses every Host that is not exactly its own', async () => {
    for (const host of [
      'evil.example',
      'evil.example:4617',
      '127.0.0.1',
      `127.0.0.1:${harbor.port + 1}`,
      `[::1]:${harbor.port}`,
    ]) {
      for (const path of ['/mcp', '/health']) {
        const answer = await ask(harbor.port, { method: 'GET', path, headers: { ...JSON_HEADERS, host } });
        expect([host, answer.status]).toEqual([host, 403]);
      }
    }
    const named = { ...JSON_HEADERS, host: `localhost:${harbor.port}` };
    expect((await ask(harbor.port, { headers: named, body: initialize() })).status).toBe(200);
  });

  it('refuses every Origin that is not its own, null included', async () => {
    for (const origin of [
      'http://evil.example',
      'null',
      `https://127.0.0.1:${harbor.port}`,
      'http://localhost:3000',
    ]) {
      const answer = await ask(harbor.port, { headers: { ...JSON_HEADERS, origin }, body: initialize() });
      expect([origin, answer.status]).toEqual([origin, 403]);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    }
    const origin = `http://127.0.0.1:${harbor.port}`;
    const own = await ask(harbor.port, { headers: { ...JSON_HEADERS, origin }, body: initialize() });
    expect(own.status).toBe(200);
    expect(own.headers['access-control-allow-origin']).toBe(origin);
  });

  it('S4-27 answers the preflight of its own origin only', async () => {
    const origin = `http://localhost:${harbor.port}`;
    const own = await ask(harbor.port, { method: 'OPTIONS', headers: { origin } });
    expect(own.status).toBe(204);
    expect(own.headers['access-control-allow-origin']).toBe(origin);
    expect(own.headers['access-control-allow-headers']).toContain('mcp-session-id');
    const foreign = await ask(harbor.port, { method: 'OPTIONS', headers: { origin: 'http://evil.example' } });
    expect(foreign.status).toBe(403);
    expect(Object.keys(foreign.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
    const none = await ask(harbor.port, { method: 'OPTIONS', headers: {} });
    expect([none.status, none.headers['access-control-allow-origin']]).toEqual([204, undefined]);
  });

  it('answers 401 with a challenge before it reads the body', async () => {
    for (const authorization of [undefined, 'Bearer wrong', 'Basic dG9rZW4tYQ==', 'Bearer ', 'token-a']) {
      const socket = connect(harbor.port, '127.0.0.1');
      const lines = ['POST /mcp HTTP/1.1', `Host: 127.0.0.1:${harbor.port}`, 'Content-Length: 1000000'];
      if (authorization !== undefined) lines.push(`Authorization: ${authorization}`);
      // The body is never sent, so an answer proves that nobody waited for it.
      socket.write(`${lines.join('\r\n')}\r\n\r\n`);
      const [chunk] = await once(socket, 'data');
      expect(String(chunk)).toMatch(/^HTTP\/1\.1 401 [\s\S]*www-authenticate: Bearer/i);
      socket.destroy();
    }
  });

  it('closes a connection whose request never ends, and leaves a long answer alone', async () => {
    const impatient = await httpFixture({ headersMs: 150, requestMs: 300 });
    const slow = connect(impatient.port, '127.0.0.1');
    slow.write('POST /mcp HTTP/1.1\r\n');
    slow.resume();
    const session = await openSession(impatient.port);
    const holding = impatient.toolbox.held();
    const answer = ask(impatient.port, {
      headers: session,
      body: legacy(1, 'tools/call', { name: 'hold', arguments: {} }),
    });
    const held = await holding;
    await once(slow, 'close');
    held.release('late');
    expect((await answer).text).toContain('late');
    await impatient.close();
  });
});

describe('what is asked', () => {
  it('answers 404 outside its paths and for an unknown profile', async () => {
    for (const path of [
      '/',
      '/mcp/',
      '/mcp/nosuch',
      '/mcp/default/x',
      '/health/',
      '/mcp%2fdefault',
      '/lisply',
    ]) {
      expect([path, (await ask(harbor.port, { path, body: initialize() })).status]).toEqual([path, 404]);
    }
    expect((await ask(harbor.port, { path: '/mcp/nosuch', body: '' })).json.error?.message).toContain(
      'default, other',
    );
    expect((await ask(harbor.port, { path: '/mcp/other', body: initialize() })).status).toBe(200);
  });

  it('answers 405 with Allow', async () => {
    for (const method of ['PUT', 'PATCH', 'HEAD']) {
      const answer = await ask(harbor.port, { method, body: '' });
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, POST, DELETE, OPTIONS']);
    }
  });

  it('answers 415 for anything but JSON and 406 for a client that cannot read the answer', async () => {
    const text = { ...JSON_HEADERS, 'content-type': 'text/plain' };
    expect((await ask(harbor.port, { headers: text, body: initialize() })).status).toBe(415);
    const zipped = { ...JSON_HEADERS, 'content-encoding': 'gzip' };
    expect((await ask(harbor.port, { headers: zipped, body: initialize() })).status).toBe(415);
    const html = { ...JSON_HEADERS, accept: 'text/html' };
    expect((await ask(harbor.port, { headers: html, body: initialize() })).status).toBe(406);
    expect(harbor.toolbox.live).toBe(0);
  });

  it('answers 413 beyond 4 MiB, announced or not, and goes on', async () => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'ping',
      params: { x: 'x'.repeat(4 * 1024 * 1024) },
    });
    expect((await ask(harbor.port, { body })).status).toBe(413);
    const announced = { ...JSON_HEADERS, 'content-length': String(Buffer.byteLength(body)) };
    expect((await ask(harbor.port, { headers: announced, body })).status).toBe(413);
    expect((await ask(harbor.port, { body: initialize() })).status).toBe(200);
  });

  it('answers 400 for malformed JSON (-32700) and for JSON that is no message (-32600)', async () => {
    const malformed = await ask(harbor.port, { body: '{not json' });
    expect([malformed.status, malformed.json]).toEqual([
      400,
      expect.objectContaining({ id: null, error: expect.objectContaining({ code: -32700 }) }),
    ]);
    for (const body of ['"x"', '42', 'null', '{}', '{"id":1,"method":"ping"}', '[]', '[1]']) {
      const answer = await ask(harbor.port, { body });
      expect([body, answer.status, answer.json.error?.code]).toEqual([body, 400, -32600]);
    }
  });
});

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
    const stream = await fetch(harbor.server.url, { headers: session });
    expect([stream.status, stream.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    // A second stream is refused while the first is open, and allowed once its client has left.
    expect((await ask(harbor.port, { method: 'GET', headers: session })).status).toBe(409);
    await stream.body?.cancel();
    await expect.poll(async () => (await fetch(harbor.server.url, { headers: session })).status).toBe(200);
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
    const broken = await fetch(harbor.server.url, {
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
      { client: 'a', profile: 'default', shared: true },
      { client: 'b', profile: 'default', shared: true },
    ]);
  });
});

describe('the server', () => {
  it('says which port is taken and what to do', async () => {
    const second = new HttpServer({
      mcp: harbor.mcp,
      tokens: { verify: () => null },
      log: harbor.log,
      version: VERSION,
      defaultProfile: 'default',
    });
    await expect(second.listen(harbor.port)).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringMatching(new RegExp(`${harbor.port}.*--port 0`)),
    });
  });

  it('ends open streams and running calls when it closes', async () => {
    const session = await openSession(harbor.port);
    const stream = await fetch(harbor.server.url, { headers: session });
    const holding = harbor.toolbox.held();
    const call = ask(harbor.port, modern(1, 'tools/call', { name: 'hold', arguments: {} })).catch(
      () => 'cut',
    );
    const held = await holding;
    await harbor.close();
    expect(held.context.signal.aborted).toBe(true);
    await call;
    await stream.text().catch(() => '');
    expect(harbor.toolbox.live).toBe(0);
  });
});
