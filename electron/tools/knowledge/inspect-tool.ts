/** The tool `inspect`: shows a value part by part, and sets a part. */

import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import { Fact, type Inspection, type InspectStart, type Part, PathStep } from '../../contract/inspection';
import { instead, mention, ours } from '../../contract/mention';
import type { Evaluation } from '../../contract/model';
import { type Note, NoteText, note } from '../../contract/note';
import { cut } from '../../history/long-text';
import { objectHandle, objectOf } from '../../sessions/parsed-arguments';
import type { Session } from '../../sessions/session/session';
import { OneForm } from '../../source/code';
import { dialectOf } from '../../source/dialect';
import { sessionOf } from '../arguments';
import type { ConversationState } from '../conversation-state';
import { closingNotes, type EvaluateToolOptions, requireBalanced } from '../evaluation/evaluation-answer';
import { evaluateFor, evaluationInstead, OwnRecord } from '../evaluation/own-evaluation';
import { jobName, jobOf } from '../evaluation/record';
import { closingLines } from '../notes';
import { shortPath } from '../source-places';
import type { Caller, Tool } from '../tool';

const InspectArguments = z.strictObject({
  handle: z.string().optional().describe('Object of inspect or debug, such as #o12; ended job of inspect'),
  code: z.string().min(1).max(2_000_000).optional().describe('Its value is inspected'),
  session: z.string().optional(),
  path: z.array(PathStep).max(100).optional().describe('Parts, by index or name'),
  offset: z.int().min(0).optional(),
  limit: z.int().min(0).max(500).optional(),
  set: z.string().max(2_000_000).optional().describe('New value of the part at path'),
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
  evaluation: OwnRecord.optional().describe('If code or set failed or still runs'),
  notes: z.array(NoteText),
});

/**
 * @param numbered whether all parts that can be inspected get handles, for a system whose clients navigate by
 *   handle
 */
export function inspectTool(
  options: EvaluateToolOptions,
  { numbered = false }: { numbered?: boolean } = {},
): Tool<typeof InspectArguments, typeof InspectResult> {
  return {
    name: 'inspect',
    title: 'Inspect a value',
    description:
      'Shows a value part by part: slots, elements, entries, closed-over values, methods. Without handle and code: the last value of the session. Inspection works during an evaluation; code and set wait for their turn. `set` changes the part at `path` and is recorded.',
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
      if ('failed' in started) return evaluationOf(started.failed, session, caller, options, notes);
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
      const allNotes = [...notes, ...closingNotes(row)];
      const changed = answer(await inspector.inspect(holder), session, caller, allNotes);
      return { ...changed, evaluation: row.id };
    },
  };
}

/**
 * Checked before anything is evaluated.
 * @throws HarborError `bad_arguments`
 */
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
    throw new HarborError('bad_arguments', 'To set a part, give its `path`.');
}

/** Returns the value to start from. Code is evaluated for it, and the image retains its values. */
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
  throw new HarborError('busy', `${jobName(evaluation)} has not ended.`, {
    mentions: [
      instead(
        mention`${jobName(evaluation)} has not ended: wait for it with ${ours('job')}, then inspect its value.`,
      ),
    ],
  });
}

/** Returns the result if the code timed out or did not return a value. */
function evaluationOf(
  row: Evaluation,
  session: Session,
  caller: Caller,
  options: EvaluateToolOptions,
  notes: readonly Note[],
) {
  const later = note(
    'value_later',
    '',
    mention`When it has ended, ${ours('inspect', 'handle')} with handle ${jobName(row.id)} shows its value.`,
  );
  const allNotes = session.pending(row.id) ? [...notes, later] : notes;
  return evaluationInstead(row, session, caller, options, allNotes);
}

function answer(
  { object, parts, offset, total, ...rest }: Inspection,
  session: Session,
  { conversation }: Caller,
  notes: Note[],
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
  return {
    structured,
    text: inspectionText(structured, session.identity.project, conversation),
    notes,
    isError: false,
  };
}

// An inspected value: its parts as data, and brief text.

/** Maximum characters of a value that is shown with its parts. */
const PARTS_OUTPUT = 100;

/** A part as results show it. The published schema omits most of it. */
export type PartResult = Omit<Part, 'object'> & { handle?: string };

export interface InspectionResult {
  session: string;
  handle: string;
  kind: string;
  type: string;
  text: string;
  facts: readonly Fact[];
  parts: readonly PartResult[];
  total: number;
  next_offset: number | null;
  notes: readonly Note[];
}

function partResult({ object, ...part }: Part, generation: number): PartResult {
  return { ...part, ...(object === undefined ? {} : { handle: objectHandle(object, generation) }) };
}

/**
 * Returns facts and parts. The type that a part's print shows, and whether it can be set, are only in the
 * data.
 */
function inspectionText(result: InspectionResult, project: string, conversation: ConversationState): string {
  const { session, handle, kind, type, text, facts, parts } = result;
  const isRepeated = type.toLowerCase().replaceAll('-', ' ') === kind;
  const shown = parts.length === 0 ? text : cut(text, PARTS_OUTPUT);
  return [
    [handle, ...(isRepeated ? [type] : [kind, type])].join(' · '),
    shown,
    ...facts.filter((fact) => isNew(fact, session, conversation)).map((fact) => factText(fact, project)),
    ...parts.map(partText),
    ...closingLines([...moreText(result), ...conversation.sessionFacts(session)]),
  ].join('\n');
}

/** The syntax of path steps is explained once per conversation. */
function isNew({ name, text }: Fact, session: string, conversation: ConversationState): boolean {
  return name !== 'keys' || conversation.reportOnce(session, 'keys of parts', text);
}

/** Returns the place of a definition in the form that file tools take. */
function factText({ name, text }: Fact, project: string): string {
  return `${name}: ${name === 'source' ? shortPath(text, project) : text}`;
}

function moreText({ parts, total, next_offset: next }: InspectionResult): string[] {
  if (next !== null) return [`${parts.length} of ${total} parts, more with offset ${next}`];
  return total === 0 ? ['no parts'] : [];
}

function partText({ index, name, handle, ...value }: PartResult): string {
  const label = name === String(index) ? name : `${index} ${name}`;
  return `${label}: ${valueText(value)}${handle === undefined ? '' : ` · ${handle}`}`;
}

function valueText({ unbound, problem, text = '' }: Partial<PartResult>): string {
  if (problem !== undefined) return `cannot be read: ${problem}`;
  return unbound ? 'unbound' : text;
}
