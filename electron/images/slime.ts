/** The optional group of an image that a person's Emacs can be attached to with SLIME. */
import type { Duplex } from 'node:stream';

export interface SlimeServer {
  /**
   * Makes Swank, the server side of SLIME, ready in the image: loaded when it is not there yet, which takes seconds.
   * @returns the version of the SLIME that it is from; null when it does not say
   * @throws HarborError `slime_missing` with what to install, `query_failed`, `took_too_long`, `image_lost`
   */
  start(): Promise<string | null>;
  /** A new connection to Swank, once it is ready. It ends with the image at the latest. */
  connect(): Duplex;
  /**
   * Ends all connections and what they run in the image.
   * @returns the names of threads that go on all the same
   */
  stop(): Promise<string[]>;
}
