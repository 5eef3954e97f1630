/** Approvals: what clients may do without a word, what a person is asked about, and what is refused. */
import { z } from 'zod';

/** Kinds of act. `network` and `attach` concern what sessions may reach; `kill` ends a session. */
export const ApprovalClass = z.enum(['evaluate', 'load', 'write', 'network', 'attach', 'kill']);
export type ApprovalClass = z.infer<typeof ApprovalClass>;

export const ApprovalAnswer = z.enum(['allow', 'ask', 'deny']);
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;

/** A person's word on one class; of several that fit, one for the client comes before one for all. */
export const ApprovalRule = z.object({
  /** A client's key; null for every client. */
  client: z.string().min(1).max(200).nullable().default(null),
  class: ApprovalClass,
  answer: ApprovalAnswer,
});
export type ApprovalRule = z.infer<typeof ApprovalRule>;

/** A call that waits for a person. */
export const ApprovalQuestion = z.object({
  id: z.number().int(),
  client: z.string(),
  class: ApprovalClass,
  tool: z.string(),
  /** Exactly what would run, or the call's arguments as JSON. */
  code: z.string(),
  /** The rule that has it asked, as a sentence. */
  rule: z.string(),
  askedAt: z.number(),
});
export type ApprovalQuestion = z.infer<typeof ApprovalQuestion>;

/** `always` makes a rule of it: this class is allowed to this client from now on. */
export const ApprovalReply = z.enum(['once', 'always', 'no']);
export type ApprovalReply = z.infer<typeof ApprovalReply>;

/** What waits, oldest first, and whether all clients are paused. */
export const ApprovalState = z.object({ paused: z.boolean(), questions: z.array(ApprovalQuestion) });
export type ApprovalState = z.infer<typeof ApprovalState>;
