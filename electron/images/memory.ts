/** The optional group of an image that knows what fills its memory. */
import type { Memory } from '../contract/memory';

export interface MemoryReader {
  /**
   * Answers while an evaluation runs, which may pause meanwhile, for a second at most.
   * @param limit types of object told by themselves
   * @throws HarborError `took_too_long`, `query_failed`, `image_lost`
   */
  read(limit: number): Promise<Memory>;
}
