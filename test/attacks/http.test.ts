/**
 * Web pages and programs without a token send HTTP requests to the running app: none is served, and the app
 * continues.
 */
import { readFileSync } from 'node:fs';
import net from 'node:net';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StartedHarbor } from '../started-harbor';
import { type Asked, HOSTILE_REQUESTS, type HostileRequest, INITIALIZE } from './requests';

let harbor: StartedHarbor;
let asked: Asked;

beforeAll(async () => {
  harbor = await StartedHarbor.start();
  const { mcp, token } = harbor.ready;
  const secret = readFileSync(`${harbor.data}/bridge.secret`, 'utf8').trim();
  asked = { port: Number(new URL(mcp).port), token, secret };
});
afterAll(() => harbor.stop());

/** The whole answer until the app closes the connection. */
async function answerTo(request: Partial<HostileRequest>): Promise<string> {
  const { method = 'POST', target = '/mcp', headers, body = INITIALIZE } = request;
  const sent = {
    host: `127.0.0.1:${asked.port}`,
    authorization: `Bearer ${asked.token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    connection: 'close',
    'content-length': String(Buffer.byteLength(body)),
    ...headers?.(asked),
  };
  const lines = Object.entries(sent).flatMap(([name, values]) =>
    [values ?? []].flat().map((value) => `${name}: ${value}`),
  );
  const first = `${method} ${typeof target === 'string' ? target : target(asked)} HTTP/1.1`;
  const socket = net.connect(asked.port, '127.0.0.1');
  // A request refused before it is read is answered, then the connection closes with an error.
  socket.on('error', () => undefined);
  socket.write(`${[first, ...lines].join('\r\n')}\r\n\r\n${body}`);
  return text(socket.setEncoding('utf8')).catch(() => '');
}

describe('over HTTP', () => {
  it('a client that asks as it should is answered', async () => {
    expect(await answerTo({})).toMatch(/^HTTP\/1\.1 200 [\s\S]*"result"/);
  });

  it.each(HOSTILE_REQUESTS)('$from is not served that asks $name', async (request) => {
    const answer = await answerTo(request);
    expect(answer).not.toMatch(/^HTTP\/1\.1 [123]/);
    expect(answer).not.toMatch(/"result"|access-control-allow/i);
    expect(answer).not.toContain(asked.token);
  });

  it('the harbor goes on after all that', async () => {
    expect(await answerTo({})).toMatch(/^HTTP\/1\.1 200 /);
    expect(harbor.child.exitCode).toBeNull();
  });
});
