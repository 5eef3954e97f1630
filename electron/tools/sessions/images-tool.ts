/** The tool `images`: which engines there are, which sessions, and what they take. */
import { z } from 'zod';
import { Memory } from '../../contract/memory';
import { EngineFound, type EngineName, type SandboxReport } from '../../contract/model';
import { addressText } from '../../contract/server';
import type { Sessions } from '../../sessions/sessions';
import type { Tool } from '../tool';
import { imageMemory, imageMemoryText } from './image-memory';
import { MemoryResult, memoryNotes, memoryResult, memoryText } from './memory-advice';
import { SessionResult, sandboxText, sessionResult, sessionText, weakSandboxNotes } from './session-result';

export interface ImagesToolOptions {
  sessions: Sessions;
  sandbox: SandboxReport;
  engines: {
    discover: () => Promise<EngineFound[]>;
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

export function imagesTool(options: ImagesToolOptions): Tool<typeof ImagesArguments, typeof ImagesResult> {
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
      const one = session === undefined ? undefined : options.sessions.known(session, caller.client);
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
        notes: [...notes, ...weakSandboxNotes(options.sandbox), ...memoryNotes(memory, sessions, Date.now())],
      };
      return { structured, text: imagesText(structured), isError: false };
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
  if (servers)
    return [`- ${engine}${reason === undefined ? '' : `: ${reason}`}`, ...servers.map(serverText)].join('\n');
  const found = [version, path, reason].filter((fact) => fact !== undefined).join(' · ');
  return `- ${engine}: ${available ? 'available' : 'missing'} · ${found}`;
}

function serverText({ listens, ...server }: NonNullable<EngineFound['servers']>[number]): string {
  const state = listens === null ? 'not known whether it listens' : listens ? 'listens' : 'does not listen';
  return `  - ${addressText(server)}: ${state}`;
}
