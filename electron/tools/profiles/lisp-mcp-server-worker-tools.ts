/** Projects and workers as lisp-mcp-server's later versions have them: a worker is the image of a session. */
import path from 'node:path';
import { z } from 'zod';
import { type LoadToolOptions, loadTool } from '../evaluation/load-tool';
import { type ImagesToolOptions, imagesTool } from '../sessions/images-tool';
import type { SessionResult } from '../sessions/session-result';
import { setProjectTool } from '../sessions/set-project-tool';
import { unsavedNotes } from '../sessions/unsaved-notes';
import { noted, type Tool } from '../tool';
import { adaptersOf } from './tool-adapter';

const none = z.strictObject({});

export function workerTools(options: LoadToolOptions & ImagesToolOptions): Tool[] {
  const images = adaptersOf(imagesTool(options));
  return [
    images({
      name: 'fs-get-project-info',
      description: 'The project root, and how many workers run.',
      args: none,
      toArguments: () => ({}),
      render: ({ project, sessions }) => {
        const root = withSeparator(project);
        const active = bound(sessions).length;
        const workers = active > 0 ? `\nWorkers: ${active} active` : '';
        return `Project root: ${root}\nCWD: ${root}\nSource: explicit${workers}`;
      },
    }),
    adaptersOf(setProjectTool())({
      name: 'fs-set-project-root',
      description: 'Works in another project from now on: one that a person approved, or a folder below it.',
      args: z.strictObject({ path: z.string().min(1).describe('Absolute, or relative to the project root') }),
      toArguments: (given) => given,
      render: ({ project_root: root }) => `Project root set to ${withSeparator(root)}`,
    }),
    images({
      name: 'pool-status',
      description: 'Your workers, each the process of a session, and those that stand by.',
      args: none,
      toArguments: () => ({}),
      render: ({ sessions, memory }) => poolText(bound(sessions), memory.ready_images),
    }),
    killWorkerTool(options),
  ];
}

/** Of the caller's own session, whatever runs there: nobody names the worker of another. */
function killWorkerTool(options: LoadToolOptions): Tool {
  const tool = adaptersOf(loadTool(options))({
    name: 'pool-kill-worker',
    description:
      'Ends the process of your session with all that is loaded and defined there; what runs is interrupted. A fresh one takes its place.',
    args: z.strictObject({ reset: z.boolean().optional().describe('Makes no difference') }),
    toArguments: () => ({ fresh: true }),
    render: ({ outcome }, _, ours) => (outcome === 'ok' ? KILLED : ours),
  });
  return {
    ...tool,
    approval: 'kill',
    async run(args, caller) {
      const { session, notes } = await caller.defaultSession();
      const lost = [...notes, ...(await unsavedNotes(session))];
      const result = await tool.run(args, caller);
      const { structured, asides = [] } = result;
      return {
        ...result,
        structured: { ...structured, notes: [...structured.notes, ...lost] },
        asides: [...asides, ...lost.map(noted)],
      };
    },
  };
}

const KILLED = 'Worker killed and replaced with a fresh one. Run load-system to restore your environment.';

type Worker = Pick<SessionResult, 'session' | 'engine' | 'state'> & { pid: number };

function bound(sessions: readonly SessionResult[]): Worker[] {
  return sessions.flatMap(({ pid, ...session }) => (pid === null ? [] : [{ ...session, pid }]));
}

/** Nothing listens on a port for it, and only memory says how many there may be. */
function poolText(workers: readonly Worker[], standby: number): string {
  const lines = workers.map(
    ({ pid, session, engine, state }, index) =>
      `  #${index + 1} [bound] pid=${pid} session=${session} ${engine} ${state}`,
  );
  return [
    `Pool: ${workers.length + standby} workers (${workers.length} bound, ${standby} standby)`,
    'Max pool size: as memory allows',
    ...(lines.length > 0 ? ['', 'Workers:', ...lines] : []),
  ].join('\n');
}

function withSeparator(folder: string): string {
  return folder.endsWith(path.sep) ? folder : `${folder}${path.sep}`;
}
