/** The tools that show and manage sessions: `images`, `open_session`, `close_session`. */
import { z } from 'zod';
import { CheckpointName } from '../contract/checkpoints';
import { Memory } from '../contract/memory';
import { EngineFound, EngineName, type SandboxReport } from '../contract/model';
import type { Projects } from '../sandbox/projects';
import type { Checkpoints } from '../sessions/checkpoints';
import type { OpenRequest, Sessions } from '../sessions/sessions';
import { imageMemory, imageMemoryText } from './image-memory';
import { askedLimits, LimitsArguments, LimitsResult, limitsResult, limitsText } from './limits';
import { MemoryResult, memoryNotes, memoryResult, memoryText } from './machine-memory';
import { SessionResult, sandboxText, sessionResult, sessionText } from './session-view';
import type { Caller, Tool } from './tool';
import { unsavedNotes } from './unsaved';

export interface SessionToolOptions {
  sessions: Sessions;
  checkpoints: Checkpoints;
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
  session_memory: Memory.meta({ brief: true }).optional(),
  notes: z.array(z.string()),
});

type ImagesResult = z.infer<typeof ImagesResult>;

export function imagesTool(options: SessionToolOptions): Tool<typeof ImagesArguments, typeof ImagesResult> {
  return {
    name: 'images',
    title: 'Engines and sessions',
    description:
      'What this harbor can run and what runs: engines with version and path (or why one is missing and how to get it), your sessions with state, package, pid and memory, whether images are sandboxed, the project folder, and how much memory is left.',
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
        sandbox: sandboxText(options.sandbox),
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

const OpenArguments = z.strictObject({
  engine: EngineName.optional().describe('Omitted: the default engine'),
  name: z.string().min(1).max(80).optional(),
  project: z.string().optional().describe('Folder that a person approved, or one below it'),
  checkpoint: CheckpointName.optional().describe('Begin with this saved state of the project'),
  limits: LimitsArguments.optional(),
});

const OpenResult = z.object({
  session: z.string(),
  engine: z.string(),
  package: z.string(),
  project: z.string(),
  sandbox: z.string(),
  limits: LimitsResult,
  notes: z.array(z.string()),
});

export function openSessionTool(options: SessionToolOptions): Tool<typeof OpenArguments, typeof OpenResult> {
  return {
    name: 'open_session',
    title: 'Open a session',
    description:
      'Starts a fresh Lisp image of its own and answers the handle to pass as `session`. Use it for a second engine, another project, or state that must not mix; otherwise every tool uses your default session.',
    scope: 'evaluate',
    args: OpenArguments,
    result: OpenResult,
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const session = await options.sessions.open(await openRequest(args, caller, options));
      const { id, engine, package: packageName, project, sandbox, limits } = session.view();
      const structured = {
        session: id,
        engine,
        package: packageName,
        project,
        sandbox: sandboxText(sandbox),
        limits: limitsResult(limits),
        notes: await shortage(options.sessions, caller),
      };
      const opened = `Opened ${id}: ${engine} in package ${packageName}, project ${project}, ${structured.sandbox}; ${limitsText(structured.limits)}.`;
      const text = [opened, ...structured.notes].join(' ');
      return { structured, text, isError: false };
    },
  };
}

/** What a caller has to know of memory, with those of its sessions that it could end. */
async function shortage(sessions: Sessions, { client }: Caller): Promise<string[]> {
  const memory = await sessions.memory();
  return memory.short ? memoryNotes(memory, await sessions.list(client), Date.now()) : [];
}

/** @throws HarborError `project_not_approved`, `unknown_checkpoint`, `engine_unavailable` */
async function openRequest(
  { project: asked, engine: wanted, name, checkpoint, limits }: z.output<typeof OpenArguments>,
  caller: Caller,
  { projects, checkpoints, engines }: SessionToolOptions,
): Promise<OpenRequest> {
  const project = asked === undefined ? caller.project : projects.resolve(asked, caller.project);
  const named = {
    client: caller.client.key,
    project,
    ...(name === undefined ? {} : { name }),
    ...(limits === undefined ? {} : { limits: askedLimits(limits) }),
  };
  if (checkpoint === undefined)
    return { ...named, engine: wanted ?? caller.engine ?? (await engines.default()) };
  const found = checkpoints.find({ name: checkpoint, project }, caller.client);
  return { ...named, engine: found.engine, from: checkpoints.origin(found) };
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
      await sessions.close(session);
      const notes = [
        ...(interrupted ? [`Evaluation ${interrupted.id} was running and has been interrupted.`] : []),
        ...unsaved,
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

function engineText({ engine, available, version, path, reason }: EngineFound): string {
  const found = [version, path, reason].filter((fact) => fact !== undefined).join(' · ');
  return `- ${engine}: ${available ? 'available' : 'missing'} · ${found}`;
}
