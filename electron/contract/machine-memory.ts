/** The memory of this machine as everyone sees it who might want to end a session. */
import { z } from 'zod';

export const MemoryView = z.object({
  totalBytes: z.number(),
  /** What programs can still get without others being thrown out. */
  availableBytes: z.number(),
  /** What the images of sessions take. */
  imagesBytes: z.number(),
  /** Images that are kept ready for sessions to come, and what they take. */
  ready: z.object({ images: z.number().int(), bytes: z.number() }),
  /** Whether less is available than a person wants left. */
  short: z.boolean(),
});
export type MemoryView = z.infer<typeof MemoryView>;
