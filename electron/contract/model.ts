/**
 * Schemas of the app's vocabulary: engine, session, evaluation, condition, memory and listener. Times are
 * milliseconds since the epoch.
 */
import { z } from 'zod';
import { ERROR_CODES } from './errors';
import { Note } from './note';
import { ENGINE_NAMES } from './option-values';
import { ProofSummary, TrustIssue } from './proof';
import { Cost, FormPlace, Report, TestTotals } from './report';
import { ServerAddress } from './server';
import { TraceContext } from './trace-context';

/** An object type in a heap. Sizes are in bytes unless the name says MiB. */
export const MemoryType = z.object({ name: z.string(), bytes: z.int(), count: z.int() });
export type MemoryType = z.infer<typeof MemoryType>;

export const Memory = z.object({
  /** Used part of the heap, including garbage that is not collected yet. */
  used: z.int(),
  size: z.int(),
  spaces: z.array(z.object({ name: z.string(), bytes: z.int() })),
  /** The object types with the most bytes, in descending order. */
  types: z.array(MemoryType),
  /** All other types together. */
  others: z.object({ types: z.int(), bytes: z.int(), count: z.int() }),
  /** Bytes of the counted objects. `complete` is false if counting timed out. */
  counted: z.int(),
  complete: z.boolean(),
});
export type Memory = z.infer<typeof Memory>;

export const MemoryView = z.object({
  totalBytes: z.number(),
  /** Memory that programs can allocate without swapping. */
  availableBytes: z.number(),
  /** Memory of all session images. */
  imagesBytes: z.number(),
  /** Preloaded images for new sessions, and their memory. */
  ready: z.object({ images: z.number().int(), bytes: z.number() }),
  /** Whether less memory is available than the reserve in the settings. */
  short: z.boolean(),
});
export type MemoryView = z.infer<typeof MemoryView>;

/** Heap size of an image in MiB. SBCL needs the minimum for itself. */
export const HeapMiB = z.number().int().min(256).max(65_536);

/** CPU time of one evaluation in seconds. */
export const CpuSeconds = z.number().int().min(1).max(86_400);

/** Size of files on disk in MiB. */
export const DiskMiB = z.number().int().min(16).max(100_000_000);

/** Maximum characters of output of one evaluation. */
export const OutputChars = z.number().int().min(10_000).max(100_000_000);

export const Limits = z.object({
  heapMiB: HeapMiB.nullable(),
  cpuSeconds: CpuSeconds.nullable(),
  outputChars: OutputChars.nullable(),
});
export type Limits = z.infer<typeof Limits>;

export const EngineName = z.enum(ENGINE_NAMES);
export type EngineName = z.infer<typeof EngineName>;

/**
 * Result of engine discovery. `reason` says why an engine is missing and how to install it. An engine for
 * attaching is never `available`; it lists the configured servers and whether they listen, null if unknown.
 */
export const EngineFound = z.object({
  engine: EngineName,
  available: z.boolean(),
  version: z.string().optional(),
  path: z.string().optional(),
  /** Why it is not available, or another problem with it. */
  reason: z.string().optional(),
  servers: z.array(ServerAddress.extend({ listens: z.boolean().nullable() })).optional(),
});
export type EngineFound = z.infer<typeof EngineFound>;

/**
 * How an image is sandboxed. With `confined: false`, every result has a note; `reason` says why. Otherwise
 * `reason` says why no stronger sandbox is used. `launcher` is the program that started the image; `attached`
 * marks images that the harbor did not start.
 */
export const SandboxReport = z.object({
  confined: z.boolean(),
  launcher: z.enum(['local', 'bubblewrap', 'landlock', 'sandbox-exec', 'container', 'attached']),
  reason: z.string().optional(),
  /** The host that runs the image; absent: this computer. */
  host: z.string().optional(),
  /** Whether a sandboxed image may use the network; absent: no. */
  network: z.boolean().optional(),
  /** Whether an image with a network also reaches all servers of this computer; absent: no. */
  sharesNetwork: z.boolean().optional(),
  /** Limits of the sandbox on this system, for the user. */
  gaps: z.array(z.string()).optional(),
});
export type SandboxReport = z.infer<typeof SandboxReport>;

export const SessionId = z.string().regex(/^[a-z0-9-]{1,64}$/);
export type SessionId = z.infer<typeof SessionId>;

/**
 * `lost`: the image died; the next evaluation starts another one and reports what was restored. `asleep`: the
 * harbor was restarted; the session is restored when it is used.
 */
export const SessionState = z.enum(['starting', 'idle', 'running', 'debugger', 'lost', 'asleep', 'ended']);
export type SessionState = z.infer<typeof SessionState>;

/**
 * A session as clients and the window see it. `pid` and `memoryBytes` belong to the engine's process on this
 * host.
 */
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
  /** The server that it is attached to; absent if the harbor started the image. */
  server: ServerAddress.optional(),
  /** The host that runs its images; absent: this computer. */
  host: z.string().optional(),
  runningEvaluation: z.number().int().nullable(),
  /**
   * The current step of stopping an evaluation; each is more forceful than the one before. `end` kills the
   * image.
   */
  stopping: z
    .object({
      evaluation: z.number().int(),
      step: z.enum(['abort', 'cooperative', 'insistent', 'end']),
    })
    .nullable(),
  /** Why it has no image, in words that follow "because"; null while it has one. */
  lostBecause: z.string().nullable(),
  /** The user's note; '' for none. */
  note: z.string(),
  limits: Limits,
  /** The innermost suspended debugger level, also while code is evaluated there; absent for none. */
  level: z.int().optional(),
  /** Whether unhandled errors are suspended in the debugger; null if the engine has no debugger. */
  hold: z.boolean().nullable(),
  /** Whether its state can be saved; false if the engine has no checkpoints. */
  checkpoints: z.boolean(),
  /**
   * State of the image that replaces a lost one: a checkpoint by name, and, if `definitions`, the definitions
   * evaluated since.
   */
  comesBack: z.object({ checkpoint: z.string().nullable(), definitions: z.boolean() }),
  /**
   * Whether the user allowed trust tags and raw Lisp for the life of the image; absent if the engine has no
   * such lock.
   */
  rawLisp: z.boolean().optional(),
  /** Trust tags that the user allowed for system books in this session; absent as `rawLisp`. */
  trustTags: z.array(z.string()).optional(),
  /** Whether Emacs can attach to its image with SLIME or SLY. */
  slime: z.boolean(),
  /** Whether evaluations can be profiled, their calls traced, and running code stopped in the debugger; absent: none. */
  measures: z.object({ profile: z.boolean(), trace: z.boolean(), break: z.boolean() }).optional(),
  /** Whether its image records values given to tap>. */
  taps: z.boolean(),
  /** Whether its image has a logical world, whose commands can be listed and undone. */
  world: z.boolean(),
  /**
   * Trust issues of the theorems in its world, as of the last evaluation; null before the first one, and for other
   * engines.
   */
  trust: z.array(TrustIssue).nullable(),
});
export type SessionView = z.infer<typeof SessionView>;

/** Result of an evaluation; `running` until it ends. */
export const Outcome = z.enum(['ok', 'error', 'debugger', 'interrupted', 'crashed', 'refused', 'running']);
export type Outcome = z.infer<typeof Outcome>;

/** A character or a dispatch with its own syntax, and the name of the function that reads it; empty for none. */
const OwnSyntax = z.tuple([z.string(), z.string()]);

/**
 * The state of a Common Lisp reader when it read a form, as far as it differs from the standard and matters for
 * that form. The form means the same only under this state.
 */
export const ReaderState = z.object({
  package: z.string(),
  /** `*read-base*`. */
  base: z.int().min(2).max(36).optional(),
  /** `*read-default-float-format*`, in lower case. */
  floats: z.string().optional(),
  /** The case of the readtable. */
  case: z.enum(['downcase', 'preserve', 'invert']).optional(),
  /** The package and the name of the readtable in the library named-readtables. */
  readtable: z.tuple([z.string(), z.string()]).optional(),
  /** Characters, and dispatches such as `#~`, that occur in the form. */
  syntax: z.array(OwnSyntax).optional(),
  /** Nicknames that only the package has, with the names of their packages. */
  nicknames: z.array(z.tuple([z.string(), z.string()])).optional(),
  /** Features beyond those of a new image and missing ones, if the form depends on features. */
  added: z.array(z.string()).optional(),
  removed: z.array(z.string()).optional(),
});
export type ReaderState = z.infer<typeof ReaderState>;

/**
 * One top-level form of an evaluation with its printed values. If a history row has only the beginnings of
 * some, `lengths` has the number of characters of each. `made` has the definitions that the image says it made.
 */
export const FormResult = z.object({
  code: z.string(),
  values: z.array(z.string()),
  lengths: z.array(z.int()).optional(),
  read: ReaderState.optional(),
  made: z.array(z.string()).optional(),
});
export type FormResult = z.infer<typeof FormResult>;

/**
 * A warning of the compiler or the code: CLHS `warning`, `style-warning`, or a compiler note. `form` counts
 * top-level forms from 0. Compiler warnings include their place.
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

/** A local variable. `object` identifies its value for an inspector, if it has parts. */
export const Local = z.object({ name: z.string(), value: z.string(), object: z.int().optional() });
export type Local = z.infer<typeof Local>;

/** A call on the stack; with its locals if they were requested. */
export const Frame = z.object({
  index: z.number().int(),
  call: z.string(),
  locals: z.array(Local).optional(),
});
export type Frame = z.infer<typeof Frame>;

/** An unhandled condition (or exception) with debugger data. `level` counts nested debugger levels. */
export const Condition = z.object({
  type: z.string(),
  message: z.string(),
  level: z.number().int(),
  restarts: z.array(Restart),
  frames: z.array(Frame),
  /** Number of items that are not listed, or a lower bound; absent for none. */
  omitted: z.object({ restarts: z.int(), frames: z.int() }).partial().optional(),
});
export type Condition = z.infer<typeof Condition>;

/**
 * `warnings` is their text in sequence with the output; as data they are in the evaluation. `input` is text
 * that code has read, as a terminal echoes it; where streams are separate it is part of stdout.
 */
export const Stream = z.enum(['stdout', 'stderr', 'warnings', 'input']);
export type Stream = z.infer<typeof Stream>;

/**
 * Origin of an evaluation: a client's code, in the session or in a discarded branch (`try`), the listener, or
 * a tool that evaluates for a client. A `map` evaluates its code once for each item, each as an evaluation of
 * kind `item` in a copy of the session.
 */
export const EvaluationKind = z.enum([
  'eval',
  'try',
  'listener',
  'load',
  'test',
  'inspect',
  'frame',
  'map',
  'item',
]);
export type EvaluationKind = z.infer<typeof EvaluationKind>;

/** One evaluation in full: a row of the history. `notes` contains facts that the client must know. */
export const Evaluation = z.object({
  id: z.number().int(),
  kind: EvaluationKind,
  /** The evaluation of kind `map` that an item belongs to. */
  parent: z.int().optional(),
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
  notes: z.array(Note),
  report: Report.optional(),
  /** Absent if the engine does not measure it, or nothing was evaluated. */
  cost: Cost.optional(),
  /** Characters of output that were counted but not saved; 0 if the output is complete. */
  outputDropped: z.number().int(),
  startedAt: z.number(),
  endedAt: z.number().nullable(),
  durationMs: z.number().nullable(),
  /** Absent unless the call that made it names one. */
  trace: TraceContext.optional(),
});
export type Evaluation = z.infer<typeof Evaluation>;

/** A row in lists. Long texts are cut; `history:evaluation` returns them in full. */
export const HistoryRow = Evaluation.pick({
  id: true,
  kind: true,
  parent: true,
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
  /** Values of the last form. */
  values: z.array(z.string()),
  /** Number of forms before it, and the values of the last of them; absent for none. */
  earlier: z.object({ forms: z.int(), values: z.array(z.array(z.string())) }).optional(),
  output: z.string(),
  conditionType: z.string().nullable(),
  conditionMessage: z.string().nullable(),
  /** Without notes that a session's view repeats anyway; absent for none. */
  notes: z.array(Note).optional(),
  /** For a prover; absent while it runs. */
  proof: ProofSummary.optional(),
  /** Absent if no tests ran. */
  tests: TestTotals.optional(),
  /** Members that are cut; absent for none. */
  cut: z.array(z.enum(['code', 'values', 'output', 'condition', 'notes'])).optional(),
});
export type HistoryRow = z.infer<typeof HistoryRow>;

/**
 * Newest first. `before` is the id of the last row of the previous page. The outcome `running` matches all
 * that have not ended: queued, running, or suspended in the debugger.
 */
export const HistoryQuery = z.object({
  query: z.string().max(500).optional(),
  session: SessionId.optional(),
  engine: EngineName.optional(),
  outcome: Outcome.optional(),
  kind: EvaluationKind.optional(),
  client: z.string().optional(),
  project: z.string().optional(),
  /** Rows of the project, and rows of the client in any project. */
  seenBy: z.object({ client: z.string(), project: z.string() }).optional(),
  before: z.number().int().positive().optional(),
  limit: z.number().int().min(1).max(200).default(50),
});
export type HistoryQuery = z.infer<typeof HistoryQuery>;

export const HistoryPage = z.object({ rows: z.array(HistoryRow), next: z.number().int().nullable() });
export type HistoryPage = z.infer<typeof HistoryPage>;

/** Permissions of a token. `admin` may end sessions of other clients. */
export const Scope = z.enum(['read', 'evaluate', 'admin']);
export type Scope = z.infer<typeof Scope>;

/** A client. `key` names it in the history and owns its sessions; it is not secret. */
export interface Client {
  key: string;
  scopes: ReadonlySet<Scope>;
}

/** A token in lists. The secret is shown only once, when it is issued. */
export const TokenView = z.object({
  id: z.number().int(),
  name: z.string(),
  scopes: z.array(Scope),
  issuedAt: z.number(),
  lastUsedAt: z.number().nullable(),
});
export type TokenView = z.infer<typeof TokenView>;

/**
 * How the next typed line is interpreted: a form, the rest of an unfinished one, the value that a restart
 * requests, or a line that code reads.
 */
export const ExpectedInput = z.enum(['form', 'rest of a form', 'value', 'line']);
export type ExpectedInput = z.infer<typeof ExpectedInput>;

/**
 * State of a listener. `typed` is text that was typed and not read yet, oldest first. `evaluation` is its own
 * evaluation that runs, is queued, or is suspended.
 */
export const ListenerView = z.object({
  prompt: z.string(),
  level: z.number().int(),
  expects: ExpectedInput,
  typed: z.array(z.string()),
  evaluation: z.number().int().nullable(),
});
export type ListenerView = z.infer<typeof ListenerView>;

/**
 * Result of Ctrl+C: typed text that was not started is returned as `text`, in order and separated by
 * newlines; the listener's running evaluation is interrupted.
 */
export const CancelledInput = z.object({
  took: z.enum(['typed', 'waiting', 'running', 'nothing']),
  text: z.string().nullable(),
});
export type CancelledInput = z.infer<typeof CancelledInput>;

/** Error code in data of other processes. */
export const ErrorCode = z.enum(ERROR_CODES);
export type ErrorCode = z.infer<typeof ErrorCode>;
