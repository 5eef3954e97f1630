/** The tool `inspect`: looks into a value, part by part, and sets a part. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { Fact, type Inspection, type InspectStart, PathStep } from '../../contract/inspection';
import type { Evaluation } from '../../contract/model';
import { isSandboxNote } from '../../contract/sandbox-note';
import { objectHandle, objectOf } from '../../sessions/object-handle';
import type { Session } from '../../sessions/session/session';
import { OneForm } from '../../source/code';
import { dialectOf } from '../../source/dialect';
import { sessionOf } from '../arguments';
import { requireBalanced } from '../evaluation/balanced-code';
import type { EvaluateToolOptions } from '../evaluation/evaluation-answer';
import { evaluateFor, evaluationInstead, OwnRecord } from '../evaluation/own-evaluation';
import { jobName, jobOf } from '../evaluation/record';
import type { Caller, Tool } from '../tool';
import { inspectionText, partResult } from './inspection-result';

const InspectArguments = z.strictObject({
  handle: z
    .string()
    .optional()
    .describe('An object, as inspect or debug named it: #o12; an ended job of inspect'),
  code: z.string().min(1).max(2_000_000).optional().describe('Evaluated; its value is inspected'),
  session: z.string().optional(),
  path: z.array(PathStep).max(100).optional().describe('Parts to step into, each by index or name'),
  offset: z.int().min(0).optional(),
  limit: z.int().min(0).max(500).optional(),
  set: z.string().max(2_000_000).optional().describe('Lisp expression; its value replaces the part at path'),
});
type InspectArguments = z.output<typeof InspectArguments>;

const InspectResult = z.object({
  session: z.string(),
  handle: z.string().optional(),
  kind: z.string().optional(),
  type: z.string().optional(),
  text: z.string().optional(),
  facts: z.array(Fact).optional(),
  parts: z
    .array(z.looseObject({ index: z.int(), name: z.string() }))
    .optional()
    .describe('With type and text, or unbound, or problem; settable; handle if it has one'),
  total: z.int().optional(),
  next_offset: z.int().nullable().optional(),
  evaluation: OwnRecord.optional().describe('When code or set did not end well, or still runs'),
  notes: z.array(z.string()),
});

/** @param numbered whether all parts that can be looked into get handles, for a system whose clients step by these */
export function inspectTool(
  options: EvaluateToolOptions,
  { numbered = false }: { numbered?: boolean } = {},
): Tool<typeof InspectArguments, typeof InspectResult> {
  return {
    name: 'inspect',
    title: 'Inspect a value',
    description:
      'Shows a value part by part: slots, elements, entries, closed-over values, methods. Without handle and code: the last value of the session. Looking works while an evaluation runs; code and set wait their turn. `set` changes the part at `path`, on record.',
    scope: 'evaluate',
    args: InspectArguments,
    result: InspectResult,
    annotations: { readOnlyHint: false, destructiveHint: true, idempotentHint: false, openWorldHint: false },
    async run(args, caller) {
      const { session, notes } = await sessionOf(args.session, caller, options.sessions);
      const inspector = session.ability('inspector');
      const path = args.path ?? [];
      checkArguments(args, path);
      const evaluate: Evaluate = (request) =>
        evaluateFor(caller, session, { kind: 'inspect', ...request }, options);
      const set = args.set === undefined ? undefined : expressionIn(args.set, session);
      const started = await startOf(args, session, evaluate);
      if ('failed' in started) return instead(started.failed, session, caller, options, notes);
      const { start } = started;
      if (set === undefined)
        return answer(
          await inspector.inspect({ start, path, ...pageOf(args), numbered }),
          session,
          caller,
          notes,
        );
      const { object } = await inspector.inspect({ start, path: [], offset: 0, limit: 0 });
      const row = await evaluate({ code: inspector.settingCode(object, path, set) });
      if (row.outcome !== 'ok') return evaluationInstead(row, session, caller, options, notes);
      const holder = { start: { object }, path: path.slice(0, -1), ...pageOf(args) };
      const told = [...notes, ...row.notes.filter((note) => !isSandboxNote(note))];
      const changed = answer(await inspector.inspect(holder), session, caller, told);
      return { ...changed, evaluation: row.id };
    },
  };
}

/** Read before anything is evaluated. @throws HarborError `bad_arguments` */
function expressionIn(set: string, { identity }: Session): OneForm {
  return OneForm.read(set, dialectOf(identity.engine), 'set');
}

type Evaluate = (request: { code: string; keepValues?: boolean }) => Promise<Evaluation>;

function pageOf({ offset, limit }: InspectArguments) {
  return { offset: offset ?? 0, ...(limit === undefined ? {} : { limit }) };
}

function checkArguments({ handle, code, set }: InspectArguments, path: readonly PathStep[]): void {
  if (handle !== undefined && code !== undefined)
    throw new HarborError('bad_arguments', 'Give a handle or code, not both.');
  if (set !== undefined && path.length === 0)
    throw new HarborError('bad_arguments', 'To set a part, say which one with `path`.');
}

/** Where looking begins; code is evaluated for it and keeps its values in the image. */
async function startOf(
  { handle, code }: InspectArguments,
  session: Session,
  evaluate: Evaluate,
): Promise<{ start: InspectStart } | { failed: Evaluation }> {
  const job = handle === undefined ? null : jobOf(handle);
  if (job !== null) return { start: { evaluation: requireEnded(job, session) } };
  if (handle !== undefined) return { start: { object: objectOf(handle, session.generation) } };
  if (code === undefined) return { start: { last: true } };
  requireBalanced(code, session);
  const row = await evaluate({ code, keepValues: true });
  return row.outcome === 'ok' ? { start: { evaluation: row.id } } : { failed: row };
}

/** @throws HarborError `busy` */
function requireEnded(evaluation: number, session: Session): number {
  if (!session.pending(evaluation)) return evaluation;
  throw new HarborError(
    'busy',
    `${jobName(evaluation)} has not ended: \`job\` waits for it, and then its value can be inspected.`,
  );
}

/** What is told of code that was not evaluated in time, or not to a value. */
function instead(
  row: Evaluation,
  session: Session,
  caller: Caller,
  options: EvaluateToolOptions,
  notes: readonly string[],
) {
  const later = `When it has ended, \`inspect\` with handle ${jobName(row.id)} looks into its value.`;
  const told = session.pending(row.id) ? [...notes, later] : notes;
  return evaluationInstead(row, session, caller, options, told);
}

function answer(
  { object, parts, offset, total, ...rest }: Inspection,
  session: Session,
  { told }: Caller,
  notes: string[],
) {
  const { generation } = session;
  const shown = offset + parts.length;
  const structured = {
    session: session.id,
    handle: objectHandle(object, generation),
    ...rest,
    parts: parts.map((part) => partResult(part, generation)),
    total,
    next_offset: shown < total ? shown : null,
    notes,
  };
  return { structured, text: inspectionText(structured, session.identity.project, told), isError: false };
}
