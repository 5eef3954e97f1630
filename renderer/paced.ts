/** Work that follows what happens, however often that is, and leaves the page time for the person before it. */
import type { StoreApi } from 'zustand';

/** So many times as long as the work took, with all that the page drew of it, it rests before it is done again. */
const REST = 2;

/** Milliseconds after which it is done again whatever it took. */
const LONGEST_REST_MS = 500;

/** Answers what asks for `work`: it is done at once, or else once for all that asked meanwhile when it has rested. */
export function paced(work: () => void): () => void {
  let isResting = false;
  let isAsked = false;
  const begin = () => {
    isResting = true;
    const began = performance.now();
    work();
    // React draws what a store says before the next task.
    setTimeout(() => {
      const took = performance.now() - began;
      setTimeout(end, Math.min(REST * took, LONGEST_REST_MS));
    });
  };
  const end = () => {
    isResting = false;
    if (!isAsked) return;
    isAsked = false;
    begin();
  };
  return () => {
    if (isResting) isAsked = true;
    else begin();
  };
}

/** A store that is always current, and whose listeners hear of it at that pace: a busy agent's events are drawn together. */
export function pacedStore<State>(store: StoreApi<State>): StoreApi<State> {
  const listeners = new Set<Parameters<StoreApi<State>['subscribe']>[0]>();
  let heard = store.getState();
  store.subscribe(
    paced(() => {
      const before = heard;
      heard = store.getState();
      for (const listener of [...listeners]) listener(heard, before);
    }),
  );
  return {
    ...store,
    subscribe: (listener) => {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}
