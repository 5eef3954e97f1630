/** A bound for what has none of its own: the caller is told that it takes too long, and it goes on. */
import { HarborError } from '../../contract/errors';

/** @throws HarborError `took_too_long` with `message` after `milliseconds`, or when `signal` aborts; else as `answer` does */
export async function withinLimit<T>(
  answer: Promise<T>,
  milliseconds: number,
  signal: AbortSignal,
  message: string,
): Promise<T> {
  const { promise: late, reject } = Promise.withResolvers<never>();
  const stop = () => reject(new HarborError('took_too_long', message));
  const timer = setTimeout(stop, milliseconds);
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}
