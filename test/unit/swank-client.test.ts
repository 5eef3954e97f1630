/** A Swank client with mock servers that answer incorrectly, late, in pieces, or never. */
import { Buffer } from 'node:buffer';
import { once } from 'node:events';
import net from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { FrameDecoder, frame } from '../../electron/host/swank-framing';
import { SwankClient } from '../../electron/images/swank/client';

import { SwankQueries } from '../../electron/images/swank/queries';
import { lispCall } from '../../electron/images/swank/sexp';
import type { SwankEvent } from '../../electron/images/swank/swank-events';
import { PATIENT } from '../started-harbor';

const closing: (() => void)[] = [];

afterEach(() => {
  for (const close of closing.splice(0)) close();
});

interface Served {
  client: SwankClient;
  questions: SwankQueries;
  events: SwankEvent[];
  /** What the server received. */
  received: string[];
}

/** A server that answers each message with `answer`. */
async function serve(answer: (message: string, socket: net.Socket) => void): Promise<Served> {
  const received: string[] = [];
  const server = net.createServer((socket) => {
    const decoder = new FrameDecoder();
    socket.on('data', (chunk) => {
      for (const message of decoder.read(Buffer.from(chunk))) {
        received.push(message);
        answer(message, socket);
      }
    });
    socket.on('error', () => socket.destroy());
    closing.push(() => socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => server.close());
  const { port } = server.address() as net.AddressInfo;
  const wire = net.connect({ port, host: '127.0.0.1' });
  const events: SwankEvent[] = [];
  const client = new SwankClient(wire, (event) => events.push(event));
  closing.push(() => client.close());
  return { client, questions: new SwankQueries(client), events, received };
}

const HELLO = lispCall('swank:hello', 'λ');

describe('a request', () => {
  it("is written in the protocol's format, and answered by id, in any order", async () => {
    const asked: string[] = [];
    const { client, received } = await serve((message, socket) => {
      asked.push(message);
      if (asked.length === 2)
        socket.write(
          Buffer.concat([frame('(:return (:ok "second") 2)'), frame('(:return (:ok "first") 1)')]),
        );
    });
    const [first, second] = [client.request(HELLO, 'own', 'CL-USER'), client.request([], 7, 'A "B"')];
    expect(await second.reply).toEqual({ reply: 'value', value: 'second' });
    expect(await first.reply).toEqual({ reply: 'value', value: 'first' });
    expect(received).toEqual([
      '(:emacs-rex (swank:hello "λ") "CL-USER" t 1)',
      '(:emacs-rex nil "A \\"B\\"" 7 2)',
    ]);
  });

  it('that the server aborts, cannot read or has no thread for reports that', async () => {
    const { client } = await serve((message, socket) => {
      const id = Number(/(\d+)\)$/.exec(message)?.[1]);
      const answers = [
        '(:return (:abort "no") 1)',
        `(:reader-error ${JSON.stringify(message)} "no symbol")`,
        '(:invalid-rpc 3 "no thread")',
      ];
      socket.write(frame(answers[id - 1] ?? ''));
    });
    for (const reason of ['no', 'no symbol', 'no thread'])
      expect(await client.request(lispCall('swank:f'), 'repl', 'CL-USER').reply).toEqual({
        reply: 'aborted',
        reason,
      });
  });

  it('without an answer times out, and a late answer is ignored', async () => {
    let late: (() => void) | undefined;
    const { questions } = await serve((message, socket) => {
      if (message.includes('swank:hello')) late = () => void socket.write(frame('(:return (:ok "late") 1)'));
      else socket.write(frame('(:return (:ok "next") 2)'));
    });
    await expect(questions.query(HELLO, { milliseconds: 50 })).rejects.toMatchObject({
      code: 'took_too_long',
    });
    late?.();
    expect(await questions.query([])).toBe('next');
  });

  it('that signals is aborted, and reports the condition', async () => {
    const { questions, events } = await serve((message, socket) => {
      const answers = message.includes('throw-to-toplevel')
        ? ['(:return (:abort "x") 2)', '(:debug-return 9 1 nil)', '(:return (:abort "x") 1)']
        : ['(:debug 9 1 ("bad" "   [Condition of type FOO]" nil) (("*ABORT" "x")) nil (1))'];
      socket.write(Buffer.concat(answers.map(frame)));
    });
    const asked = questions.query(HELLO);
    await expect.poll(() => events.length, PATIENT).toBe(1);
    const [event] = events;
    expect(event).toMatchObject({
      event: 'debug',
      debug: { thread: 9, type: 'FOO', message: 'bad', requests: [1] },
    });
    if (event?.event === 'debug') expect(questions.debugged(event.debug)).toBe(true);
    await expect(asked).rejects.toMatchObject({ code: 'query_failed', message: 'bad' });
  });
});

describe('the server', () => {
  it('gets answers to its pings and its editor requests', async () => {
    const { client, received, events } = await serve((message, socket) => {
      if (message.includes('hello'))
        socket.write(Buffer.concat([frame('(:ping 3 17)'), frame('(:y-or-n-p 4 18 "sure?")')]));
    });
    void client.request(HELLO, 'own', 'CL-USER');
    await expect.poll(() => received.length, PATIENT).toBe(3);
    expect(received.slice(1)).toEqual(['(:emacs-pong 3 17)', '(:emacs-return 4 18 nil)']);
    expect(events).toEqual([{ event: 'asked', what: 'sure?', thread: 4, tag: 18, answer: [] }]);
  });

  it.each<[string, string | Buffer, RegExp]>([
    [
      'speaks another protocol',
      'HTTP/1.1 400 Bad Request\r\n\r\n',
      /violated the Swank protocol: a message does not begin with its length/,
    ],
    [
      'sends a truncated s-expression',
      frame('(:return (:ok "x'),
      /violated the Swank protocol: it ends inside a string/,
    ],
    [
      'sends an unreadable object',
      frame('(:return (:ok #<A>) 1)'),
      /violated the Swank protocol: an unreadable object/,
    ],
    [
      'sends an answer without a kind',
      frame('(:return 1 1)'),
      /violated the Swank protocol: a request was answered/,
    ],
    [
      'sends a message that is not a list',
      frame('12'),
      /violated the Swank protocol: a message without a kind/,
    ],
    [
      'sends a debugger level without a thread',
      frame('(:debug nil nil)'),
      /violated the Swank protocol: a number is missing/,
    ],
    ['nests too deeply', frame('('.repeat(3_000_000)), /violated the Swank protocol: more than/],
  ])('that %s is lost, and all pending requests are settled', async (_what, bytes, reason) => {
    const { client } = await serve((_message, socket) => void socket.write(bytes));
    const [one, other] = [client.request(HELLO, 'own', 'CL-USER'), client.request(HELLO, 'repl', 'CL-USER')];
    expect(await client.ended).toMatch(reason);
    for (const { reply } of [one, other])
      expect(await reply).toMatchObject({ reply: 'lost', reason: expect.stringMatching(reason) });
    expect(await client.request(HELLO, 'own', 'CL-USER').reply).toMatchObject({ reply: 'lost' });
  });

  it('that closes within a frame is lost', async () => {
    const { client } = await serve((_message, socket) =>
      socket.end(frame('(:return (:ok "x") 1)').subarray(0, 12)),
    );
    const { reply } = client.request(HELLO, 'own', 'CL-USER');
    expect(await reply).toMatchObject({ reply: 'lost', reason: 'it closed the connection' });
  });

  it('is read to the end after the connection was closed, so that its writes do not fail', async () => {
    const failed = Promise.withResolvers<boolean>();
    const { client } = await serve((_message, socket) => {
      socket.once('end', () => socket.write(Buffer.alloc(1_000_000)));
      socket.once('close', (failure) => failed.resolve(failure));
      socket.write(frame('(:return (:ok nil) 1)'));
    });
    await client.request(HELLO, 'own', 'CL-USER').reply;
    client.close();
    expect(await client.ended).toBe('the connection was closed');
    expect(await failed.promise).toBe(false);
  });

  it('that announces a huge frame and sends it slowly does not block forever', async () => {
    const { client, questions } = await serve(
      (_message, socket) => void socket.write(`ffffff${'x'.repeat(100_000)}`),
    );
    await expect(questions.query(HELLO, { milliseconds: 100 })).rejects.toMatchObject({
      code: 'took_too_long',
    });
    client.close();
    expect(await client.ended).toBe('the connection was closed');
  });

  it('may send unknown messages', async () => {
    const { client, events } = await serve((_message, socket) => {
      const others = [
        '(:indentation-update (("with-x" . 2)))',
        '(:new-features (:a))',
        '(:unheard-of 1 (2 . 3))',
      ];
      socket.write(Buffer.concat([...others, '(:return (:ok nil) 1)'].map(frame)));
    });
    expect(await client.request(HELLO, 'own', 'CL-USER').reply).toEqual({ reply: 'value', value: [] });
    expect(events).toEqual([{ event: 'other' }, { event: 'other' }, { event: 'other' }]);
  });
});
