/**
 * Approvals: what clients may do without a question, what requires one and what is denied; and what waits for
 * the user.
 */
import { z } from 'zod';
import { type ErrorCode, type ErrorDetails, HarborError } from './errors';
import { type Client, SessionId } from './model';
import { Phrase } from './phrase';
import type { TraceContext } from './trace-context';

/** Classes of action. `network` and `attach` change what a session can reach; `kill` ends a session. */
export const ApprovalClass = z.enum(['evaluate', 'load', 'write', 'network', 'attach', 'kill']);
export type ApprovalClass = z.infer<typeof ApprovalClass>;

export const ApprovalAnswer = z.enum(['allow', 'ask', 'deny']);
export type ApprovalAnswer = z.infer<typeof ApprovalAnswer>;

/** The user's rule for one class. A rule for the client takes precedence over a rule for all clients. */
export const ApprovalRule = z.object({
  /** The client's key; null for every client. */
  client: z.string().min(1).max(200).nullable().default(null),
  class: ApprovalClass,
  answer: ApprovalAnswer,
});
export type ApprovalRule = z.infer<typeof ApprovalRule>;

/**
 * Requests that the tool alone does not identify: attaching to a server, starting a container,
 * network access, fetching libraries, reading a file.
 */
export const Wish = z.enum(['attach', 'container', 'network', 'fetch', 'read']);
export type Wish = z.infer<typeof Wish>;

/** Text for the user where the tool and the code do not explain the action. */
export const ActExplanation = z.object({
  wish: Wish,
  /** The effect of allowing it, in one or two sentences. */
  meaning: Phrase,
});
export type ActExplanation = z.infer<typeof ActExplanation>;

/** A change of a file as a unified diff. */
export const FileDiff = z.object({ file: z.string(), diff: z.string() });
export type FileDiff = z.infer<typeof FileDiff>;

/** A file that a call reads, or a list of files, as text or bound by a hash. */
export interface FileText {
  file: string;
  text: string;
}

/** A part of a question: the change of a file; code or a long text; or short arguments by name. */
export const ShownPart = z.discriminatedUnion('kind', [
  FileDiff.extend({ kind: z.literal('diff') }),
  z.object({ kind: z.literal('code'), name: z.string(), code: z.string() }),
  z.object({ kind: z.literal('values'), values: z.array(z.object({ name: z.string(), value: z.string() })) }),
]);
export type ShownPart = z.infer<typeof ShownPart>;

/** A call that waits for approval. */
export const ApprovalQuestion = z.object({
  id: z.number().int(),
  client: z.string(),
  /** `read`: a file outside the allow-list. No rule allows it; each folder is confirmed separately. */
  class: ApprovalClass.or(z.literal('read')),
  tool: z.string(),
  /** All accepted arguments of the call, and the code, address or file that it is about. Nothing else can run. */
  parts: z.array(ShownPart),
  /** The hash of tool and parts. A reply repeats it and approves exactly that. */
  digest: z.string(),
  explanation: ActExplanation.optional(),
  /** The session that it concerns, if known. */
  session: SessionId.optional(),
  /** The rule that requires approval, as a sentence. */
  rule: z.string(),
  requestedAt: z.number(),
});
export type ApprovalQuestion = z.infer<typeof ApprovalQuestion>;

/** `always` also adds a rule that allows this class for this client, unless the question says otherwise. */
export const ApprovalReply = z.enum(['once', 'always', 'no']);
export type ApprovalReply = z.infer<typeof ApprovalReply>;

/** The most characters of a reason that a user gives for a refusal. */
export const LONGEST_REASON = 500;

/** Open questions, oldest first, and whether all clients are paused. */
export const ApprovalState = z.object({ paused: z.boolean(), questions: z.array(ApprovalQuestion) });
export type ApprovalState = z.infer<typeof ApprovalState>;

/** The arguments of a call as they will be used. The user approves exactly these. */
export interface AcceptedCall {
  args: Readonly<Record<string, unknown>>;
  /** Returns what the call would change in files, and sets `changes`. @throws if it would fail */
  preview?: () => Promise<readonly FileDiff[]>;
  /** The changes that the user was shown. The call makes no others. */
  changes?: readonly FileDiff[];
  /** Returns the files that the call may run. Never rejects. */
  sources?: () => Promise<readonly FileText[]>;
  /** Those that the user was shown. If they are others by now, nothing runs. */
  shownSources?: readonly FileText[];
}

/** An action that a client is about to take. */
export interface Act {
  client: string;
  class: ApprovalClass;
  tool: string;
  /** The code to run or the address to reach, where the call does not contain it. */
  code?: string;
  /** The call that makes it. */
  call?: AcceptedCall;
  explanation?: ActExplanation;
  session?: SessionId;
  /** Another way to allow it than a rule for the class, as a sentence for the refusal. */
  otherwise?: string;
  /**
   * The answer when no rule matches and another setting of the user applies; absent: the default of the
   * class.
   */
  unlessRuled?: ApprovalAnswer;
  /** True if no caller waits for it; the user is then not asked. */
  unbidden?: boolean;
  /** Replaces the rule that `always` would add. */
  always?: () => void;
  /** Aborted when the client cancels; the question is then withdrawn. */
  signal?: AbortSignal;
}

/** Decides whether an action may start. */
export interface Approver {
  /**
   * Resolves when the action may start.
   * @throws HarborError `paused`, `not_approved`, `cancelled`
   */
  require(act: Act): Promise<void>;
}

/**
 * Proof that the gate admitted a call of this client for acts of this class. Only access/grant.ts creates one. Code that
 * acts for a client takes `Grant | null`; null means that no gate admitted the act, so the execution guard decides alone.
 */
export interface Grant {
  readonly client: string;
  /** null: the call needed no approval, so the execution guard decides about each act. */
  readonly class: ApprovalClass | null;
  /** The admitted call. Only this call may run, and a question about one of its acts shows it. */
  readonly call: AcceptedCall | null;
  /** The trace that the call belongs to, if it names one. */
  readonly trace?: TraceContext;
  readonly [granted]: true;
}

declare const granted: unique symbol;

/** A client, with the grant of the call that it makes. */
export interface Requester {
  client: Client;
  grant: Grant | null;
}

/**
 * The last check before an image runs something, for every tool and endpoint. An act that its grant covers needs no
 * further approval. Returns the admission, to be called when it is the turn of the act.
 */
export type ExecutionGuard = (act: Omit<Act, 'signal'>, grant: Grant | null) => Admission;

/**
 * Returns null if the action may start now. Otherwise resolves with the reason why not, or with null; never
 * rejects. It can be called again later: the user is asked only once, and a pause applies at any time.
 */
export type Admission = (signal: AbortSignal) => Promise<HarborError | null> | null;

/**
 * The caller for whom a file is read, named in the question when the allow-list leaves the decision to the
 * user.
 */
export interface FileCaller {
  /** The client's key. */
  client: string;
  /** The tool name, as the client called it. */
  tool: string;
  /** Aborted when the client cancels the call. */
  signal?: AbortSignal;
}

/** A file that was refused to a client and that the user may allow. */
export const Refusal = z.object({
  id: z.number().int(),
  client: z.string(),
  tool: z.string(),
  /** The path of the call, made absolute. */
  path: z.string(),
  use: z.enum(['read', 'write']),
  /** The project of the session. */
  project: z.string(),
  /** The enclosing folder that the user would most likely allow. */
  folder: z.string(),
  /** Number of requests for it. */
  times: z.number().int(),
  at: z.number(),
});
export type Refusal = z.infer<typeof Refusal>;

/** A file that the rules refuse, with what an entry needs to allow it. */
type RefusedFile = Pick<Refusal, 'path' | 'use' | 'project'>;

/** Refusal of a file that an allow-list entry would permit. */
export class FileRefused extends HarborError {
  readonly file: RefusedFile;

  constructor(code: ErrorCode, text: string, file: RefusedFile, details: ErrorDetails = {}) {
    super(code, text, details);
    this.file = file;
  }

  override with({ text = this.text, ...details }: ErrorDetails & { text?: string }): FileRefused {
    return new FileRefused(this.code, text, this.file, {
      mentions: this.mentions,
      notes: this.notes,
      ...details,
    });
  }
}

/** Something that waits for the user. `key` is stable while it waits. */
export const Need = z.discriminatedUnion('kind', [
  /** A call that waits for approval: its tool, and the request if the tool alone does not identify it. */
  z.object({
    kind: z.literal('approval'),
    key: z.string(),
    id: z.number().int(),
    client: z.string(),
    tool: z.string(),
    wish: Wish.optional(),
    at: z.number(),
  }),
  /** An error suspended in the debugger. */
  z.object({
    kind: z.literal('held'),
    key: z.string(),
    session: z.string(),
    name: z.string(),
    client: z.string(),
    evaluation: z.number().int(),
    condition: z.string(),
    message: z.string(),
    restarts: z.array(z.string()),
    at: z.number(),
  }),
  z.object({ kind: z.literal('refused'), key: z.string(), refusal: Refusal, at: z.number() }),
  /** An image that has used most of its memory limit. */
  z.object({
    kind: z.literal('full'),
    key: z.string(),
    session: z.string(),
    name: z.string(),
    bytes: z.number(),
    limitBytes: z.number(),
    at: z.number(),
  }),
  /** A program whose configuration has lost the harbor's entry. */
  z.object({
    kind: z.literal('dropped'),
    key: z.string(),
    program: z.string(),
    title: z.string(),
    file: z.string(),
    at: z.number(),
  }),
  /** A Git repository, or a file that one names, which appeared in a project while code ran there. */
  z.object({
    kind: z.literal('repository'),
    key: z.string(),
    path: z.string(),
    project: z.string(),
    at: z.number(),
  }),
  /** Protected places that appeared or changed in subfolders of a project. */
  z.object({
    kind: z.literal('places'),
    key: z.string(),
    project: z.string(),
    /** Some of the places. */
    paths: z.array(z.string()),
    count: z.number().int(),
    at: z.number(),
  }),
]);
export type Need = z.infer<typeof Need>;
export type NeedKind = Need['kind'];

/** How a call ended. A stop, a pause and a refusal are no failures of the client. */
export const CallEnding = z.enum(['ok', 'failed', 'stopped', 'paused', 'refused']);
export type CallEnding = z.infer<typeof CallEnding>;

/** The most recent call of a client. */
export const LastCall = z.object({
  client: z.string(),
  tool: z.string(),
  /** The subject in one line: the code, a path, or a query. */
  about: z.string(),
  startedAt: z.number(),
  /** null while it runs. */
  endedAt: z.number().nullable(),
  /** null while it runs. */
  ending: CallEnding.nullable(),
});
export type LastCall = z.infer<typeof LastCall>;

/** Needs oldest first; calls by the client that called last. */
export const NeedsView = z.object({ needs: z.array(Need), calls: z.array(LastCall) });
export type NeedsView = z.infer<typeof NeedsView>;
