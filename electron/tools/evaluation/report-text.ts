/** What an evaluation loaded, tested and spent its time on as text: every fact that the data has, but for the stacks of a CPU profile. */

import type { FormPlace, LoadFailure, Report, TestFailure, TestRun } from '../../contract/report';
import { finalCheckText } from '../../sessions/export/final-check-text';
import { proofSections } from '../prover/proof-text';
import { sampledProfileText } from './sampled-profile-result';

/** The parts of the report, each with its heading; those that are empty are left out.
 * @param whole whether to say the stacks of a CPU profile as well */
export function reportSections(report: Report, whole: boolean): string[] {
  const { loaded, failures, runs, profile, proof, finalCheck } = report;
  return [
    ...(loaded.length > 0 ? [`[loaded systems]\n${loaded.join(' ')}`] : []),
    ...(failures.length > 0 ? [`[failures]\n${failures.map(failureText).join('\n')}`] : []),
    ...runs.map(runText),
    ...(profile ? [sampledProfileText(profile, whole)] : []),
    ...(proof && !finalCheck ? proofSections(proof, { whole: true }) : []),
    ...(finalCheck ? [finalCheckText(finalCheck)] : []),
  ];
}

/** ` at src/a.lisp:8:11 in DEFUN F`, and the form on a line of its own; empty when nothing is known. */
export function placeText({ file, line, column, context, source }: FormPlace): string {
  const position = [file, line, column].filter((part) => part !== undefined).join(':');
  const at = position === '' ? '' : ` at ${position}`;
  const inside = context === undefined ? '' : ` in ${context}`;
  return `${at}${inside}${source === undefined ? '' : `\n    ${source}`}`;
}

export function failureText({ type, message, ...place }: LoadFailure): string {
  return `ERROR ${type}: ${message}${placeText(place)}`;
}

/** Whether nothing was checked, so that there is nothing that could have failed. */
export function noCheckRan({ passed, failed, errors }: NonNullable<TestRun['counts']>): boolean {
  return passed + failed + errors === 0;
}

/** Of a run in which something was checked, which tests checked nothing: they have not passed. */
export function uncheckedText({ counts, unchecked = [] }: TestRun): string[] {
  if (unchecked.length === 0 || !counts || noCheckRan(counts)) return [];
  return [`no check ran in ${unchecked.length} of them: ${unchecked.join(' ')}`];
}

function runText(run: TestRun): string {
  const { framework, tests, counts, failures, omitted } = run;
  const told = counts
    ? `${counts.passed} passed, ${counts.failed} failed, ${counts.errors} errors, ${counts.skipped} skipped`
    : 'no counts: the output says how it went';
  return [
    `[tests: ${framework}]`,
    ...(counts && noCheckRan(counts) ? ['no check ran'] : []),
    told,
    ...uncheckedText(run),
    ...failures.map(testFailureText),
    ...(omitted === undefined ? [] : [`… ${omitted} more failures are not listed`]),
    `ran ${tests.join(' ')}`,
  ].join('\n');
}

export function testFailureText({
  test,
  kind,
  form,
  expected,
  actual,
  reason,
  file,
  line,
}: Omit<TestFailure, 'reason'> & { reason?: string }): string {
  const details = Object.entries({ form, expected, actual, reason }).flatMap(([name, value]) =>
    value === undefined ? [] : [`    ${name}: ${value}`],
  );
  return [`${kind.toUpperCase()} ${test}${placeText({ file, line })}`, ...details].join('\n');
}
