/** Traces of evaluations: the calls of the project's functions with arguments, values and times. */
import { z } from 'zod';

export const TracedCall = z.object({
  name: z.string(),
  /** Number of traced calls around it. */
  depth: z.int(),
  /** Printed at the call, cut. */
  arguments: z.string(),
  /** Printed, cut; null before it has returned, and if it was left otherwise. */
  values: z.string().nullable(),
  /** Whether it was left without values, by an error or a throw. */
  left: z.boolean(),
  /** Null while it runs. */
  microseconds: z.int().nullable(),
});
export type TracedCall = z.infer<typeof TracedCall>;

export const Trace = z.object({
  /** Number of functions that were traced. */
  functions: z.int(),
  /** In the order in which they began. */
  calls: z.array(TracedCall),
  /** Number of further calls, which were only counted. */
  others: z.int(),
});
export type Trace = z.infer<typeof Trace>;
