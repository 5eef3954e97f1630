/**
 * Records which images a call used, so that its answer carries their sandbox notes. A session records itself
 * whenever it queries its image, for every tool and endpoint.
 */

import { AsyncLocalStorage } from 'node:async_hooks';
import type { Note } from '../../contract/note';

/** The image of a session at the time of the answer; the call may have replaced it. */
export interface TouchedImage {
  /** The id of the session. */
  readonly id: string;
  /** The number of images that the session has had. */
  readonly generation: number;
  /** Notes for the caller; empty if the image is confined. */
  readonly sandboxNotes: readonly Note[];
}

const currentCall = new AsyncLocalStorage<Map<string, TouchedImage>>();

/**
 * Runs `work` as one call. A nested call is part of the outer one.
 * @param work gets a map of the images by session id, which grows during the call
 */
export function trackTouchedImages<T>(work: (touched: ReadonlyMap<string, TouchedImage>) => T): T {
  const touched = currentCall.getStore() ?? new Map<string, TouchedImage>();
  return currentCall.run(touched, () => work(touched));
}

/** Adds the image to the current call, if there is one. */
export function recordTouchedImage(image: TouchedImage): void {
  currentCall.getStore()?.set(image.id, image);
}
