/** Rows of Lisply's document: its three endpoints, asked as wrappers ask them, of a started harbor. */
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { LISPLY_TOOLS } from '../../electron/compat/lisply/lisply-backend';
import { call, values } from '../evaluation';
import { freePort } from '../free-port';
import { compliant, LisplyClient } from '../lisply-client';
import { PATIENT, StartedHarbor, type StartOptions, temporaryFolder } from '../started-harbor';

/** Shorter than some evaluations here take: none may become a job for that. */
const SOFT_LIMIT_MS = 100;

const data = temporaryFolder('data');
let harbor: StartedHarbor;
let client: Client;
let lisply: LisplyClient;

beforeAll(async () => {
  writeFileSync(path.join(data, 'settings.json'), JSON.stringify({ softLimitMs: SOFT_LIMIT_MS }));
  harbor = await StartedHarbor.start({ data, args: ['--lisply-port', '0'] });
  client = await harbor.client('modern');
  lisply = new LisplyClient(harbor.ready.lisply ?? '');
});
afterAll(async () => {
  await harbor.stop();
  rmSync(data, { recursive: true, force: true });
});

async function started(options: StartOptions): Promise<StartedHarbor> {
  const other = await StartedHarbor.start(options);
  onTestFinished(async () => {
    await other.stop();
  });
  return other;
}

/** Lisply of the harbor's one HTTP server, for the client of its ready line. */
function ownLisply({ ready }: StartedHarbor, session = ''): LisplyClient {
  return new LisplyClient(new URL(`/lisply${session && `/${session}`}`, ready.mcp).href, ready.token);
}

/** What a server answers to bytes. */
async function raw(url: string, lines: readonly string[]): Promise<string> {
  const socket = createConnection(Number(new URL(url).port), '127.0.0.1');
  socket.write([...lines, '', ''].join('\r\n'));
  return text(socket);
}

describe('Lisply: the endpoints', () => {
  it('S0-3 S0-4 speaks HTTP/1.1 on the port that is told, and answers pong', async () => {
    const url = harbor.ready.lisply ?? '';
    const { host } = new URL(url);
    const answer = await raw(url, ['GET /lisply/ping-lisp HTTP/1.1', `Host: ${host}`, 'Connection: close']);
    expect(answer).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\npong$/);
  });

  it('S0-5 evaluates what is posted and nothing that is got', async () => {
    expect(await lisply.evaluate('(+ 1 2)')).toMatchObject({ status: 200, type: 'application/json' });
    expect((await lisply.ask('lisp-eval?code=1')).status).toBe(405);
    expect((await lisply.ask('ping-lisp', { method: 'POST' })).status).toBe(405);
    expect((await lisply.ask('quit')).status).toBe(404);
  });

  it('S0-6 S0-11 S0-12 S0-13 S0-14 S0-15 lists the two tools as the document prints them', async () => {
    const { status, body, text: printed } = await lisply.tools();
    expect(status).toBe(200);
    expect(body).toEqual({
      tools: [
        {
          name: 'lisp_eval',
          description: expect.any(String),
          inputSchema: {
            type: 'object',
            properties: {
              code: { type: 'string', description: expect.any(String) },
              package: { type: 'string', description: expect.any(String) },
            },
            required: ['code'],
          },
        },
        {
          name: 'ping_lisp',
          description: expect.any(String),
          inputSchema: { type: 'object', properties: {} },
        },
      ],
    });
    expect(printed).not.toMatch(/http_request|mode/);
  });

  it('S0-7 S0-29 opens where variables ask for it, below the prefix that is given', async () => {
    const port = await freePort();
    const env = { START_HTTP: 'true', HTTP_PORT: String(port), START_SWANK: 'false', SWANK_PORT: '4200' };
    const other = await started({ env, args: ['--lisply-prefix', '/x/'] });
    expect(other.ready).not.toHaveProperty('swank');
    expect(other.ready.lisply).toBe(`http://127.0.0.1:${port}/x`);
    const below = new LisplyClient(`http://127.0.0.1:${port}/x`);
    expect((await below.ping()).text).toBe('pong');
    expect((await below.tools()).status).toBe(200);
    expect((await below.evaluate('(+ 1 2)')).body).toMatchObject({ result: '3' });
    expect((await new LisplyClient(`http://127.0.0.1:${port}/lisply`).ping()).status).toBe(404);
  });

  it('S0-29 S0-37 opens nothing for a port alone, and works without', async () => {
    const other = await started({ env: { HTTP_PORT: String(await freePort()), SWANK_PORT: '4200' } });
    expect(Object.keys(other.ready).sort()).toEqual(['mcp', 'pid', 'ready', 'token']);
    expect(await values(await other.client(), '(+ 1 2)')).toEqual(['3']);
  });
});

describe('Lisply: evaluation', () => {
  it('S0-2 shows all values of a form', async () => {
    const { body } = await lisply.evaluate('(values 1 2)');
    expect(body).toEqual({ success: true, result: '1\n2', stdout: '' });
    expect((await lisply.evaluate('(values)')).body).toEqual({ success: true, result: '', stdout: '' });
  });

  it('S0-8 says what is wrong with a request, and needs no package', async () => {
    for (const body of [{}, { code: 1 }, { code: '1', package: 1 }, [], 'null', '{"code"']) {
      const answer = await lisply.post(body);
      expect([body, answer.status]).toEqual([body, 400]);
      expect(answer.body).toEqual({ success: false, error: expect.stringMatching(/\w/) });
    }
    const plain = await lisply.ask('lisp-eval', { method: 'POST', body: '{"code":"1"}' });
    expect(plain.status).toBe(415);
    const { body } = await lisply.evaluate('(package-name *package*)');
    expect(body).toMatchObject({ result: '"COMMON-LISP-USER"' });
  });

  it('S0-9 S0-24 tells result and output apart, both as strings', async () => {
    const { body } = await lisply.evaluate('(progn (format t "hello~%λ") \'(1 "two"))');
    expect(body).toEqual({ success: true, result: '(1 "two")', stdout: 'hello\nλ' });
    const { body: quiet } = await lisply.evaluate('42');
    expect(quiet).toEqual({ success: true, result: '42', stdout: '' });
  });

  it('S0-10 S0-19 S0-22 tells an error with its type, and goes on', async () => {
    const { status, body } = await lisply.evaluate('(error "x ~a" 1)');
    expect([status, body]).toEqual([200, { success: false, error: expect.any(String) }]);
    expect(body).toMatchObject({ error: expect.stringMatching(/^SIMPLE-ERROR: x 1\n/) });
    expect((await lisply.evaluate('(+ 1 2)')).body).toEqual({ success: true, result: '3', stdout: '' });
  });

  it('S0-20 lists the restarts of an error by number, and what came before it', async () => {
    const code = '(+ 4 5) (princ "so far") (restart-case (error "x") (a () 1) (b () 2))';
    const { body } = await lisply.evaluate(code);
    const { error } = body as { error: string };
    expect(error).toMatch(/0: \[A\][\s\S]*1: \[B\][\s\S]*2: \[ABORT\]/);
    expect(error).toMatch(/\[stdout\]\nso far/);
    expect(error).toMatch(/\[values before\]\n=> 9/);
  });

  it('S0-16 ignores what wrappers keep to themselves', async () => {
    const { body } = await lisply.evaluate('(+ 1 2)', { mode: 'stdio', more: [] });
    expect(body).toEqual({ success: true, result: '3', stdout: '' });
  });

  it('S0-32 S0-33 S0-34 S0-35 S0-36 passes the compliance tests, twice in a row', async () => {
    await lisply.evaluate('(defpackage :gdl-user (:use :common-lisp))');
    expect(await lisply.compliance()).toEqual(compliant());
    expect(await lisply.compliance()).toEqual(compliant());
  });

  it('S0-35 says which package there is not', async () => {
    const { body } = await lisply.evaluate('(+ 1 2)', { package: 'no-such-package' });
    expect(body).toEqual({ success: false, error: expect.stringMatching(/no-such-package/i) });
  });

  it('waits beyond the soft limit', async () => {
    expect((await lisply.evaluate('(progn (sleep 0.5) :late)')).body).toMatchObject({ result: ':LATE' });
  });

  it('interrupts what runs when its caller goes away, and keeps the state', async () => {
    const leaving = new AbortController();
    const code = '(defparameter *kept* 7) (with-open-file (out "begun" :direction :output)) (loop)';
    const gone = lisply.evaluate(code, {}, leaving.signal).catch((error: unknown) => error);
    const begun = path.join(harbor.project, 'begun');
    await expect.poll(() => existsSync(begun), PATIENT).toBe(true);
    leaving.abort();
    expect(await gone).toMatchObject({ name: 'AbortError' });
    expect((await lisply.evaluate('*kept*')).body).toMatchObject({ result: '7' });
  });
});

describe('Lisply: who may', () => {
  it('needs a token on the one HTTP server', async () => {
    const base = new URL('/lisply', harbor.ready.mcp).href;
    const without = await new LisplyClient(base).evaluate('(+ 1 2)');
    expect([without.status, without.body]).toEqual([
      401,
      { success: false, error: expect.stringContaining('Bearer') },
    ]);
    expect((await new LisplyClient(base, 'wrong').ping()).status).toBe(401);
    expect((await ownLisply(harbor).ping()).text).toBe('pong');
  });

  it('speaks to the session that the client has by default, or to the one that is named', async () => {
    await values(client, '(defvar *mine* :mine)');
    expect((await ownLisply(harbor).evaluate('*mine*')).body).toMatchObject({ result: ':MINE' });
    expect((await lisply.evaluate("(boundp '*mine*)")).body).toMatchObject({ result: 'NIL' });

    const { structured } = await call<{ session: string }>(client, 'open_session');
    const named = ownLisply(harbor, structured.session);
    expect((await named.ping()).text).toBe('pong');
    expect((await named.evaluate("(boundp '*mine*)")).body).toMatchObject({ result: 'NIL' });
    const base = harbor.ready.lisply ?? '';
    expect((await new LisplyClient(`${base}/${structured.session}`).evaluate('1')).status).toBe(404);
    expect((await ownLisply(harbor, 'sbcl-none').ping()).status).toBe(404);
  });

  it('answers only to its own Host and Origin on its port as well', async () => {
    const url = harbor.ready.lisply ?? '';
    const get = 'GET /lisply/ping-lisp HTTP/1.1';
    const { host } = new URL(url);
    expect(await raw(url, [get, 'Host: evil.example', 'Connection: close'])).toMatch(/^HTTP\/1\.1 403/);
    const foreign = [get, `Host: ${host}`, 'Origin: http://evil.example', 'Connection: close'];
    expect(await raw(url, foreign)).toMatch(/^HTTP\/1\.1 403/);
    expect((await raw(url, [get, `Host: ${host}`, 'Connection: close'])).startsWith('HTTP/1.1 200')).toBe(
      true,
    );
  });

  it('is in the history, under the name that stands for whoever comes to the port', async () => {
    await lisply.evaluate('(list :from :lisply)');
    const found = await call<{ rows: { client: string; code: string }[] }>(client, 'history', {
      query: 'lisply',
    });
    expect(found.structured.rows).toContainEqual(
      expect.objectContaining({ client: 'lisply', code: '(list :from :lisply)' }),
    );
  });
});

describe('Lisply: every image', () => {
  it.each([
    ['sbcl', '(progn (princ 1) (+ 1 1))', '1', '2'],
    ['acl2', '(+ 1 1)', '', '2'],
    ['clojure', '(do (println 1) 2)', '1\n', '2'],
    ['nbb', '(do (println 1) 2)', '1\n', '2'],
  ])(
    'S0-1 S0-2 makes a backend of %s',
    async (engine, code, stdout, result) => {
      const { structured } = await call<{ session: string }>(client, 'open_session', { engine });
      const backend = ownLisply(harbor, structured.session);
      expect((await backend.ping()).text).toBe('pong');
      expect((await backend.tools()).body).toEqual(LISPLY_TOOLS);
      expect((await backend.evaluate(code)).body).toEqual({ success: true, result, stdout });
      await call(client, 'close_session', { session: structured.session });
    },
    120_000,
  );
});
