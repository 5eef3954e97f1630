/** The record of an evaluation as agents get it: one schema, made from a row of the history. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { mention, ours } from '../../contract/mention';
import {
  Condition,
  type Evaluation,
  type FormResult,
  type Local,
  Outcome,
  Warning,
} from '../../contract/model';
import { type Note, NoteText, note } from '../../contract/note';
import { type Cost, ItemResult, Report } from '../../contract/report';

import { Allowance } from '../allowance';
import { inOneLine, isOfProver } from '../prover/quoted';
import { ProgressResult } from './evaluation-progress';
import { nextSteps } from './next-steps';
import { fittingReport } from './report-text';

/** The values of one form. The caller has its code. */
const FormValues = z.object({ values: z.array(z.string()) });
type FormValues = z.infer<typeof FormValues>;

export const EvaluationRecord = z.object({
  id: z.int().describe('Number of this evaluation in the history'),
  session: z.string(),
  engine: z.string(),
  package: z.string().describe('Package or namespace after the evaluation'),
  outcome: Outcome,
  forms: z.array(FormValues).describe('Printed values of each form'),
  stdout: z.string(),
  stderr: z.string(),
  warnings: z.array(Warning).describe('severity, type, message, form, place'),
  condition: Condition.optional().describe('type, message, level, restarts, frames'),
  items: z.array(ItemResult).optional().describe('Of a map, in order; history has each by its id'),
  report: Report.omit({ items: true }).optional().describe('What was loaded, tested and proved; the profile'),
  duration_ms: z.number(),
  cost: z
    .object({
      real_ms: z.number(),
      run_ms: z.number().describe('CPU'),
      gc_ms: z.number(),
      bytes: z.int().describe('Allocated'),
    })
    .optional(),
  progress: ProgressResult.optional().describe('Of a running proof'),
  job: z.string().optional().describe('Poll this with the job tool'),
  queued: z.array(z.string()).optional().describe('Not begun; the first of the jobs ahead'),
  truncated: z.boolean().optional().describe('Something was cut; notes say where the rest is'),
  notes: z.array(NoteText),
});

export type EvaluationRecord = z.input<typeof EvaluationRecord>;

/** A record as a result has it, with the texts of its notes. */
export type SentRecord = z.output<typeof EvaluationRecord>;

/** The outline of a record in the tool list, which has to stay short. */
export const BriefRecord = z
  .looseObject({
    ...EvaluationRecord.pick({ id: true, session: true, outcome: true, job: true, notes: true }).shape,
  })
  .describe('The record that eval returns');

/** Default maximum characters of a value, stdout or stderr. Also the maximum of all other texts. */
export const TEXT_LIMIT = 20_000;
/**
 * Maximum characters of a whole record. Characters that a caller allows a value beyond `TEXT_LIMIT` are
 * added.
 */
export const RECORD_LIMIT = 100_000;
/**
 * Maximum characters of a value, stdout or stderr in a record that shows one evaluation by itself. Longer
 * texts are paged.
 */
export const WHOLE_RECORD = 65_000;
/** Maximum characters of the name of a condition's type or of a restart. */
const NAME_LIMIT = 1_000;
/** Maximum characters of all notes, in addition to the other texts. */
const NOTES_LIMIT = 10_000;

/** Maximum number of jobs named in the data of a queue. */
const QUEUE_NAMED = 3;

/** The queue ahead of an evaluation that has not begun. */
export interface Queue {
  /** The evaluations ahead, in the order in which they will run. */
  before: readonly number[];
  /** The queue as text: `job-18 (sleep 25) of claude-code, running for 12 s and 9 more`. */
  text: string;
}

export interface RecordOptions {
  /** Notes of the call itself, which come before those of the evaluation. */
  notes?: readonly Note[];
  /** Maximum characters of a value, stdout or stderr. */
  maxChars?: number;
  /** Progress; only of a running evaluation. */
  progress?: ProgressResult;
  /** The queue ahead of an evaluation that has not begun. */
  queue?: Queue;
  /** Text that replaces the outcome where that could be mistaken for the outcome of the call. */
  ended?: string;
}

/** @param evaluation a closed row, or an open one, which is reported as a job */
export function recordOf(evaluation: Evaluation, options: RecordOptions = {}): EvaluationRecord {
  const { maxChars = TEXT_LIMIT } = options;
  const allowance = new Allowance(RECORD_LIMIT + Math.max(maxChars - TEXT_LIMIT, 0));
  const texts = fittingTexts(evaluation, maxChars, allowance);
  const cut = {
    lists: allowance.omitted,
    output: (!texts.items && texts.stdout !== evaluation.stdout) || texts.stderr !== evaluation.stderr,
    values: !isDeepStrictEqual(valuesIn(texts), valuesIn(evaluation)),
  };
  const steps = options.ended === undefined ? nextSteps(evaluation) : [];
  const allNotes = [...(options.notes ?? []), ...evaluation.notes, ...steps];
  // Notes name forms, and a symbol may contain line ends.
  const notes = fittingNotes(isOfProver(evaluation) ? inOneLine(allNotes) : allNotes);
  const missing = evaluation.forms.length - texts.forms.length;
  if (missing > 0) notes.push(note('cut', `${missing} forms before the last are omitted.`));
  if (allowance.exceeded) notes.push(cutNote(evaluation.id, cut, maxChars >= WHOLE_RECORD));
  if (evaluation.outputDropped > 0)
    notes.push(
      note('cut', `${evaluation.outputDropped} characters from the middle of the output were dropped.`),
    );
  if (evaluation.outcome === 'debugger' && evaluation.condition !== null)
    notes.push(note('suspended', '', mention`${ours('debug')} shows the suspended level and resumes it.`));
  return {
    id: evaluation.id,
    session: evaluation.session,
    engine: evaluation.engine,
    package: evaluation.package,
    outcome: evaluation.outcome,
    ...texts,
    duration_ms: tenths(evaluation.durationMs ?? Date.now() - evaluation.startedAt),
    ...(evaluation.cost ? { cost: costResult(evaluation.cost) } : {}),
    ...(isOpen(evaluation) ? { job: jobName(evaluation.id) } : {}),
    ...(isOpen(evaluation) && options.queue
      ? { queued: options.queue.before.slice(0, QUEUE_NAMED).map(jobName) }
      : {}),
    ...(isOpen(evaluation) && options.progress ? { progress: options.progress } : {}),
    ...(allowance.exceeded || evaluation.outputDropped > 0 ? { truncated: true } : {}),
    notes,
  };
}

/** Returns the printed values of all forms. */
export function valuesIn({ forms }: { forms: readonly FormValues[] }): string[] {
  return forms.flatMap(({ values }) => values);
}

/** Returns the printed values of the last form. */
export function lastValues({ forms }: Pick<EvaluationRecord, 'forms'>): readonly string[] {
  return forms.at(-1)?.values ?? [];
}

/** Rounds milliseconds to tenths. */
export function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

function costResult({ realMs, runMs, gcMs, bytes }: Cost): EvaluationRecord['cost'] {
  return { real_ms: tenths(realMs), run_ms: tenths(runMs), gc_ms: tenths(gcMs), bytes };
}

/**
 * Reports whether the call failed: by a Lisp error, a crash or a refusal. A running evaluation has not
 * failed.
 */
export function isFailure({ outcome }: Pick<Evaluation, 'outcome'>): boolean {
  return outcome !== 'ok' && outcome !== 'running' && outcome !== 'debugger';
}

/** Reports whether the evaluation is unfinished: running, or suspended in the debugger. */
export function isOpen({ outcome }: Pick<Evaluation, 'outcome'>): boolean {
  return outcome === 'running' || outcome === 'debugger';
}

/** Maximum characters that identify a form among several. */
const FORM_CHARACTERS = 60;

/** Returns the start of a form on one line, enough to identify it. */
export function beginningOf(code: string): string {
  const line = code.trim().replaceAll(/\s+/g, ' ');
  return line.length <= FORM_CHARACTERS ? line : `${line.slice(0, FORM_CHARACTERS).trimEnd()}…`;
}

export function jobName(evaluation: number): string {
  return `job-${evaluation}`;
}

export const JOB_NAME = /^job-(\d+)$/;

/** Returns the evaluation of a job; null if the name is not that of a job. */
export function jobOf(name: string): number | null {
  const [, evaluation] = JOB_NAME.exec(name) ?? [];
  return evaluation === undefined ? null : Number(evaluation);
}

type Texts = Pick<
  EvaluationRecord,
  'forms' | 'items' | 'stdout' | 'stderr' | 'warnings' | 'condition' | 'report'
>;

/** Cuts the texts to the limit, the most important first: why it failed, the values, the output, the rest. */
function fittingTexts(evaluation: Evaluation, maxChars: number, allowance: Allowance): Texts {
  const others = Math.max(TEXT_LIMIT, maxChars);
  const form = ({ values, lengths }: Pick<FormResult, 'values' | 'lengths'>) => ({
    values: allowance.first(values, 'values', (value, place) =>
      allowance.head(value, maxChars, lengths?.[place]),
    ),
  });
  const condition = evaluation.condition && fittingCondition(evaluation.condition, others, allowance);
  const items = evaluation.report?.items;
  const report = items ? undefined : evaluation.report && fittingReport(evaluation.report, others, allowance);
  const { forms } = evaluation;
  const last = allowance.first<FormResult, FormValues>(forms.slice(-1), 'forms', form);
  return {
    ...(condition ? { condition } : {}),
    ...(report ? { report } : {}),
    ...(items
      ? { items: allowance.first(items, 'items', (item) => fittingItem(item, maxChars, allowance)) }
      : {}),
    // The output of a map is the list of its items in the order in which they ended.
    stdout: items ? '' : allowance.ends(evaluation.stdout, maxChars),
    stderr: allowance.ends(evaluation.stderr, maxChars),
    warnings: allowance.first(evaluation.warnings, 'warnings', (warning) => ({
      ...warning,
      type: allowance.head(warning.type, NAME_LIMIT),
      message: allowance.head(warning.message, others),
      ...(warning.source === undefined ? {} : { source: allowance.head(warning.source, others) }),
    })),
    forms: [...allowance.first(forms.slice(0, -1), 'forms', form), ...last],
  };
}

function fittingItem(item: ItemResult, limit: number, allowance: Allowance): ItemResult {
  const { values, condition } = item;
  return {
    ...item,
    ...(values ? { values: allowance.first(values, 'values', (value) => allowance.head(value, limit)) } : {}),
    ...(condition ? { condition: { ...condition, message: allowance.head(condition.message, limit) } } : {}),
  };
}

function fittingCondition(condition: Condition, limit: number, allowance: Allowance): Condition {
  return {
    ...condition,
    type: allowance.head(condition.type, NAME_LIMIT),
    message: allowance.head(condition.message, limit),
    restarts: allowance.first(condition.restarts, 'restarts', (restart) => ({
      ...restart,
      name: allowance.head(restart.name, NAME_LIMIT),
      description: allowance.head(restart.description, limit),
    })),
    frames: allowance.first(condition.frames, 'frames', ({ locals, ...frame }) => ({
      ...frame,
      call: allowance.head(frame.call, limit),
      ...(locals === undefined ? {} : { locals: fittingLocals(locals, limit, allowance) }),
    })),
  };
}

function fittingLocals(locals: readonly Local[], limit: number, allowance: Allowance): Local[] {
  return allowance.first(locals, 'locals', (local) => ({
    ...local,
    value: allowance.head(local.value, limit),
  }));
}

function fittingNotes(notes: readonly Note[]): Note[] {
  const allowance = new Allowance(NOTES_LIMIT);
  const fitting = allowance.first(notes, 'notes', (each) => ({
    ...each,
    text: allowance.head(each.text, NOTES_LIMIT),
  }));
  const missing = notes.length - fitting.length;
  return missing === 0 ? fitting : [...fitting, note('cut', `${missing} more notes are omitted.`)];
}

/** The parts of a record that were cut. */
interface Cut {
  /** The omitted parts of lists, each such as "12 warnings". */
  lists: readonly string[];
  output: boolean;
  values: boolean;
}

/** @param whole whether the record has the maximum length */
function cutNote(id: number, { lists, output, values }: Cut, whole: boolean): Note {
  const places = [
    ...(values
      ? [mention`${ours('history', 'id', 'offset')} with id ${id} and offset pages through the values.`]
      : []),
    ...(output
      ? [mention`${ours('job', 'action')} ${jobName(id)} with action output pages through the output.`]
      : []),
  ];
  if (places.length === 0 || lists.length > 0)
    places.unshift(
      whole
        ? mention`The history in the window has all of it.`
        : mention`${ours('history', 'id')} with id ${id} shows up to ${WHOLE_RECORD} characters of each text.`,
    );
  const without = lists.length === 0 ? '' : `, without ${lists.join(', ')}`;
  return note('cut', `This record was cut to fit${without}.`, ...places);
}
