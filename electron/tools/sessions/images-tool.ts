/** The tool `images`: engines, sessions and their use of memory. */

import { z } from 'zod';
import type { ApplicationView } from '../../contract/application';
import type { ImageHost } from '../../contract/image-host';
import { instead, mention, messageText, ours, type ToolNames } from '../../contract/mention';
import {
  EngineFound,
  type EngineName,
  Memory,
  type SandboxReport,
  type SessionView,
} from '../../contract/model';
import { type Note, NoteText, note } from '../../contract/note';

import { addressText } from '../../contract/server';
import { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import type { Tool } from '../tool';
import {
  imageMemory,
  imageMemoryText,
  MemoryResult,
  memoryNotes,
  memoryResult,
  memoryText,
} from './memory-result';

import { SessionResult, sandboxText, sessionResult, sessionText, weakSandboxNotes } from './session-result';

export interface ImagesToolOptions {
  sessions: Sessions;
  sandbox: SandboxReport;
  /** Whether the user has paused all agents. */
  isPaused: () => boolean;
  engines: {
    discover: () => Promise<EngineFound[]>;
    defaultOrNull: (project: string) => Promise<EngineName | null>;
  };
  /** Returns the hosts that the user named. */
  hosts: () => readonly ImageHost[];
  /** Returns the addresses of this harbor. */
  endpoints: () => string[];
  applications: () => readonly ApplicationView[];
}

const ImagesArguments = z.strictObject({
  session: z.string().optional().describe('Only this one, with what fills its memory by type'),
});

const ImagesResult = z.object({
  engines: z.array(EngineFound),
  default_engine: z.string().nullable().describe('null when no engine was found'),
  sessions: z.array(SessionResult),
  hosts: z.array(z.object({ name: z.string(), launcher: z.string(), sessions: z.int() })).optional(),
  sandbox: z.string(),
  project: z.string(),
  endpoints: z.array(z.string()),
  application: z
    .object({
      state: z.string(),
      session: z.string().optional(),
      url: z.string().optional(),
      run: z.string(),
      problem: z.string().optional(),
    })
    .optional(),
  memory: MemoryResult,
  session_memory: Memory.optional(),
  notes: z.array(NoteText),
});

type ImagesResult = Omit<z.infer<typeof ImagesResult>, 'notes'>;

export function imagesTool(options: ImagesToolOptions): Tool<typeof ImagesArguments, typeof ImagesResult> {
  return {
    name: 'images',
    title: 'Engines and sessions',
    description:
      'Engines with version or how to get one, your sessions, whether images are sandboxed, the project, free memory.',
    scope: 'read',
    args: ImagesArguments,
    result: ImagesResult,
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    async run({ session }, caller) {
      const one = session === undefined ? undefined : options.sessions.known(session, caller.client);
      const sessions = await options.sessions.list(caller.client);
      const memory = await options.sessions.memory();
      const { notes, ...filled } = one ? await imageMemory(one) : { notes: [] };
      const structured = {
        engines: await options.engines.discover(),
        default_engine: caller.engine ?? (await options.engines.defaultOrNull(caller.project)),
        sessions: sessions.filter(({ id }) => !one || id === one.id).map(sessionResult),
        ...hostsResult(options.hosts(), sessions),
        sandbox: [sandboxText(options.sandbox), ...(options.sandbox.gaps ?? [])].join('; '),
        project: caller.project,
        endpoints: options.endpoints(),
        ...applicationOf(options.applications(), caller.project),
        memory: memoryResult(memory),
        ...filled,
        notes: [
          ...notes,
          ...(one instanceof Session ? one.recoveryNotes : []),
          ...(options.isPaused() ? [pauseNote(sessions)] : []),
          ...weakSandboxNotes(options.sandbox),
          ...memoryNotes(memory, sessions, Date.now()),
        ],
      };
      return {
        structured,
        text: imagesText(structured, caller.names),
        notes: structured.notes,
        statesSandbox: true,
        isError: false,
      };
    },
  };
}

function hostsResult(
  hosts: readonly ImageHost[],
  sessions: readonly SessionView[],
): Pick<ImagesResult, 'hosts'> {
  if (hosts.length === 0) return {};
  const count = (name: string) => sessions.filter(({ host }) => host === name).length;
  return { hosts: hosts.map(({ name, launcher }) => ({ name, launcher, sessions: count(name) })) };
}

/**
 * Returns the note about a pause. A pause stops only what has not begun, so running evaluations are listed.
 */
function pauseNote(sessions: readonly SessionView[]): Note {
  const running = sessions.filter(({ state }) => state === 'running').map(({ id }) => id);
  const images = sessions.filter(({ pid }) => pid !== null).length;
  const what =
    running.length > 0 ? `Still running: ${running.join(', ')}.` : 'You have no running evaluation.';
  return note(
    'paused',
    `The user has paused all agents: nothing new begins. ${what} Threads and programs that code has started continue in your images (${images}).`,
  );
}

function imagesText(result: ImagesResult, names: ToolNames): string {
  const { engines, default_engine: usual, sessions, project, hosts = [] } = result;
  return [
    `Engines: ${engines.flatMap((engine) => foundText(engine, usual)).join(', ') || 'none was found'}`,
    ...engines.flatMap(missingText),
    ...attachedTexts(engines, names),
    ...(hosts.length > 0
      ? [`Hosts: ${hosts.map(({ name, launcher }) => `${name} (${launcher})`).join(', ')}`]
      : []),
    sessions.length > 0 ? 'Your sessions:' : 'You have no sessions; the first evaluation opens one.',
    ...sessions.map((session) => `- ${sessionText(session, result)}`),
    `Project ${project} · images ${result.sandbox}`,
    ...(result.application ? [applicationText(result.application)] : []),
    memoryText(result.memory),
    ...(result.session_memory ? [imageMemoryText(result.session_memory)] : []),
  ].join('\n');
}

function applicationOf(
  applications: readonly ApplicationView[],
  folder: string,
): Pick<ImagesResult, 'application'> {
  const found = applications.find(({ project }) => project === folder);
  if (!found) return {};
  const { state, session, url, run, problem } = found;
  const known = { ...(session && { session }), ...(url && { url }), ...(problem && { problem }) };
  return { application: { state, run, ...known } };
}

function applicationText({ state, session, url, problem }: NonNullable<ImagesResult['application']>): string {
  return ['Application of this project', state, url, session && `session ${session}`, problem]
    .filter(Boolean)
    .join(' · ');
}

function foundText({ engine, available, version, reason }: EngineFound, usual: string | null): string[] {
  if (!available) return [];
  const about = [engine === usual ? '(default)' : undefined, reason && `(${reason})`];
  return [[engine, version, ...about].filter(Boolean).join(' ')];
}

/** Omits engines that are never started. */
function missingText({ engine, available, reason, servers }: EngineFound): string[] {
  return available || servers ? [] : [`missing ${engine}: ${reason ?? 'it was not found'}`];
}

/** Returns the kinds of server that a session may attach to, and the servers in the settings. */
function attachedTexts(engines: readonly EngineFound[], names: ToolNames): string[] {
  const kinds = engines.filter(({ servers }) => servers !== undefined);
  if (kinds.length === 0) return [];
  const named = kinds.flatMap(({ servers = [] }) => servers.map(serverText));
  const servers = `${kinds.map(({ engine }) => engine).join(', ')}${named.length === 0 ? '' : `; named: ${named.join(', ')}`}`;
  const how = instead(mention`To attach (${ours('open_session', 'attach')}): ${servers}`);
  return [messageText({ text: `Servers to attach: ${servers}`, mentions: [how] }, names)];
}

function serverText({ listens, ...server }: NonNullable<EngineFound['servers']>[number]): string {
  const state = listens === null ? 'not known whether it listens' : listens ? 'listens' : 'does not listen';
  return `${addressText(server)} (${state})`;
}
