/** How a harbor's entries end, with and without a window: within a limit, and with an exit code that tells why. */
import { asFailure } from '../contract/errors';

/** SIGTERM promises an end within five seconds, in milliseconds a little less. */
const STOP_LIMIT_MS = 4_500;

/**
 * Stops the harbor, or gives up on what has not ended after `limitMs`, such as an image that will not die: that is
 * left to the operating system. Rejects with what the stop failed with.
 */
export async function stopInTime(
  harbor: { stop(): Promise<void> },
  limitMs: number = STOP_LIMIT_MS,
): Promise<void> {
  const { promise: limit, resolve: giveUp } = Promise.withResolvers<void>();
  const timer = setTimeout(giveUp, limitMs);
  try {
    await Promise.race([harbor.stop(), limit]);
  } finally {
    clearTimeout(timer);
  }
}

/**
 * 2 for a command line that is wrong, 1 for all that fails. A hidden start wants some harbor to run: that another one
 * holds the data folder is no failure of it, but 0.
 */
export function exitCodeOf(error: unknown, { hidden }: { hidden: boolean }): 0 | 1 | 2 {
  const { code } = asFailure(error);
  if (code === 'bad_arguments') return 2;
  return hidden && code === 'data_folder_in_use' ? 0 : 1;
}
