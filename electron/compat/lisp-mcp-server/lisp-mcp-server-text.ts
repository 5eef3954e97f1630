/**
 * Results as lisp-mcp-server prints them: a value alone, descriptions of names, results of loading and tests.
 */

import { HarborError } from '../../contract/errors';
import type { Local } from '../../contract/model';
import type { TestRun } from '../../contract/report';
import { isInnerFrame } from '../../sessions/frames';
import { objectHandle } from '../../sessions/parsed-arguments';
import { type EvaluationRecord, lastValues } from '../../tools/evaluation/record';
import { jobSentence } from '../../tools/evaluation/record-text';
import { noCheckRan } from '../../tools/evaluation/report-text';
import type { DefinitionResult } from '../../tools/knowledge/describe-tool';
import type { InspectionResult, PartResult } from '../../tools/knowledge/inspect-tool';
import type { PlaceResult } from '../../tools/source-places';

/**
 * Returns the last value with its object-id, then the output; for an error its type, message and backtrace.
 * @param generation generation of the image that has the objects
 */
export function valueText(record: EvaluationRecord, object: string | null, generation: number): string {
  const { stdout, stderr, warnings } = record;
  const printed = { stdout, stderr, warnings: warnings.map(({ message }) => message).join('\n') };
  return [
    ...(record.outcome === 'ok' ? valuesOf(record) : []),
    ...(object === null ? [] : [objectText(object)]),
    ...Object.entries(printed).flatMap(([title, text]) =>
      text === '' ? [] : ['', `;; ${title}`, text.replace(/\n$/, '')],
    ),
    ...(record.outcome === 'ok' ? [] : [failureText(record, generation)]),
  ]
    .join('\n')
    .trimStart();
}

/** Returns the values of the last form; NIL if it returned none. */
function valuesOf(record: EvaluationRecord): readonly string[] {
  const values = lastValues(record);
  return values.length === 0 ? ['NIL'] : values;
}

/** Maximum number of frames of a backtrace. */
const FRAMES = 10;

function failureText(
  { session, outcome, condition, engine, job, queued }: EvaluationRecord,
  generation: number,
): string {
  if (job) return jobSentence(job, queued);
  if (!condition) return `[${outcome.toUpperCase()}]`;
  const { type, message, frames } = condition;
  const own = frames.filter(({ call }, place) => place === 0 || !isInnerFrame(engine, call));
  const lines = own
    .slice(0, FRAMES)
    .flatMap(({ index, call, locals = [] }) => [
      `  ${index}: ${call}`,
      ...locals.map((local) => localText(local, session, generation)),
    ]);
  return [`\n[${type}] ${message}`, ...(lines.length > 0 ? ['Backtrace:', ...lines] : [])].join('\n');
}

/** Maximum characters of a local's value. */
const LOCAL_CHARACTERS = 200;

function localText({ name, value, object }: Local, session: string, generation: number): string {
  const shown = value.length <= LOCAL_CHARACTERS ? value : `${value.slice(0, LOCAL_CHARACTERS)}…`;
  const id =
    object === undefined ? '' : ` ${objectText(objectId(objectHandle(object, generation), session))}`;
  return `      ${name} = ${shown}${id}`;
}

function objectText(id: string): string {
  return `[object-id: ${id}]`;
}

const OBJECT_ID = /^o-(.+?)-(\d+(?:\.\d+)?)$/;

/** Returns an id that names one object of one image among all sessions. */
export function objectId(handle: string, session: string): string {
  return `o-${session}-${handle.slice(2)}`;
}

/** @throws HarborError `bad_arguments` */
export function objectOfId(id: string): { session: string; handle: string } {
  const [, session, object] = OBJECT_ID.exec(id) ?? [];
  if (session !== undefined && object !== undefined) return { session, handle: `#o${object}` };
  throw new HarborError('bad_arguments', `${id} is no object-id. Copy one from [object-id: …] of a result.`);
}

/** Names of kinds of object, and the headings of their parts; other kinds have ours. */
const KINDS: ReadonlyMap<string, { called: string; parts: string }> = new Map(
  Object.entries({
    list: { called: 'list', parts: 'Elements:' },
    vector: { called: 'array', parts: 'Elements:' },
    array: { called: 'array', parts: 'Elements:' },
    'hash table': { called: 'hash-table', parts: 'Entries' },
    structure: { called: 'structure', parts: 'Slots:' },
    instance: { called: 'instance', parts: 'Slots:' },
    condition: { called: 'instance', parts: 'Slots:' },
  }),
);

/** Returns an object with its parts. Each part that can be inspected has an object-id. */
export function inspectedText(
  result: {
    [Member in keyof InspectionResult]?: InspectionResult[Member] | undefined;
  },
): string {
  const { kind = '', text = '', handle, facts = [], parts = [], total = 0, next_offset: next } = result;
  const session = result.session ?? '';
  const { called, parts: heading } = KINDS.get(kind) ?? { called: kind, parts: 'Parts:' };
  const test = facts.find(({ name }) => name === 'test')?.text ?? 'EQL';
  return [
    `[${called}] ${text}`,
    ...(handle === undefined ? [] : [objectText(objectId(handle, session))]),
    ...(KINDS.has(kind) ? [] : facts.map((fact) => `${fact.name}: ${fact.text}`)),
    ...(parts.length === 0 ? [] : [kind === 'hash table' ? `${heading} (${test} test):` : heading]),
    ...parts.map((part) => `  ${partText(part, heading, session)}`),
    ...(next === undefined || next === null ? [] : [`  ... (truncated, ${total} total)`]),
  ].join('\n');
}

function partText(
  { name, text, unbound, problem, handle }: PartResult,
  heading: string,
  session: string,
): string {
  const value = unbound ? '#<unbound-slot>' : (text ?? problem ?? '?');
  const id = handle === undefined ? '' : ` ${objectText(objectId(handle, session))}`;
  if (heading === 'Entries') return `${name} => ${value}${id}`;
  return heading === 'Elements:' ? `[${name}] ${value}${id}` : `${name}: ${value}${id}`;
}

/**
 * Reports whether a system was loaded, with our tool's text if there were warnings. Notes of the compiler are
 * not warnings.
 */
export function loadedText(record: Omit<Outcome, 'report'>, system: string, ours: string): string {
  const { outcome, duration_ms: took = 0, warnings = [], job } = record;
  if (job) return ours;
  if (outcome !== 'ok') return `Error loading ${system}:\n${ours}`;
  const head = `System ${system} loaded successfully in ${Math.round(took)}ms`;
  if (warnings.length === 0) return head;
  const count = warnings.filter(({ severity }) => severity !== 'note').length;
  const counted = count === 0 ? '' : ` (${count} ${count === 1 ? 'warning' : 'warnings'})`;
  return `${head}${counted}\n${ours}`;
}

/** Returns the counts of the tests, and our tool's text about failures. */
export function testedText(record: Outcome, ours: string): string {
  const { outcome, report, condition, duration_ms: took = 0, job } = record;
  if (job) return ours;
  const runs = report?.runs ?? [];
  const duration = `Duration: ${Math.round(took)}ms`;
  if (outcome !== 'ok' && runs.length === 0) {
    const head = condition?.type.endsWith('NO-SUCH-TEST') ? '✗ UNRESOLVED' : '✗ LOAD FAILED';
    return [head, duration, '', ours].join('\n');
  }
  const counts = runs.flatMap((run) => run.counts ?? []);
  if (counts.length === 0) return ['No counts: see the output', duration, '', ours].join('\n');
  const [passed = 0, failed = 0, pending = 0] = counts
    .map((each) => [each.passed, each.failed + each.errors, each.skipped])
    .reduce((all, each) => all.map((sum, place) => sum + (each[place] ?? 0)));
  const isGreen = outcome === 'ok' && failed === 0 && passed > 0;
  const verdict =
    outcome === 'ok' && counts.every(noCheckRan) ? 'No check ran: nothing could fail' : '✗ FAIL';
  const skipped = pending > 0 ? `, Pending: ${pending}` : '';
  return [
    isGreen ? '✓ PASS' : verdict,
    `Passed: ${passed}, Failed: ${failed}${skipped}`,
    duration,
    ...(isGreen ? [] : ['', ours]),
  ].join('\n');
}

/** Members of a record. Some tools publish a schema with fewer. */
type Outcome = Partial<Pick<EvaluationRecord, 'condition' | 'duration_ms' | 'warnings' | 'job'>> & {
  outcome: EvaluationRecord['outcome'];
  report?: { runs?: readonly TestRun[] } | undefined;
};

/** Returns a line for each place of definition; paths inside the project are relative. */
export function placesText(results: readonly { source?: PlaceResult | undefined }[], symbol: string): string {
  const places = placesOf(results);
  if (places.length === 0) return `No known file defines ${symbol}.`;
  return places
    .map(({ path, line }) => `${symbol} defined in ${path}${line === undefined ? '' : ` at line ${line}`}`)
    .join('\n');
}

export function placesOf(
  results: readonly { source?: PlaceResult | undefined }[],
): { path: string; line?: number }[] {
  return results.flatMap(({ source }) => {
    const { path, line } = source ?? {};
    return path === undefined ? [] : [{ path, ...(line === undefined ? {} : { line }) }];
  });
}

/**
 * Describes each meaning of a name, functions first: name, type and arglist, the documentation, the place.
 */
export function descriptionText(definitions: readonly DefinitionResult[]): string {
  return definitions
    .map((definition) => ({ text: definitionText(definition), rank: RANKS.indexOf(typeOf(definition)) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ text }) => text)
    .join('\n\n');
}

/** Types of the documentation, functions first. */
const RANKS = ['function', 'macro', 'variable', ''];

function definitionText(definition: DefinitionResult): string {
  const { name, kind, arglist, documentation = '', source } = definition;
  const [place] = placesOf([{ source }]);
  const line = place?.line === undefined ? '' : `:${place.line}`;
  return [
    `${name} :: ${typeOf(definition) || kind}${arglist === undefined ? '' : ` ${arglist}`}`,
    documentation,
    ...(place === undefined ? [] : [`Defined at ${place.path}${line}`]),
  ]
    .join('\n')
    .trimEnd();
}

/** Returns an empty string for kinds that the documentation does not have. */
function typeOf({ kind }: DefinitionResult): string {
  if (/macro|special/.test(kind)) return 'macro';
  if (/function/.test(kind)) return 'function';
  return /variable|constant/.test(kind) ? 'variable' : '';
}
