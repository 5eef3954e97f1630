/**
 * What an agent can ask. A tool names its arguments, its result and the scope it needs; a profile is a set of
 * tools under the names that one kind of client knows; a connection is one client talking to one profile.
 */
import type { z } from 'zod';
import type { ApprovalClass } from '../contract/approvals';
import type { ErrorCode } from '../contract/errors';
import type { Client, EngineName, Scope } from '../contract/model';
import type { Session } from '../sessions/session/session';
import type { ChosenRestart, HeldOffer } from './evaluation/offered-restart';
import type { OfferedPrompts } from './prompts/offered-prompts';
import type { ChangeListener } from './resources/changes';
import type { Shelf } from './resources/offered-resources';

/** MCP tool annotations; all four are always given, because the protocol's defaults are pessimistic. */
export interface Annotations {
  readOnlyHint: boolean;
  destructiveHint: boolean;
  idempotentHint: boolean;
  openWorldHint: boolean;
}

/** The caller's side of one call. `progress` is absent when nobody asked for it. */
export interface CallContext {
  /** Aborted when the caller cancels or goes away. */
  signal: AbortSignal;
  progress?: (message: string) => void;
  /** The call goes on with what an earlier one left held, and evaluates nothing anew. */
  chosen?: ChosenRestart;
  /** Answers the caller now with that job, and lets the call go on to its end, which the caller will ask for; absent where
   * callers cannot. `signal` is then aborted by whoever cancels the job. */
  outlive?: (job: string) => void;
}

/** Everything a tool may know of who calls it. */
export interface Caller extends CallContext {
  client: Client;
  /** The tool as the client called it. */
  tool: string;
  /** The folder that sessions opened without a project get. */
  project: string;
  /** Engine of sessions opened without one; undefined means the harbor's default. */
  engine: EngineName | undefined;
  /** The session of a call that names none, opened when first needed; one of its own for each engine that is asked for.
   * Sentences about it go into `notes`. */
  defaultSession(engine?: EngineName): Promise<{ session: Session; notes: string[] }>;
}

/** What a tool answers: the same facts as data and as text, because some clients show a model only one of them. */
export interface ToolResult<R = Record<string, unknown>> {
  structured: R;
  text: string;
  /** Its control characters are part of it, because it is a file's: who edits the file has to know them. */
  verbatim?: true;
  /** What the caller must know beside a text whose form another system has fixed; told as texts of their own. */
  asides?: readonly string[];
  /** What it left held, for a caller that can ask a person which restart to take. */
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

export interface Tool<A extends z.ZodObject = z.ZodObject, R extends z.ZodType = z.ZodType> {
  name: string;
  title: string;
  /** Under 60 words: what it does, when to use it. */
  description: string;
  scope: Scope;
  /** What a person may be asked about before it runs; absent: `evaluate` for what has that scope, and nothing for others. */
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
    title: string;
    description: string;
    inputSchema: { type: 'object'; [key: string]: unknown };
    outputSchema: { type: 'object'; [key: string]: unknown };
    annotations: Annotations;
  };
}

/** One client talking to one profile at a time, for as long as its transport lasts. */
export interface Connection {
  readonly profile: string;
  /** The server instructions of the profile. */
  readonly instructions: string;
  /** What its client can read beside. */
  readonly resources: Pick<Shelf, 'templates' | 'list' | 'read' | 'require' | 'complete'>;
  readonly prompts: Pick<OfferedPrompts, 'listed' | 'get' | 'complete'>;
  /** In a fixed order; the same for every connection of the profile. Another profile's from the moment on when it is
   * chosen for the client, which `watch` tells. */
  readonly tools: readonly ToolListing[];
  /** What a call of `name` means, however the client separates its words. */
  listing(name: string): ToolListing | undefined;
  /** Arguments are validated here.
   * @throws HarborError for all that the caller can mend: `unknown_tool`, `bad_arguments`, what the tool throws */
  call(name: string, args: unknown, context: CallContext): Promise<ToolResult>;
  /** The session of that handle, or this connection's default one, for endpoints that evaluate without a tool. Sentences
   * about it go into `notes`.
   * @throws HarborError `unknown_session`, and why no session can be opened */
  session(handle: string | undefined): Promise<{ session: Session; notes: string[] }>;
  /** Tells of changes in what its client sees, until what this answers is called. */
  watch(listener: ChangeListener): () => void;
  /** Ends what belongs to this connection alone, such as its default session. */
  end(): Promise<void>;
}

/** How a connection begins. `profile` null: the one of the client, which a person may choose while it lasts. `shared`: its default session is the client's, not its own (MCP 2026-07-28 over HTTP). */
export interface ConnectOptions {
  profile: string | null;
  shared: boolean;
  project?: string;
  engine?: EngineName;
}

/** The door to all tools; endpoints get nothing else. */
export interface Toolbox {
  readonly profiles: readonly string[];
  /** Whether a client of the profile may just post its calls over HTTP, without a session. */
  takesPlainCalls(client: Client, profile: string | null): boolean;
  /** @throws HarborError `project_not_approved`, or `bad_arguments` for an unknown profile. */
  connect(client: Client, options: ConnectOptions): Connection;
}
