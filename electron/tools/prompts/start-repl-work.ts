/** The prompt "start REPL-driven work": a goal, the images and sessions there are, and the way to work with them. */

import type { SessionView } from '../../contract/model';
import { type EngineFound, EngineName } from '../../contract/model';
import { cut } from '../../history/cut-text';
import type { Projects } from '../../sandbox/projects';
import type { Sessions } from '../../sessions/sessions';
import { type SeenHistory, type Viewer, visibility } from '../viewer';
import type { Prompt } from './prompt';

export interface ReplWorkOptions extends SeenHistory {
  sessions: Sessions;
  projects: Projects;
  engines: { discover: () => Promise<EngineFound[]>; defaultOrNull: () => Promise<EngineName | null> };
}

/** Evaluations of the project that are told, the newest. */
const TOLD_ROWS = 5;
/** Characters that are told of each. */
const LONGEST_LINE = 120;

export function startReplWork(options: ReplWorkOptions): Prompt {
  return {
    name: 'start_repl_work',
    title: 'Start REPL-driven work',
    description: 'Works towards a goal in a live image, form by form, from where the project stands.',
    arguments: [
      { name: 'goal', description: 'What is to be achieved', required: true },
      {
        name: 'project',
        description: 'The folder to work in; without it the one of this conversation',
        required: false,
        values: ({ project }) => options.projects.approved(project),
      },
      {
        name: 'engine',
        description: 'The Lisp to work in; without it the default one',
        required: false,
        values: () => EngineName.options,
      },
    ],
    async text({ goal = '', project, engine }, viewer) {
      const folder = project?.trim()
        ? options.projects.resolve(project.trim(), viewer.project)
        : viewer.project;
      const wanted = engine?.trim() || null;
      return `Work REPL-first on this:

${goal.trim()}

${await stateOf(options, { folder, wanted }, viewer)}

1. Look before you write: load the project's system, find the definitions that matter, and read what they are documented to do.
2. Evaluate small forms on real values. Say what you expect first; when it differs, find out why before you go on.
3. Define one function at a time and try it at once, with the edges: empty, one, many, wrong.
4. What may break the image, try in a copy of it, or save a checkpoint before.
5. When a condition comes up, read its type, message and backtrace; hold it in the debugger if the frames' locals would tell you more.
6. Write to the project's files what has proved itself, load the system anew, and run its tests.

In the end show me what changed in which file, what you tried, and what is still open.`;
    },
  };
}

interface Asked {
  folder: string;
  wanted: string | null;
}

async function stateOf(options: ReplWorkOptions, { folder, wanted }: Asked, viewer: Viewer): Promise<string> {
  const own = options.sessions.of(viewer.client).filter(({ identity }) => identity.project === folder);
  return [
    `Project: ${folder}${folder === viewer.project ? '' : ' (open a session there: its folder is another than this conversation’s)'}`,
    await engineLine(options, wanted),
    ...(own.length === 0
      ? ['You have no session there yet; the first evaluation opens one.']
      : [
          'Your sessions there, with the definitions they hold:',
          ...own.map((session) => sessionLine(session.view())),
        ]),
    ...lastRows(options, folder, viewer),
  ].join('\n');
}

async function engineLine({ engines }: ReplWorkOptions, wanted: string | null): Promise<string> {
  const name = wanted ?? (await engines.defaultOrNull());
  const found = (await engines.discover()).find(({ engine }) => engine === name);
  if (name === null || (wanted !== null && !found))
    return `Engine: ${wanted ?? 'none was found'}; the list of images says what there is.`;
  if (!found || found.available) return `Engine: ${[name, found?.version].filter(Boolean).join(' ')}`;
  return `Engine: ${name}, which is not ready: ${found.reason ?? 'it was not found'}`;
}

function sessionLine({ id, engine, state, package: current }: SessionView): string {
  return `- ${id} (${engine}, ${state}, package ${current})`;
}

function lastRows(options: ReplWorkOptions, folder: string, viewer: Viewer): string[] {
  const seen = visibility(options, viewer);
  const { rows } = options.history.evaluations.page({ ...seen, project: folder, limit: TOLD_ROWS });
  if (rows.length === 0) return ['Nothing has been evaluated there yet.'];
  const lines = rows.toReversed().map(({ id, outcome, code }) => `- ${id} ${outcome}: ${firstLine(code)}`);
  return ['Last evaluations there:', ...lines];
}

function firstLine(code: string): string {
  const [line = '', ...more] = code.trim().split('\n');
  return cut(more.length > 0 ? `${line} …` : line, LONGEST_LINE);
}
