/**
 * Entry of all tools for endpoints: connects clients to profiles, checks arguments and gives each connection
 * its default session.
 */

import path from 'node:path';
import type { AcceptedCall, Grant } from '../contract/approvals';
import { asFailure, HarborError, listSimilarNames } from '../contract/errors';
import { mention, ours } from '../contract/mention';
import type { Client, EngineName } from '../contract/model';
import { type Note, note, noteKey } from '../contract/note';
import { fingerprint } from '../host/json';
import type { Projects } from '../sandbox/projects';
import { DefaultSession, DefaultSessions } from '../sessions/default-sessions';
import type { OpenRequest } from '../sessions/open-request';
import type { Session } from '../sessions/session/session';
import type { Sessions } from '../sessions/sessions';
import { acceptedArguments } from './arguments';
import { ConversationState, TurnDeadlines } from './conversation-state';
import { attachNotes } from './notes';
import { instructionsOf, listTools, type Profile, toolNamed } from './profile';
import { OfferedPrompts, type Prompt } from './prompts/prompt';
import { namesOf, type RenderedResult, renderError, renderResult } from './rendering';
import { OfferedResources, type ResourceFamily } from './resources/resource';
import { type ChangeListener, watchResources } from './resources/resources';
import type { CallContext, Caller, Tool, ToolListing, ToolResult } from './tool';
import type { Viewer } from './viewer';

/** The connection of one client to one profile. Lasts as long as its transport. */
export interface Connection {
  readonly profile: string;
  /** The server instructions of the profile. */
  readonly instructions: string;
  /** The resources that the client can read. */
  readonly resources: Pick<OfferedResources, 'templates' | 'list' | 'read' | 'require' | 'complete'>;
  readonly prompts: Pick<OfferedPrompts, 'listed' | 'get' | 'complete'>;
  /**
   * The tools of the profile in a fixed order. They change when another profile is chosen for the client,
   * which `watch` reports.
   */
  readonly tools: readonly ToolListing[];
  /**
   * Returns the scope and approval that a call of `name` needs; undefined if the profile has no such tool.
   * Separators in the name do not matter.
   */
  needs(name: string): Pick<ToolListing, 'scope' | 'approval'> | undefined;
  /**
   * Returns a call as it will run, for the approval.
   * @throws HarborError `unknown_tool`, `bad_arguments`
   */
  accept(name: string, args: unknown, context: Omit<CallContext, 'grant'>): AcceptedCall;
  /**
   * Checks whether a call would be refused at once.
   * @throws HarborError `unknown_tool`, `bad_arguments`, `unknown_session`
   */
  check(name: string, args: unknown): void;
  /**
   * Validates the arguments and runs the tool.
   * @throws HarborError for errors that the caller can correct: `unknown_tool`, `bad_arguments`,
   *   `not_approved` if the grant is for another call, those of the tool
   */
  call(name: string, args: unknown, context: CallContext): Promise<RenderedResult>;
  /**
   * Returns the session with that handle, or this connection's default one, for endpoints that evaluate
   * without a tool. `notes` are about it.
   * @throws HarborError `unknown_session`, or why no session can be opened
   */
  session(handle: string | undefined, grant: Grant | null): Promise<{ session: Session; notes: Note[] }>;
  /** Calls `listener` on each change in what the client sees. Returns a function that ends this. */
  watch(listener: ChangeListener): () => void;
  /** Ends what belongs only to this connection, such as its default session. */
  end(): Promise<void>;
}

/** Options of a new connection. */
export interface ConnectOptions {
  /** null: the client's own, which the user may change while the connection lasts. */
  profile: string | null;
  /** Whether the user named the profile, as on the command line, instead of the client. */
  profileChosen?: boolean;
  /** Whether its default session belongs to the client, not to the connection (MCP 2026-07-28 over HTTP). */
  shared: boolean;
  /**
   * The name of the conversation, under which its default session is resumed after a restart of the harbor.
   * Absent: the session ends with the connection.
   */
  conversation?: string;
  project?: string;
  engine?: EngineName;
  /**
   * Milliseconds of silence after which unchanged facts are reported again, since another reader may have
   * taken over.
   */
  forgetsAfterMs?: number;
}

/** The interface through which endpoints use tools. */
export interface Toolbox {
  readonly profiles: readonly string[];
  /**
   * Checks a request that names a profile.
   * @throws HarborError `profile_not_chosen` if the user chose another profile for the client
   */
  requireServed(client: Client, profile: string | null): void;
  /** Reports whether a client of the profile may post calls over HTTP without a session. */
  takesPlainCalls(client: Client, profile: string | null): boolean;
  /** @throws HarborError `project_not_approved`, or `bad_arguments` for an unknown profile. */
  connect(client: Client, options: ConnectOptions): Connection;
}

/** The profiles that the user chose for clients. */
interface ProfileChoices {
  /** Returns null if the user chose none. */
  chosen(client: string): string | null;
  /** Returns the chosen profile, or the harbor's default. */
  of(client: string): string;
  /** Returns a function that ends the watch. */
  watch(client: string, listener: () => void): () => void;
}

interface ToolboxOptions {
  profiles: readonly Profile[];
  /** The profile of each client that names none. */
  choices: ProfileChoices;
  /**
   * Returns the engine that the user chose for a client; undefined: the profile's or the harbor's default.
   */
  engineOf: (client: string) => EngineName | undefined;
  prompts: readonly Prompt[];
  resources: readonly ResourceFamily[];
  sessions: Sessions;
  projects: Projects;
  /** Whether clients see only their own evaluations. */
  ownOnly: () => boolean;
  /** The project of connections that name none. */
  project: () => string;
  /** The folder of a connection whose own folder cannot be a project. */
  scratch: string;
}

export class HarborToolbox implements Toolbox {
  readonly #options: ToolboxOptions;
  readonly #profiles: ReadonlyMap<string, Profile>;
  /**
   * Tool lists of profiles, made on first use. Converting all schemas would take a tenth of the harbor's
   * start.
   */
  readonly #listings = new Map<Profile, readonly ToolListing[]>();

  constructor(options: ToolboxOptions) {
    this.#options = options;
    this.#profiles = new Map(options.profiles.map((profile) => [profile.name, profile]));
  }

  get profiles(): readonly string[] {
    return [...this.#profiles.keys()];
  }

  requireServed({ key }: Client, profile: string | null): void {
    const chosen = this.#options.choices.chosen(key);
    if (profile === null || chosen === null || profile === chosen) return;
    throw new HarborError(
      'profile_not_chosen',
      `The user chose the profile ${chosen} for ${key}; it is served at /mcp and /mcp/${chosen}. Only the user can choose ${profile}: in the window, under Clients.`,
    );
  }

  takesPlainCalls(client: Client, name: string | null): boolean {
    return this.profile(name ?? this.#options.choices.of(client.key)).plainCalls === true;
  }

  /** @throws HarborError `bad_arguments` when there is no such profile */
  profile(name: string): Profile {
    const profile = this.#profiles.get(name);
    if (profile) return profile;
    throw new HarborError(
      'bad_arguments',
      `There is no profile ${name}. ${listSimilarNames(name, this.profiles)}`,
    );
  }

  connect(client: Client, options: ConnectOptions): Connection {
    const { choices, sessions: all } = this.#options;
    const current = () => this.profile(options.profile ?? choices.of(client.key));
    current();
    const listed = (profile: Profile) => this.#listed(profile);
    const { project: own, notes: folderNotes } = this.#workingFolder(options.project);
    let moved: string | null = null;
    const project = () => moved ?? own();
    const engine = () => options.engine ?? this.#options.engineOf(client.key) ?? current().engine;
    const conversation = new ConversationState(options.shared, options.forgetsAfterMs);
    const deadlines = new TurnDeadlines(options.shared);
    const connectionNotes = [...folderNotes, ...(options.shared ? [sharedNote(client)] : [])];
    const sessions = new DefaultSessions((wanted, folder) => {
      const request = openRequest(client, () => folder ?? own(), wanted, {
        packageName: current().package?.(wanted),
        conversation: conversationIn(folder, options.conversation),
      });
      return new DefaultSession(all, request);
    });
    const workIn = (folder: string) => {
      const chosen = this.#options.projects.resolve(path.resolve(project(), folder), own());
      if (options.shared && chosen !== project()) throw sharedMoveError(client, chosen);
      moved = chosen === own() ? null : chosen;
      return chosen;
    };
    const isChosen = () => options.profileChosen === true || current().name === choices.of(client.key);
    const leave = current().joined?.({
      client,
      get project() {
        return project();
      },
      get profileChosen() {
        return isChosen();
      },
    });
    const viewer = () => ({ client, project: project(), names: namesOf(current()) });
    const defaultSession = async (grant: Grant | null, wanted = engine()) => {
      const { session, notes } = await sessions.get(wanted, moved, grant);
      const lasting = { connection: connectionNotes, project: projectNotes(session, project()) };
      const changed = Object.entries(lasting).filter(([subject, about]) =>
        conversation.reportOnce(session.id, subject, about.map(noteKey).join()),
      );
      return { session, notes: [...notes, ...changed.flatMap(([, about]) => about)] };
    };
    const callerIn = (name: string, context: CallContext): Caller => ({
      client,
      tool: name,
      project: project(),
      names: namesOf(current()),
      profileChosen: isChosen(),
      engine: engine(),
      defaultSession: (wanted?: EngineName) => defaultSession(context.grant, wanted),
      workIn,
      conversation,
      deadlines,
      ...context,
    });
    return {
      get profile() {
        return current().name;
      },
      get instructions() {
        return instructionsOf(current());
      },
      get tools() {
        return listed(current());
      },
      resources: new OfferedResources(this.#options.resources, viewer),
      prompts: new OfferedPrompts(this.#options.prompts, viewer),
      watch: (listener) => this.#watch(viewer, options.profile === null, listener),
      needs: (name) => toolNamed(current(), name),
      accept: (name, args, context) => {
        const profile = current();
        try {
          return acceptedCall(profile, name, args, callerIn(name, { ...context, grant: null }));
        } catch (error) {
          throw renderError(error, namesOf(profile));
        }
      },
      check: (name, args) => {
        const profile = current();
        try {
          const known: Record<string, unknown> = accepted(profile, name, args).args;
          const { session, session_id: handle = session } = known;
          if (typeof handle === 'string' && !profile.namesSessions) all.known(handle, client);
        } catch (error) {
          throw renderError(error, namesOf(profile));
        }
      },
      call: (name, args, context) => this.#call(current(), name, args, callerIn(name, context)),
      session: async (handle, grant) =>
        handle === undefined
          ? defaultSession(grant)
          : { session: await all.find(handle, client, grant), notes: [] },
      end: async () => {
        await Promise.all([sessions.end(), leave?.()]);
      },
    };
  }

  #listed(profile: Profile): readonly ToolListing[] {
    const listed = this.#listings.get(profile) ?? listTools(profile);
    this.#listings.set(profile, listed);
    return listed;
  }

  async #call(profile: Profile, name: string, args: unknown, caller: Caller): Promise<RenderedResult> {
    const names = namesOf(profile);
    try {
      return renderResult(await callTool(profile, name, args, caller), names);
    } catch (error) {
      throw renderError(error, names);
    }
  }

  /** @param follows whether the connection uses the profile that is chosen for the client */
  #watch(viewer: () => Viewer, follows: boolean, listener: ChangeListener): () => void {
    const { sessions, choices } = this.#options;
    const endResources = watchResources(sessions.events, this.#options, viewer, listener);
    if (!follows) return endResources;
    const endChoice = choices.watch(viewer().client.key, () => listener({ kind: 'tools' }));
    return () => {
      endResources();
      endChoice();
    };
  }

  /**
   * Returns the folder of a connection. A connection that named none follows the project that the user
   * chooses. If the named folder cannot be a project, such as the home folder, the scratch folder is used and
   * a note reports it.
   */
  #workingFolder(folder: string | undefined): { project: () => string; notes: Note[] } {
    if (folder === undefined) return { project: this.#options.project, notes: [] };
    try {
      const approved = this.#options.projects.approve(folder);
      return { project: () => approved, notes: [] };
    } catch (error) {
      const { scratch } = this.#options;
      const text = `${asFailure(error).message} This session works in ${scratch}.`;
      return { project: () => scratch, notes: [note('project', text)] };
    }
  }
}

/** The project is read when the session opens, because the user may have chosen another one by then. */
function openRequest(
  client: Client,
  project: () => string,
  engine: EngineName | undefined,
  { packageName, conversation }: { packageName: string | undefined; conversation: string | undefined },
): OpenRequest {
  return {
    client: client.key,
    get project() {
      return project();
    },
    ...(engine === undefined ? {} : { engine }),
    ...(packageName === undefined ? {} : { package: packageName }),
    ...(conversation === undefined
      ? { endsWithHarbor: true }
      : { conversation: [conversation, engine ?? 'any engine'].join(', ') }),
  };
}

/** Returns a note if the session works in a folder other than the current project. */
function projectNotes({ identity }: Session, project: string): Note[] {
  const { project: own } = identity;
  if (own === project) return [];
  return [
    note(
      'project',
      `This session works in ${own}; the project is ${project} now.`,
      mention`${ours('open_session')} opens one there.`,
    ),
  ];
}

/** Returns the name of the conversation, with the folder it has moved to. */
function conversationIn(folder: string | null, conversation: string | undefined): string | undefined {
  return folder === null || conversation === undefined ? conversation : `${conversation}, in ${folder}`;
}

function sharedMoveError({ key }: Client, folder: string): HarborError {
  return new HarborError(
    'not_supported',
    `This connection is shared by all conversations of ${key}, so none can move it to ${folder}. The user chooses the project, in the window or with --project.`,
  );
}

function sharedNote({ key }: Client): Note {
  return note(
    'shared',
    `No session was named: this is the default session of ${key}, shared by all its conversations.`,
  );
}

async function callTool(profile: Profile, name: string, given: unknown, caller: Caller): Promise<ToolResult> {
  const { tool, args, notes } = accepted(profile, name, given);
  const approved = caller.grant?.call?.args;
  const used = acceptedCall(profile, name, given, caller).args;
  if (approved && approved !== used && fingerprint(approved) !== fingerprint(used))
    throw new HarborError('not_approved', `This call of ${name} is not the one that was approved.`);
  const result = await attachNotes(
    caller.conversation,
    async () => (await tool.run(args, caller)) as ToolResult,
    notes,
  );
  // The caller cancelled, so the result is not sent. The call is recorded as cancelled.
  return caller.signal.aborted ? { ...result, isError: true, errorCode: 'cancelled' } : result;
}

/**
 * Returns the call with everything that determines its effect.
 * @throws HarborError `unknown_tool`, `bad_arguments`
 */
function acceptedCall(profile: Profile, name: string, given: unknown, caller: Caller): AcceptedCall {
  const { tool, args } = accepted(profile, name, given);
  const { chosen, sessionName } = caller;
  const { preview, sources } = tool;
  const named = sessionName === undefined ? args : { ...args, session: sessionName };
  const call: AcceptedCall = { args: chosen ? { ...named, chosen } : named };
  if (preview)
    call.preview = async () => {
      call.changes = await preview(args, caller);
      return call.changes;
    };
  if (sources)
    call.sources = () =>
      sources(args, caller).catch((error: unknown) => [{ file: name, text: asFailure(error).message }]);
  return call;
}

/** @throws HarborError `unknown_tool` */
function toolOf(profile: Profile, name: string): Tool {
  const tool = toolNamed(profile, name);
  if (tool) return tool;
  const names = profile.tools.map((each) => each.name);
  throw new HarborError(
    'unknown_tool',
    `Profile ${profile.name} has no tool ${name}. ${listSimilarNames(name, names)}`,
  );
}

interface Accepted extends ReturnType<typeof acceptedArguments> {
  profile: Profile;
  name: string;
  tool: Tool;
}

/**
 * Results by the caller's arguments object. A call is checked before the user is asked for approval, and need
 * not be parsed again when it runs.
 */
const ACCEPTED = new WeakMap<object, Accepted>();

/** @throws HarborError `unknown_tool`, `bad_arguments` */
function accepted(profile: Profile, name: string, given: unknown): Accepted {
  const key = Object(given);
  const known = ACCEPTED.get(key);
  if (known?.profile === profile && known.name === name) return known;
  const tool = toolOf(profile, name);
  const looked = { profile, name, tool, ...acceptedArguments(tool, given, profile.refusesMisspelt) };
  ACCEPTED.set(key, looked);
  return looked;
}
