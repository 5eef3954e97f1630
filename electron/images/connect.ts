/** Connecting to a server on this host that a person named. */
import { once } from 'node:events';
import net from 'node:net';
import { HarborError } from '../contract/errors';
import { addressText, type ServerAddress } from '../contract/server';

/** Milliseconds in which a server on this host must take the connection. */
const CONNECT_MS = 5_000;

/** Small messages are sent at once: with Nagle's algorithm each answer would take 44 ms.
 * @throws HarborError `engine_unavailable` when nothing listens */
export async function connect(server: ServerAddress): Promise<net.Socket> {
  const { host, port } = server;
  const socket = net.connect({ host, port, noDelay: true });
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(CONNECT_MS) });
    return socket;
  } catch (error) {
    socket.destroy();
    const reason = error instanceof Error && 'code' in error ? String(error.code) : 'no answer';
    throw new HarborError(
      'engine_unavailable',
      `No server answers at ${addressText(server)} (${reason}). Start it there, or check host and port.`,
    );
  }
}
