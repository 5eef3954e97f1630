/**
 * Servers that a session is attached to and that are honest until code is evaluated: whatever they send then costs
 * their session at most. The harbor answers others meanwhile, and its memory stays bounded.
 */
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { frame, SwankClient } from '../../electron/images/swank/client';
import { lispCall } from '../../electron/images/swank/sexp';
import { call } from '../evaluation';
import { answering, MockNrepl, type MockRequest } from '../nrepl-mock';
import { PATIENT, StartedHarbor } from '../started-harbor';

const MIB = 1024 * 1024;
/** How much the harbor may grow during one attack. */
const GROWTH = 400 * MIB;

let harbor: StartedHarbor;
let client: Client;
/** A session of an honest engine. */
let honest: string;

const ALLOWING = { approvals: [{ class: 'attach', answer: 'allow' }] };

beforeAll(async () => {
  harbor = await StartedHarbor.start({ settings: ALLOWING });
  client = await harbor.client();
  honest = (await call<{ session: string }>(client, 'open_session')).structured.session;
}, 120_000);
afterAll(() => harbor.stop());

/** Resident memory of the harbor in bytes. */
const memory = () =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${harbor.ready.pid}/status`, 'utf8'))?.[1]) * 1024;

/** Evaluates in a session attached there; the answer, while another session is answered all the time. */
async function attacked(attach: Record<string, unknown>): Promise<{ text: string; isError: boolean }> {
  const before = memory();
  const opened = await call<{ session: string }>(client, 'open_session', { attach });
  if (opened.isError) return opened;
  const { session } = opened.structured;
  const evaluating = call(client, 'eval', { code: '(+ 1 2)', session, wait_ms: 5_000 });
  let over = false;
  void evaluating.then(() => {
    over = true;
  });
  let most = before;
  do {
    expect((await call(client, 'eval', { code: '(* 6 7)', session: honest })).text).toContain('42');
    most = Math.max(most, memory());
  } while (!over);
  expect(most - before).toBeLessThan(GROWTH);
  const answer = await evaluating;
  // The session can be closed in any state.
  expect((await call(client, 'close_session', { session })).isError).toBe(false);
  return answer;
}

const out = (text: string) => `3:out${text.length}:${text}`;
const message = (request: MockRequest, rest: string) => `${answering(request)}${rest}e`;
const DONE = '6:statusl4:donee';

type Answer = (request: MockRequest, send: (text: string) => void, socket: Socket) => void;

const NREPL: readonly [string, Answer][] = [
  [
    'output without end',
    (request, send) => {
      for (let count = 0; count < 200; count += 1) send(message(request, out('x'.repeat(256 * 1024))));
      send(message(request, DONE));
    },
  ],
  [
    'values without end',
    (request, send) => {
      const value = `5:value${256 * 1024}:${'x'.repeat(256 * 1024)}`;
      for (let count = 0; count < 200; count += 1) send(message(request, value));
      send(message(request, DONE));
    },
  ],
  ['a text that is longer than memory', (_, send) => send('d5:value99999999999999:')],
  ['nested lists', (_, send) => send('l'.repeat(MIB))],
  ['a negative length', (_, send) => send('d5:value-5:e')],
  [
    'answers of requests that nobody made',
    (request, send) => {
      for (let id = 0; id < 20_000; id += 1) send(`d2:id${String(id).length}:${id}5:value4:evile`);
      send(message(request, DONE));
    },
  ],
  [
    'requests for input without end',
    (request, send) => {
      for (let count = 0; count < 50_000; count += 1) send(message(request, '6:statusl10:need-inpute'));
      send(message(request, DONE));
    },
  ],
  ['two ends', (request, send) => send(message(request, DONE) + message(request, DONE))],
  ['an end of the connection', (_request, _send, socket) => socket.destroy()],
];

describe('an nREPL server', () => {
  it.each(NREPL)('that sends %s', async (_, answer) => {
    const server = await MockNrepl.start(answer);
    onTestFinished(() => server.stop());
    const { text } = await attacked({ kind: 'nrepl', port: server.port });
    expect(text.length).toBeLessThan(200_000);
  });
});

const LISPLY: readonly [string, (response: ServerResponse) => void][] = [
  [
    'an endless answer',
    (response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const piece = Buffer.alloc(MIB, 0x20);
      const more = (): void => {
        while (!response.destroyed && response.write(piece));
        response.once('drain', more);
      };
      more();
    },
  ],
  ['what is no JSON', (response) => void response.end('<html>')],
  ['nested JSON', (response) => void response.end(`${'['.repeat(MIB)}`)],
  ['a redirection', (response) => void response.writeHead(302, { location: 'http://127.0.0.1:1/x' }).end()],
  [
    'half of an answer',
    (response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write('{', () => response.destroy());
    },
  ],
];

describe('a Lisply server', () => {
  it.each(LISPLY)('that sends %s', async (_, answer) => {
    const server = createHttpServer((request, response) => {
      response.on('error', () => undefined);
      if (request.url?.endsWith('ping-lisp')) response.end('pong');
      else answer(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => {
      server.closeAllConnections();
      server.close();
    });
    const { isError, text } = await attacked({
      kind: 'lisply',
      port: (server.address() as AddressInfo).port,
    });
    expect(isError || /job|running/.test(text)).toBe(true);
    expect(text.length).toBeLessThan(20_000);
  });
});

describe('a Swank server', () => {
  it('that pings without end and reads nothing is not read any further', async () => {
    const ping = Buffer.concat(Array.from({ length: 4_000 }, () => frame('(:ping 1 2)')));
    let sent = 0;
    const server = createServer((socket) => {
      socket.on('error', () => undefined);
      socket.pause();
      const more = (): void => {
        while (!socket.destroyed && socket.write(ping)) sent += ping.length;
        socket.once('drain', more);
      };
      more();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const wire = connect((server.address() as AddressInfo).port, '127.0.0.1');
    const swank = new SwankClient(wire, () => undefined);
    onTestFinished(() => {
      wire.destroy();
      server.close();
    });
    void swank.request(lispCall('swank:hello'), 'own', 'CL-USER').reply;
    // It is stopped: the same number of bytes a second later.
    let before = -1;
    await expect
      .poll(
        () => {
          const same = sent === before;
          before = sent;
          return same;
        },
        { ...PATIENT, interval: 1_000 },
      )
      .toBe(true);
    expect(wire.writableLength).toBeLessThan(32 * MIB);
  });
});
