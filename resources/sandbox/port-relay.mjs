/**
 * Runs in the network namespace of an image, and connects each socket that the harbor passes to a port of the
 * image's own loopback: `node port-relay.mjs PORT`. It reads nothing but the bytes that it relays.
 */
import { connect } from 'node:net';

const port = Number(process.argv[2]);

process.on('message', (_message, socket) => {
  const inside = connect({ port, host: '127.0.0.1' });
  socket.pipe(inside).pipe(socket);
  socket.on('error', () => inside.destroy());
  inside.on('error', () => socket.destroy());
});
process.on('disconnect', () => process.exit());
