/**
 * The process of an image: whether it makes progress in time, and how it ended. Pure except for timers. An
 * image on a slow machine is not stuck, so time counts only while the image could have acted: while a thread
 * waits for a processor, or while unread output may block the image, only processor time counts.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Activity, LaunchEnd } from '../launchers/launcher';

/**
 * Milliseconds between two checks, and the maximum counted for one check: while this process itself had no
 * processor, it could read nothing.
 */
const CHECK_MS = 100;

/** Bytes read between two checks that count as a flood. A pipe buffers twice as many. */
const FLOOD_BYTES = 32 * 1024;

/** An image or process. Without readable activity, all time counts. */
export interface ActivitySource {
  activity?(): Promise<Activity | null>;
}

/** Resolves when `source` has had `milliseconds`, or when `signal` is aborted. */
async function progressTimeout(
  source: ActivitySource,
  milliseconds: number,
  signal: AbortSignal,
): Promise<void> {
  let before = await activityOf(source);
  for (let remaining = milliseconds; remaining > 0 && !signal.aborted; ) {
    const pause = Math.min(CHECK_MS, remaining);
    await delay(pause, undefined, { ref: false, signal }).catch(() => undefined);
    const now = await activityOf(source);
    remaining -= countedMilliseconds(before, now, pause);
    before = now;
  }
}

/** Reports whether `event` settles before `source` has had `milliseconds`. */
export async function inTime(
  source: ActivitySource,
  milliseconds: number,
  event: Promise<unknown>,
): Promise<boolean> {
  const timeout = new AbortController();
  const late = progressTimeout(source, milliseconds, timeout.signal).then(() => false);
  try {
    return await Promise.race([event.then(() => true), late]);
  } finally {
    timeout.abort();
  }
}

/** Returns how many milliseconds of the `pause` between two checks count. */
export function countedMilliseconds(before: Activity | null, now: Activity | null, pause: number): number {
  if (before === null || now === null) return pause;
  const isBlocked = now.wantsProcessor || now.bytesRead - before.bytesRead >= FLOOD_BYTES;
  return isBlocked ? Math.min(pause, (now.cpuSeconds - before.cpuSeconds) * 1_000) : pause;
}

/** Returns the activity; null if reading it takes too long, as for a process that is not found yet. */
async function activityOf(source: ActivitySource): Promise<Activity | null> {
  const reading = source.activity?.().catch(() => null);
  if (reading === undefined) return null;
  const timeout = new AbortController();
  const late = delay(CHECK_MS, null, { ref: false, signal: timeout.signal }).catch(() => null);
  const activity = await Promise.race([reading, late]);
  timeout.abort();
  return activity;
}

const MIB = 1024 ** 2;

/** Describes a process that was killed because its wire failed for `reason`. */
export function describeAborted(title: string, reason: string): string {
  return `${title} was killed because code in it wrote invalid data to its connection with the harbor: ${reason}`;
}

/**
 * Describes a killed process: "SBCL was killed by SIGKILL", or the memory limit; null for a process that was
 * not killed.
 */
export function describeKilled(title: string, { signal, exceededBytes }: LaunchEnd): string | null {
  if (signal === null) return null;
  if (exceededBytes === undefined) return `${title} was killed by ${signal}`;
  const most = Math.floor(exceededBytes / MIB);
  return `${title} was killed because it and its child processes used more than ${most} MiB of memory, the limit for an image`;
}

/** Returns the last complete lines with at most `most` characters; the end of a longer last line. */
export function lastLines(text: string, most: number): string {
  const trimmed = text.trim();
  if (trimmed.length <= most) return trimmed;
  const end = trimmed.slice(-most);
  return end.slice(end.indexOf('\n') + 1);
}
