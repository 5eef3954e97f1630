/**
 * Patience with an image: how long it may take to answer before it counts as stuck. A clock on the wall cannot tell that
 * from a machine that is slow. So time passes only while the image could have acted: when one of its threads wants a
 * processor, or it floods us and may have to wait until that is read, only what it has used of a processor counts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Activity } from '../launchers/launcher';

/** Milliseconds between two looks. No look counts for more: while this process had no processor, nobody could be heard. */
const LOOK_MS = 100;

/** Bytes read from one look to the next that are a flood; a pipe holds twice as many. */
const FLOOD = 32 * 1024;

/** An image or a process whose activity can be read; where it cannot, all time counts. */
export interface Observed {
  activity?(): Promise<Activity | null>;
}

/** Settles when `of` has had `milliseconds`, or when `over` is aborted. */
export async function patience(of: Observed, milliseconds: number, over: AbortSignal): Promise<void> {
  let before = await activityOf(of);
  for (let left = milliseconds; left > 0 && !over.aborted; ) {
    const pause = Math.min(LOOK_MS, left);
    await delay(pause, undefined, { ref: false, signal: over }).catch(() => undefined);
    const now = await activityOf(of);
    left -= counted(before, now, pause);
    before = now;
  }
}

/** Whether `event` has come before patience with `of` was at its end. */
export async function inTime(of: Observed, milliseconds: number, event: Promise<unknown>): Promise<boolean> {
  const over = new AbortController();
  const late = patience(of, milliseconds, over.signal).then(() => false);
  try {
    return await Promise.race([event.then(() => true), late]);
  } finally {
    over.abort();
  }
}

/** How many milliseconds count of the `pause` between two looks. */
export function counted(before: Activity | null, now: Activity | null, pause: number): number {
  if (before === null || now === null) return pause;
  const isHeldUp = now.wantsProcessor || now.heard - before.heard >= FLOOD;
  return isHeldUp ? Math.min(pause, (now.cpuSeconds - before.cpuSeconds) * 1_000) : pause;
}

/** A look that takes long, as at a process that is not found yet, is none. */
async function activityOf(of: Observed): Promise<Activity | null> {
  const seen = of.activity?.().catch(() => null);
  if (seen === undefined) return null;
  const over = new AbortController();
  const late = delay(LOOK_MS, null, { ref: false, signal: over.signal }).catch(() => null);
  const activity = await Promise.race([seen, late]);
  over.abort();
  return activity;
}
