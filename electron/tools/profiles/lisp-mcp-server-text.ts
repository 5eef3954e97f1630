/** Results as lisp-mcp-server words them: the value alone, what a name stands for, how loading and tests went. */

import { isAbsolute } from 'node:path';
import type { Local } from '../../contract/model';
import type { TestRun } from '../../contract/report';
import { isInnerFrame } from '../../sessions/inner-frames';
import { objectHandle, objectNumber } from '../../sessions/object-handle';
import { type EvaluationRecord, lastValues } from '../evaluation/record';
import { noCheckRan } from '../evaluation/report-text';
import type { DefinitionResult } from '../knowledge/description-result';
import type { FindingResult } from '../knowledge/findings';
import type { InspectionResult, PartResult } from '../knowledge/inspection-result';
import { type PlaceResult, placeText } from '../source-places';

/** The last value with its object-id, then what was printed; of an error its type, message and backtrace.
 * @param generation of the image whose objects are named */
export function valueText(record: EvaluationRecord, object: number | null, generation: number): string {
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

/** No value is told as NIL. */
function valuesOf(record: EvaluationRecord): readonly string[] {
  const values = lastValues(record);
  return values.length === 0 ? ['NIL'] : values;
}

/** Frames of a backtrace that are shown. */
const FRAMES = 10;

function failureText({ outcome, condition, engine, job }: EvaluationRecord, generation: number): string {
  if (job) return `Still running as ${job}: the tool job follows it.`;
  if (!condition) return `[${outcome.toUpperCase()}]`;
  const { type, message, frames } = condition;
  const own = frames.filter(({ call }, place) => place === 0 || !isInnerFrame(engine, call));
  const lines = own
    .slice(0, FRAMES)
    .flatMap(({ index, call, locals = [] }) => [
      `  ${index}: ${call}`,
      ...locals.map((local) => localText(local, generation)),
    ]);
  return [`\n[${type}] ${message}`, ...(lines.length > 0 ? ['Backtrace:', ...lines] : [])].join('\n');
}

/** Characters of a local's value. */
const LOCAL_CHARACTERS = 200;

function localText({ name, value, object }: Local, generation: number): string {
  const shown = value.length <= LOCAL_CHARACTERS ? value : `${value.slice(0, LOCAL_CHARACTERS)}…`;
  const id = object === undefined ? '' : ` ${objectText(objectNumber(objectHandle(object, generation)))}`;
  return `      ${name} = ${shown}${id}`;
}

function objectText(id: number): string {
  return `[object-id: ${id}]`;
}

/** What kinds of object are called there, and the heading of their parts; others have ours. */
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

/** An object with its parts, each of which that can be looked into has an object-id. */
export function inspectedText(
  result: {
    [Member in keyof InspectionResult]?: InspectionResult[Member] | undefined;
  },
): string {
  const { kind = '', text = '', handle, facts = [], parts = [], total = 0, next_offset: next } = result;
  const { called, parts: heading } = KINDS.get(kind) ?? { called: kind, parts: 'Parts:' };
  const test = facts.find(({ name }) => name === 'test')?.text ?? 'EQL';
  return [
    `[${called}] ${text}`,
    ...(handle === undefined ? [] : [objectText(objectNumber(handle))]),
    ...(KINDS.has(kind) ? [] : facts.map((fact) => `${fact.name}: ${fact.text}`)),
    ...(parts.length === 0 ? [] : [kind === 'hash table' ? `${heading} (${test} test):` : heading]),
    ...parts.map((part) => `  ${partText(part, heading)}`),
    ...(next === undefined || next === null ? [] : [`  ... (truncated, ${total} total)`]),
  ].join('\n');
}

function partText({ name, text, unbound, problem, handle }: PartResult, heading: string): string {
  const value = unbound ? '#<unbound-slot>' : (text ?? problem ?? '?');
  const id = handle === undefined ? '' : ` ${objectText(objectNumber(handle))}`;
  if (heading === 'Entries') return `${name} => ${value}${id}`;
  return heading === 'Elements:' ? `[${name}] ${value}${id}` : `${name}: ${value}${id}`;
}

/** Whether a system was loaded, and of one that gave cause for it what our tool says. Notes of the compiler are no warnings. */
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

/** How the tests went, and of those that failed what our tool says. */
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
  if (counts.length === 0) return ['No counts: the output says how it went', duration, '', ours].join('\n');
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

/** Of a record, whose schema says less of it in some tools. */
type Outcome = Partial<Pick<EvaluationRecord, 'condition' | 'duration_ms' | 'warnings' | 'job'>> & {
  outcome: EvaluationRecord['outcome'];
  report?: { runs?: readonly TestRun[] } | undefined;
};

/** Uses by file, with the definition that each is in. */
export function referencesText(results: readonly FindingResult[], projectOnly: boolean): string {
  const shown = results.filter(({ source }) => !projectOnly || !isAbsolute(source?.path ?? ''));
  const lines = shown.map(({ kind, text, form, source }) => {
    const place = source === undefined ? '' : `${placeText(source)} `;
    return `${place}(used in ${form ?? text}) [${kind}]`;
  });
  const elsewhere = results.length - shown.length;
  return [
    ...(lines.length > 0 ? lines : ['No references found.']),
    ...(elsewhere > 0 ? [`; ${elsewhere} outside of the project: project_only: false shows them`] : []),
  ].join('\n');
}

/** Where it is defined, in a line for each place; paths inside the project are relative. */
export function placesText(results: readonly { source?: PlaceResult | undefined }[], symbol: string): string {
  const places = placesOf(results);
  if (places.length === 0) return `No file is known that defines ${symbol}.`;
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

/** Each thing that it stands for, what a programmer means first: name, type and arglist, the documentation, the place. */
export function descriptionText(definitions: readonly DefinitionResult[]): string {
  return definitions
    .map((definition) => ({ told: definitionText(definition), rank: RANKS.indexOf(typeOf(definition)) }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ told }) => told)
    .join('\n\n');
}

/** The document's types, what a programmer means first. */
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

/** Empty for what the document knows nothing of. */
function typeOf({ kind }: DefinitionResult): string {
  if (/macro|special/.test(kind)) return 'macro';
  if (/function/.test(kind)) return 'function';
  return /variable|constant/.test(kind) ? 'variable' : '';
}
