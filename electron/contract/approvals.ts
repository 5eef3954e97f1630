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

/** What a yes to reading a file opens: the folder of a system, as the image of a session says. Both are only claimed. */
export const OpenedByYes = z.object({ folder: z.string(), system: z.string(), session: z.string() });
export type OpenedByYes = z.infer<typeof OpenedByYes>;

/** A call that waits for a person. */
export const ApprovalQuestion = z.object({
  id: z.number().int(),
  client: z.string(),
  /** `read`: of a file beyond the allow-list. No rule allows that: each folder is asked about. */
  class: ApprovalClass.or(z.literal('read')),
  tool: z.string(),
  /** Exactly what would run, the call's arguments as JSON, or the file that would be read. */
  code: z.string(),
  /** For `read` only. */
  opens: OpenedByYes.optional(),
  /** The rule that has it asked, as a sentence. */
  rule: z.string(),
  askedAt: z.number(),
});
export type ApprovalQuestion = z.infer<typeof ApprovalQuestion>;

/** `always` makes a rule of it: this class is allowed to this client from now on. For `read`: `once` opens the folder until
 * the session ends, `always` puts it on the allow-list. */
export const ApprovalReply = z.enum(['once', 'always', 'no']);
export type ApprovalReply = z.infer<typeof ApprovalReply>;

/** What waits, oldest first, and whether all clients are paused. */
export const ApprovalState = z.object({ paused: z.boolean(), questions: z.array(ApprovalQuestion) });
export type ApprovalState = z.infer<typeof ApprovalState>;
