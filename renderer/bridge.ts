/** The page's side of the contract, and the only file that touches `window.bridge`. */
import type { CallName, EventName } from '../electron/contract/channels';
import type { Args, Bridge, Payload, Result } from '../electron/contract/contract';
import type { ErrorCode } from '../electron/contract/errors';
import type { Toasts } from './toasts';

declare global {
  interface Window {
    readonly bridge: Bridge;
  }
}

/** A call that was answered with an error: its stable code, and a message that says what to do. */
export class CallError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'CallError';
    this.code = code;
  }
}

/** Calls main; rejects with a CallError when main answers with a failure. */
export async function call<C extends CallName>(name: C, args: Args<C>): Promise<Result<C>> {
  const reply = await window.bridge.invoke(name, args);
  if (!reply.ok) throw new CallError(reply.code, reply.message);
  return reply.value;
}

/** Where a dropped file or folder lies; '' for what is none. */
export function pathOf(file: File): string {
  return window.bridge.pathOf(file);
}

/** Listens to an event of main; answers the function that stops listening. */
export function subscribe<E extends EventName>(
  event: E,
  listener: (payload: Payload<E>) => void,
): () => void {
  return window.bridge.on(event, listener);
}

/** What to tell a person about anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** As `call`, but tells the person of a failure; answers undefined then. */
export async function tryCall<C extends CallName>(
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
