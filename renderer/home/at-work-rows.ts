/** Who is at work: sessions that evaluate, and clients whose last call is not long ago and shows nowhere else. Pure. */
import type { SessionView } from '../../electron/contract/model';
import type { LastCall } from '../../electron/contract/needs';

/** Milliseconds after which a client that calls nothing is not at work any more. */
const RECENT_MS = 5 * 60_000;

export function atWork(
  sessions: readonly SessionView[],
  calls: readonly LastCall[],
  now: number,
): { running: SessionView[]; recent: LastCall[] } {
  const running = sessions.filter(({ state }) => state === 'running');
  const shown = new Set(running.map(({ client }) => client));
  const isRecent = ({ endedAt }: LastCall) => endedAt === null || now - endedAt < RECENT_MS;
  return { running, recent: calls.filter((call) => isRecent(call) && !shown.has(call.client)) };
}
