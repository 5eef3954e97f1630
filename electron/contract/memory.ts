/** Memory: what fills that of an image, what the machine has left, and the limits of a session. Sizes are in bytes unless a name says MiB. */
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

/** Heap of an image in MiB: an SBCL with less than the smallest has hardly room for its own. */
export const HeapMiB = z.number().int().min(256).max(65_536);

/** Seconds of processor time of one evaluation. */
export const CpuSeconds = z.number().int().min(1).max(86_400);

/** Characters that one evaluation may print. */
export const OutputChars = z.number().int().min(10_000).max(100_000_000);

export const Limits = z.object({
  heapMiB: HeapMiB.nullable(),
  cpuSeconds: CpuSeconds.nullable(),
  outputChars: OutputChars.nullable(),
});
export type Limits = z.infer<typeof Limits>;
