/** Interfaces of tools: a tool declares its arguments, result and scope, and runs for a caller. */
import type { z } from 'zod';
import type { ApprovalClass, FileDiff, FileText, Grant } from '../contract/approvals';
import type { ErrorCode } from '../contract/errors';
import type { ToolNames } from '../contract/mention';
import type { Client, EngineName, Scope } from '../contract/model';
import type { Note } from '../contract/note';
import type { Session } from '../sessions/session/session';
import type { EvaluationRequest } from '../sessions/session/session-journal';
import type { ConversationState, TurnDeadlines } from './conversation-state';

/** MCP tool annotations. All four are always given, because the protocol's defaults are pessimistic. */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/**
 * A question to the user about an evaluation that a call left suspended in the debugger: which restart to
 * take.
 */
export interface SuspendedOffer {
  /** The row number in the history. */
  evaluation: number;
  question: string;
  /** Each restart as `restartText` formats it. */
  restarts: readonly string[];
  /** Whether any restart takes values. */
  needsValues: boolean;
}

/** The answer to a `SuspendedOffer`. */
export interface ChosenRestart {
  evaluation: number;
  /** One of the offered texts; null: none, the evaluation stays suspended. */
  restart: string | null;
  /** Forms whose values the restart receives. */
  arguments: readonly string[];
}

/** The caller's side of one call. `progress` is absent if the caller did not request it. */
export interface CallContext {
  /** From the gate; null for a call that needs no approval. */
  grant: Grant | null;
  /** Aborted when the caller cancels or disconnects. */
  signal: AbortSignal;
  progress?: (message: string) => void;
  /**
   * The restart that the user chose for a suspended evaluation. The call continues that evaluation and
   * evaluates no new code.
   */
  chosen?: ChosenRestart;
  /** Present in a preview: file tools add their changes here instead of writing them. */
  collects?: FileDiff[];
  /** The name by which the user gave the session of the call. `args.session` has its handle. */
  sessionName?: string;
  /**
   * Returns the job to the caller at once while the call continues; the caller requests the result later.
   * Absent for callers that cannot. From then on, cancelling the job aborts `signal`.
   */
  outlive?: (job: string) => void;
  /** Called with the evaluation that the call waits for. */
  begun?: (evaluation: number) => void;
  /** Whether the caller shows output as it is printed. The text then omits it. */
  live?: boolean;
  /** Supplies lines for code that reads. Absent: such code reads end of file. */
  input?: NonNullable<EvaluationRequest['input']>;
}

/** Everything that a tool may know about its caller. */
export interface Caller extends CallContext {
  client: Client;
  /** The name under which the client called the tool. */
  tool: string;
  /** The default project folder of new sessions. */
  project: string;
  /** How the caller's profile names our tools. */
  names: ToolNames;
  /** Whether the user chose the profile, for this client or at the start of the harbor. */
  profileChosen: boolean;
  /** Engine of sessions opened without one; undefined: the harbor's default. */
  engine: EngineName | undefined;
  /** State of the conversation: what it has been sent already. */
  conversation: ConversationState;
  /** Deadlines of the calls of this conversation. */
  deadlines: TurnDeadlines;
  /**
   * Returns the session of a call that names none, opening it when first needed. Each engine has its own.
   * `notes` are about it.
   */
  defaultSession(engine?: EngineName): Promise<{ session: Session; notes: Note[] }>;
  /**
   * Makes a folder the connection's `project` for later calls: an approved one, or one below it. The
   * connection gets another default session there. Returns the real path.
   * @throws HarborError `project_not_approved`, `bad_arguments`; `not_supported` on a shared connection,
   *   since it would move others too
   */
  workIn(folder: string): string;
}

/**
 * The result of a tool: the same facts as data, for programs, and as text, which is all that a model
 * receives. Its notes are data until `renderResult` makes their texts.
 */
export interface ToolResult<R = Record<string, unknown>> {
  structured: R;
  text: string;
  /** Notes that follow `text`. The data may have more of them. */
  notes?: readonly Note[];
  /** The text is the content of a file and keeps its control characters, which the reader needs for edits. */
  verbatim?: true;
  /**
   * Facts that the caller must know and that do not fit into `text`, because another system has fixed its
   * form.
   */
  asides?: readonly (string | Note)[];
  /** The data and the text state how images are confined, so a note about that is not needed. */
  statesSandbox?: true;
  /** The caller requested the full data, so nothing is removed from it. */
  whole?: true;
  /** Present if the caller can ask the user for a restart. */
  suspended?: SuspendedOffer;
  /** Members of the MCP result in addition to its content. Clients of one other system read them. */
  extraMembers?: Readonly<Record<string, string>>;
  /** Also true for a result that reports a failed evaluation. */
  isError: boolean;
  /** The error code of a call that failed although it has a result, for the record of calls. */
  errorCode?: ErrorCode;
  /** The row number in the history that the call is about. */
  evaluation?: number;
}

export interface Tool<A extends z.ZodObject = z.ZodObject, R extends z.ZodType = z.ZodType> {
  name: string;
  /** The name of our tool that this adapter is made from. */
  of?: string;
  title: string;
  /** At most 60 words: what the tool does and when to use it. */
  description: string;
  scope: Scope;
  /**
   * The class of act that the user may have to approve before the tool runs; null: none. Absent: `evaluate` for tools of
   * that scope, nothing for others.
   */
  approval?: ApprovalClass | null;
  args: A;
  result: R;
  annotations: Annotations;
  /**
   * Returns the changes that the call would make in files, and makes none.
   * @throws HarborError if the call would fail
   */
  preview?(args: z.output<A>, caller: Caller): Promise<readonly FileDiff[]>;
  /**
   * Returns the files that the call may run, and opens no session.
   * @throws HarborError if the call would fail
   */
  sources?(args: z.output<A>, caller: Caller): Promise<readonly FileText[]>;
  /** @throws HarborError for errors that the caller can correct */
  run(args: z.output<A>, caller: Caller): Promise<ToolResult<z.input<R>>>;
}

/** A tool as `tools/list` sends it (MCP `Tool`), with its scope. */
export interface ToolListing {
  scope: Scope;
  approval?: ApprovalClass | null;
  tool: {
    name: string;
    /** Absent, like the output schema, if the profile lists its tools briefly. */
    title?: string;
    description: string;
    inputSchema: { type: 'object'; [key: string]: unknown };
    outputSchema?: { type: 'object'; [key: string]: unknown };
    annotations: Annotations;
    _meta?: Readonly<Record<string, unknown>>;
  };
}
