/** The HTTP endpoint on the wire: who is let in. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, httpFixture } from './endpoint-fixture';
import { ask, initialize, JSON_HEADERS, legacy, openSession } from './endpoint-messages';
import { VERSION } from './endpoint-toolbox';

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

  it('closes a connection whose request never ends or never begins, and leaves a long answer alone', async () => {
    // Long enough for requests that are sent whole, also where this process gets no turn for a while.
    const impatient = await httpFixture({ timeouts: { headersMs: 1000, requestMs: 1000 } });
    const beginnings = ['', 'P', 'POST /mcp HTTP/1.1\r\n'];
    const closed = beginnings.map((said) => {
      const slow = connect(impatient.port, '127.0.0.1').resume();
      if (said !== '') slow.write(said);
      return once(slow, 'close');
    });
    const session = await openSession(impatient.port);
    const holding = impatient.toolbox.held();
    const answer = ask(impatient.port, {
      headers: session,
      body: legacy(1, 'tools/call', { name: 'hold', arguments: {} }),
    });
    const held = await holding;
    await Promise.all(closed);
    held.release('late');
    expect((await answer).text).toContain('late');
    await impatient.close();
  });
});
