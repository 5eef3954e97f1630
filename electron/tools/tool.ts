/** What an agent can ask: a tool names its arguments, its result and the scope it needs, and runs for a caller. */
import type { z } from 'zod';
import type { ApprovalClass } from '../contract/approvals';
import type { ErrorCode } from '../contract/errors';
import type { Client, EngineName, Scope } from '../contract/model';
import type { Session } from '../sessions/session/session';
import type { Awaited } from './awaited';
import type { Told } from './told';

/** MCP tool annotations; all four are always given, because the protocol's defaults are pessimistic. */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** An evaluation that a call left held in the debugger, as a question to a person: which restart shall it take? */
export interface HeldOffer {
  /** The row of the history. */
  evaluation: number;
  question: string;
  /** Each restart as `restartText` tells it. */
  restarts: readonly string[];
  /** Whether any of them asks for values. */
  asksForValues: boolean;
}

/** The answer to a `HeldOffer`. */
export interface ChosenRestart {
  evaluation: number;
  /** One of the offered texts; null: none, the level stays held. */
  restart: string | null;
  /** Forms whose values the restart gets. */
  arguments: readonly string[];
}

/** The caller's side of one call. `progress` is absent when nobody asked for it. */
export interface CallContext {
  /** Aborted when the caller cancels or goes away. */
  signal: AbortSignal;
  progress?: (message: string) => void;
  /** The call goes on with what an earlier one left held; it evaluates nothing anew. */
  chosen?: ChosenRestart;
  /** Answers the caller with that job now, while the call goes on; the caller asks for its end later. Absent where callers
   * cannot ask. From then on `signal` is aborted by whoever cancels the job. */
  outlive?: (job: string) => void;
  /** Hears which evaluation the call waits for. */
  begun?: (evaluation: number) => void;
  /** The caller shows what is printed as it comes, so the text leaves it out. */
  live?: boolean;
}

/** Everything a tool may know of who calls it. */
export interface Caller extends CallContext {
  client: Client;
  /** The tool as the client called it. */
  tool: string;
  /** The folder that sessions opened without a project get. */
  project: string;
  /** Whether it was a person who chose the profile: for this client, or at the start of the harbor. */
  profileChosen: boolean;
  /** Engine of sessions opened without one; undefined means the harbor's default. */
  engine: EngineName | undefined;
  /** What its conversation has been told already. */
  told: Told;
  /** What its calls wait for. */
  awaited: Awaited;
  /** The session of a call that names none, opened when first needed; one of its own for each engine that is asked for.
   * Sentences about it go into `notes`. */
  defaultSession(engine?: EngineName): Promise<{ session: Session; notes: string[] }>;
  /** Makes a folder the connection's `project` from the next call on: one that a person approved, or one below it. Its default
   * session there is another one. Answers the real path.
   * @throws HarborError `project_not_approved`, `bad_arguments`; `not_supported` where others would be moved along */
  workIn(folder: string): string;
}

/** What a tool answers: the same facts as data, for programs, and as text, which is all that a model is sent. */
export interface ToolResult<R = Record<string, unknown>> {
  structured: R;
  text: string;
  /** The text is a file's: it keeps its control characters, because whoever edits the file has to know them. */
  verbatim?: true;
  /** What the caller must know and `text` has no place for, because another system has fixed its form. */
  asides?: readonly string[];
  /** Its data is what somebody has asked for, so that all of it is sent. */
  whole?: true;
  /** For a caller that can ask a person. */
  held?: HeldOffer;
  /** Members of the MCP result beside its content, which clients of one system read. */
  beside?: Readonly<Record<string, string>>;
  /** True also for a result that tells of an evaluation which failed. */
  isError: boolean;
  /** Why the call itself failed although it has a result, for the record of calls. */
  errorCode?: ErrorCode;
  /** The row of the history that the call is about, if there is one. */
  evaluation?: number;
}

/** A note as it stands among a result's `asides`. */
export function noted(note: string): string {
  return `note: ${note}`;
}

export interface Tool<A extends z.ZodObject = z.ZodObject, R extends z.ZodType = z.ZodType> {
  name: string;
  /** The tool of ours that it is made of, under another system's name. */
  of?: string;
  title: string;
  /** Under 60 words: what it does, when to use it. */
  description: string;
  scope: Scope;
  /** What a person may be asked about before it runs; null: nothing. Absent: `evaluate` for tools of that scope, nothing for
   * others. */
  approval?: ApprovalClass | null;
  args: A;
  result: R;
  annotations: Annotations;
  /** @throws HarborError for what the caller can mend */
  run(args: z.output<A>, caller: Caller): Promise<ToolResult<z.input<R>>>;
}

/** A tool as `tools/list` tells it (MCP `Tool`), with its scope beside. */
export interface ToolListing {
  scope: Scope;
  approval?: ApprovalClass | null;
  tool: {
    name: string;
    /** Absent, as the schema of results is, where a profile lists its tools briefly. */
    title?: string;
    description: string;
    inputSchema: { type: 'object'; [key: string]: unknown };
    outputSchema?: { type: 'object'; [key: string]: unknown };
    annotations: Annotations;
    _meta?: Readonly<Record<string, unknown>>;
  };
}
