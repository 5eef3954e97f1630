/**
 * Text of what an evaluation loaded and tested and of its profile. Contains every fact of the data except the
 * stacks of a CPU profile.
 */

import { isAbsolute } from 'node:path';
import type { Evaluation } from '../../contract/model';
import type {
  FormPlace,
  LoadFailure,
  Report,
  SampledFunction,
  SampledProfile,
  TestFailure,
  TestRun,
} from '../../contract/report';

import { beginning } from '../../history/long-text';
import { finalCheckText } from '../../sessions/export/final-check';
import type { Allowance } from '../allowance';
import { fittingFinalCheck, fittingProof } from '../prover/proof-result';
import { proofSections } from '../prover/proof-text';
import { quotedIn } from '../prover/quoted';
import { shortPath } from '../source-places';

/**
 * Returns the sections of a report, each with its heading. Empty ones are omitted.
 * @param whole whether to include the stacks of a CPU profile
 */
export function reportSections(report: Report, whole: boolean, image: { engine: string }): string[] {
  const { profile, proof, finalCheck } = report;
  const { loaded, failures, runs } = quotedReport(report, image);
  return [
    ...(loaded.length > 0 ? [`[loaded systems]\n${loaded.join(' ')}`] : []),
    ...(failures.length > 0 ? [`[failures]\n${failures.map(failureText).join('\n')}`] : []),
    ...runs.map(wholeRunText),
    ...(profile ? [sampledProfileText(profile, whole)] : []),
    ...(proof && !finalCheck ? proofSections(proof, { whole: true }) : []),
    ...(finalCheck ? [finalCheckText(finalCheck)] : []),
  ];
}

/** Returns what was loaded and tested as texts that cannot imitate ours. */
export function quotedReport({ loaded, failures, runs }: Report, image: { engine: string }) {
  return quotedIn({ loaded, failures, runs }, image);
}

/** Returns ` at src/a.lisp:8:11 in DEFUN F`, and the form on its own line; empty if the place is unknown. */
export function placeText({ file, line, column, context, source }: FormPlace): string {
  const position = [file, line, column].filter((part) => part !== undefined).join(':');
  const at = position === '' ? '' : ` at ${position}`;
  const inside = context === undefined ? '' : ` in ${context}`;
  return `${at}${inside}${source === undefined ? '' : `\n    ${source}`}`;
}

function failureText({ type, message, ...place }: LoadFailure): string {
  return `ERROR ${type}: ${message}${placeText(place)}`;
}

/** Reports whether nothing was checked. */
export function noCheckRan({ passed, failed, errors }: NonNullable<TestRun['counts']>): boolean {
  return passed + failed + errors === 0;
}

/**
 * Returns a line that lists tests without any check, in a run that had checks. Such tests have not passed.
 */
function uncheckedText({ counts, unchecked = [] }: TestRun): string[] {
  if (unchecked.length === 0 || !counts || noCheckRan(counts)) return [];
  return [`no check ran in ${unchecked.length} of them: ${unchecked.join(' ')}`];
}

/** Returns a line about a run that ended before its last test. */
function endedEarlyText({ endedIn, notRun = 0 }: TestRun): string[] {
  if (endedIn === undefined) return [];
  return [`the run ended in ${endedIn}${notRun === 0 ? '' : `; ${counted(notRun, 'test')} did not run`}`];
}

function wholeRunText(run: TestRun): string {
  const { framework, tests, counts, failures, omitted, alsoFailed = [] } = run;
  const shown = counts
    ? `${counts.passed} passed, ${counts.failed} failed, ${counts.errors} errors, ${counts.skipped} skipped`
    : 'no counts: see the output';
  return [
    `[tests: ${framework}]`,
    ...(counts && noCheckRan(counts) ? ['no check ran'] : []),
    shown,
    ...uncheckedText(run),
    ...failures.map(testFailureText),
    ...(omitted === undefined ? [] : [`… ${omitted} more failures are not listed`]),
    ...(alsoFailed.length === 0 ? [] : [`also failed: ${alsoFailed.join(' ')}`]),
    ...endedEarlyText(run),
    `ran ${tests.join(' ')}`,
  ].join('\n');
}

function testFailureText({
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

// Brief text of what was loaded and tested: counts on success, and every failing test by its name.

/** Maximum characters for the names of loaded systems. */
const SYSTEMS_CHARACTERS = 120;
/** Maximum characters of a form, of a value and of a reason. */
const VALUE_CHARACTERS = 400;
/** Reasons that our agent fills in where the framework gives none. */
const OUR_REASON = /^The values differ\.$|^The value is not as expected\.$/;
/** Maximum characters for the tests shown with form, expected and actual, and for the names of the others. */
const DETAILS_CHARACTERS = 2_000;
/** Maximum number of failures of one test that are shown. */
const FAILURES_PER_TEST = 3;
/** Names are cheap: those of thousands of tests fit. */
const NAMES_CHARACTERS = 60_000;

export function loadedText(systems: readonly string[]): string {
  if (systems.length === 0) return '';
  const names = fitting(systems, SYSTEMS_CHARACTERS);
  const more = systems.length - names.length;
  return `loaded ${names.join(' ')}${more === 0 ? '' : ` and ${more} more`}`;
}

export function failuresText(failures: readonly LoadFailure[], project: string): string {
  return failures.map((failure) => failureText(inProject(failure, project))).join('\n');
}

/** @param evaluation its row in the history has what is omitted here */
export function runText(run: TestRun, evaluation: number, project: string): string {
  const { framework, tests, counts, omitted = 0, alsoFailed = [] } = run;
  const home = sharedPackage([...run.failures.map(({ test }) => test), ...alsoFailed]);
  const place = home === '' ? '' : `; names in ${home.slice(0, -2)}`;
  const head = `${framework}: ${countsText(counts)} in ${counted(tests.length, 'test')}${place}`;
  // A book is named by its file.
  const nameOf = (test: string) => (isAbsolute(test) ? shortPath(test, project) : test.slice(home.length));
  const named = run.failures.map((failure) => ({ ...failure, test: nameOf(failure.test) }));
  const groups = [...Map.groupBy(named, ({ test }) => test)].map(([test, failures]) => ({ test, failures }));
  const details = fitting(
    groups.map(({ failures }) => groupText(failures, project)),
    DETAILS_CHARACTERS,
  );
  const rest = [
    ...groups.slice(details.length).map(({ test, failures }) => nameText(test, failures.length)),
    ...alsoFailed.map(nameOf),
  ];
  const names = fitting(rest, NAMES_CHARACTERS);
  const unnamed = rest.length - names.length;
  return [
    head,
    ...uncheckedText(run).map((text) => beginning(text, NAMES_CHARACTERS)),
    ...details,
    ...(names.length === 0 ? [] : [`also failed: ${names.join(' ')}`]),
    ...(unnamed === 0
      ? []
      : [`… ${counted(unnamed, 'more failing test')}: in the history, evaluation ${evaluation}`]),
    ...(omitted === 0 ? [] : [`… ${counted(omitted, 'more failure')} not listed`]),
    ...endedEarlyText(run),
  ].join('\n');
}

/**
 * Returns the common package prefix of the names of `tests`, such as `SHOP-TESTS::`; empty if there is none.
 */
function sharedPackage([first = '', ...tests]: readonly string[]): string {
  const [prefix = ''] = /^[^\s:|()]+::/.exec(first) ?? [];
  return tests.every((test) => test.startsWith(prefix)) ? prefix : '';
}

/**
 * Returns the first failures of a test, and the first of each kind. Further checks mostly fail as a
 * consequence.
 */
function groupText(failures: readonly TestFailure[], project: string): string {
  const shown = failures.filter(
    (each, place) => place < FAILURES_PER_TEST || failures.find(({ kind }) => kind === each.kind) === each,
  );
  const others = failures.length - shown.length;
  return [
    ...shown.map((failure) => briefFailureText(failure, project)),
    ...(others === 0 ? [] : [`    and ${counted(others, 'more failure')} of this test`]),
  ].join('\n');
}

function briefFailureText(failure: TestFailure, project: string): string {
  const { reason, form, expected, actual, ...rest } = inProject(failure, project);
  const values = { ...rest, form: short(form), expected: short(expected), actual: short(actual) };
  // The reason of most frameworks repeats the two values. Our own default reason adds nothing either.
  const isRepeated =
    expected !== undefined &&
    actual !== undefined &&
    (OUR_REASON.test(reason) || [expected, actual].every((each) => contains(reason, each)));
  return testFailureText(isRepeated ? values : { ...values, reason: short(reason) });
}

/** Reports whether a text contains a value, as far as values are shown, on any number of lines. */
function contains(text: string, value: string): boolean {
  const onOneLine = (each: string) => each.replaceAll(/\s+/g, ' ');
  return onOneLine(text).includes(onOneLine(value.slice(0, VALUE_CHARACTERS)));
}

function short<T extends string | undefined>(text: T): T | string {
  if (text === undefined || text.length <= VALUE_CHARACTERS) return text;
  return `${beginning(text, VALUE_CHARACTERS)}… ${text.length - VALUE_CHARACTERS} more characters`;
}

function countsText(counts: TestRun['counts']): string {
  if (!counts) return 'no counts (see the output)';
  const passed = noCheckRan(counts) ? ['no check ran'] : [`${counts.passed} passed`];
  const others = Object.entries(counts).filter(([what, count]) => what !== 'passed' && count > 0);
  return [...passed, ...others.map(([what, count]) => `${count} ${what}`)].join(', ');
}

function nameText(test: string, failures: number): string {
  return failures === 1 ? test : `${test} (${failures})`;
}

/** Reports whether `row` loads or tests by code that one of our tools wrote. */
export function isLoadingKind({ kind }: Pick<Evaluation, 'kind'>): boolean {
  return kind === 'load' || kind === 'test';
}

/** Returns the first `texts` of at most `limit` characters together, at least one. */
export function fitting(texts: readonly string[], limit: number): readonly string[] {
  let characters = 0;
  const end = texts.findIndex((text) => {
    characters += text.length + 1;
    return characters > limit;
  });
  return end === -1 ? texts : texts.slice(0, Math.max(end, 1));
}

function inProject<T extends { file?: string | undefined }>(place: T, project: string): T {
  return place.file === undefined ? place : { ...place, file: shortPath(place.file, project) };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

// Loaded systems, tests and profile of an evaluation, cut to the size of a result; failures first.

/** @param limit maximum characters of a single text */
export function fittingReport(report: Report, limit: number, allowance: Allowance): Report {
  return {
    ...(report.finalCheck ? { finalCheck: fittingFinalCheck(report.finalCheck, limit, allowance) } : {}),
    ...(report.proof ? { proof: fittingProof(report.proof, limit, allowance) } : {}),
    failures: allowance.first(report.failures, 'failures to load', (failure) =>
      fittingFailure(failure, limit, allowance),
    ),
    runs: allowance.first(report.runs, 'test runs', (run) => fittingRun(run, limit, allowance)),
    loaded: allowance.first(report.loaded, 'loaded systems', (system) => allowance.head(system, limit)),
    ...(report.profile ? { profile: fittingSampledProfile(report.profile, limit, allowance) } : {}),
  };
}

function fittingFailure(failure: LoadFailure, limit: number, allowance: Allowance): LoadFailure {
  return { ...failure, message: allowance.head(failure.message, limit) };
}

function fittingRun(run: TestRun, limit: number, allowance: Allowance): TestRun {
  return {
    ...run,
    failures: allowance.first(run.failures, 'failures of tests', (failure) =>
      fittingTestFailure(failure, limit, allowance),
    ),
    tests: allowance.first(run.tests, 'names of tests', (test) => allowance.head(test, limit)),
  };
}

function fittingTestFailure(failure: TestFailure, limit: number, allowance: Allowance): TestFailure {
  const { form, expected, actual } = failure;
  return {
    ...failure,
    reason: allowance.head(failure.reason, limit),
    ...(form === undefined ? {} : { form: allowance.head(form, limit) }),
    ...(expected === undefined ? {} : { expected: allowance.head(expected, limit) }),
    ...(actual === undefined ? {} : { actual: allowance.head(actual, limit) }),
  };
}

// A CPU or allocation profile: cut to what a result may carry, and as a table of the functions with the most
// samples.

/** @param limit maximum characters of all stacks together */
function fittingSampledProfile(profile: SampledProfile, limit: number, allowance: Allowance): SampledProfile {
  const functions = allowance.first(profile.functions, 'functions', (each) => ({
    ...each,
    name: allowance.head(each.name, limit),
  }));
  const folded = allowance.lines(profile.folded, limit);
  return { ...profile, functions, folded, omitted: omittedStacks(folded, profile) };
}

/** Counts the stacks and samples that `folded` does not contain. */
function omittedStacks(folded: string, profile: SampledProfile): SampledProfile['omitted'] {
  const missing = stackLines(profile.folded.slice(folded.length));
  const samples = missing.reduce((sum, line) => sum + samplesOf(line), 0);
  return {
    stacks: profile.omitted.stacks + missing.length,
    samples: profile.omitted.samples + samples,
  };
}

function stackLines(folded: string): string[] {
  return folded.split('\n').filter((line) => line !== '');
}

function samplesOf(line: string): number {
  return Number(line.slice(line.lastIndexOf(' ') + 1));
}

/** @param whole whether to include the stacks, which are long */
export function sampledProfileText(profile: SampledProfile, whole: boolean): string {
  return [
    `[profile: ${profile.mode}] ${profile.samples} samples`,
    ...sampledProfileLines(profile, whole),
    ...(whole ? [] : [`${stacksText(profile)}: in report.profile.folded of the data, and in the history`]),
  ].join('\n');
}

/** Returns a table of the functions with the most samples, followed by the stacks if `whole`. */
export function sampledProfileLines(profile: SampledProfile, whole: boolean): string[] {
  return [
    '   self            total           function',
    ...profile.functions.map(functionText),
    ...(whole ? [`${stacksText(profile)}:`, ...stackLines(profile.folded)] : []),
  ];
}

function stacksText({ folded, omitted }: SampledProfile): string {
  const rest = omitted.stacks === 0 ? 'none' : `${omitted.stacks}, of ${omitted.samples} samples,`;
  return `${stackLines(folded).length} folded stacks (${rest} left out)`;
}

function functionText({ name, self, total }: SampledFunction): string {
  const share = ({ samples, percent }: SampledFunction['self']) =>
    `${String(samples).padStart(6)} ${String(percent).padStart(5)} %  `;
  return `${share(self)} ${share(total)} ${name}`;
}
