/**
 * Sessions of servers that somebody else runs: when the server is back, on whatever port, so is the session, without
 * anybody doing anything. Its state was the server's and is lost; the next evaluation is told.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ServerAddress } from '../../contract/server';
import type { Engines } from '../../images/discovery';
import type { Session } from '../session/session';
import type { Sessions } from '../sessions';

/** Milliseconds between two looks for the server: often at first, for it may just be starting again. */
const PAUSES_MS = [1_000, 1_000, 2_000, 2_000, 5_000, 5_000, 15_000];

/** Watches all sessions from now on. @param current where a server is by now */
export function keepConnected(
  sessions: Sessions,
  engines: Engines,
  current: (server: ServerAddress) => Promise<ServerAddress>,
): void {
  const trying = new Set<string>();
  sessions.events.on('changed', ({ id, state, server, engine: name }) => {
    const session = sessions.get(id);
    const engine = engines.get(name);
    if (state !== 'lost' || !session || !server || !engine.isThere || trying.has(id)) return;
    trying.add(id);
    const isThere = async () => (await engine.isThere?.(await current(server))) ?? false;
    void reconnect(session, isThere).finally(() => trying.delete(id));
  });
}

/** Ends when there is a connection, or the session has ended. */
async function reconnect(session: Session, isThere: () => Promise<boolean>): Promise<void> {
  for (let tried = 0; session.state === 'lost'; tried += 1) {
    await delay(PAUSES_MS[tried] ?? PAUSES_MS.at(-1), undefined, { ref: false });
    const there = await isThere().catch(() => false);
    if (there && session.state === 'lost') await session.revive();
  }
}
