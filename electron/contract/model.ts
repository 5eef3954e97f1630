/**
 * The vocabulary of the app as zod schemas: what an engine, a session, an evaluation and a condition are.
 * Everything may import this file; it imports nothing but other vocabulary. Times are milliseconds since the epoch.
 */
import { z } from 'zod';
import { Cost } from './cost';
import { ENGINE_NAMES } from './engine-names';
import { Limits } from './memory';
import { ProofSummary, TrustIssue } from './proof';
import { FormPlace, Report } from './report';
import { ServerAddress } from './server';

export const EngineName = z.enum(ENGINE_NAMES);
export type EngineName = z.infer<typeof EngineName>;

/**
 * What discovery found of an engine. `reason` says why it is missing and what to do about it. An engine that is attached
 * to is never `available`; it has the servers that a person named, and whether they listen, null where nobody can tell.
 */
export const EngineFound = z.object({
  engine: EngineName,
  available: z.boolean(),
  version: z.string().optional(),
  path: z.string().optional(),
  /** Why it is not available, or what is wrong all the same. */
  reason: z.string().optional(),
  servers: z.array(ServerAddress.extend({ listens: z.boolean().nullable() })).optional(),
});
export type EngineFound = z.infer<typeof EngineFound>;

/**
 * How an image is confined. `confined: false` is told in every result; `reason` then says why, and otherwise why by
 * nothing that holds more.
 * `launcher` names what started the image; `attached` is for those that somebody else started.
 */
export const SandboxReport = z.object({
  confined: z.boolean(),
  launcher: z.enum(['local', 'bubblewrap', 'landlock', 'sandbox-exec', 'container', 'attached']),
  reason: z.string().optional(),
  /** Whether what is confined may open network connections all the same; absent: it may not. */
  network: z.boolean().optional(),
  /** What a sandbox does not hold here, for people. */
  gaps: z.array(z.string()).optional(),
});
export type SandboxReport = z.infer<typeof SandboxReport>;

export const SessionId = z.string().regex(/^[a-z0-9-]{1,64}$/);
export type SessionId = z.infer<typeof SessionId>;

/** `lost`: the image died; the next evaluation gets another one and says what came back. `asleep`: the harbor was started
 * again; the session comes back when it is used. */
export const SessionState = z.enum(['starting', 'idle', 'running', 'debugger', 'lost', 'asleep', 'ended']);
export type SessionState = z.infer<typeof SessionState>;

/** A session as every watcher sees it. `pid` and `memoryBytes` are those of the engine's process on this host. */
export const SessionView = z.object({
  id: SessionId,
  engine: EngineName,
  name: z.string(),
  state: SessionState,
  package: z.string(),
  client: z.string(),
  project: z.string(),
  pid: z.number().int().nullable(),
  memoryBytes: z.number().nullable(),
  startedAt: z.number(),
  lastUsedAt: z.number(),
  generation: z.number().int(),
  sandbox: SandboxReport,
  /** The server that it is attached to; absent where the harbor started the image. */
  server: ServerAddress.optional(),
  runningEvaluation: z.number().int().nullable(),
  /** How an evaluation is being stopped: the step that is tried, each rougher than the one before; `end` ends the image. */
  stopping: z
    .object({
      evaluation: z.number().int(),
      step: z.enum(['abort', 'cooperative', 'insistent', 'end']),
    })
    .nullable(),
  /** Why it has no image just now, after the word "because"; null while it has one. */
  lostBecause: z.string().nullable(),
  /** What a person has noted of it; '' for nothing. */
  note: z.string(),
  limits: Limits,
  /** The innermost debugger level that is held, also while something is evaluated there; absent for none. */
  level: z.int().optional(),
  /** Whether a person has it hold unhandled errors in the debugger; null where its engine has none. */
  hold: z.boolean().nullable(),
  /** Whether its state can be saved; false where its engine has no checkpoints. */
  checkpoints: z.boolean(),
  /** What an image begins with that takes the place of a lost one: a checkpoint, by its name, and, if `definitions`,
   * those that were evaluated since. */
  comesBack: z.object({ checkpoint: z.string().nullable(), definitions: z.boolean() }),
  /** Whether a person has let its code use trust tags and raw Lisp, for as long as its image lives; absent where the
   * engine has no such lock. */
  rawLisp: z.boolean().optional(),
  /** Trust tags that a person has let the system's own books use in this session; absent as `rawLisp`. */
  trustTags: z.array(z.string()).optional(),
  /** Whether Emacs can be attached to its image with SLIME. */
  slime: z.boolean(),
  /** Whether its image keeps what code gives to tap>. */
  taps: z.boolean(),
  /** Whether its image has a logical world, whose commands can be told and undone. */
  world: z.boolean(),
  /** What theorems of its world rest on, as the last evaluation told; null before the first, and where nothing is proved. */
  trust: z.array(TrustIssue).nullable(),
});
export type SessionView = z.infer<typeof SessionView>;

/** What became of an evaluation; `running` until it is closed. */
export const Outcome = z.enum(['ok', 'error', 'debugger', 'interrupted', 'crashed', 'refused', 'running']);
export type Outcome = z.infer<typeof Outcome>;

/** One top-level form of an evaluation with all its printed values. Where a row of the history has only the beginnings of
 * some, `lengths` has the characters of each of them. */
export const FormResult = z.object({
  code: z.string(),
  values: z.array(z.string()),
  lengths: z.array(z.int()).optional(),
});
export type FormResult = z.infer<typeof FormResult>;

/**
 * What the compiler or the code warned of: CLHS `warning` and `style-warning` and the compiler's notes told apart.
 * `form` counts the top-level forms from 0. Of what the compiler says there is also the place that it means.
 */
export const Warning = FormPlace.extend({
  severity: z.enum(['warning', 'style-warning', 'note']),
  type: z.string(),
  message: z.string(),
  form: z.number().int(),
});
export type Warning = z.infer<typeof Warning>;

export const Restart = z.object({
  index: z.number().int(),
  name: z.string(),
  description: z.string(),
  arguments: z.array(z.string()),
});
export type Restart = z.infer<typeof Restart>;

/** A local variable; `object` is the number by which an inspector knows its value, where that has parts. */
export const Local = z.object({ name: z.string(), value: z.string(), object: z.int().optional() });
export type Local = z.infer<typeof Local>;

/** A call on the stack; its locals where they were asked for. */
export const Frame = z.object({
  index: z.number().int(),
  call: z.string(),
  locals: z.array(Local).optional(),
});
export type Frame = z.infer<typeof Frame>;

/** An unhandled condition (or exception) with what the debugger shows. `level` counts nested debugger levels. */
export const Condition = z.object({
  type: z.string(),
  message: z.string(),
  level: z.number().int(),
  restarts: z.array(Restart),
  frames: z.array(Frame),
  /** How many of each are not listed, or more; absent for none. */
  omitted: z.object({ restarts: z.int(), frames: z.int() }).partial().optional(),
});
export type Condition = z.infer<typeof Condition>;

/** `warnings` carries them as text, in their place among the output; as data they are the evaluation's. `input` is what code
 * that reads was given, as a terminal echoes it: where the streams are told apart it is part of stdout. */
export const Stream = z.enum(['stdout', 'stderr', 'warnings', 'input']);
export type Stream = z.infer<typeof Stream>;

/** What made the evaluation: a client's code, in the session or in a branch that was thrown away (`try`), the listener,
 * or a tool that evaluates on a caller's behalf. */
export const EvaluationKind = z.enum(['eval', 'try', 'listener', 'load', 'test', 'inspect', 'frame']);
export type EvaluationKind = z.infer<typeof EvaluationKind>;

/** One evaluation, complete: a row of the history. `notes` tells what the caller must know and did not ask. */
export const Evaluation = z.object({
  id: z.number().int(),
  kind: EvaluationKind,
  session: SessionId,
  engine: EngineName,
  client: z.string(),
  project: z.string(),
  package: z.string(),
  code: z.string(),
  outcome: Outcome,
  forms: z.array(FormResult),
  stdout: z.string(),
  stderr: z.string(),
  warnings: z.array(Warning),
  condition: Condition.nullable(),
  notes: z.array(z.string()),
  report: Report.optional(),
  /** Absent where the engine does not know it, or nothing was evaluated. */
  cost: Cost.optional(),
  /** Characters of output that were counted and not kept; 0 when everything is here. */
  outputDropped: z.number().int(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  durationMs: z.number().nullable(),
});
export type Evaluation = z.infer<typeof Evaluation>;

/** A row as lists show it: long texts are cut, `history:evaluation` has them whole. */
export const HistoryRow = Evaluation.pick({
  id: true,
  kind: true,
  session: true,
  engine: true,
  client: true,
  project: true,
  package: true,
  code: true,
  outcome: true,
  startedAt: true,
  endedAt: true,
  durationMs: true,
}).extend({
  /** Of the last form. */
  values: z.array(z.string()),
  /** How many forms were before that, and the values of the last of them; absent for none. */
  earlier: z.object({ forms: z.int(), values: z.array(z.array(z.string())) }).optional(),
  output: z.string(),
  conditionType: z.string().nullable(),
  conditionMessage: z.string().nullable(),
  /** But for what a session's view says anyway; absent for none. */
  notes: z.array(z.string()).optional(),
  /** Of an engine that proves; absent while it runs. */
  proof: ProofSummary.optional(),
  /** What of it is only a beginning; absent for none of it. */
  cut: z.array(z.enum(['code', 'values', 'output', 'condition', 'notes'])).optional(),
});
export type HistoryRow = z.infer<typeof HistoryRow>;

/** Newest first. `before` is the id of the last row of the page before (key-set paging). The outcome `running` asks for all
 * that has not ended: what waits for its turn, runs, or is held in the debugger. */
export const HistoryQuery = z.object({
  query: z.string().max(500).optional(),
  session: SessionId.optional(),
  engine: EngineName.optional(),
  outcome: Outcome.optional(),
  client: z.string().optional(),
  project: z.string().optional(),
  /** Rows of the project, and those of the client in whatever project. */
  seenBy: z.object({ client: z.string(), project: z.string() }).optional(),
  before: z.number().int().positive().optional(),
  limit: z.number().int().min(1).max(200).default(50),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

export const HistoryPage = z.object({ rows: z.array(HistoryRow), next: z.number().int().nullable() });
export type HistoryPage = z.infer<typeof HistoryPage>;

/** What a token may do: `admin` ends other clients' sessions. */
export const Scope = z.enum(['read', 'evaluate', 'admin']);
export type Scope = z.infer<typeof Scope>;

/** Who asks. `key` names the client in the history and owns its sessions; it is never a secret. */
export interface Client {
  key: string;
  scopes: ReadonlySet<Scope>;
}

/** A token as lists show it; the secret itself is shown once, when it is issued. */
export const TokenView = z.object({
  id: z.number().int(),
  name: z.string(),
  scopes: z.array(Scope),
  issuedAt: z.number(),
  lastUsedAt: z.number().nullable(),
});
export type TokenView = z.infer<typeof TokenView>;
