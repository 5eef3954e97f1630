/** The tools that show and manage sessions: `images`, `open_session`, `close_session`. */
import { z } from 'zod';
import { CheckpointName } from '../contract/checkpoints';
import { HarborError } from '../contract/errors';
import { Memory } from '../contract/memory';
import { EngineFound, EngineName, type SandboxReport } from '../contract/model';
import { addressText, ServerAddress } from '../contract/server';
import type { NamedContainers } from '../sandbox/named-containers';
import { projectServer } from '../sandbox/port-files';
import type { Projects } from '../sandbox/projects';
import type { Checkpoints } from '../sessions/checkpoints';
import type { OpenRequest } from '../sessions/open-request';
import type { Session } from '../sessions/session';
import type { Sessions } from '../sessions/sessions';
import { imageMemory, imageMemoryText } from './image-memory';
import { askedLimits, LimitsArguments, LimitsResult, limitsResult, limitsText } from './limits';
import { lisplyAddress } from './lisply-url';
import { MemoryResult, memoryNotes, memoryResult, memoryText } from './machine-memory';
import { SessionResult, sandboxText, sessionResult, sessionText } from './session-view';
import type { Caller, Tool, ToolResult } from './tool';
import { unsavedNotes } from './unsaved';

export interface SessionToolOptions {
  sessions: Sessions;
  checkpoints: Checkpoints;
  projects: Projects;
  containers: NamedContainers;
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

const ImagesArguments = z.strictObject({
  session: z.string().optional().describe('Only this one, with what fills its memory by type'),
});

const ImagesResult = z.object({
  engines: z.array(EngineFound),
  default_engine: z.string().nullable().describe('null when no engine was found'),
  sessions: z.array(SessionResult),
  sandbox: z.string(),
  project: z.string(),
  endpoints: z.array(z.string()),
  memory: MemoryResult,
  session_memory: Memory.optional(),
  notes: z.array(z.string()),
});

type ImagesResult = z.infer<typeof ImagesResult>;

export function imagesTool(options: SessionToolOptions): Tool<typeof ImagesArguments, typeof ImagesResult> {
  return {
    name: 'images',
    title: 'Engines and sessions',
    description:
      'What this harbor can run and what runs: engines with version and path (or how to get one), your sessions with state, package, pid and memory, whether images are sandboxed, the project, and how much memory is left.',
    scope: 'read',
    args: ImagesArguments,
    result: ImagesResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ session }, caller) {
      const one = session === undefined ? undefined : options.sessions.find(session, caller.client);
      const sessions = await options.sessions.list(caller.client);
      const memory = await options.sessions.memory();
      const { notes, ...filled } = one ? await imageMemory(one) : { notes: [] };
      const structured = {
        engines: await options.engines.discover(),
        default_engine: caller.engine ?? (await options.engines.defaultOrNull()),
        sessions: sessions.filter(({ id }) => !one || id === one.id).map(sessionResult),
        sandbox: [sandboxText(options.sandbox), ...(options.sandbox.gaps ?? [])].join('; '),
        project: caller.project,
        endpoints: options.endpoints(),
        memory: memoryResult(memory),
        ...filled,
        notes: [...notes, ...memoryNotes(memory, sessions, Date.now())],
      };
      return { structured, text: imagesText(structured), isError: false };
    },
  };
}

/** As agents give it; a host is checked where servers are named. */
const ServerArgument = z.strictObject(ServerAddress.omit({ portFile: true, prefix: true }).shape).extend({
  port: ServerAddress.shape.port.optional(),
  url: z.string().optional(),
  image: z.string().optional(),
});
type ServerArgument = z.output<typeof ServerArgument>;

const OpenArguments = z.strictObject({
  engine: EngineName.optional().describe('Omitted: the default engine'),
  name: z.string().min(1).max(80).optional(),
  project: z.string().optional().describe('Folder that a person approved, or one below it'),
  checkpoint: CheckpointName.optional().describe('Begin with this saved state of the project'),
  limits: LimitsArguments.optional(),
  attach: ServerArgument.optional().describe(
    'A server on this computer that a person named; nrepl without port: the project’s .nrepl-port; lisply: by url, or by the image of a container to start',
  ),
});

const OpenResult = z.object({
  session: z.string(),
  engine: z.string(),
  package: z.string(),
  project: z.string(),
  sandbox: z.string(),
  limits: LimitsResult,
  server: z.string().optional(),
  notes: z.array(z.string()),
});

export function openSessionTool(options: SessionToolOptions): Tool<typeof OpenArguments, typeof OpenResult> {
  return {
    name: 'open_session',
    title: 'Open a session',
    description:
      'Starts a fresh Lisp image of its own and answers the handle to pass as `session`. Use it for a second engine, another project, or state that must not mix; otherwise every tool uses your default session. attach: a running Swank, nREPL or Lisply server instead, whose state is shared and which goes on afterwards.',
    scope: 'evaluate',
    args: OpenArguments,
    result: OpenResult,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const request = await openRequest(args, caller, options);
      // Whoever opened it has an answer by the time that another image takes the first one's place.
      let answered = false;
      const tell = (doing: string) => answered || caller.progress?.(doing);
      const session = await options.sessions.open({ ...request, tell });
      answered = true;
      return openedResult(session, await shortage(options.sessions, caller));
    },
  };
}

/** What a caller has to know of memory, with those of its sessions that it could end. */
async function shortage(sessions: Sessions, { client }: Caller): Promise<string[]> {
  const memory = await sessions.memory();
  return memory.short ? memoryNotes(memory, await sessions.list(client), Date.now()) : [];
}

/** @throws HarborError `project_not_approved`, `unknown_checkpoint`, `engine_unavailable`, `bad_arguments` */
async function openRequest(
  args: z.output<typeof OpenArguments>,
  caller: Caller,
  { projects, checkpoints, engines, containers }: SessionToolOptions,
): Promise<OpenRequest> {
  const { project: asked, engine, name, checkpoint, limits, attach } = args;
  const project = asked === undefined ? caller.project : projects.resolve(asked, caller.project);
  const named = {
    client: caller.client.key,
    project,
    ...(name === undefined ? {} : { name }),
    ...(limits === undefined ? {} : { limits: askedLimits(limits) }),
  };
  if (attach?.image !== undefined) return { ...named, ...containerAlone(args, attach.image, containers) };
  if (attach !== undefined) return { ...named, server: await serverAlone(args, attach, project) };
  if (checkpoint === undefined)
    return { ...named, engine: engine ?? caller.engine ?? (await engines.default()) };
  const found = checkpoints.find({ name: checkpoint, project }, caller.client);
  return { ...named, engine: found.engine, from: checkpoints.origin(found) };
}

/** @throws HarborError `bad_arguments`, `not_approved` */
function containerAlone(
  { engine, checkpoint, attach }: z.output<typeof OpenArguments>,
  image: string,
  containers: NamedContainers,
): Pick<OpenRequest, 'engine' | 'container'> {
  const { kind, port, url } = attach ?? {};
  const alone = checkpoint === undefined && port === undefined && url === undefined;
  if (kind === 'lisply' && alone && (engine === undefined || engine === kind))
    return { engine: kind, container: containers.find(image) };
  throw new HarborError('bad_arguments', 'An image names a container of kind lisply, and nothing else does.');
}

/** @throws HarborError `bad_arguments` when an image is asked for beside the server, that is another one */
async function serverAlone(
  { engine, checkpoint }: z.output<typeof OpenArguments>,
  attach: ServerArgument,
  project: string,
): Promise<ServerAddress> {
  if (checkpoint !== undefined)
    throw new HarborError('bad_arguments', 'A server goes on from its own state; leave checkpoint out.');
  if (engine !== undefined && engine !== attach.kind)
    throw new HarborError('bad_arguments', `A ${attach.kind} server is no ${engine}; leave engine out.`);
  const { port, url, kind, host } = attach;
  if (url !== undefined) {
    if (kind === 'lisply' && port === undefined) return lisplyAddress(url);
    throw new HarborError('bad_arguments', 'A url names a lisply backend, port and all.');
  }
  if (port !== undefined) return { kind, host, port };
  if (attach.kind === 'nrepl') return projectServer(project);
  throw new HarborError('bad_arguments', `Give the port of the ${attach.kind} server.`);
}

function openedResult(session: Session, shortage: readonly string[]): ToolResult<z.infer<typeof OpenResult>> {
  const { id, engine, package: packageName, project, sandbox, limits, server } = session.view();
  const structured = {
    session: id,
    engine,
    package: packageName,
    project,
    sandbox: sandboxText(sandbox),
    limits: limitsResult(limits),
    ...(server ? { server: addressText(server) } : {}),
    notes: [...(session.introduction === undefined ? [] : [session.introduction]), ...shortage],
  };
  const opened = `Opened ${id}: ${engine} in package ${packageName}, project ${project}, ${structured.sandbox}; ${limitsText(structured.limits)}.`;
  return { structured, text: [opened, ...structured.notes].join(' '), isError: false };
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
    approval: 'kill',
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

function imagesText(result: ImagesResult): string {
  const sessions = result.sessions.map((session) => `- ${sessionText(session)}`);
  return [
    `Engines (default: ${result.default_engine ?? 'none was found'}):`,
    ...result.engines.map(engineText),
    sessions.length > 0 ? 'Your sessions:' : 'You have no sessions; the first evaluation opens one.',
    ...sessions,
    `Images are ${result.sandbox}.`,
    `Project: ${result.project}`,
    `Endpoints: ${result.endpoints.join(', ')}`,
    `Memory: ${memoryText(result.memory)}.`,
    ...(result.session_memory ? [imageMemoryText(result.session_memory)] : []),
    ...result.notes,
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
