/** The renderer's side of the bridge, and the only file that uses `window.bridge`. */
import type { EventName } from '../electron/contract/channels';
import type { Args, Bridge, CallName, Payload, Result } from '../electron/contract/contract';
import type { ErrorCode } from '../electron/contract/errors';
import type { Toasts } from './toasts';

declare global {
  interface Window {
    readonly bridge: Bridge;
  }
}

/** A failed call, with its stable code and a message that says what to do. */
export class CallError extends Error {
  readonly code: ErrorCode;

  constructor(code: ErrorCode, message: string) {
    super(message);
    this.name = 'CallError';
    this.code = code;
  }
}

/** Calls main by the name of the call. A failure rejects with a CallError. */
export async function call<C extends CallName>(name: C, args: Args<C>): Promise<Result<C>> {
  const reply = await window.bridge.invoke(name, args);
  if (!reply.ok) throw new CallError(reply.code, reply.message);
  return reply.value;
}

/**
 * The calls of one service, for example all that start with `sessions:`. A call without arguments takes none.
 */
type Service<Name extends string, C extends CallName = Extract<CallName, `${Name}:${string}`>> = {
  readonly [Each in C as Each extends `${Name}:${infer Method}` ? Method : never]: (
    ...args: Args<Each> extends null ? [] : [args: Args<Each>]
  ) => Promise<Result<Each>>;
};

type ServiceName = CallName extends infer Each
  ? Each extends `${infer Name}:${string}`
    ? Name
    : never
  : never;

/** Every call of the contract as a method: `harbor.sessions.open({})` calls `sessions:open`. */
export type HarborProxy = { readonly [Name in ServiceName]: Service<Name> };

/** Calls main, as `harbor.sessions.list()`. A failure rejects with a CallError. */
export const harbor: HarborProxy = createProxy(call);

/** Creates methods on access, from the names of service and method. */
function createProxy(invoke: (name: CallName, args: never) => Promise<unknown>): HarborProxy {
  const service = (name: string) =>
    new Proxy(
      {},
      {
        get: (_target, method) => (args: unknown) =>
          invoke(`${name}:${String(method)}` as CallName, (args ?? null) as never),
      },
    );
  return new Proxy({}, { get: (_target, name) => service(String(name)) }) as HarborProxy;
}

/** Returns the path of a dropped file or folder, or '' if it has none. */
export function pathOf(file: File): string {
  return window.bridge.pathOf(file);
}

/** Subscribes to an event of main. Returns a function that unsubscribes. */
export function subscribe<E extends EventName>(
  event: E,
  listener: (payload: Payload<E>) => void,
): () => void {
  return window.bridge.on(event, listener);
}

/** Returns the message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Calls main like `call`, but shows a failure in a toast and returns undefined. */
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

/** `HarborProxy`, except that a failed call is shown in a toast and resolves to undefined. */
export type ReportingProxy = {
  readonly [Name in ServiceName]: {
    readonly [Method in keyof HarborProxy[Name]]: HarborProxy[Name][Method] extends (
      ...args: infer A
    ) => Promise<infer R>
      ? (...args: A) => Promise<R | undefined>
      : never;
  };
};

/** Makes a proxy that reports failures in `toasts`. */
export function reportingHarbor(toasts: Toasts): ReportingProxy {
  return createProxy((name, args) => tryCall(toasts, name, args)) as ReportingProxy;
}
