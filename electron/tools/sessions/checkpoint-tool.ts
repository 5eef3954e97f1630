/** The tool `checkpoint`: saves, lists, restores, branches and drops states of sessions. */

import { z } from 'zod';
import { CheckpointName, type CheckpointView } from '../../contract/changes';
import { HarborError } from '../../contract/errors';
import { mention, ours } from '../../contract/mention';
import type { Evaluation } from '../../contract/model';
import { type Note, NoteText, note } from '../../contract/note';
import type { SessionChangesOptions } from '../../sessions/changes/session-changes';
import { type Checkpoints, PresentNotSaved } from '../../sessions/recovery/checkpoints';
import type { Session } from '../../sessions/session/session';
import { sessionOf } from '../arguments';
import {
  closingNotes,
  currentActivity,
  type EvaluateToolOptions,
  answer as evaluationAnswer,
} from '../evaluation/evaluation-answer';
import { evaluateFor } from '../evaluation/own-evaluation';

import { inOneLine } from '../prover/quoted';
import type { Caller, Tool, ToolResult } from '../tool';
import { ComparedDefinition, ComparedSession, compareSessions, comparisonText } from './compare-sessions';

export interface CheckpointToolOptions extends EvaluateToolOptions, SessionChangesOptions {
  checkpoints: Checkpoints;
}

export const CheckpointAction = z.enum(['save', 'list', 'restore', 'branch', 'drop', 'compare']);

const CheckpointArguments = z.strictObject({
  action: CheckpointAction,
  name: CheckpointName.optional(),
  session: z.string().optional(),
  discard: z.boolean().optional().describe('restore: lose the present'),
  replay: z.boolean().optional().describe('branch: evaluate again'),
  sessions: z.array(z.string()).optional(),
});
type CheckpointArguments = z.output<typeof CheckpointArguments>;

const CheckpointEntry = z.object({
  name: z.string(),
  session: z.string(),
  package: z.string(),
  bytes: z.number(),
  saved_at: z.string(),
  missing: z.array(z.string()),
  used_by: z.array(z.string()),
});

const CheckpointResult = z.object({
  session: z.string().optional().describe('branch: the new one'),
  checkpoints: z.array(CheckpointEntry),
  sessions: z.array(ComparedSession).optional(),
  alike: z.array(z.string()).optional(),
  differing: z.array(ComparedDefinition).optional(),
  notes: z.array(NoteText),
});
type CheckpointResult = z.input<typeof CheckpointResult>;

export function checkpointTool(
  options: CheckpointToolOptions,
): Tool<typeof CheckpointArguments, typeof CheckpointResult> {
  return {
    name: 'checkpoint',
    title: 'Save and restore states',
    description:
      'Saves the image, in ACL2 its world, by name; lists states; restores one, saving the present; branch opens a session with either; drops one; compares sessions. Threads prevent saving: branch with replay.',
    scope: 'evaluate',
    args: CheckpointArguments,
    result: CheckpointResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: (args, caller) => actions[args.action](args, caller, options),
  };
}

/** Maximum number of sessions in one comparison. */
const MOST_COMPARED = 8;

type Act = (
  args: CheckpointArguments,
  caller: Caller,
  options: CheckpointToolOptions,
) => Promise<ToolResult<CheckpointResult>>;

const actions: Readonly<Record<z.output<typeof CheckpointAction>, Act>> = {
  async list(_args, { client, project }, { checkpoints }) {
    const found = checkpoints.list(client, project);
    const lines = found.length > 0 ? found.map(line) : ['Nothing is saved in this project.'];
    return answer(lines, { found });
  },

  async save(args, caller, options) {
    const { sessions } = options;
    const { session, notes } = await sessionOf(args.session, caller, sessions);
    const saved = await savedNow(session, args.name, caller, options);
    return answer([`Saved ${saved.name} · ${sizeText(saved)}`, ...saved.missing], {
      session,
      found: [saved],
      notes,
    });
  },

  async restore(args, caller, options) {
    const { sessions, checkpoints } = options;
    const { session, notes } = await sessionOf(args.session, caller, sessions);
    const found = checkpoints.find({ name: named(args), project: session.identity.project }, caller.client);
    const { savedAs, row } = await checkpoints
      .restore(session, found, caller, {
        evaluate: (request) => evaluateFor(caller, session, request, options),
        ...(args.discard !== undefined && { discard: args.discard }),
      })
      .catch(mentionDiscard);
    const allNotes =
      savedAs === null
        ? notes
        : [...notes, note('checkpoint', `The previous state is in checkpoint ${savedAs.name}.`)];
    if (row && row.outcome !== 'ok') return restoreFailure(row, session, caller, { found, notes: allNotes });
    const all = [...allNotes, ...(row ? closingNotes(row) : [])];
    return answer([`${session.id} is restored to ${found.name}.`, ...found.missing], {
      session,
      found: [found],
      notes: all,
    });
  },

  async branch(args, caller, options) {
    const { sessions, checkpoints } = options;
    const { session: branched, notes } = await sessionOf(args.session, caller, sessions);
    const { engine, project } = branched.identity;
    const found = args.replay ? null : await stateToBranch(args, branched, caller, options);
    const from = found ? checkpoints.origin(found) : checkpoints.replayed(branched);
    const session = await sessions.open({ client: caller.client.key, project, engine, from });
    const allNotes = [...notes, ...session.pendingNotes];
    const opened = `Opened ${session.id}${found ? ` from ${found.name}` : ''}.`;
    return answer([opened, ...(found?.missing ?? [])], {
      session,
      found: found ? [found] : [],
      notes: allNotes,
    });
  },

  async compare({ sessions = [] }, caller, options) {
    const names = [...new Set(sessions)];
    if (names.length < 2 || names.length > MOST_COMPARED)
      throw new HarborError('bad_arguments', `To compare, give 2 to ${MOST_COMPARED} \`sessions\`.`);
    const found: Session[] = [];
    for (const each of names) found.push((await sessionOf(each, caller, options.sessions)).session);
    const comparison = await compareSessions(found, options);
    const notes = [
      note('checkpoint', '', mention`Keep one of them: ${ours('close_session')} ends the others.`),
    ];
    return {
      structured: { checkpoints: [], ...comparison, notes },
      text: comparisonText(comparison),
      notes,
      isError: false,
    };
  },

  async drop(args, { client, project }, { checkpoints }) {
    const found = checkpoints.find({ name: named(args), project }, client);
    await checkpoints.drop(found);
    return answer([`Dropped ${found.name}.`], {});
  },
};

function mentionDiscard(error: unknown): never {
  if (!(error instanceof PresentNotSaved)) throw error;
  const withoutSaving = mention`${ours('checkpoint', 'discard')} with discard restores without saving it.`;
  throw error.with({ mentions: [...error.mentions, withoutSaving] });
}

/** Returns the result if restoring failed or has not ended: its evaluation and the checkpoint. */
function restoreFailure(
  row: Evaluation,
  session: Session,
  caller: Caller,
  { found, notes }: { found: CheckpointView; notes: readonly Note[] },
): ToolResult<CheckpointResult> {
  const { structured: record, ...allNotes } = evaluationAnswer(row, caller, { notes });
  const { id, outcome, condition, job } = record;
  const why = condition ? `: ${condition.message}` : '';
  const went = job
    ? `Restoring continues as job ${job}.`
    : `Restoring failed: evaluation ${id} was ${outcome}${why}`;
  const structured = {
    session: session.id,
    checkpoints: [entry(found)],
    notes: [...record.notes, note('restoring', went)],
  };
  return { ...allNotes, structured };
}

function stateToBranch(
  { name }: CheckpointArguments,
  session: Session,
  caller: Caller,
  options: CheckpointToolOptions,
): CheckpointView | Promise<CheckpointView> {
  return name === undefined
    ? savedNow(session, undefined, caller, options)
    : options.checkpoints.find({ name, project: session.identity.project }, caller.client);
}

/**
 * Saves a state between evaluations. Does not wait for a running one.
 * @throws HarborError `busy` with what the session is doing
 */
async function savedNow(
  session: Session,
  name: string | undefined,
  caller: Caller,
  options: CheckpointToolOptions,
): Promise<CheckpointView> {
  try {
    return await options.checkpoints.save(session, caller, name);
  } catch (error) {
    const doing = currentActivity(session, caller, options);
    if (!(error instanceof HarborError) || error.code !== 'busy' || doing === null) throw error;
    throw new HarborError(
      'busy',
      `${session.id} is busy with ${doing}. A state is saved between evaluations: wait until that has ended, or interrupt it.`,
      { mentions: [mention`${ours('job')} does either.`] },
    );
  }
}

/** @throws HarborError `bad_arguments` */
function named({ action, name }: CheckpointArguments): string {
  if (name === undefined)
    throw new HarborError('bad_arguments', `To ${action}, give the name of a checkpoint.`);
  return name;
}

function answer(
  lines: readonly string[],
  {
    session,
    found = [],
    notes = [],
  }: { session?: Session; found?: readonly CheckpointView[]; notes?: readonly Note[] },
): ToolResult<CheckpointResult> {
  const structured = {
    ...(session ? { session: session.id } : {}),
    checkpoints: found.map(entry),
    notes: [...notes],
  };
  return { structured, text: lines.join('\n'), notes, isError: false };
}

function entry({ name, session, package: packageName, bytes, savedAt, missing, usedBy }: CheckpointView) {
  const saved_at = new Date(savedAt).toISOString();
  return { name, session, package: packageName, bytes, saved_at, missing, used_by: usedBy };
}

/** Formats a line of the list, which is sorted newest first. */
function line(checkpoint: CheckpointView): string {
  const { name, session, package: packageName, savedAt, missing, usedBy } = checkpoint;
  const facts = [
    name,
    `of ${session} in ${inOneLine(packageName)}`,
    sizeText(checkpoint),
    new Date(savedAt).toISOString().slice(0, 16).replace('T', ' '),
    ...(usedBy.length > 0 ? [`used by ${usedBy.join(', ')}`] : []),
  ];
  return [facts.join(' · '), ...missing.map((sentence) => `  ${sentence}`)].join('\n');
}

function sizeText({ bytes }: Pick<CheckpointView, 'bytes'>): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}
