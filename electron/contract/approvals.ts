/** What clients may do without a word, what a person is asked about and what is refused. */
import { z } from 'zod';
import type { HarborError } from './errors';
import { SessionId } from './model';
import { Phrase } from './phrase';

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

/** What a client wants where its tool alone does not say so: to attach to a server, to start a container, a network, to fetch libraries, to read a file. */
export const Wish = z.enum(['attach', 'container', 'network', 'fetch', 'read']);
export type Wish = z.infer<typeof Wish>;

/** What a person is told where the tool and the code alone do not say what an act means. */
export const ActTold = z.object({
  wish: Wish,
  /** What allowing it means, in a sentence or two. */
  meaning: Phrase,
});
export type ActTold = z.infer<typeof ActTold>;

/** A call that waits for a person. */
export const ApprovalQuestion = z.object({
  id: z.number().int(),
  client: z.string(),
  /** `read`: of a file beyond the allow-list. No rule allows that: each folder is asked about. */
  class: ApprovalClass.or(z.literal('read')),
  tool: z.string(),
  /** Exactly what would run or be reached, the call's arguments as JSON, or the file that would be read. */
  code: z.string(),
  told: ActTold.optional(),
  /** The session in which it would happen, where that is known. */
  session: SessionId.optional(),
  /** The rule that has it asked, as a sentence. */
  rule: z.string(),
  askedAt: z.number(),
});
export type ApprovalQuestion = z.infer<typeof ApprovalQuestion>;

/** `always` makes a rule of it: this class is allowed to this client from now on, unless the question says otherwise. */
export const ApprovalReply = z.enum(['once', 'always', 'no']);
export type ApprovalReply = z.infer<typeof ApprovalReply>;

/** What waits, oldest first, and whether all clients are paused. */
export const ApprovalState = z.object({ paused: z.boolean(), questions: z.array(ApprovalQuestion) });
export type ApprovalState = z.infer<typeof ApprovalState>;

/** What a client is about to do. */
export interface Act {
  client: string;
  class: ApprovalClass;
  tool: string;
  /** Exactly what would run or be reached. */
  code: string;
  told?: ActTold;
  session?: SessionId;
  /** How a person allows it otherwise than by a rule for the class: a sentence for refusals. */
  otherwise?: string;
  /** What holds while no rule of a person says anything, where something else of theirs says so; absent: what is usual. */
  unlessRuled?: ApprovalAnswer;
  /** Nobody waits for it, so nobody is asked either. */
  unbidden?: boolean;
  /** Takes the place of the rule that "always" makes. */
  always?: () => void;
  /** Aborted when the client gives up: nobody is asked any longer. */
  signal?: AbortSignal;
}

/** Who is asked whether an act may begin. */
export interface Approver {
  /** Settles when it may.
   * @throws HarborError `paused`, `not_approved`, `cancelled` */
  require(act: Act): Promise<void>;
}

/**
 * The last door before code runs. Whoever is about to ask an image to run something comes here, whatever tool or endpoint it
 * came from, so that none of them can be forgotten. What a call was let in for already is not asked about again: that is
 * known from where this is called. Answers the admission, which is asked for when the turn has come.
 */
export type Door = (act: Omit<Act, 'signal'>) => Admission;

/** null: it may begin now. Else settles with why it may not, or null; never rejects. It can be asked again whenever time
 * has passed: a person is asked once, a pause holds at any time. */
export type Admission = (signal: AbortSignal) => Promise<HarborError | null> | null;

/** On whose behalf a file is read: whom a person is asked for, where the allow-list leaves it to them. */
export interface FileCaller {
  /** The client's key. */
  client: string;
  /** The tool as the client called it. */
  tool: string;
  /** Aborted when the client gives the call up. */
  signal?: AbortSignal;
}
