/** How the entries stop a harbor, and their exit codes. */

import { asFailure } from '../contract/errors';

/** Time limit of a stop after SIGTERM, in milliseconds. Service managers allow five seconds. */
const STOP_LIMIT_MS = 4_500;

/**
 * Stops the harbor. After `limitMs` it returns without waiting for the rest, such as an image that does not
 * exit. Rejects with the error of the stop.
 */
export async function stopInTime(
  harbor: { stop(): Promise<void> },
  limitMs: number = STOP_LIMIT_MS,
): Promise<void> {
  const { promise: limit, resolve: reachLimit } = Promise.withResolvers<void>();
  const timer = setTimeout(reachLimit, limitMs);
  try {
    await Promise.race([harbor.stop(), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * Returns the exit code: 2 for a wrong command line, 1 for any other failure. A hidden start only needs some
 * harbor to run, so a data folder in use is 0.
 */
export function exitCodeOf(error: unknown, { hidden }: { hidden: boolean }): 0 | 1 | 2 {
  const { code } = asFailure(error);
  if (code === 'bad_arguments') return 2;
  return hidden && code === 'data_folder_in_use' ? 0 : 1;
}
