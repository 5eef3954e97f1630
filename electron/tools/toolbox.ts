/** The door to all tools: connects clients to profiles, checks arguments, gives each connection its default session. */
import path from 'node:path';
import { asFailure, HarborError } from '../contract/errors';
import type { Client, EngineName } from '../contract/model';
import { thereAre } from '../contract/names-there';
import type { Projects } from '../sandbox/projects';
import { DefaultSession } from '../sessions/default-session';
import { DefaultSessions } from '../sessions/default-sessions';
import type { OpenRequest } from '../sessions/open-request';
import type { Session } from '../sessions/session/session';
import type { Sessions } from '../sessions/sessions';
import { accepted } from './accepted-call';
import { answered } from './answered';
import { Awaited } from './awaited';
import type { Connection, ConnectOptions, Toolbox } from './connection';
import { listTools, type Profile, toolNamed } from './profiles/profile';
import { errorIn, resultIn, type Wording, wordingOf } from './profiles/wording';
import { OfferedPrompts } from './prompts/offered-prompts';
import type { Prompt } from './prompts/prompt';
import { OfferedResources } from './resources/offered-resources';
import type { ResourceFamily } from './resources/resource';
import { type ChangeListener, watchResources } from './resources/resource-changes';
import { Told } from './told';
import type { Caller, ToolListing, ToolResult } from './tool';
import type { Viewer } from './viewer';

/** Which profile a person chose for a client. */
export interface ProfileChoices {
  /** Null where they have chosen none. */
  chosen(client: string): string | null;
  /** The chosen one, else the harbor's. */
  of(client: string): string;
  /** Answers what ends it. */
  watch(client: string, listener: () => void): () => void;
}

export interface ToolboxOptions {
  profiles: readonly Profile[];
  /** The profile of each client that names none. */
  choices: ProfileChoices;
  /** The engine that a person chose for a client; undefined: its profile's, or the harbor's. */
  engineOf: (client: string) => EngineName | undefined;
  prompts: readonly Prompt[];
  resources: readonly ResourceFamily[];
  sessions: Sessions;
  projects: Projects;
  /** Whether clients see no evaluations but their own. */
  ownOnly: () => boolean;
  /** The project of connections that name none. */
  project: () => string;
  /** Where a connection works whose own folder can be no project. */
  scratch: string;
}

export class HarborToolbox implements Toolbox {
  readonly #options: ToolboxOptions;
  readonly #profiles: ReadonlyMap<string, Profile>;
  /** Of profiles that somebody has asked for: converting the schemas of all would take a tenth of the harbor's start. */
  readonly #listings = new Map<Profile, readonly ToolListing[]>();
  readonly #wordings: ReadonlyMap<string, Wording>;

  constructor(options: ToolboxOptions) {
    this.#options = options;
    this.#profiles = new Map(options.profiles.map((profile) => [profile.name, profile]));
    const tools = options.profiles.flatMap((profile) => profile.tools);
    this.#wordings = new Map(options.profiles.map((profile) => [profile.name, wordingOf(profile, tools)]));
  }

  get profiles(): readonly string[] {
    return [...this.#profiles.keys()];
  }

  requireServed({ key }: Client, profile: string | null): void {
    const chosen = this.#options.choices.chosen(key);
    if (profile === null || chosen === null || profile === chosen) return;
    throw new HarborError(
      'profile_not_chosen',
      `A person has chosen the profile ${chosen} for ${key}, which is served at /mcp and /mcp/${chosen}. Only they choose ${profile}: in the window, under Clients.`,
    );
  }

  takesPlainCalls(client: Client, name: string | null): boolean {
    return this.profile(name ?? this.#options.choices.of(client.key)).plainCalls === true;
  }

  /** @throws HarborError `bad_arguments` when there is no such profile */
  profile(name: string): Profile {
    const profile = this.#profiles.get(name);
    if (profile) return profile;
    throw new HarborError('bad_arguments', `There is no profile ${name}. ${thereAre(name, this.profiles)}`);
  }

  connect(client: Client, options: ConnectOptions): Connection {
    const { choices, sessions: all } = this.#options;
    const current = () => this.profile(options.profile ?? choices.of(client.key));
    current();
    const listed = (profile: Profile) => this.#listed(profile);
    const { project: own, note } = this.#workingFolder(options.project);
    let moved: string | null = null;
    const project = () => moved ?? own();
    const engine = () => options.engine ?? this.#options.engineOf(client.key) ?? current().engine;
    const told = new Told(options.shared, options.forgetsAfterMs);
    const awaited = new Awaited(options.shared);
    const standing = [note, options.shared ? sharedNote(client) : null].filter((each) => each !== null);
    const sessions = new DefaultSessions((wanted, folder) => {
      const request = openRequest(client, () => folder ?? own(), wanted, {
        packageName: current().package?.(wanted),
        conversation: conversationIn(folder, options.conversation),
      });
      return new DefaultSession(all, request);
    });
    const workIn = (folder: string) => {
      const chosen = this.#options.projects.resolve(path.resolve(project(), folder), own());
      if (options.shared && chosen !== project()) throw movingOthers(client, chosen);
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
    const viewer = () => ({ client, project: project(), wording: this.#wordingOf(current()) });
    const defaultSession = async (wanted = engine()) => {
      const { session, notes } = await sessions.get(wanted, moved);
      const still = { standing: standing.join(' '), project: projectNote(session, project()) };
      const news = Object.entries(still).filter(([subject, text]) => told.isNews(session.id, subject, text));
      return { session, notes: [...notes, ...news.flatMap(([, text]) => text || [])] };
    };
    return {
      get profile() {
        return current().name;
      },
      get instructions() {
        return current().instructions;
      },
      get tools() {
        return listed(current());
      },
      resources: new OfferedResources(this.#options.resources, viewer),
      prompts: new OfferedPrompts(this.#options.prompts, viewer),
      watch: (listener) => this.#watch(viewer, options.profile === null, listener),
      needs: (name) => toolNamed(current(), name),
      check: (name, args) => {
        const profile = current();
        try {
          const known: Record<string, unknown> = accepted(profile, name, args).args;
          const { session, session_id: handle = session } = known;
          if (typeof handle === 'string' && !profile.namesSessions) all.known(handle, client);
        } catch (error) {
          throw errorIn(this.#wordingOf(profile), error);
        }
      },
      call: (name, args, context) => {
        const caller = {
          client,
          tool: name,
          project: project(),
          profileChosen: isChosen(),
          engine: engine(),
          defaultSession,
          workIn,
          told,
          awaited,
          ...context,
        };
        return this.#call(current(), name, args, caller);
      },
      session: async (handle) =>
        handle === undefined ? defaultSession() : { session: await all.find(handle, client), notes: [] },
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

  #wordingOf({ name }: Profile): Wording {
    return this.#wordings.get(name) ?? ((text) => text);
  }

  async #call(profile: Profile, name: string, args: unknown, caller: Caller): Promise<ToolResult> {
    const wording = this.#wordingOf(profile);
    try {
      return resultIn(wording, await callTool(profile, name, args, caller));
    } catch (error) {
      throw errorIn(wording, error);
    }
  }

  /** @param follows whether the connection's profile is the one that is chosen for the client */
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
   * The folder of a connection. One that named none follows the project that a person chooses, also while it lasts.
   * A named one that can be no project, such as the home folder, is no reason to refuse: scratch serves, and that is said.
   */
  #workingFolder(folder: string | undefined): { project: () => string; note: string | null } {
    if (folder === undefined) return { project: this.#options.project, note: null };
    try {
      const approved = this.#options.projects.approve(folder);
      return { project: () => approved, note: null };
    } catch (error) {
      const { scratch } = this.#options;
      const note = `${asFailure(error).message} This session works in ${scratch}.`;
      return { project: () => scratch, note };
    }
  }
}

/** The project is asked when the session opens: a person may have chosen another one by then. */
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
      ? { passing: true }
      : { conversation: [conversation, engine ?? 'any engine'].join(', ') }),
  };
}

/** A session keeps its folder and its state when a person chooses another project; whoever uses it must know. */
function projectNote({ identity }: Session, project: string): string {
  const { project: own } = identity;
  if (own === project) return '';
  return `This session works in ${own}; the project is ${project} now. \`open_session\` opens one there.`;
}

/** What names the conversation in a folder that it has moved to. */
function conversationIn(folder: string | null, conversation: string | undefined): string | undefined {
  return folder === null || conversation === undefined ? conversation : `${conversation}, in ${folder}`;
}

function movingOthers({ key }: Client, folder: string): HarborError {
  return new HarborError(
    'not_supported',
    `This connection is shared by all conversations of ${key}, and none moves the others to ${folder}. A person chooses the project, in the window or with --project.`,
  );
}

function sharedNote({ key }: Client): string {
  return `No session was named: this is the default session of ${key}, shared by all its conversations.`;
}

async function callTool(profile: Profile, name: string, given: unknown, caller: Caller): Promise<ToolResult> {
  const { tool, args, notes } = accepted(profile, name, given);
  const result = await answered(caller.told, async () => (await tool.run(args, caller)) as ToolResult, notes);
  // Nobody hears this result; what is recorded of the call is that it was cancelled.
  return caller.signal.aborted ? { ...result, isError: true, errorCode: 'cancelled' } : result;
}
