/** The way to the harbor of a data folder, for commands that call its tools: it is joined, or started hidden. Plain Node. */
import { readFile } from 'node:fs/promises';
import type { Socket } from 'node:net';
import type { DataFolder } from '../../host/data-folder';
import { reachHarbor } from '../../host/harbor-reach';
import { lockHolder } from '../../host/lock-holder';

export interface HarborSocket {
  socket: Socket;
  /** What opens it. */
  secret: string;
}

/**
 * @param say tells the person
 * @throws Error why there is no harbor
 */
export async function joinHarbor(folder: DataFolder, say: (line: string) => void): Promise<HarborSocket> {
  const options = {
    socketPath: () => lockHolder(folder.lock)?.socket ?? folder.socket,
    isHeld: () => lockHolder(folder.lock) !== null,
    startHarbor: async () => {
      say('starting a harbor, hidden; it goes on until "lisp-harbor stop".');
      return (await starting(folder)).startHarbor();
    },
  };
  const { signal } = new AbortController();
  const socket = await reachHarbor(options, { needed: () => true, patienceMs: 0, signal });
  return { socket, secret: (await readFile(folder.bridgeSecret, 'utf8')).trim() };
}

/** Loaded where it is needed: joining a harbor that runs takes a tenth of it. */
async function starting(folder: DataFolder) {
  const [{ reachOptions }, { parseOptions }] = await Promise.all([
    import('../../host/hidden-start'),
    import('../../host/options'),
  ]);
  return reachOptions(folder, parseOptions([]));
}
