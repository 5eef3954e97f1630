/** Listening at a unix socket that a person named: only this user can open it, and nothing else of theirs is touched. */
import { lstat, unlink } from 'node:fs/promises';
import { connect, type Server } from 'node:net';
import { HarborError } from '../contract/errors';

/** Nobody but the owner may read or write what is made meanwhile. */
const PRIVATE = 0o177;

/**
 * A socket that nobody answers at any more is replaced.
 * @param option the option that names the socket, for messages
 * @throws HarborError `port_in_use` where somebody answers there; `bad_arguments` where something else is, or nothing can be
 */
export async function listenOnSocket(server: Server, path: string, option: string): Promise<void> {
  if (process.platform === 'win32')
    throw new HarborError('bad_arguments', `${option}: Windows has no unix sockets here; use a port.`);
  await freeSocket(path, option);
  await new Promise<void>((resolve, reject) => {
    const failed = ({ message }: Error): void =>
      reject(new HarborError('bad_arguments', `${option} ${path} cannot be opened: ${message}.`));
    server.once('error', failed);
    // The socket is made within this call: there is no moment at which others could open it.
    const mask = process.umask(PRIVATE);
    server.listen(path, () => {
      server.off('error', failed);
      resolve();
    });
    process.umask(mask);
  });
}

async function freeSocket(path: string, option: string): Promise<void> {
  const found = await lstat(path).catch(() => null);
  if (found === null) return;
  if (!found.isSocket())
    throw new HarborError('bad_arguments', `${option} ${path}: something else is there, and stays.`);
  if (await answers(path))
    throw new HarborError(
      'port_in_use',
      `${option} ${path}: another program answers there. Name another path.`,
    );
  await unlink(path);
}

/** Whether somebody listens at a socket. */
export function answers(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socketPath);
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}
