/** What a session may use. null: no limit, or none that its engine has. */
import { z } from 'zod';

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
