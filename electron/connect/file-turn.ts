/** One at a time in another program's file: harbors of other data folders connect programs as well, and so do commands. */
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { HarborError } from '../contract/errors';
import { tryToHold } from '../host/lock';
import { makePrivateFolder } from '../host/private-folder';
import { sha256 } from './install-record';

const PAUSE_MS = 25;
const LIMIT_MS = 30_000;

/**
 * Does the work when nobody else is at that file; waits for who is.
 * @param folder of this user's locks
 * @throws HarborError `config_unwritable` after half a minute
 */
export async function inTurnAt<T>(folder: string, file: string, work: () => Promise<T>): Promise<T> {
  makePrivateFolder(folder);
  const lock = path.join(folder, `connect-${sha256(path.resolve(file)).slice(0, 16)}.lock`);
  const began = Date.now();
  for (;;) {
    const held = tryToHold(lock, { socket: '', kind: 'command' });
    if ('release' in held) {
      try {
        return await work();
      } finally {
        held.release();
      }
    }
    if (Date.now() - began > LIMIT_MS)
      throw new HarborError(
        'config_unwritable',
        `Another Lisp Harbor (process ${held.pid}) has been at work on ${file} for half a minute. End it and try again.`,
      );
    await delay(PAUSE_MS);
  }
}
