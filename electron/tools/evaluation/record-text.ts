/**
 * The whole record of an evaluation as text without its notes, for the history and for systems that have no
 * text of their own.
 */

import type { Condition, Warning } from '../../contract/model';
import type { ItemResult } from '../../contract/report';
import { isInnerFrame, isLoaderFrame } from '../../sessions/frames';
import { itemLine } from '../../sessions/item-map';
import { inOneLine, isOfProver, quoted, quotedIn, quotedOutput } from '../prover/quoted';
import { progressText } from './evaluation-progress';
import type { EvaluationRecord } from './record';
import { placeText, reportSections } from './report-text';

/** @param whole whether to include the stacks of a CPU profile, which are long */
export function recordText(record: EvaluationRecord, whole = false): string {
  return [
    section('stdout', printedText(record.stdout, record)),
    section('stderr', printedText(record.stderr, record)),
    section('warnings', quotedIn(record.warnings, record).map(warningText).join('\n')),
    ...(record.report ? reportSections(record.report, whole, record) : []),
    record.items ? itemsText(record.items, record) : formsText(record),
    record.condition ? conditionText(record.condition, record) : '',
    record.progress ? progressText(record.progress) : '',
    [statusLine(record), ...(record.cost ? [costText(record.cost)] : [])].join('\n'),
  ]
    .filter((part) => part !== '')
    .join('\n\n');
}

export function section(title: string, text: string): string {
  return text === '' ? '' : `[${title}]\n${text.replace(/\n$/, '')}`;
}

function warningText({ severity, type, message, form, ...place }: Warning): string {
  return `${severity.toUpperCase()} ${type} (form ${form + 1}): ${message}${placeText(place)}`;
}

/** Returns what an image printed, quoted if it could be confused with our text. */
export function printedText(text: string, record: Printing): string {
  return isOfProver(record) ? quotedOutput(text) : text;
}

type Printing = Pick<EvaluationRecord, 'engine'>;

/** Returns a line for each item of a map that has ended, in order. */
export function itemsText(items: readonly ItemResult[], record: Printing): string {
  const ended = items.filter(({ outcome }) => outcome !== 'running' && outcome !== 'waiting');
  const lines = quotedIn(ended.map(itemLine), record);
  const count = ended.length === items.length ? [] : [`; ${ended.length} of ${items.length} items ended`];
  return [...lines, ...count].join('\n');
}

function formsText(record: EvaluationRecord): string {
  const { forms } = record;
  if (forms.length === 1) return valuesText(forms[0]?.values ?? [], record);
  return forms.map(({ values }, index) => `${index + 1}.\n${valuesText(values, record)}`).join('\n');
}

export function valuesText(values: readonly string[], record: Printing): string {
  const shown = quotedIn(values, record);
  return values.length === 0 ? '; no values' : shown.map((value) => `=> ${value}`).join('\n');
}

/**
 * Returns the text of a condition. A prover has no debugger levels, and its messages begin with their type.
 */
export function conditionText(condition: Condition, record: Printing): string {
  const { type, message, level, restarts, frames, omitted = {} } = condition;
  if (isOfProver(record)) return quoted(message.includes(type) ? message : `[${type}] ${message}`);
  const lines = [`[${type}] (debugger level ${level})`, message];
  if (restarts.length > 0)
    lines.push('[Restarts]', ...restarts.map(restartText), ...moreText(omitted.restarts, 'restarts'));
  if (frames.length > 0)
    lines.push(
      '[Backtrace]',
      ...frames.map(({ index, call }) => `${index}: ${call}`),
      ...moreText(omitted.frames, 'frames'),
    );
  return lines.join('\n');
}

function moreText(count: number | undefined, what: string): string[] {
  return count === undefined ? [] : [`… at least ${count} more ${what}`];
}

export function restartText({
  index,
  name,
  description,
  arguments: values,
}: Condition['restarts'][number]): string {
  return `${index}: [${name}] ${description}${values.length > 0 ? ` (asks for ${values.join(', ')})` : ''}`;
}

function costText({ real_ms, run_ms, gc_ms, bytes }: NonNullable<EvaluationRecord['cost']>): string {
  return `; cost: real ${real_ms} ms · run ${run_ms} ms · GC ${gc_ms} ms · ${bytes} bytes allocated`;
}

function openText({ outcome, condition, job, queued }: EvaluationRecord): string {
  const as = job === undefined ? '' : ` as ${job}`;
  if (queued)
    return `not begun${as}, behind ${queued.join(', ') || 'the start of an image'}: use the job tool`;
  if (outcome !== 'debugger') return `still running${as}: use the job tool`;
  const level = condition?.level === undefined ? '' : ` at debugger level ${condition.level}`;
  return `held${level}${as}`;
}

/** Returns the sentence of systems whose texts have none for a job: it runs, or waits for its turn. */
export function jobSentence(job: string, queued: EvaluationRecord['queued']): string {
  const state = queued
    ? `Queued as ${job} behind ${queued.join(', ') || 'the start of an image'}`
    : `Still running as ${job}`;
  return `${state}: the tool job follows it.`;
}

function statusLine(record: EvaluationRecord): string {
  const parts = [
    record.queued ? 'queued' : record.outcome,
    `evaluation ${record.id}`,
    record.session,
    record.engine,
    `package ${inOneLine(record.package)}`,
    `${Math.round(record.duration_ms)} ms`,
  ];
  if (record.job) parts.push(openText(record));
  if (record.truncated) parts.push('truncated');
  return `; ${parts.join(' · ')}`;
}

// Brief text of a condition: what the caller can do about it, and the frames of its own code.

/**
 * Maximum number of frames shown, the innermost ones of the caller's code, and maximum characters of each.
 */
const FRAMES = 10;
const FRAME_CHARACTERS = 160;
/** References to SBCL's manual. */
const SEE_ALSO = /\nSee also:\n(?: {2}.*\n?)+$/;

/** Type that our own loader signals. Its message is a full sentence. */
const NOT_COMPILED = 'LISP-HARBOR-AGENT:COMPILATION-FAILED';

/**
 * Restarts are listed only if one can be taken, that is, if the evaluation is suspended.
 * @param isRepeated whether a reported failure says the same, so that only the frames are new
 */
export function briefConditionText(
  condition: Condition,
  { engine, outcome }: Pick<EvaluationRecord, 'engine' | 'outcome'>,
  isRepeated = false,
): string {
  const { type, message, restarts, frames, omitted = {} } = condition;
  if (isOfProver({ engine })) return isRepeated ? '' : conditionText(condition, { engine });
  const text = message.replace(SEE_ALSO, '');
  const backtrace = frameLines(frames, engine, { omitted: omitted.frames, most: FRAMES });
  return [
    ...(isRepeated ? [] : [type === NOT_COMPILED ? text : `[${type}] ${text}`]),
    ...(outcome === 'debugger'
      ? ['[restarts]', ...restarts.map(restartText), ...moreText(omitted.restarts, 'restarts')]
      : []),
    ...(backtrace.length > 0 ? ['[backtrace]', ...backtrace] : []),
  ].join('\n');
}

/**
 * Returns a line for each frame of the caller's code, and for the innermost frame unless it belongs to the
 * loader. Frames of the engine are counted. Empty if all frames belong to the engine.
 * @param most maximum number of frames
 */
export function frameLines(
  frames: Condition['frames'],
  engine: string,
  { omitted = 0, most }: { omitted?: number | undefined; most: number },
): string[] {
  const own = callsOf(
    frames.filter(({ call }, place) => (place === 0 && !isLoaderFrame(call)) || !isInnerFrame(engine, call)),
  );
  if (own.length === 0) return [];
  const shown = own.slice(0, most);
  const lines = shown.flatMap(({ index, last, call }, place) => {
    const skipped = place === 0 ? 0 : index - (shown[place - 1]?.last ?? index) - 1;
    return [
      ...(skipped === 0 ? [] : [`… ${framesOf(skipped, engine)}`]),
      `${index}: ${shortCall(call)}`,
      ...(last === index ? [] : [`… the same in ${last - index} more`]),
    ];
  });
  const rest = (frames.at(-1)?.index ?? 0) - (shown.at(-1)?.last ?? 0);
  const isInner = own.length === shown.length && omitted === 0;
  if (rest > 0 && isInner) return [...lines, `… ${framesOf(rest, engine)}`];
  return [...lines, ...moreText(rest + omitted === 0 ? undefined : rest + omitted, 'frames')];
}

/** A call that occupies one or more adjacent frames. Infinite recursion fills the stack with one call. */
interface RepeatedCall {
  index: number;
  last: number;
  call: string;
}

function callsOf(frames: Condition['frames']): RepeatedCall[] {
  const calls: RepeatedCall[] = [];
  for (const { index, call } of frames) {
    const before = calls.at(-1);
    if (before?.call === call && before.last === index - 1) before.last = index;
    else calls.push({ index, last: index, call });
  }
  return calls;
}

function framesOf(count: number, engine: string): string {
  return `${count} ${count === 1 ? 'frame' : 'frames'} of ${engine}`;
}

function shortCall(call: string): string {
  const line = call.replaceAll(/\s+/g, ' ');
  return line.length <= FRAME_CHARACTERS ? line : `${line.slice(0, FRAME_CHARACTERS)}…`;
}
