/** Requests to a Lisply backend that closes idle connections at any time. */
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { BackendClient } from '../../electron/images/lisply/client';

/** A backend that keeps each connection open after an answer, and closes it when the next request arrives. */
async function closingBackend(): Promise<BackendClient> {
  const used = new Set<Socket>();
  const server = createServer(({ socket }, response) => {
    if (used.has(socket)) return socket.destroy();
    used.add(socket);
    return response.end('pong');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const client = new BackendClient({ kind: 'lisply', host: '127.0.0.1', port });
  onTestFinished(async () => {
    client.close();
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  return client;
}

it('a request is not lost on a reused connection', async () => {
  const client = await closingBackend();
  const ping = { method: 'GET', path: client.endpoint('ping-lisp'), headers: {} };
  for (const _ of [1, 2, 3])
    expect(await client.send(ping, new AbortController().signal)).toMatchObject({
      status: 200,
      body: 'pong',
    });
});
