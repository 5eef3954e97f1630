/** The record of an evaluation as an agent gets it: one schema, made from a row of the history. */
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Cost } from '../../contract/cost';
import {
  Condition,
  type Evaluation,
  type FormResult,
  type Local,
  Outcome,
  Warning,
} from '../../contract/model';
import { Report } from '../../contract/report';
import { Allowance } from '../allowance';
import { inOneLine, isOfProver } from '../prover/quoted';
import { ProgressResult } from './evaluation-progress';
import { nextSteps } from './next-step';
import { fittingReport } from './report-result';

/** What one form answered: who asked has its code. */
const FormValues = z.object({ values: z.array(z.string()) });
type FormValues = z.infer<typeof FormValues>;

export const EvaluationRecord = z.object({
  id: z.int().describe('Number of this evaluation in the history'),
  session: z.string(),
  engine: z.string(),
  package: z.string().describe('Package or namespace after the evaluation'),
  outcome: Outcome,
  forms: z.array(FormValues).describe('Of each form the printed values'),
  stdout: z.string(),
  stderr: z.string(),
  warnings: z.array(Warning).describe('severity, type, message, form, place'),
  condition: Condition.optional().describe('type, message, level, restarts, frames'),
  report: Report.optional().describe('What was loaded, tested and proved; the profile'),
  duration_ms: z.number(),
  cost: z
    .object({
      real_ms: z.number(),
      run_ms: z.number().describe('CPU'),
      gc_ms: z.number(),
      bytes: z.int().describe('Allocated'),
    })
    .optional(),
  progress: ProgressResult.optional().describe('Of a proof that runs'),
  job: z.string().optional().describe('Poll this with the job tool'),
  queued: z.array(z.string()).optional().describe('Has not begun; these jobs come first'),
  truncated: z.boolean().optional().describe('Something was cut; notes say where the rest is'),
  notes: z.array(z.string()),
});

export type EvaluationRecord = z.infer<typeof EvaluationRecord>;

/** The same record, of which a tool's listing says only this: the list of all tools has to stay short. */
export const BriefRecord = z
  .looseObject({
    ...EvaluationRecord.pick({ id: true, session: true, outcome: true, job: true, notes: true }).shape,
  })
  .describe('The record that eval answers');

/** Longest value, stdout or stderr, in characters, unless the caller asks for another. Other texts may always be as long. */
export const TEXT_LIMIT = 20_000;
/** Characters of a whole record. What a caller allows a value beyond `TEXT_LIMIT` comes on top. */
export const RECORD_LIMIT = 100_000;
/** Longest value, stdout or stderr of a record that shows one evaluation by itself. What is longer is paged through. */
export const WHOLE_RECORD = 65_000;
/** What the notes may take, beside all other texts. */
const NOTES_LIMIT = 10_000;

/** What comes before an evaluation that has not begun. */
export interface Queue {
  /** The evaluations, in the order they will run. */
  before: readonly number[];
  /** The same for a model: `job-18 (sleep 25) of claude-code, running for 12 s and job-19`. */
  told: string;
}

export interface RecordOptions {
  /** Notes of the call itself, said before those of the evaluation. */
  notes?: readonly string[];
  /** Longest value, stdout or stderr, in characters. */
  maxChars?: number;
  /** How far it has come; only what still runs is told with it. */
  progress?: ProgressResult;
  /** What comes first, for one that has not begun. */
  queue?: Queue;
  /** How its end is told in text, where its outcome would be taken for that of the call. */
  ended?: string;
}

/** @param evaluation a closed row, or an open one, which is then told as a job */
export function recordOf(evaluation: Evaluation, options: RecordOptions = {}): EvaluationRecord {
  const { maxChars = TEXT_LIMIT } = options;
  const allowance = new Allowance(RECORD_LIMIT + Math.max(maxChars - TEXT_LIMIT, 0));
  const texts = fittingTexts(evaluation, maxChars, allowance);
  const cut = {
    lists: allowance.leftOut,
    output: texts.stdout !== evaluation.stdout || texts.stderr !== evaluation.stderr,
    values: !isDeepStrictEqual(valuesIn(texts), valuesIn(evaluation)),
  };
  const steps = options.ended === undefined ? nextSteps(evaluation) : [];
  const said = [...(options.notes ?? []), ...evaluation.notes, ...steps];
  // They name forms, and a symbol may have lines.
  const notes = fittingNotes(isOfProver(evaluation) ? inOneLine(said) : said);
  const missing = evaluation.forms.length - texts.forms.length;
  if (missing > 0) notes.push(`${missing} forms before the last are left out.`);
  if (allowance.exceeded) notes.push(whereTheRestIs(evaluation.id, cut, maxChars >= WHOLE_RECORD));
  if (evaluation.outputDropped > 0)
    notes.push(`${evaluation.outputDropped} characters from the middle of the output were not kept at all.`);
  if (evaluation.outcome === 'debugger' && evaluation.condition !== null)
    notes.push('`debug` shows what is held and goes on.');
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
    ...(isOpen(evaluation) && options.queue ? { queued: options.queue.before.map(jobName) } : {}),
    ...(isOpen(evaluation) && options.progress ? { progress: options.progress } : {}),
    ...(allowance.exceeded || evaluation.outputDropped > 0 ? { truncated: true } : {}),
    notes,
  };
}

/** The printed values of all forms. */
export function valuesIn({ forms }: { forms: readonly FormValues[] }): string[] {
  return forms.flatMap(({ values }) => values);
}

/** Printed values of the last form. */
export function lastValues({ forms }: Pick<EvaluationRecord, 'forms'>): readonly string[] {
  return forms.at(-1)?.values ?? [];
}

/** Of milliseconds more digits tell nothing. */
export function tenths(milliseconds: number): number {
  return Math.round(milliseconds * 10) / 10;
}

function costResult({ realMs, runMs, gcMs, bytes }: Cost): EvaluationRecord['cost'] {
  return { real_ms: tenths(realMs), run_ms: tenths(runMs), gc_ms: tenths(gcMs), bytes };
}

/** A Lisp error, a crash or a refusal is an error of the call; what still runs is not. */
export function isFailure({ outcome }: Pick<Evaluation, 'outcome'>): boolean {
  return outcome !== 'ok' && outcome !== 'running' && outcome !== 'debugger';
}

/** Whether it has not ended: it runs, or is held in the debugger. */
export function isOpen({ outcome }: Pick<Evaluation, 'outcome'>): boolean {
  return outcome === 'running' || outcome === 'debugger';
}

/** Characters of a form that say which of several is meant. */
const FORM_CHARACTERS = 60;

/** As much of a form as says which one is meant, in one line. */
export function beginningOf(code: string): string {
  const line = code.trim().replaceAll(/\s+/g, ' ');
  return line.length <= FORM_CHARACTERS ? line : `${line.slice(0, FORM_CHARACTERS).trimEnd()}…`;
}

export function jobName(evaluation: number): string {
  return `job-${evaluation}`;
}

export const JOB_NAME = /^job-(\d+)$/;

/** The evaluation of a job; null for what is no job's name. */
export function jobOf(name: string): number | null {
  const [, evaluation] = JOB_NAME.exec(name) ?? [];
  return evaluation === undefined ? null : Number(evaluation);
}

type Texts = Pick<EvaluationRecord, 'forms' | 'stdout' | 'stderr' | 'warnings' | 'condition' | 'report'>;

/** The texts in the order in which a caller misses them most: why it failed, the values, what was printed, the rest. */
function fittingTexts(evaluation: Evaluation, maxChars: number, allowance: Allowance): Texts {
  const others = Math.max(TEXT_LIMIT, maxChars);
  const form = ({ values, lengths }: Pick<FormResult, 'values' | 'lengths'>) => ({
    values: allowance.first(values, 'values', (value, place) =>
      allowance.head(value, maxChars, lengths?.[place]),
    ),
  });
  const condition = evaluation.condition && fittingCondition(evaluation.condition, others, allowance);
  const report = evaluation.report && fittingReport(evaluation.report, others, allowance);
  const { forms } = evaluation;
  const last = allowance.first<FormResult, FormValues>(forms.slice(-1), 'forms', form);
  return {
    ...(condition ? { condition } : {}),
    ...(report ? { report } : {}),
    stdout: allowance.ends(evaluation.stdout, maxChars),
    stderr: allowance.ends(evaluation.stderr, maxChars),
    warnings: allowance.first(evaluation.warnings, 'warnings', (warning) => ({
      ...warning,
      message: allowance.head(warning.message, others),
      ...(warning.source === undefined ? {} : { source: allowance.head(warning.source, others) }),
    })),
    forms: [...allowance.first(forms.slice(0, -1), 'forms', form), ...last],
  };
}

function fittingCondition(condition: Condition, limit: number, allowance: Allowance): Condition {
  return {
    ...condition,
    message: allowance.head(condition.message, limit),
    restarts: allowance.first(condition.restarts, 'restarts', (restart) => ({
      ...restart,
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

function fittingNotes(notes: readonly string[]): string[] {
  const allowance = new Allowance(NOTES_LIMIT);
  const fitting = allowance.first(notes, 'notes', (note) => allowance.head(note, NOTES_LIMIT));
  const missing = notes.length - fitting.length;
  return missing === 0 ? fitting : [...fitting, `${missing} more notes are left out.`];
}

/** What a record does not have whole. */
interface Cut {
  /** What lists have left out, each such as "12 warnings". */
  lists: readonly string[];
  output: boolean;
  values: boolean;
}

/** @param whole whether the record is the longest that there is */
function whereTheRestIs(id: number, { lists, output, values }: Cut, whole: boolean): string {
  const places = [
    ...(values ? [`\`history\` with id ${id} and offset pages through the values.`] : []),
    ...(output ? [`\`job\` ${jobName(id)} with action output pages through what was printed.`] : []),
  ];
  if (places.length === 0 || lists.length > 0)
    places.unshift(
      whole
        ? 'The history in the window has all of it.'
        : `\`history\` with id ${id} shows up to ${WHOLE_RECORD} characters of each text.`,
    );
  const without = lists.length === 0 ? '' : `, without ${lists.join(', ')}`;
  return `This record was cut to fit${without}. ${places.join(' ')}`;
}
