/** Listening on this computer and nowhere else: every server of ours that has a port goes through here. */
import type { Server } from 'node:net';
import { HarborError } from '../contract/errors';

export const LOOPBACK = '127.0.0.1';

/**
 * @param port 0 takes any free one
 * @param option the option that names the port, for the message
 * @returns the port
 * @throws HarborError `port_in_use`
 */
export async function listenOnLoopback(server: Server, port: number, option: string): Promise<number> {
  await new Promise<void>((resolve, reject) => {
    const failed = (error: NodeJS.ErrnoException): void => reject(asHarborError(error, port, option));
    server.once('error', failed);
    server.listen({ port, host: LOOPBACK, exclusive: true }, () => {
      server.off('error', failed);
      resolve();
    });
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : port;
}

function asHarborError(error: NodeJS.ErrnoException, port: number, option: string): Error {
  if (error.code !== 'EADDRINUSE' && error.code !== 'EACCES') return error;
  const why = error.code === 'EACCES' ? 'may not be opened by this user' : 'is in use by another program';
  return new HarborError(
    'port_in_use',
    `Port ${port} ${why}. Choose another with ${option} N; ${option} 0 takes any free one.`,
  );
}
