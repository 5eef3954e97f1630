/** What instructions to the proof-builder have left to prove, as zod schemas. Terms are in package ACL2. */
import { z } from 'zod';

export const BuilderGoal = z.object({
  /** `MAIN`, or `(MAIN . 1)` for one that came of it. */
  name: z.string(),
  hypotheses: z.array(z.string()),
  conclusion: z.string(),
  /** Where in the conclusion the instructions have dived to; empty at its top. */
  address: z.array(z.number().int()),
});
export type BuilderGoal = z.infer<typeof BuilderGoal>;

/** The goals after the last instruction that succeeded, the present one first; none when all is proved. */
export const BuilderState = z.object({ goals: z.array(BuilderGoal) });
export type BuilderState = z.infer<typeof BuilderState>;
