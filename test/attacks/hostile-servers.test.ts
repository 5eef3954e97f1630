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
import { FrameDecoder, frame } from '../../electron/host/swank-framing';
import { SwankClient } from '../../electron/images/swank/client';
import { lispCall } from '../../electron/images/swank/sexp';
import { call } from '../evaluation';
import { answering, MockNrepl, type MockRequest } from '../nrepl-mock';
import { sampled } from '../rounds';
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
async function attacked(
  attach: Record<string, unknown> | undefined,
  code = '(+ 1 2)',
): Promise<{ text: string; isError: boolean }> {
  const before = memory();
  const opened = await call<{ session: string }>(client, 'open_session', attach ? { attach } : {});
  if (opened.isError) return opened;
  const { session } = opened.structured;
  const evaluating = call(client, 'eval', { code, session, wait_ms: 5_000 });
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

type Answer = (request: MockRequest, send: (bytes: string | Buffer) => void, socket: Socket) => void;

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
  [
    'a namespace, an error and status words without end',
    (request, send) => {
      const long = `${MIB}:${'x'.repeat(MIB)}`;
      const words = `6:statusl${'4:evil'.repeat(100_000)}10:eval-errore`;
      send(message(request, `2:ex${long}3:err${long}2:ns${long}7:root-ex${long}${words}`));
      send(message(request, DONE));
    },
  ],
  [
    'what is of another kind than it must be',
    (request, send) => {
      for (const field of [
        '5:valuede',
        '5:valuele',
        '2:nsi1e',
        '3:outd1:al1:bee',
        '6:statusi7e',
        '2:exl1:ae',
      ])
        send(message(request, field));
      send(message(request, DONE));
    },
  ],
  [
    'bytes that are no text',
    (request, send) =>
      send(
        Buffer.concat([
          Buffer.from(`${answering(request)}5:value4:`),
          Buffer.alloc(4, 0xff),
          Buffer.from(`${DONE}e`),
        ]),
      ),
  ],
  [
    'keys that objects have by themselves',
    (request, send) => send(message(request, `9:__proto__d5:value4:evile11:constructor4:evil${DONE}`)),
  ],
  ['two ends', (request, send) => send(message(request, DONE) + message(request, DONE))],
  ['an end of the connection', (_request, _send, socket) => socket.destroy()],
];

describe('an nREPL server', () => {
  it.each(sampled('answers of nREPL', NREPL, 6))('that sends %s', async (_, answer) => {
    const server = await MockNrepl.start(answer);
    onTestFinished(() => server.stop());
    const { text } = await attacked({ kind: 'nrepl', port: server.port });
    expect(text.length).toBeLessThan(200_000);
  });
});

/** Code of an image of ours, with texts for which careless patterns take time beyond all measure. */
const LONG_TEXTS = ['#\\x', '#\\Space', '#\\Newline', '#\\(', '#\\"'].flatMap((character) => {
  const text = `(make-string 1000000 :initial-element ${character})`;
  return [`(error "~a" ${text})`, `(warn "~a" ${text})`, `(princ ${text})`, `(intern ${text})`];
});

describe('an image', () => {
  it.each(sampled('long texts', LONG_TEXTS, 4))('whose code is %s', async (code) => {
    const { text } = await attacked(undefined, code);
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
  [
    'a long result',
    (response) =>
      void response.end(
        JSON.stringify({ success: true, result: 'x'.repeat(20 * MIB), stdout: 'y'.repeat(10 * MIB) }),
      ),
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
  it.each(sampled('answers of Lisply', LISPLY, 3))('that sends %s', async (_, answer) => {
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
    expect(text.length).toBeLessThan(isError ? 20_000 : 200_000);
  });
});

/** What a hostile Swank server sends for an evaluation. `id` is of the request. */
type SwankAnswer = (id: string, send: (message: string) => void, socket: Socket) => void;

const value = (id: string, text: string) => `(:return (:ok ("CL-USER" "1" ("${text}"))) ${id})`;
const own = (evaluation: number, rest: string) =>
  `(:channel-send :lisp-harbor (${rest.replace('ID', `${evaluation}`)}))`;
const debugging = (message: string, restarts: string, frames: string) =>
  `(:debug 1 1 ("${message}" "[Condition of type SIMPLE-ERROR]" nil) (${restarts}) (${frames}) (1))`;

const SWANK: readonly [string, SwankAnswer][] = [
  ['a value of a whole frame', (id, send) => send(value(id, 'x'.repeat(15 * MIB)))],
  [
    'values without end',
    (id, send) =>
      send(`(:return (:ok ("CL-USER" "1" (${'"xxxxxxxxxxxxxxxxxxxxxxxxxxxxx" '.repeat(400_000)}))) ${id})`),
  ],
  [
    'the name of a package of a whole frame',
    (id, send) => send(`(:return (:ok ("${'P'.repeat(15 * MIB)}")) ${id})`),
  ],
  ['deep lists', (id, send) => send(`${'('.repeat(MIB)}${id}`)],
  ['lists without end', (_, send) => send(`(${'() '.repeat(5 * MIB)})`)],
  ['a header that is no number', (_, _send, socket) => void socket.write('zzzzzz()')],
  ['a frame that never ends', (_, _send, socket) => void socket.write('ffffff(:return')],
  [
    'bytes that are no text',
    (_, _send, socket) => void socket.write(Buffer.concat([Buffer.from('000004'), Buffer.alloc(4, 0xff)])),
  ],
  [
    'answers of requests that nobody made',
    (id, send) => {
      for (let other = 1_000; other < 21_000; other += 1)
        send(`(:return (:ok ("CL-USER" "1" ("evil"))) ${other})`);
      send(value(id, '3'));
    },
  ],
  [
    'a debugger with a condition, restarts and frames without end',
    (_, send) =>
      send(
        debugging(
          'e'.repeat(4 * MIB),
          '("R" "rrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrrr") '.repeat(50_000),
          Array.from(
            { length: 50_000 },
            (_, index) => `(${index} "(ffffffffffffffffffffffffffffffff)")`,
          ).join(' '),
        ),
      ),
  ],
  [
    'debugger levels without end',
    (id, send) => {
      for (let thread = 1; thread < 5_000; thread += 1)
        send(`(:debug ${thread} 1 ("m" "[Condition of type ERROR]" nil) (("ABORT" "x")) () (${thread}))`);
      send(value(id, '3'));
    },
  ],
  [
    'requests for input and for an editor without end',
    (id, send) => {
      for (let tag = 0; tag < 20_000; tag += 1) {
        send(`(:read-string 1 ${tag})`);
        send(`(:y-or-n-p 1 ${tag} "${'q'.repeat(500)}")`);
      }
      send(value(id, '3'));
    },
  ],
  [
    'output without end',
    (id, send) => {
      for (let count = 0; count < 100; count += 1) send(`(:write-string "${'o'.repeat(256 * 1024)}")`);
      send(value(id, '3'));
    },
  ],
  [
    'reports of our own code, forged',
    (id, send) => {
      for (let evaluation = 0; evaluation < 200; evaluation += 1)
        for (const rest of [
          ':value ID "forged"',
          ':form ID "(forged)" "P"',
          ':warning ID 0 style-warning "W" "w"',
        ])
          send(own(evaluation, rest));
      send(value(id, '3'));
    },
  ],
  ['an end of the connection', (_id, _send, socket) => void socket.destroy()],
];

/** Answers as Swank until code is evaluated. */
async function hostileSwank(answer: SwankAnswer): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    const decoder = new FrameDecoder();
    const send = (text: string) => void socket.write(frame(text));
    socket.on('data', (chunk: Buffer) => {
      for (const request of decoder.read(chunk)) {
        const id = /(\d+)\)$/.exec(request)?.[1] ?? '0';
        if (request.includes('(lisp-harbor.swank:evaluate ')) answer(id, send, socket);
        else if (request.startsWith('(:emacs-rex')) send(`(:return (:ok ${usualAnswer(request)}) ${id})`);
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

function usualAnswer(request: string): string {
  if (request.includes('connection-info'))
    return '(:pid 1 :style :spawn :lisp-implementation (:type "SBCL" :version "2") :package (:name "CL-USER"))';
  return request.includes('swank:begin') ? '"CL-USER"' : 'nil';
}

describe('a Swank server', () => {
  it.each(sampled('answers of Swank', SWANK, 6))('that sends %s', async (_, answer) => {
    const { text } = await attacked({ kind: 'swank', port: await hostileSwank(answer) });
    expect(text.length).toBeLessThan(200_000);
  });

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
