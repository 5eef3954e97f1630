/** Event listeners and timers with a function that removes them. `npm run lint` refuses others. */
type Emitter = Pick<NodeJS.EventEmitter, 'on' | 'off'>;

/**
 * Adds the listeners that `add` passes to its argument, which is the emitter's own `on`.
 * @returns a function that removes them
 */
export function addListeners<E extends Emitter>(emitter: E, add: (on: E['on']) => unknown): () => void {
  const added: [event: string | symbol, listener: (...args: unknown[]) => void][] = [];
  add((event, listener) => {
    added.push([event, listener]);
    return emitter.on(event, listener);
  });
  return () => {
    for (const [event, listener] of added) emitter.off(event, listener);
  };
}

/**
 * Calls `action` once when the signal aborts; now if it has aborted.
 * @returns a function that removes the listener
 */
export function onAbort(signal: AbortSignal | undefined, action: () => void): () => void {
  if (signal?.aborted) action();
  else signal?.addEventListener('abort', action, { once: true });
  return () => signal?.removeEventListener('abort', action);
}

/**
 * Resolves when everything is received that the system had notified before the call: the event loop polls between two
 * turns.
 */
export function polled(): Promise<void> {
  return new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
}

/**
 * Calls `action` periodically. It does not keep the process running.
 * @returns a function that stops it
 */
export function every(milliseconds: number, action: () => void): () => void {
  const timer = setInterval(action, milliseconds).unref();
  return () => clearInterval(timer);
}
