/** The tool `checkpoint`: saves states of sessions, lists them, goes back to them, branches and drops them. */
import { z } from 'zod';
import { CheckpointName, type CheckpointView } from '../../contract/checkpoints';
import { HarborError } from '../../contract/errors';
import type { Evaluation } from '../../contract/model';
import { isSandboxNote } from '../../contract/sandbox-note';
import type { Checkpoints } from '../../sessions/recovery/checkpoints';
import type { Session } from '../../sessions/session/session';
import { sessionOf } from '../arguments';
import { closingLines } from '../closing-lines';
import { type EvaluateToolOptions, answer as evaluationAnswer } from '../evaluation/evaluation-answer';
import { evaluateFor } from '../evaluation/own-evaluation';
import { occupationOf } from '../evaluation/queue';
import type { Caller, Tool, ToolResult } from '../tool';

export interface CheckpointToolOptions extends EvaluateToolOptions {
  checkpoints: Checkpoints;
}

export const CheckpointAction = z.enum(['save', 'list', 'restore', 'branch', 'drop']);

const CheckpointArguments = z.strictObject({
  action: CheckpointAction,
  name: CheckpointName.optional(),
  session: z.string().optional(),
  replay: z.boolean().optional().describe('branch: evaluate the definitions again instead'),
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
  notes: z.array(z.string()),
});
type CheckpointResult = z.input<typeof CheckpointResult>;

export function checkpointTool(
  options: CheckpointToolOptions,
): Tool<typeof CheckpointArguments, typeof CheckpointResult> {
  return {
    name: 'checkpoint',
    title: 'Keep and restore states',
    description:
      'Saves the whole image, of ACL2 its world, by name; lists what is saved; takes the session back to it (restore), opens a new one with it, without a name with the present state (branch); drops it. Kept when sessions end. Threads of yours prevent saving; then branch with replay.',
    scope: 'evaluate',
    args: CheckpointArguments,
    result: CheckpointResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    run: (args, caller) => actions[args.action](args, caller, options),
  };
}

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
    const { kept, row } = await checkpoints.restore(session, found, caller.client, (request) =>
      evaluateFor(caller, session, request, options),
    );
    const told = kept === null ? notes : [...notes, `What it had before is in checkpoint ${kept}.`];
    if (row && row.outcome !== 'ok') return notBack(row, session, caller, { found, notes: told });
    const all = [...told, ...(row?.notes ?? []).filter((note) => !isSandboxNote(note))];
    return answer([`${session.id} is back at ${found.name}.`, ...found.missing], {
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
    const told = [...notes, ...session.news];
    const opened = `Opened ${session.id}${found ? ` from ${found.name}` : ''}.`;
    return answer([opened, ...(found?.missing ?? [])], { session, found: found ? [found] : [], notes: told });
  },

  async drop(args, { client, project }, { checkpoints }) {
    const found = checkpoints.find({ name: named(args), project }, client);
    await checkpoints.drop(found);
    return answer([`Dropped ${found.name}.`], {});
  },
};

/** The evaluation that was to go back, or is about to, with the checkpoint that it is about. */
function notBack(
  row: Evaluation,
  session: Session,
  caller: Caller,
  { found, notes }: { found: CheckpointView; notes: readonly string[] },
): ToolResult<CheckpointResult> {
  const { structured: record, ...told } = evaluationAnswer(row, caller, { notes });
  const { id, outcome, condition, job } = record;
  const why = condition ? `: ${condition.message}` : '';
  const went = job
    ? `Going back goes on as job ${job}.`
    : `It did not go back: evaluation ${id} was ${outcome}${why}`;
  const structured = { session: session.id, checkpoints: [entry(found)], notes: [...record.notes, went] };
  return { ...told, structured };
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

/** A state is saved between evaluations, and does not wait for their end. @throws HarborError `busy` with what the session does */
async function savedNow(
  session: Session,
  name: string | undefined,
  caller: Caller,
  options: CheckpointToolOptions,
): Promise<CheckpointView> {
  try {
    return await options.checkpoints.save(session, caller.client, name);
  } catch (error) {
    const doing = occupationOf(session, caller, options);
    if (!(error instanceof HarborError) || error.code !== 'busy' || doing === null) throw error;
    throw new HarborError(
      'busy',
      `${session.id} is busy with ${doing}. A state is saved between evaluations: wait until that has ended, or interrupt it. \`job\` does either.`,
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
  }: { session?: Session; found?: readonly CheckpointView[]; notes?: readonly string[] },
): ToolResult<CheckpointResult> {
  const structured = {
    ...(session ? { session: session.id } : {}),
    checkpoints: found.map(entry),
    notes: [...notes],
  };
  return { structured, text: [...lines, ...closingLines([], notes)].join('\n'), isError: false };
}

function entry({ name, session, package: packageName, bytes, savedAt, missing, usedBy }: CheckpointView) {
  const saved_at = new Date(savedAt).toISOString();
  return { name, session, package: packageName, bytes, saved_at, missing, used_by: usedBy };
}

/** Of the list, which is newest first. */
function line(checkpoint: CheckpointView): string {
  const { name, session, package: packageName, savedAt, missing, usedBy } = checkpoint;
  const facts = [
    name,
    `of ${session} in ${packageName}`,
    sizeText(checkpoint),
    new Date(savedAt).toISOString().slice(0, 16).replace('T', ' '),
    ...(usedBy.length > 0 ? [`used by ${usedBy.join(', ')}`] : []),
  ];
  return [facts.join(' · '), ...missing.map((sentence) => `  ${sentence}`)].join('\n');
}

function sizeText({ bytes }: Pick<CheckpointView, 'bytes'>): string {
  return `${Math.round(bytes / 1024 ** 2)} MiB`;
}
