/** Asks a server from time to time whether it is there, on a connection of its own, so that no evaluation is in the way. */
import { setTimeout as delay } from 'node:timers/promises';
import type { NreplClient } from './client';

/** Milliseconds between two questions, and how long an answer may take. */
const HEARTBEAT = { every: 45_000, patience: 15_000 } as const;

/** Asks until `stop` is aborted. Settles with true when an answer failed to come: the server is lost, or stuck. */
export async function watchHeartbeat(
  client: NreplClient,
  stop: AbortSignal,
  { every, patience }: { every: number; patience: number } = HEARTBEAT,
): Promise<boolean> {
  while (!stop.aborted) {
    await Promise.race([
      delay(every, undefined, { ref: false, signal: stop }).catch(() => undefined),
      client.ended,
    ]);
    if (stop.aborted) return false;
    const late = delay(patience, null, { ref: false });
    const answer = await Promise.race([client.request({ op: 'describe' }), late]);
    if (!answer?.done) return !stop.aborted;
  }
  return false;
}
