/** The profile of lisp-mcp-server: its tools for files, code and a REPL, and those of its later versions. */

import path from 'node:path';
import { z } from 'zod';
import { type ErrorCode, HarborError } from '../../contract/errors';
import { SessionChanges } from '../../sessions/changes/session-changes';
import type { DefaultProfileOptions } from '../../tools/default-profile';
import { jobTool } from '../../tools/evaluation/job-tool';
import { type LoadToolOptions, loadTool } from '../../tools/evaluation/load-tool';
import { type DefinitionResult, describeTool } from '../../tools/knowledge/describe-tool';
import { findTool } from '../../tools/knowledge/find-tool';
import type { Profile } from '../../tools/profile';
import { type ImagesToolOptions, imagesTool } from '../../tools/sessions/images-tool';
import type { SessionResult } from '../../tools/sessions/session-result';
import { unsavedNotes } from '../../tools/sessions/session-tools';
import type { Tool } from '../../tools/tool';
import { adaptersOf } from '../tool-adapter';
import { hyperspecTool } from '../tools/hyperspec-tool';
import { setProjectTool } from '../tools/project-tools';
import { closTool } from './clos-tool';
import { inspectObjectTool, loadingTools, replEvalTool } from './evaluation-tools';
import { fileTools } from './file-tools';
import { descriptionText, placesOf, placesText } from './lisp-mcp-server-text';
import { macroexpandTool } from './macroexpand-tool';
import { referencesTool } from './references-tool';

const INSTRUCTIONS = `You have a Common Lisp image (SBCL) and the files of one project. Work in small rounds: read, find, write, load, test.

- \`clgrep-search\` finds code by a pattern without loading it; \`code-find\` returns the place where a symbol is defined, also in loaded libraries; \`fs-read-file\` reads it.
- \`fs-write-file\` writes only in the project, and saves what it overwrites; \`lisp-edit-form\` changes one form, \`lisp-patch-form\` some text in it, and both refuse unbalanced results; \`project-scaffold\` creates a project whose tests run.
- \`repl-eval\` evaluates; \`inspect-object\` shows a value by its object-id; \`load-system\` loads what you have written, with every warning; \`run-tests\` lists failed tests.
- \`pool-kill-worker\` gives you a fresh image when yours is stuck or its state is broken.
- A long evaluation continues as a job, which \`job\` follows or cancels.`;

const packageArgument = z.string().optional().describe('Package to look the symbol up in');
const Name = z.strictObject({ symbol: z.string().min(1), package: packageArgument });

export function lispMcpServerProfile(options: DefaultProfileOptions): Profile {
  const find = adaptersOf(findTool(options));
  const describe = adaptersOf(describeTool(options));
  const hyperspec = hyperspecTool(options);
  return {
    name: 'lisp-mcp-server',
    instructions: INSTRUCTIONS,
    engine: 'sbcl',
    tools: [
      ...inImage(replEvalTool(options) as Tool, inspectObjectTool(options)),
      ...fileTools(options),
      ...inImage(
        find({
          name: 'code-find',
          description:
            'The place where a symbol is defined: path (relative inside the project, else absolute) and line. Evaluates nothing.',
          args: Name,
          toArguments: ({ symbol: query, ...where }) => ({ query, kind: 'definition', ...where }),
          render: ({ results }, { symbol }) => placesText(results, symbol),
          fails: ({ results }) => placesOf(results).length === 0,
        }),
        describe({
          name: 'code-describe',
          description: 'Describes a symbol: name, type, arglist, documentation, and place of definition.',
          args: Name,
          toArguments: (given) => given,
          render: ({ definitions = [] }) => descriptionText(definitions as DefinitionResult[]),
        }),
        referencesTool(options) as Tool,
        closTool(options) as Tool,
        macroexpandTool(options) as Tool,
        adaptersOf(hyperspec)({
          name: 'clhs-lookup',
          description: 'The Common Lisp HyperSpec’s text about a symbol, or a section such as 22.3.',
          args: hyperspec.args,
          toArguments: (given) => given,
          render: ({ url, content }) => content ?? url,
        }),
        ...loadingTools(options),
      ),
      ...workerTools(options),
      jobTool(options),
    ],
  };
}

// Errors of tools that run in the image report whether the request may have run.

/** Codes of errors after which a request may have run in part. */
const PERHAPS_RUN: ReadonlySet<ErrorCode> = new Set([
  'image_lost',
  'cancelled',
  'session_ended',
  'took_too_long',
  'internal',
]);
const ENDED_WITHIN: ReadonlySet<unknown> = new Set(['crashed', 'interrupted']);

/** Returns tools whose failures have the member `execution_status`. */
function inImage(...tools: readonly Tool[]): Tool[] {
  return tools.map((tool) => ({
    ...tool,
    async run(args, caller) {
      try {
        const result = await tool.run(args, caller);
        if (!result.isError) return result;
        return {
          ...result,
          extraMembers: { ...result.extraMembers, execution_status: statusOf(result.structured) },
        };
      } catch (error) {
        if (!(error instanceof HarborError)) throw error;
        const execution_status = PERHAPS_RUN.has(error.code) ? 'execution-unknown' : 'not-executed';
        throw error.with({ members: { execution_status } });
      }
    },
  }));
}

/** @param structured a record, or a result with one as `evaluation` */
function statusOf(structured: unknown): string {
  const { outcome, evaluation } = structured as { outcome?: unknown; evaluation?: { outcome?: unknown } };
  const ended = outcome ?? evaluation?.outcome;
  if (ended === 'refused') return 'not-executed';
  return ENDED_WITHIN.has(ended) ? 'execution-unknown' : 'completed';
}

// Projects and workers as in later versions of lisp-mcp-server. A worker is the image of a session.

const none = z.strictObject({});

function workerTools(options: LoadToolOptions & ImagesToolOptions): Tool[] {
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
      description:
        'Changes the project for later calls: to one that the user approved, or a folder below it.',
      args: z.strictObject({ path: z.string().min(1).describe('Absolute, or relative to the project root') }),
      toArguments: (given) => given,
      render: ({ project_root: root }) => `Project root set to ${withSeparator(root)}`,
    }),
    images({
      name: 'pool-status',
      description: 'Your workers, each the process of a session, and the spare ones.',
      args: none,
      toArguments: () => ({}),
      render: ({ sessions, memory }) => poolText(bound(sessions), memory.ready_images),
    }),
    killWorkerTool(options),
  ];
}

/**
 * Kills the worker of the caller's own session, even during an evaluation. Clients cannot name the worker of
 * another.
 */
function killWorkerTool(options: LoadToolOptions): Tool {
  const tool = adaptersOf(loadTool(options))({
    name: 'pool-kill-worker',
    description:
      'Ends the process of your session with everything loaded and defined there, and interrupts its evaluations. A fresh one replaces it.',
    args: z.strictObject({ reset: z.boolean().optional().describe('Has no effect') }),
    toArguments: () => ({ fresh: true }),
    render: ({ outcome }, _, ours) => (outcome === 'ok' ? KILLED : ours),
  });
  return {
    ...tool,
    approval: 'kill',
    async run(args, caller) {
      const { session, notes } = await caller.defaultSession();
      const lost = [...notes, ...(await unsavedNotes(session, new SessionChanges(options)))];
      const result = await tool.run(args, caller);
      const { structured, asides = [] } = result;
      return {
        ...result,
        structured: { ...structured, notes: [...structured.notes, ...lost] },
        asides: [...asides, ...lost],
      };
    },
  };
}

const KILLED = 'Worker killed and replaced with a fresh one. Run load-system to restore your environment.';

type Worker = Pick<SessionResult, 'session' | 'engine' | 'state'> & { pid: number };

function bound(sessions: readonly SessionResult[]): Worker[] {
  return sessions.flatMap(({ pid, ...session }) => (pid === null ? [] : [{ ...session, pid }]));
}

/** Workers have no ports, and memory limits their number. */
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
