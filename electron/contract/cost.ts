/** What evaluations cost, and what a statistical profiler saw of one: in which functions its time or its allocation went. */
import { z } from 'zod';

/** Of the whole process of the image, so that threads which the code started are in it. */
export const Cost = z.object({
  realMs: z.number(),
  /** CPU time, of all threads together. */
  runMs: z.number(),
  gcMs: z.number(),
  /** Bytes allocated, whatever became of them. */
  bytes: z.int(),
});
export type Cost = z.infer<typeof Cost>;

/** What samples are taken by: processor time, or allocation. */
export const SamplingMode = z.enum(['cpu', 'alloc']);
export type SamplingMode = z.infer<typeof SamplingMode>;

/** A number of samples, and which share of all samples that is, in percent with one decimal. */
export const SampleShare = z.object({ samples: z.int(), percent: z.number() });
export type SampleShare = z.infer<typeof SampleShare>;

export const SampledFunction = z.object({
  name: z.string(),
  /** Samples in which the function itself was at work. */
  self: SampleShare,
  /** Samples in which it was on the stack, its callees included. */
  total: SampleShare,
});
export type SampledFunction = z.infer<typeof SampledFunction>;

/** What a sampler found: a CPU profile (`cpu`) or an allocation profile (`alloc`). */
export const SampledProfile = z.object({
  mode: SamplingMode,
  samples: z.int(),
  /** Not all of them: those with the most samples. */
  functions: z.array(SampledFunction),
  /** A line for each stack, `outer;inner 12`, as the tools for flame graphs read it; most samples first. */
  folded: z.string(),
  /** Stacks that `folded` does not have, for want of room, and their samples. */
  omitted: z.object({ stacks: z.int(), samples: z.int() }),
});
export type SampledProfile = z.infer<typeof SampledProfile>;
