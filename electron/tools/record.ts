/** The record of an evaluation as an agent gets it: one schema, made from a row of the history. */
import { z } from 'zod';
import { Condition, EngineName, type Evaluation, FormResult, Outcome, Warning } from '../contract/model';

export const EvaluationRecord = z.object({
  id: z.int().describe('Number of this evaluation in the history'),
  session: z.string(),
  engine: EngineName,
  package: z.string().describe('Package or namespace after the evaluation'),
  outcome: Outcome,
  forms: z.array(FormResult),
  values: z.array(z.string()).describe('Printed values of the last form'),
  stdout: z.string(),
  stderr: z.string(),
  warnings: z.array(Warning),
  condition: Condition.optional(),
  duration_ms: z.number(),
  job: z.string().optional().describe('Poll this with the job tool'),
  truncated: z.boolean().optional(),
  notes: z.array(z.string()),
});
export type EvaluationRecord = z.infer<typeof EvaluationRecord>;

/** Longest stdout or stderr that one result carries unless the caller asks for more, in characters. */
export const OUTPUT_LIMIT = 20_000;

export interface RecordOptions {
  /** Notes of the call itself, said before those of the evaluation. */
  notes?: readonly string[];
  outputLimit?: number;
}

/** @param evaluation a closed row, or an open one, which is then told as a job */
export function recordOf(evaluation: Evaluation, options: RecordOptions = {}): EvaluationRecord {
  const limit = options.outputLimit ?? OUTPUT_LIMIT;
  const [stdout, stderr] = [elide(evaluation.stdout, limit), elide(evaluation.stderr, limit)];
  const truncated = stdout.cut || stderr.cut || evaluation.outputDropped > 0;
  const notes = [...(options.notes ?? []), ...evaluation.notes];
  if (truncated)
    notes.push(
      `Output was cut in the middle; job ${jobName(evaluation.id)} with action output pages through what was kept.`,
    );
  return {
    id: evaluation.id,
    session: evaluation.session,
    engine: evaluation.engine,
    package: evaluation.package,
    outcome: evaluation.outcome,
    forms: evaluation.forms,
    values: evaluation.forms.at(-1)?.values ?? [],
    stdout: stdout.text,
    stderr: stderr.text,
    warnings: evaluation.warnings,
    ...(evaluation.condition ? { condition: evaluation.condition } : {}),
    duration_ms: evaluation.durationMs ?? Date.now() - evaluation.startedAt,
    ...(isOpen(evaluation) ? { job: jobName(evaluation.id) } : {}),
    ...(truncated ? { truncated } : {}),
    notes,
  };
}

/** A Lisp error, a crash or a refusal is an error of the call; what still runs is not. */
export function isFailure({ outcome }: Pick<Evaluation, 'outcome'>): boolean {
  return outcome !== 'ok' && outcome !== 'running' && outcome !== 'debugger';
}

/** Whether it has not ended: it runs, or is held in the debugger. */
function isOpen({ outcome }: Pick<Evaluation, 'outcome'>): boolean {
  return outcome === 'running' || outcome === 'debugger';
}

export function jobName(evaluation: number): string {
  return `job-${evaluation}`;
}

function elide(text: string, limit: number): { text: string; cut: boolean } {
  if (text.length <= limit) return { text, cut: false };
  const half = Math.floor(limit / 2);
  const dropped = text.length - 2 * half;
  return { text: `${text.slice(0, half)}\n… ${dropped} characters …\n${text.slice(-half)}`, cut: true };
}
