/** Sessions and their sandbox, in the snake_case of tool results. */

import { z } from 'zod';
import {
  CpuSeconds,
  HeapMiB,
  type Limits,
  OutputChars,
  type SandboxReport,
  SessionState,
  type SessionView,
} from '../../contract/model';
import { type Note, note } from '../../contract/note';

import { addressText } from '../../contract/server';
import type { RequestedLimits } from '../../sessions/open-request';
import { inOneLine } from '../prover/quoted';

/** The limits of a session, in the snake_case of tool arguments and results. */
export const LimitsArguments = z
  .strictObject({
    heap_mib: HeapMiB.optional(),
    cpu_seconds: CpuSeconds.optional(),
    output_chars: OutputChars.optional(),
  })
  .describe('Of the image and of each evaluation');

export const LimitsResult = z.object({
  heap_mib: z.int().nullable(),
  cpu_seconds: z.int().nullable(),
  output_chars: z.int().nullable(),
});
export type LimitsResult = z.infer<typeof LimitsResult>;

export function requestedLimits(args: z.infer<typeof LimitsArguments>): RequestedLimits {
  const { heap_mib: heapMiB, cpu_seconds: cpuSeconds, output_chars: outputChars } = args;
  return {
    ...(heapMiB === undefined ? {} : { heapMiB }),
    ...(cpuSeconds === undefined ? {} : { cpuSeconds }),
    ...(outputChars === undefined ? {} : { outputChars }),
  };
}

export function limitsResult({ heapMiB, cpuSeconds, outputChars }: Limits): LimitsResult {
  return { heap_mib: heapMiB, cpu_seconds: cpuSeconds, output_chars: outputChars };
}

/** Returns the limits of an image and its evaluations; empty if there are none. */
export function limitsText({ heap_mib: heap, cpu_seconds: cpu, output_chars: output }: LimitsResult): string {
  return [
    ...(heap === null ? [] : [`heap ${heap} MiB`]),
    ...(cpu === null ? [] : [`${cpu} s of processor time an evaluation`]),
    ...(output === null ? [] : [`${output} characters of output an evaluation`]),
  ].join(', ');
}

export const SessionResult = z.object({
  session: z.string(),
  engine: z.string(),
  name: z.string(),
  state: SessionState,
  package: z.string(),
  client: z.string(),
  project: z.string(),
  pid: z.int().nullable(),
  memory_bytes: z.number().nullable(),
  started_at: z.string(),
  last_used_at: z.string(),
  generation: z.int(),
  sandbox: z.string(),
  limits: LimitsResult,
  server: z.string().optional(),
  host: z.string().optional(),
});

export type SessionResult = z.infer<typeof SessionResult>;

export function sessionResult(view: SessionView): SessionResult {
  return {
    session: view.id,
    engine: view.engine,
    name: view.name,
    state: view.state,
    package: view.package,
    client: view.client,
    project: view.project,
    pid: view.pid,
    memory_bytes: view.memoryBytes,
    started_at: new Date(view.startedAt).toISOString(),
    last_used_at: new Date(view.lastUsedAt).toISOString(),
    generation: view.generation,
    sandbox: sandboxText(view.sandbox),
    limits: limitsResult(view.limits),
    ...(view.server ? { server: addressText(view.server) } : {}),
    ...(view.host === undefined ? {} : { host: view.host }),
  };
}

/**
 * Returns a line that identifies a session. Project and sandbox are included if they are not the usual ones.
 */
export function sessionText(view: SessionResult, usual: Pick<SessionResult, 'project' | 'sandbox'>): string {
  const { memory_bytes: memory, generation } = view;
  return [
    `${view.session} "${view.name}"`,
    view.state,
    `package ${inOneLine(view.package)}`,
    ...processTexts(view),
    ...(memory === null ? [] : [`${Math.round(memory / 1024 ** 2)} MiB`]),
    ...(generation === 1 ? [] : [`generation ${generation}`]),
    ...(view.project === usual.project ? [] : [`project ${view.project}`]),
    `client ${view.client}`,
    ...(usual.sandbox.startsWith(view.sandbox) ? [] : [view.sandbox]),
  ].join(' · ');
}

/** Omits the process of a server, which is not ours. */
function processTexts({ pid, server, host }: SessionResult): string[] {
  if (host !== undefined) return [`on ${host}`];
  if (server !== undefined) return [`attached to ${server}`];
  return pid === null ? ['no process'] : [`pid ${pid}`];
}

/** Returns "confined by bubblewrap", with network if it has access, or "not sandboxed" with the reason. */
export function sandboxText({ confined, launcher, network, reason }: SandboxReport): string {
  if (!confined) return `not sandboxed: ${reason ?? 'no sandbox on this system'}`;
  return network ? `confined by ${launcher}, with network` : `confined by ${launcher}`;
}

/** Returns why images are confined by less than the best sandbox of this system. */
export function weakSandboxNotes({ confined, launcher, reason }: SandboxReport): Note[] {
  if (!confined || reason === undefined) return [];
  return [
    note(
      'weak_sandbox',
      `Images are confined by ${launcher}, because ${reason}. In a folder that contains something protected, such as a project's .git, code can create files only in subfolders.`,
    ),
  ];
}
