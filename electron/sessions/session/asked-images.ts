/**
 * What a call must tell of the images that it has asked. A session notes that here whenever it is asked for what its image
 * knows, whatever tool or endpoint the call came through; whoever answers the call tells it. So no tool can forget it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

const ofThisCall = new AsyncLocalStorage<Set<string>>();

/** Does `work` as one call; a call within a call is part of it.
 * @param work gets the notes, to which images add that are asked meanwhile */
export function asOneCall<T>(work: (notes: ReadonlySet<string>) => T): T {
  const notes = ofThisCall.getStore() ?? new Set<string>();
  return ofThisCall.run(notes, () => work(notes));
}

/** The call that runs now, if there is one, has asked an image of which these are to be told. */
export function noteAsked(notes: readonly string[]): void {
  for (const note of notes) ofThisCall.getStore()?.add(note);
}
