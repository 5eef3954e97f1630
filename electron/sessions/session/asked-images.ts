/**
 * What a call must tell of the images that it has asked. A session notes that here whenever it is asked for what its image
 * knows, whatever tool or endpoint the call came through; whoever answers the call tells it. So no tool can forget it.
 */
import { AsyncLocalStorage } from 'node:async_hooks';

/** A session's image, as it is when the call is answered: the call may have replaced it. */
export interface AskedImage {
  /** Of the session. */
  readonly id: string;
  /** Counts the images of the session. */
  readonly generation: number;
  /** What whoever gets an answer of it must know; none for an image that is confined. */
  readonly sandboxNotes: readonly string[];
}

const ofThisCall = new AsyncLocalStorage<Map<string, AskedImage>>();

/** Does `work` as one call; a call within a call is part of it.
 * @param work gets the images, by their sessions, to which those are added that are asked meanwhile */
export function asOneCall<T>(work: (asked: ReadonlyMap<string, AskedImage>) => T): T {
  const asked = ofThisCall.getStore() ?? new Map<string, AskedImage>();
  return ofThisCall.run(asked, () => work(asked));
}

/** The call that runs now, if there is one, has asked that image. */
export function noteAsked(image: AskedImage): void {
  ofThisCall.getStore()?.set(image.id, image);
}
