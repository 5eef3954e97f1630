/** A call into the harbor whose failure the person is told. */
import type { CallName } from '../electron/contract/channels';
import type { Args, Result } from '../electron/contract/contract';
import { call, messageOf } from './bridge';
import type { Toasts } from './toasts';

/** The result, or undefined after a failure, which the person has then been told. */
export async function triedCall<C extends CallName>(
  toasts: Toasts,
  name: C,
  args: Args<C>,
): Promise<Result<C> | undefined> {
  try {
    return await call(name, args);
  } catch (error) {
    toasts.failed(messageOf(error));
    return undefined;
  }
}
