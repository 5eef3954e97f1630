/**
 * What endpoints get of the tools, and nothing else: the toolbox connects a client to a profile, which is a set of tools
 * under the names that one kind of client knows. A connection lists them and calls them.
 */
import type { Client, EngineName } from '../contract/model';
import type { Session } from '../sessions/session/session';
import type { OfferedPrompts } from './prompts/offered-prompts';
import type { OfferedResources } from './resources/offered-resources';
import type { ChangeListener } from './resources/resource-changes';
import type { CallContext, ToolListing, ToolResult } from './tool';

/** One client talking to one profile at a time, for as long as its transport lasts. */
export interface Connection {
  readonly profile: string;
  /** The server instructions of the profile. */
  readonly instructions: string;
  /** What its client can read beside. */
  readonly resources: Pick<OfferedResources, 'templates' | 'list' | 'read' | 'require' | 'complete'>;
  readonly prompts: Pick<OfferedPrompts, 'listed' | 'get' | 'complete'>;
  /** In a fixed order, the same for every connection of the profile. They change when another profile is chosen for the
   * client, which `watch` tells. */
  readonly tools: readonly ToolListing[];
  /** What a call of `name` needs, however the client separates its words; undefined for no tool of the profile. */
  needs(name: string): Pick<ToolListing, 'scope' | 'approval'> | undefined;
  /** What would refuse such a call at once.
   * @throws HarborError `unknown_tool`, `bad_arguments`, `unknown_session` */
  check(name: string, args: unknown): void;
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

/** How a connection begins. */
export interface ConnectOptions {
  /** null: the client's, which a person may change while the connection lasts. */
  profile: string | null;
  /** A person has named the profile, as on the command line, and not the client by itself. */
  profileChosen?: boolean;
  /** Whether its default session is the client's, not its own (MCP 2026-07-28 over HTTP). */
  shared: boolean;
  /** What names the conversation to a later harbor, where its default session goes on; absent: it ends with this one. */
  conversation?: string;
  project?: string;
  engine?: EngineName;
  /** Milliseconds of silence after which somebody else may be listening, who is told again what does not change. */
  forgetsAfterMs?: number;
}

/** The door to all tools; endpoints get nothing else. */
export interface Toolbox {
  readonly profiles: readonly string[];
  /** Asked at each request that names a profile.
   * @throws HarborError `profile_not_chosen` where a person has chosen another one for the client */
  requireServed(client: Client, profile: string | null): void;
  /** Whether a client of the profile may just post its calls over HTTP, without a session. */
  takesPlainCalls(client: Client, profile: string | null): boolean;
  /** @throws HarborError `project_not_approved`, or `bad_arguments` for an unknown profile. */
  connect(client: Client, options: ConnectOptions): Connection;
}
