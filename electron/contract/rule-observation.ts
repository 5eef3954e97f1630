/** What rules did in a proof that was observed, as zod schemas. Terms are as people write them, in package ACL2. */
import { z } from 'zod';

/** One time that the prover tried to apply a rule which was watched. */
export const RuleAttempt = z.object({
  rule: z.string(),
  /** The term that the rule matched. */
  target: z.string(),
  substitution: z.array(z.object({ variable: z.string(), term: z.string() })),
  /** What the rule made of the target; null where it was not applied. */
  result: z.string().nullable(),
  /** Why it was not applied, as break-rewrite says it: ":HYP 1 rewrote to (TRUE-LISTP B)."; null where it was. */
  failure: z.string().nullable(),
  /** 1, and more for attempts that others have made while they relieved a hypothesis. */
  depth: z.number().int(),
});
export type RuleAttempt = z.infer<typeof RuleAttempt>;

/** What a rule has cost, as accumulated persistence counts it; `useful` are those of attempts that ended in success. */
export const RuleCost = z.object({
  rule: z.string(),
  frames: z.number().int(),
  usefulFrames: z.number().int(),
  tries: z.number().int(),
  usefulTries: z.number().int(),
});
export type RuleCost = z.infer<typeof RuleCost>;

/** Either the attempts of the rules that were watched, the first ones of `attemptCount`, or the costs of all, highest first. */
export const RuleObservation = z.object({
  attempts: z.array(RuleAttempt),
  attemptCount: z.number().int(),
  costs: z.array(RuleCost),
});
export type RuleObservation = z.infer<typeof RuleObservation>;
