/** Ports on which anybody of this computer may knock: whoever says nothing, or nonsense, is not kept. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { duplexPair } from 'node:stream';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { LoopbackHttp } from '../../electron/endpoints/http/loopback-http';
import { LoopbackSockets } from '../../electron/endpoints/loopback';
import { LineTransport } from '../../electron/endpoints/mcp/line-conversation';

it('disconnects an unauthenticated peer after the time limit, however much it sends, and keeps others', async () => {
  const sockets = new LoopbackSockets({
    option: '--tcp-port',
    serve: async (socket, known) => {
      socket.on('data', (said) => said.includes('whole') && known()).pipe(socket);
      await once(socket, 'close');
    },
    changed: () => undefined,
    unauthenticatedTimeoutMs: 300,
  });
  await sockets.listen(0);
  onTestFinished(() => sockets.close());
  const peer = (says: string) => {
    const socket = connect(sockets.port ?? 0, '127.0.0.1').on('error', () => undefined);
    socket.write(says);
    return socket;
  };
  const [known, peers] = [peer('whole'), [peer('w').resume(), peer('').resume()]];
  await Promise.all(peers.map((each) => once(each, 'close')));
  await once(known, 'data');
  known.write('b');
  expect(String((await once(known, 'data'))[0])).toBe('b');
  known.destroy();
});

it('a request with two hosts is refused, whichever is first, and its connection ended', async () => {
  const asked: string[] = [];
  const noted = (message: string) => void asked.push(message);
  const server = new LoopbackHttp({
    option: '--port',
    answer: async (req, res) => {
      asked.push(req.url ?? '');
      res.end();
    },
    log: { debug: noted, info: noted, warn: noted, error: noted },
  });
  const port = await server.listen(0);
  onTestFinished(() => server.close());
  for (const hosts of [
    [`127.0.0.1:${port}`, 'evil.example'],
    ['evil.example', `127.0.0.1:${port}`],
    [`127.0.0.1:${port}`, `127.0.0.1:${port}`],
  ]) {
    const socket = connect(port, '127.0.0.1');
    const lines = ['GET /evil HTTP/1.1', ...hosts.map((host) => `Host: ${host}`), '', ''];
    socket.write(`${lines.join('\r\n')}GET /next HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    expect(await text(socket)).toMatch(/^HTTP\/1\.1 40[03] /);
  }
  expect(asked).toEqual([]);
});

it.each([
  [true, 'ends'],
  [false, 'goes on with'],
])('a peer (%s) that begins with no JSON: it %s the conversation', async (isUnauthenticated) => {
  const [ours, theirs] = duplexPair();
  const transport = new LineTransport(ours, 1_000, isUnauthenticated ? () => undefined : undefined);
  const heard: unknown[] = [];
  transport.onmessage = (message) => void heard.push(message);
  await transport.start();
  theirs.write('EHLO there\n{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  if (!isUnauthenticated) theirs.end();
  expect(await text(theirs)).toContain('-32700');
  expect(heard.length).toBe(isUnauthenticated ? 0 : 1);
});
