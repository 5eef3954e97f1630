/** Sessions and how they are confined, in the snake_case of tool results. */
import { z } from 'zod';
import { type SandboxReport, SessionState, type SessionView } from '../../contract/model';
import { addressText } from '../../contract/server';
import { LimitsResult, limitsResult } from './limits-result';

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
  };
}

/** What tells one session from another; its project and its sandbox where they are not the usual ones. */
export function sessionText(view: SessionResult, usual: Pick<SessionResult, 'project' | 'sandbox'>): string {
  const { memory_bytes: memory, generation } = view;
  return [
    `${view.session} "${view.name}"`,
    view.state,
    `package ${view.package}`,
    ...processTexts(view),
    ...(memory === null ? [] : [`${Math.round(memory / 1024 ** 2)} MiB`]),
    ...(generation === 1 ? [] : [`generation ${generation}`]),
    ...(view.project === usual.project ? [] : [`project ${view.project}`]),
    `client ${view.client}`,
    ...(usual.sandbox.startsWith(view.sandbox) ? [] : [view.sandbox]),
  ].join(' · ');
}

/** A server's process is not ours, whatever it says of it. */
function processTexts({ pid, server }: SessionResult): string[] {
  if (server !== undefined) return [`attached to ${server}`];
  return pid === null ? ['no process'] : [`pid ${pid}`];
}

/** "confined by bubblewrap", with a network where it has one, or "not sandboxed" with the reason. */
export function sandboxText({ confined, launcher, network, reason }: SandboxReport): string {
  if (!confined) return `not sandboxed: ${reason ?? 'no sandbox on this system'}`;
  return network ? `confined by ${launcher}, with network` : `confined by ${launcher}`;
}

/** Why images are confined by what holds less than the best sandbox of this system. */
export function weakSandboxNotes({ confined, launcher, reason }: SandboxReport): string[] {
  if (!confined || reason === undefined) return [];
  return [
    `Images are confined by ${launcher}, since ${reason}. In a folder with something closed in it, such as a project's .git, code makes new files only in folders below.`,
  ];
}
