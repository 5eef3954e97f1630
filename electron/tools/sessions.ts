/** The tools that show and manage sessions: `images`, `open_session`, `close_session`. */
import { z } from 'zod';
import { HarborError } from '../contract/errors';
import { EngineFound, EngineName, type SandboxReport, type SessionView } from '../contract/model';
import { addressText, ServerAddress } from '../contract/server';
import type { Projects } from '../sandbox/projects';
import type { OpenRequest, Sessions } from '../sessions/sessions';
import { SessionResult, sandboxText, sessionResult, sessionText } from './session-view';
import type { Caller, Tool, ToolResult } from './tool';
import { unsavedNotes } from './unsaved';

export interface SessionToolOptions {
  sessions: Sessions;
  projects: Projects;
  sandbox: SandboxReport;
  engines: {
    discover: () => Promise<EngineFound[]>;
    /** @throws HarborError `engine_unavailable` when there is none */
    default: () => Promise<EngineName>;
    defaultOrNull: () => Promise<EngineName | null>;
  };
  /** Addresses at which this harbor can be reached. */
  endpoints: () => string[];
}

const ImagesResult = z.object({
  engines: z.array(EngineFound),
  default_engine: EngineName.nullable().describe('null when no engine was found'),
  sessions: z.array(SessionResult),
  sandbox: z.string(),
  project: z.string(),
  endpoints: z.array(z.string()),
});

export function imagesTool(
  options: SessionToolOptions,
): Tool<z.ZodObject<Record<never, never>>, typeof ImagesResult> {
  return {
    name: 'images',
    title: 'Engines and sessions',
    description:
      'What this harbor can run and what runs: engines with version and path (or why one is missing and how to get it), your sessions with state, package, pid and memory, whether images are sandboxed, and the project folder.',
    scope: 'read',
    args: z.strictObject({}),
    result: ImagesResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run(_args, caller) {
      const structured = {
        engines: await options.engines.discover(),
        default_engine: caller.engine ?? (await options.engines.defaultOrNull()),
        sessions: (await options.sessions.list(caller.client)).map(sessionResult),
        sandbox: sandboxText(options.sandbox),
        project: caller.project,
        endpoints: options.endpoints(),
      };
      return { structured, text: imagesText(structured), isError: false };
    },
  };
}

/** As agents give it; a host is checked where servers are named. */
const ServerArgument = z.strictObject(ServerAddress.shape);

const OpenArguments = z.strictObject({
  engine: EngineName.optional().describe('Omitted: the default engine'),
  name: z.string().min(1).max(80).optional(),
  project: z.string().optional().describe('Folder that a person approved, or one below it'),
  attach: ServerArgument.optional().describe('A server on this computer that a person named'),
});

const OpenResult = z.object({
  session: z.string(),
  engine: EngineName,
  package: z.string(),
  project: z.string(),
  sandbox: z.string(),
  server: z.string().optional(),
  notes: z.array(z.string()),
});

export function openSessionTool(options: SessionToolOptions): Tool<typeof OpenArguments, typeof OpenResult> {
  return {
    name: 'open_session',
    title: 'Open a session',
    description:
      'Starts a fresh Lisp image of its own and answers the handle to pass as `session`. Use it for a second engine, another project, or state that must not mix; otherwise every tool uses your default session. attach: uses a running Swank server instead, whose state is shared and which goes on when the session is closed.',
    scope: 'evaluate',
    args: OpenArguments,
    result: OpenResult,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const session = await options.sessions.open({
        client: caller.client.key,
        project:
          args.project === undefined
            ? caller.project
            : options.projects.resolve(args.project, caller.project),
        ...(await imageOf(args, caller, options)),
        ...(args.name === undefined ? {} : { name: args.name }),
      });
      return openedResult(session.view(), session.introduction);
    },
  };
}

/** Which image the session gets: one of an engine, or that of a server.
 * @throws HarborError `bad_arguments` when both are given and are not the same */
async function imageOf(
  { engine, attach }: z.output<typeof OpenArguments>,
  caller: Caller,
  { engines }: SessionToolOptions,
): Promise<Pick<OpenRequest, 'engine' | 'server'>> {
  if (attach === undefined) return { engine: engine ?? caller.engine ?? (await engines.default()) };
  if (engine === undefined || engine === attach.kind) return { server: attach };
  throw new HarborError('bad_arguments', `A ${attach.kind} server is no ${engine}; leave engine out.`);
}

function openedResult(
  { id, engine, package: packageName, project, sandbox, server }: SessionView,
  introduction: string | undefined,
): ToolResult<z.infer<typeof OpenResult>> {
  const structured = {
    session: id,
    engine,
    package: packageName,
    project,
    sandbox: sandboxText(sandbox),
    ...(server ? { server: addressText(server) } : {}),
    notes: introduction === undefined ? [] : [introduction],
  };
  const text = `Opened ${id}: ${engine} in package ${packageName}, project ${project}, ${structured.sandbox}.`;
  return { structured, text: [text, ...structured.notes].join(' '), isError: false };
}

const CloseArguments = z.strictObject({ session: z.string() });
const CloseResult = z.object({ session: z.string(), closed: z.boolean(), notes: z.array(z.string()) });

export function closeSessionTool({
  sessions,
}: SessionToolOptions): Tool<typeof CloseArguments, typeof CloseResult> {
  return {
    name: 'close_session',
    title: 'Close a session',
    description:
      'Ends the session and its image, and says which definitions were in no file: those are gone, but the history keeps every evaluation.',
    scope: 'evaluate',
    args: CloseArguments,
    result: CloseResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const session = sessions.find(args.session, caller.client);
      const unsaved = await unsavedNotes(session);
      const interrupted = session.running;
      const { server } = session.identity;
      await sessions.close(session);
      const notes = [
        ...(interrupted ? [`Evaluation ${interrupted.id} was running and has been interrupted.`] : []),
        ...unsaved,
        ...(server ? [`The server at ${addressText(server)} goes on, with all that was defined in it.`] : []),
      ];
      const text = [`Closed ${args.session}.`, ...notes].join(' ');
      return { structured: { session: args.session, closed: true, notes }, text, isError: false };
    },
  };
}

function imagesText(result: z.infer<typeof ImagesResult>): string {
  const sessions = result.sessions.map((session) => `- ${sessionText(session)}`);
  return [
    `Engines (default: ${result.default_engine ?? 'none was found'}):`,
    ...result.engines.map(engineText),
    sessions.length > 0 ? 'Your sessions:' : 'You have no sessions; the first evaluation opens one.',
    ...sessions,
    `Images are ${result.sandbox}.`,
    `Project: ${result.project}`,
    `Endpoints: ${result.endpoints.join(', ')}`,
  ].join('\n');
}

function engineText({ engine, available, version, path, reason, servers }: EngineFound): string {
  if (servers) return [`- ${engine}: ${reason}`, ...servers.map(serverText)].join('\n');
  const found = [version, path, reason].filter((fact) => fact !== undefined).join(' · ');
  return `- ${engine}: ${available ? 'available' : 'missing'} · ${found}`;
}

function serverText({ listens, ...server }: NonNullable<EngineFound['servers']>[number]): string {
  const state = { true: 'listens', false: 'does not listen', null: 'not known whether it listens' }[
    `${listens}`
  ];
  return `  - ${addressText(server)}: ${state}`;
}
