/** What a row of a list shows of a prover's report: how each event ended and what all of it rests on. */
import { z } from 'zod';
import { TrustIssue, Verdict } from './proof';

/** `names` are those that the event brought; one that failed has none. `checkpoints` counts its key checkpoints. */
export const EventSummary = z.object({
  operator: z.string().nullable(),
  verdict: Verdict,
  names: z.array(z.string()),
  steps: z.number().int().nullable(),
  milliseconds: z.number().int().nullable(),
  checkpoints: z.number().int(),
});
export type EventSummary = z.infer<typeof EventSummary>;

/** `events` has the last ones of `total`: where an evaluation failed is its end. */
export const ProofSummary = z.object({
  events: z.array(EventSummary),
  total: z.number().int(),
  issues: z.array(TrustIssue),
});
export type ProofSummary = z.infer<typeof ProofSummary>;
