import type { Buffer } from 'node:buffer';
import { Duplex, duplexPair } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { BencodeDecoder, type BencodeValue, encode, textOf } from '../../electron/host/bencode';
import { NreplClient, type NreplMessage } from '../../electron/images/nrepl/client';
import { NreplSession } from '../../electron/images/nrepl/nrepl-session';

/** A client and the server's end of its stream; `requests` are those the server received. */
function connected(onUnrouted?: (message: NreplMessage) => void) {
  const [near, far] = duplexPair();
  const requests: BencodeValue[] = [];
  const decoder = new BencodeDecoder();
  far.on('data', (chunk: Buffer) => requests.push(...decoder.read(chunk)));
  const client = new NreplClient(near, onUnrouted ? { onUnrouted } : {});
  return { client, far, requests, send: (message: BencodeValue) => far.write(encode(message)) };
}

describe('NreplClient', () => {
  it('routes interleaved replies by id until each is done', async () => {
    const { client, send } = connected();
    const seen: string[] = [];
    const note = (name: string) => (message: NreplMessage) => seen.push(`${name}:${textOf(message, 'out')}`);
    const first = client.request({ op: 'eval', code: '1' }, note('first'));
    const second = client.request({ op: 'eval', code: '2' }, note('second'));
    send({ id: '2', out: 'b' });
    send({ id: '1', out: 'a' });
    send({ id: '2', status: ['done'] });
    send({ id: '1', status: ['eval-error'] });
    send({ id: '1', status: ['done', 'error'] });
    expect(await second).toEqual({ done: true, status: ['done'], failed: false });
    expect(await first).toEqual({ done: true, status: ['eval-error', 'done', 'error'], failed: true });
    expect(seen).toEqual(['second:b', 'first:a', 'second:undefined', 'first:undefined', 'first:undefined']);
  });

  it('ends a request whose status is one word without a list', async () => {
    const { client, send } = connected();
    const good = client.request({ op: 'eval', code: '1' });
    const bad = client.request({ op: 'eval', code: '(' });
    send({ id: '1', status: 'done' });
    send({ id: '2', status: 'eval-error' });
    send({ id: '2', status: 'done' });
    expect(await good).toEqual({ done: true, status: ['done'], failed: false });
    expect(await bad).toEqual({ done: true, status: ['eval-error', 'done'], failed: true });
  });

  it('passes on messages that belong to no running request', async () => {
    const unrouted: NreplMessage[] = [];
    const { client, send } = connected((message) => unrouted.push(message));
    const request = client.request({ op: 'eval', code: '1' });
    send({ out: 'nobody asked' });
    send({ id: '1', status: ['done'] });
    send({ id: '1', out: 'late' });
    const next = client.request({ op: 'eval', code: '2' });
    send({ id: '2', status: ['done'] });
    await request;
    await next;
    expect(unrouted).toEqual([{ out: 'nobody asked' }, { id: '1', out: 'late' }]);
  });

  it('settles every request when the connection ends within a message, and all later ones', async () => {
    const { client, far } = connected();
    const pending = [client.request({ op: 'a' }), client.request({ op: 'b' })];
    far.end('d2:id1:13:out5:ab');
    for (const reply of await Promise.all(pending)) {
      expect(reply).toEqual({ done: false, lost: 'the server closed the connection' });
    }
    expect(await client.ended).toBe('the server closed the connection');
    expect(await client.request({ op: 'c' })).toMatchObject({ done: false });
  });

  it.each(['HTTP/1.1 400 Bad Request\r\n', 'i42e', 'l1:ae'])(
    'closes the connection if the server sends %j',
    async (said) => {
      const { client, far } = connected();
      const pending = client.request({ op: 'describe' });
      far.write(said);
      expect(await pending).toMatchObject({
        done: false,
        lost: expect.stringContaining('violated the nREPL protocol'),
      });
    },
  );

  it('ignores unknown status words', async () => {
    const { client, send } = connected();
    const cloned = NreplSession.clone(client);
    send({ id: '1', 'new-session': 's', status: ['done'] });
    const session = await cloned;
    const context = { write: () => undefined, input: undefined, limit: 10 };
    const outcome = session?.evaluate({ code: '1', line: 0, column: 0 }, 'user', context, () => undefined);
    send({ id: '2', value: '1', status: ['constructor', '__proto__', 'done'] });
    expect(await outcome).toEqual({ kind: 'values', values: ['1'], truncated: false });
  });

  it('treats a broken stream as the end, not as a crash', async () => {
    const broken = new Duplex({
      read: () => undefined,
      write: (_chunk, _encoding, done) => done(new Error('EPIPE')),
    });
    const client = new NreplClient(broken);
    expect(await client.request({ op: 'describe' })).toEqual({ done: false, lost: 'EPIPE' });
  });
});
