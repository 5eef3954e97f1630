/** What forms of the harbor's own add to their records (resources/lisp/acl2), read as the contract has it. */
import { z } from 'zod';
import { BuilderState, RuleAttempt, RuleCost } from '../../contract/proof';

/** Of HARBOR-REPLAY and others that submit forms again: the forms that were lost, with their numbers. */
const Submitted = z.object({
  lost: z.array(z.object({ tag: z.number().int(), form: z.string() })),
  admitted: z.number().int(),
});
export type Submitted = z.infer<typeof Submitted>;

const attempt = RuleAttempt.extend({
  failure: z
    .string()
    .nullable()
    .transform((phrase) => phrase?.replaceAll(/\s+/g, ' ').trim() ?? null),
});

const cost = RuleCost.omit({ usefulFrames: true, usefulTries: true })
  .extend({ useful_frames: z.number().int(), useful_tries: z.number().int() })
  .transform(({ useful_frames: usefulFrames, useful_tries: usefulTries, ...same }) => ({
    ...same,
    usefulFrames,
    usefulTries,
  }));

const observation = z
  .object({
    ...{ attempts: z.array(attempt), attempt_count: z.number().int() },
    ...{ costs: z.array(cost), disabled: z.array(z.string()) },
  })
  .transform(({ attempt_count: attemptCount, ...same }) => ({ ...same, attemptCount }));

/** Of HARBOR-LOAD: forms of a file below a book that are there for who certifies that book by hand. */
const PassedOver = z
  .object({ passed_over: z.array(z.string()) })
  .transform(({ passed_over: passedOver }) => ({ passedOver }));

/** Of a form that includes or certifies books: where in the text of one stands what cannot be read. */
const Unread = z.object({ unread: z.object({ file: z.string(), line: z.number().int() }) });

export const Details = z.union([
  Submitted,
  Unread,
  PassedOver,
  z.object({ observation }),
  z.object({ builder: BuilderState }),
]);
export type Details = z.infer<typeof Details>;
