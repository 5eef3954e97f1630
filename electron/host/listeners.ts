/** Event listeners with a function that removes them. */
import type { EventEmitter } from 'node:events';

type Listener = (...args: never[]) => void;

/**
 * Adds one listener per event.
 * @returns a function that removes them
 */
export function addListeners<Events extends Record<keyof Events, unknown[]>>(
  emitter: EventEmitter<Events>,
  listeners: { readonly [Event in keyof Events]?: (...args: Events[Event]) => void },
): () => void;
export function addListeners(
  emitter: NodeJS.EventEmitter | Pick<NodeJS.Process, 'on' | 'off'>,
  listeners: Readonly<Record<string, Listener>>,
): () => void;
export function addListeners(
  emitter: Pick<NodeJS.EventEmitter, 'on' | 'off'>,
  listeners: object,
): () => void {
  const added: [string, (...args: unknown[]) => void][] = Object.entries(listeners);
  for (const [event, listener] of added) emitter.on(event, listener);
  return () => {
    for (const [event, listener] of added) emitter.off(event, listener);
  };
}

/**
 * Calls `action` once when the signal aborts.
 * @returns a function that removes the listener
 */
export function onAbort(signal: AbortSignal, action: () => void): () => void {
  signal.addEventListener('abort', action, { once: true });
  return () => signal.removeEventListener('abort', action);
}
