/** All prompts, in the order in which clients list them. */

import { HarborError } from '../../contract/errors';
import { instead, type Message, mention, messageText, ours } from '../../contract/mention';
import { type EngineFound, EngineName, type Evaluation, type SessionView } from '../../contract/model';
import { cut } from '../../history/long-text';
import type { Projects } from '../../sandbox/projects';
import { Session } from '../../sessions/session/session';
import type { Sessions } from '../../sessions/sessions';
import { recordOf } from '../evaluation/record';
import { conditionText, section } from '../evaluation/record-text';
import { noteLines } from '../rendering';
import { type SeenHistory, sessionIds, type Viewer, visibility, visibleRow } from '../viewer';
import { cleanText } from '../wire-data';
import type { Prompt } from './prompt';

type PromptsOptions = ReplWorkOptions;

export function prompts(options: PromptsOptions): readonly Prompt[] {
  return [startReplWork(options), proveTheorem(options), debugCondition(options)];
}

/**
 * The prompt "Start REPL-driven work": a goal, the existing images and sessions, and how to work with them.
 */
interface ReplWorkOptions extends SeenHistory {
  sessions: Sessions;
  projects: Projects;
  engines: { discover: () => Promise<EngineFound[]>; defaultOrNull: () => Promise<EngineName | null> };
}

/** Number of latest evaluations of the project that are shown. */
const LATEST_ROWS = 5;
/** Maximum characters of each. */
const MAX_LINE_LENGTH = 120;

function startReplWork(options: ReplWorkOptions): Prompt {
  return {
    name: 'start_repl_work',
    title: 'Start REPL-driven work',
    description: 'Works towards a goal in a live image, form by form, from the current state of the project.',
    arguments: [
      { name: 'goal', description: 'The goal', required: true },
      {
        name: 'project',
        description: 'The folder to work in. Default: the one of this conversation',
        required: false,
        values: ({ project }) => options.projects.approved(project),
      },
      {
        name: 'engine',
        description: 'The Lisp to work in. Default: the default engine',
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

1. Look before you write: load the project's system, find the relevant definitions, and read their documentation.
2. Evaluate small forms on real values. State what you expect first; when the result differs, find out why before you continue.
3. Define one function at a time and test it at once, with the edge cases: empty, one, many, wrong.
4. Try what may break the image in a copy of it, or save a checkpoint before.
5. When a condition occurs, read its type, message and backtrace; suspend it in the debugger if the locals of its frames would help.
6. Write to the project's files what works, reload the system, and run its tests.

At the end, show me which file changed and how, what you tried, and what is still open.`;
    },
  };
}

interface Request {
  folder: string;
  wanted: string | null;
}

async function stateOf(
  options: ReplWorkOptions,
  { folder, wanted }: Request,
  viewer: Viewer,
): Promise<string> {
  const own = options.sessions.of(viewer.client).filter(({ identity }) => identity.project === folder);
  return [
    `Project: ${folder}${folder === viewer.project ? '' : ' (open a session there: its folder is not the one of this conversation)'}`,
    await engineLine(options, wanted, viewer),
    ...(own.length === 0
      ? ['You have no session there yet; the first evaluation opens one.']
      : [
          'Your sessions there, which still have their definitions:',
          ...own.map((session) => sessionLine(session.view())),
        ]),
    ...lastRows(options, folder, viewer),
  ].join('\n');
}

async function engineLine(
  { engines }: ReplWorkOptions,
  wanted: string | null,
  { names }: Viewer,
): Promise<string> {
  const name = wanted ?? (await engines.defaultOrNull());
  const found = (await engines.discover()).find(({ engine }) => engine === name);
  if (name === null || (wanted !== null && !found))
    return messageText(
      {
        text: `Engine: ${wanted ?? 'none was found'}.`,
        mentions: [mention`${ours('images')} lists the available ones.`],
      },
      names,
    );
  if (!found || found.available) return `Engine: ${[name, found?.version].filter(Boolean).join(' ')}`;
  return `Engine: ${name}, which is not ready: ${found.reason ?? 'it was not found'}`;
}

function sessionLine({ id, engine, state, package: current }: SessionView): string {
  return `- ${id} (${engine}, ${state}, package ${current})`;
}

function lastRows(options: ReplWorkOptions, folder: string, viewer: Viewer): string[] {
  const seen = visibility(options, viewer);
  const { rows } = options.history.evaluations.page({ ...seen, project: folder, limit: LATEST_ROWS });
  if (rows.length === 0) return ['Nothing has been evaluated there yet.'];
  const lines = rows.toReversed().map(({ id, outcome, code }) => `- ${id} ${outcome}: ${firstLine(code)}`);
  return ['Last evaluations there:', ...lines];
}

function firstLine(code: string): string {
  const [line = '', ...more] = code.trim().split('\n');
  return cut(more.length > 0 ? `${line} …` : line, MAX_LINE_LENGTH);
}

/** The prompt "Debug a condition": one that suspends a session, or one in the history. */
interface DebugConditionOptions extends SeenHistory {
  sessions: Sessions;
}

/** Number of failed evaluations offered as completions. */
const OFFERED = 100;

function debugCondition(options: DebugConditionOptions): Prompt {
  return {
    name: 'debug_condition',
    title: 'Debug a condition',
    description:
      'Finds out why an evaluation failed and fixes it: one suspended in the debugger, or any in the history.',
    arguments: [
      {
        name: 'session',
        description: 'A session that is suspended in the debugger',
        required: false,
        values: (viewer) =>
          sessionIds(options.sessions, viewer).filter((id) => suspendedIn(options, id, viewer)),
      },
      {
        name: 'evaluation',
        description: 'The number of an evaluation in the history. Default without both: the last failure',
        required: false,
        values: (viewer) => failedRows(options, viewer, OFFERED).map(({ id }) => String(id)),
      },
    ],
    text({ session, evaluation }, viewer) {
      const row = requestedRow(options, { session: session?.trim(), evaluation: evaluation?.trim() }, viewer);
      const suspended = row.outcome === 'debugger';
      return `Find out why this evaluation failed, and fix the cause.

${conditionOf(row)}

${suspended ? whileSuspended(row.session) : afterwards(row.session, viewer)}
3. Name the cause as a sentence that predicts what another input would do, and test that prediction.
4. Fix the smallest thing that is wrong, in the session first. Evaluate the code again, then its edge cases.
5. Write the fixed definition to its file, reload it, and run the tests.

At the end, tell me the cause, the change, and how you know.`;
    },
  };
}

const whileSuspended = (
  session: string,
) => `It is suspended in the debugger of session ${session}: nothing has been unwound.
1. Look at the frames of that level, the innermost one of our own code first: its locals, its source. Evaluate there what you suspect.
2. If a restart can continue sensibly, redefine what is wrong first, then restart the frame or take that restart; otherwise abort the level. Do not leave it suspended.`;

function afterwards(session: string, { names }: Viewer): string {
  const suspending = mention`Evaluate it again with ${ours('eval', 'on_error')} and on_error: "debug" if that does no harm, so that the condition is suspended and the locals of its frames can be seen.`;
  const again = { text: 'Evaluate it again if that does no harm.', mentions: [instead(suspending)] };
  return `Its stack has been unwound; the session was ${session}.
1. ${messageText(again, names)} If the session has ended, open one and load what the code needs.
2. Look at the innermost frame of our own code: which value is not what the code expects, and where does it come from?`;
}

function conditionOf(row: Evaluation): string {
  const { condition, stderr, notes } = recordOf(row);
  const parts = [
    `Evaluation ${row.id} · ${row.outcome} · ${row.engine} · package ${row.package}:`,
    row.code.trim(),
    ...(condition ? [conditionText(condition, row)] : []),
    section('stderr', stderr),
    ...noteLines(notes),
  ];
  return cleanText(parts.filter((part) => part !== '').join('\n\n'));
}

/**
 * @throws HarborError `unknown_session`, `unknown_evaluation`; `bad_arguments` if there is nothing to debug
 */
function requestedRow(
  options: DebugConditionOptions,
  { session, evaluation }: { session: string | undefined; evaluation: string | undefined },
  viewer: Viewer,
): Evaluation {
  if (evaluation) {
    if (/^\d{1,15}$/.test(evaluation)) return visibleRow(options, Number(evaluation), viewer);
    throw new HarborError('bad_arguments', 'evaluation must be a number of the history, such as 12.');
  }
  const suspended = session
    ? suspendedIn(options, session, viewer)
    : sessionIds(options.sessions, viewer)
        .map((id) => suspendedIn(options, id, viewer))
        .find((id) => id !== null);
  const id = suspended ?? failedRows(options, viewer, 1, session)[0]?.id;
  if (id !== undefined) return visibleRow(options, id, viewer);
  throw new HarborError(
    'bad_arguments',
    'Nothing has failed there yet, and nothing is suspended in the debugger.',
  );
}

/**
 * Returns the evaluation at the innermost debugger level of a session; null if none is suspended.
 * @throws HarborError `unknown_session`
 */
function suspendedIn(
  { sessions }: DebugConditionOptions,
  session: string,
  { client }: Viewer,
): number | null {
  const known = sessions.known(session, client);
  return known instanceof Session ? (known.suspended?.id ?? null) : null;
}

function failedRows(options: DebugConditionOptions, viewer: Viewer, limit: number, session?: string) {
  const seen = visibility(options, viewer);
  const named = session ? { session } : {};
  return options.history.evaluations.page({ ...seen, ...named, outcome: 'error', limit }).rows;
}

const OWN_SESSION: Message = {
  text: 'Use your session of ACL2.',
  mentions: [
    mention`If your default session is another Lisp, ${ours('open_session', 'engine')} with engine: "acl2" opens one.`,
  ],
};

/** The prompt "Prove a theorem": from a sentence or a form to a theorem that ACL2 has admitted. */
function proveTheorem({ sessions }: { sessions: Sessions }): Prompt {
  return {
    name: 'prove_theorem',
    title: 'Prove a theorem',
    description: 'Works towards a proof in ACL2, lemma by lemma, and reports what the result rests on.',
    arguments: [
      { name: 'theorem', description: 'The theorem: a form of ACL2, or a sentence', required: true },
      {
        name: 'session',
        description: 'An ACL2 session that has the definitions',
        required: false,
        values: ({ client }) =>
          sessions.of(client).flatMap((session) => (session.view().world ? [session.id] : [])),
      },
    ],
    text: ({ theorem = '', session }, { names }) => `Prove this theorem with ACL2:

${theorem.trim()}

${session?.trim() ? `Work in session ${session.trim()}: look first at what it has defined (:pbt 1).` : messageText(OWN_SESSION, names)}

1. If it is stated in words, write the definitions and the DEFTHM first, show them to me, and list what they leave open. Do not change the claim in order to get it proved.
2. Evaluate the definitions and the conjecture on small values. If it is false for one, stop and show me that.
3. Submit the theorem. When it fails, read its key checkpoints, those at the top level first. For each: is it true? If not, which hypothesis is missing? If it is, which rewrite rule would simplify it?
4. State that rule as a lemma, as general as it stays true, and prove it in the same way. Then submit the theorem again. Prefer lemmas to hints. Suggestions in a failure are proved only where they say so: try the others with thm.
5. Use no skip-proofs, no axiom, no trust tag, no redefinition and no :program mode for what the theorem is about. Undo lemmas that turned out useless.
6. If a proof runs long, look at its progress, and cancel it if it only grows.

At the end, show me the needed events in order, and what ACL2 says the theorem rests on. If you did not succeed, say so, and show the checkpoint at which the proof is stuck: a failed proof does not make a theorem false.`,
  };
}
