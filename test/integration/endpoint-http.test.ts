/** The HTTP endpoint on the wire: what it refuses to read, its port and its end. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { HttpServer } from '../../electron/endpoints/http/http-server';
import { type HttpFixture, httpFixture } from './endpoint-fixture';
import { ask, initialize, JSON_HEADERS, modern, openSession } from './endpoint-messages';
import { VERSION } from './endpoint-toolbox';

let harbor: HttpFixture;

beforeEach(async () => {
  harbor = await httpFixture();
});

afterEach(() => harbor.close());

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
    for (const framing of [
      { 'transfer-encoding': 'chunked' },
      { 'content-length': String(Buffer.byteLength(body)) },
    ])
      expect((await ask(harbor.port, { headers: { ...JSON_HEADERS, ...framing }, body })).status).toBe(413);
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

describe('the server', () => {
  it('says which port is taken and what to do', async () => {
    const second = new HttpServer({
      mcp: harbor.mcp,
      mounts: [harbor.lisply],
      tokens: { verify: () => null },
      log: harbor.log,
      version: VERSION,
    });
    await expect(second.listen(harbor.port)).rejects.toMatchObject({
      code: 'port_in_use',
      message: expect.stringMatching(new RegExp(`${harbor.port}.*--port 0`)),
    });
  });

  it('ends open streams and running calls when it closes', async () => {
    const session = await openSession(harbor.port);
    const stream = await fetch(harbor.url, { headers: session });
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
