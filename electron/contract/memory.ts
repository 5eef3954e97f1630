/** What fills the memory of an image. All sizes are in bytes. */
import { z } from 'zod';

export const MemoryType = z.object({ name: z.string(), bytes: z.int(), count: z.int() });
export type MemoryType = z.infer<typeof MemoryType>;

export const Memory = z.object({
  /** Of the heap that is collected, garbage included until it is. */
  used: z.int(),
  size: z.int(),
  spaces: z.array(z.object({ name: z.string(), bytes: z.int() })),
  /** The types of object with the most bytes, those first. */
  types: z.array(MemoryType),
  /** All other types together. */
  others: z.object({ types: z.int(), bytes: z.int(), count: z.int() }),
  /** Bytes of the objects that were counted; `complete` is false where the time for that was up before. */
  counted: z.int(),
  complete: z.boolean(),
});
export type Memory = z.infer<typeof Memory>;
