/** The door to all tools: connects clients to profiles, checks arguments, gives each connection its default session. */
import { z } from 'zod';
import { asFailure, HarborError } from '../contract/errors';
import type { Client } from '../contract/model';
import type { Projects } from '../sandbox/projects';
import { DefaultSession } from '../sessions/default-session';
import type { OpenRequest, Sessions } from '../sessions/sessions';
import { listTools, type Profile } from './profiles/profile';
import type {
  CallContext,
  Caller,
  Connection,
  ConnectOptions,
  Tool,
  Toolbox,
  ToolListing,
  ToolResult,
} from './tool';

export interface ToolboxOptions {
  profiles: readonly Profile[];
  sessions: Sessions;
  projects: Projects;
  /** The project of connections that name none. */
  project: () => string;
  /** Where a connection works whose own folder can be no project. */
  scratch: string;
}

export class HarborToolbox implements Toolbox {
  readonly #options: ToolboxOptions;
  readonly #listings: ReadonlyMap<string, readonly ToolListing[]>;

  constructor(options: ToolboxOptions) {
    this.#options = options;
    this.#listings = new Map(options.profiles.map((profile) => [profile.name, listTools(profile)]));
  }

  get profiles(): readonly string[] {
    return [...this.#listings.keys()];
  }

  connect(client: Client, options: ConnectOptions): Connection {
    const profile = this.#options.profiles.find(({ name }) => name === options.profile);
    const tools = this.#listings.get(options.profile);
    if (!profile || !tools)
      throw new HarborError(
        'bad_arguments',
        `There is no profile ${options.profile}. Known: ${this.profiles.join(', ')}.`,
      );
    const { project, note } = this.#projectOf(options.project);
    const request: OpenRequest = {
      client: client.key,
      project,
      ...(options.engine ? { engine: options.engine } : {}),
    };
    const notes = [note, options.shared ? sharedNote(client) : null].filter((each) => each !== null);
    const defaultSession = new DefaultSession(this.#options.sessions, request, notes.join(' ') || null);
    const caller = { client, project, engine: options.engine, defaultSession: () => defaultSession.get() };
    return {
      profile: profile.name,
      instructions: profile.instructions,
      tools,
      call: (name, args, context) => callTool(profile, name, args, { ...caller, ...context }),
      end: () => defaultSession.end(),
    };
  }

  /** A folder that can be no project, such as the home folder, is no reason to refuse: scratch serves, and that is said. */
  #projectOf(folder: string | undefined): { project: string; note: string | null } {
    if (folder === undefined) return { project: this.#options.project(), note: null };
    try {
      return { project: this.#options.projects.approve(folder), note: null };
    } catch (error) {
      const { scratch } = this.#options;
      return { project: scratch, note: `${asFailure(error).message} This session works in ${scratch}.` };
    }
  }
}

function sharedNote({ key }: Client): string {
  return `No session was named: this is the default session of ${key}, shared by all its conversations.`;
}

/** @throws HarborError `unknown_tool` */
async function callTool(
  profile: Profile,
  name: string,
  args: unknown,
  caller: Caller & CallContext,
): Promise<ToolResult> {
  const tool = profile.tools.find((candidate) => candidate.name === name);
  if (!tool) {
    const known = profile.tools.map((candidate) => candidate.name).join(', ');
    throw new HarborError('unknown_tool', `Unknown tool: ${name}. Profile ${profile.name} has: ${known}.`);
  }
  const parsed = tool.args.safeParse(args ?? {});
  if (!parsed.success) return badArguments(tool, parsed.error);
  try {
    return (await tool.run(parsed.data, caller)) as ToolResult;
  } catch (error) {
    if (!(error instanceof HarborError)) throw error;
    return failure(error.code, error.message);
  }
}

function badArguments(tool: Tool, error: z.ZodError): ToolResult {
  return failure('bad_arguments', `Arguments of ${tool.name} are wrong:\n${z.prettifyError(error)}`);
}

function failure(code: string, message: string): ToolResult {
  return { structured: { error: { code, message } }, text: `${code}: ${message}`, isError: true };
}
