/**
 * The data of a result as it is sent: members that say nothing when they are empty are not there, and of proofs there is no more
 * than what became of them, unless somebody has asked for all of it.
 */
import { isOfEveryRecord, withBriefProof } from './prover/brief-proof';

/** Of any result, of an evaluation in it, and of its report. */
const SAY_NOTHING_EMPTY: ReadonlySet<string> = new Set([
  ...['notes', 'stdout', 'stderr', 'warnings'],
  ...['loaded', 'failures', 'runs'],
]);
const WITHIN: ReadonlySet<string> = new Set(['evaluation', 'report']);

/** @param whole whether somebody asked for all of it */
export function wireData(structured: object, whole = false): Record<string, unknown> {
  return toldData(whole ? structured : withBriefProof(structured));
}

function toldData(structured: object): Record<string, unknown> {
  const told = Object.entries(structured).filter(
    ([name, value]) => !(SAY_NOTHING_EMPTY.has(name) && isEmpty(value)),
  );
  return Object.fromEntries(
    told.map(([name, value]) => [name, WITHIN.has(name) && isObject(value) ? toldData(value) : value]),
  );
}

/** Whether a result's schema may require that member. */
export function isAlwaysSent(name: string): boolean {
  return !SAY_NOTHING_EMPTY.has(name) && isOfEveryRecord(name);
}

function isEmpty(value: unknown): boolean {
  return value === '' || (Array.isArray(value) && value.length === 0);
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
