/** The limit of an evaluation's processor time, kept from outside: ACL2 has no clock that code could not turn back. */
import { setTimeout as delay } from 'node:timers/promises';

/** Milliseconds between two looks at least. */
const SHORTEST_PAUSE_MS = 50;

export interface CpuLimit {
  seconds: number;
  /** Seconds of processor time of the process by now; null when it is gone. */
  used: () => Promise<number | null>;
  /** Called once when the limit is reached. */
  spent: () => Promise<unknown>;
}

/** Watches from now on until `over` settles. */
export async function keepCpuLimit(
  { seconds, used, spent }: CpuLimit,
  over: Promise<unknown>,
): Promise<void> {
  const begun = await used();
  const ended = over.then(() => true);
  for (;;) {
    const now = await used();
    if (begun === null || now === null) return;
    const left = seconds - (now - begun);
    if (left <= 0) break;
    const pause = delay(Math.max(SHORTEST_PAUSE_MS, left * 1_000), false, { ref: false });
    if (await Promise.race([ended, pause])) return;
  }
  await spent();
}

export function cpuLimitNote(seconds: number): string {
  return `The evaluation was interrupted because it had used the ${seconds} s of processor time that the limit of this session allows. The session's state is kept. \`open_session\` takes another limit.`;
}
