/** What was loaded and tested in the fewest words: counts when all is well, every failing test by its name when it is not. */
import type { Evaluation } from '../../contract/model';
import type { LoadFailure, TestFailure, TestRun } from '../../contract/report';
import { beginning } from '../../history/cut-text';
import { shortPath } from '../source-places';
import { failureText, noCheckRan, testFailureText, uncheckedText } from './report-text';

/** Characters for the systems that came in. */
const SYSTEMS_CHARACTERS = 120;
/** Characters of a form, of a value and of a reason. */
const VALUE_CHARACTERS = 400;
/** What our agent says of two values where the framework says nothing. */
const OUR_REASON = /^The values differ\.$|^The value is not as expected\.$/;
/** Characters for the tests that are told with form, expected and actual, and for the names of the others. */
const DETAILS_CHARACTERS = 2_000;
/** Failures of one test that are told so. */
const TOLD_OF_A_TEST = 3;
const NAMES_CHARACTERS = 3_500;

export function loadedText(systems: readonly string[]): string {
  if (systems.length === 0) return '';
  const names = fitting(systems, SYSTEMS_CHARACTERS);
  const more = systems.length - names.length;
  return `loaded ${names.join(' ')}${more === 0 ? '' : ` and ${more} more`}`;
}

export function failuresText(failures: readonly LoadFailure[], project: string): string {
  return failures.map((failure) => failureText(inProject(failure, project))).join('\n');
}

/** @param evaluation whose row of the history has what is left out here */
export function runText(run: TestRun, evaluation: number, project: string): string {
  const { framework, tests, counts, omitted = 0 } = run;
  const home = sharedPackage(run.failures.map(({ test }) => test));
  const place = home === '' ? '' : `; names in ${home.slice(0, -2)}`;
  const head = `${framework}: ${countsText(counts)} in ${counted(tests.length, 'test')}${place}`;
  const named = run.failures.map((failure) => ({ ...failure, test: failure.test.slice(home.length) }));
  const groups = [...Map.groupBy(named, ({ test }) => test)].map(([test, failures]) => ({ test, failures }));
  const details = fitting(
    groups.map(({ failures }) => groupText(failures, project)),
    DETAILS_CHARACTERS,
  );
  const rest = groups.slice(details.length).map(({ test, failures }) => nameText(test, failures.length));
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
  ].join('\n');
}

/** The prefix with which the names of `tests` begin, as `SHOP-TESTS::`; empty when they are not of one package. */
function sharedPackage([first = '', ...tests]: readonly string[]): string {
  const [prefix = ''] = /^[^\s:|()]+::/.exec(first) ?? [];
  return tests.every((test) => test.startsWith(prefix)) ? prefix : '';
}

/** Checks of one test may fail for reasons of their own, and after an error mostly for that: the first few are told, and the
 * first of each kind. */
function groupText(failures: readonly TestFailure[], project: string): string {
  const told = failures.filter(
    (each, place) => place < TOLD_OF_A_TEST || failures.find(({ kind }) => kind === each.kind) === each,
  );
  const others = failures.length - told.length;
  return [
    ...told.map((failure) => leanFailureText(failure, project)),
    ...(others === 0 ? [] : [`    and ${counted(others, 'more failure')} of this test`]),
  ].join('\n');
}

function leanFailureText(failure: TestFailure, project: string): string {
  const { reason, form, expected, actual, ...rest } = inProject(failure, project);
  const values = { ...rest, form: short(form), expected: short(expected), actual: short(actual) };
  // Most frameworks make a sentence of the two values, which says nothing more; where there is none, ours does not either.
  const isSaid =
    expected !== undefined &&
    actual !== undefined &&
    (OUR_REASON.test(reason) || [expected, actual].every((each) => reason.includes(each)));
  return testFailureText(isSaid ? values : { ...values, reason: short(reason) });
}

function short<T extends string | undefined>(text: T): T | string {
  if (text === undefined || text.length <= VALUE_CHARACTERS) return text;
  return `${beginning(text, VALUE_CHARACTERS)}… ${text.length - VALUE_CHARACTERS} more characters`;
}

function countsText(counts: TestRun['counts']): string {
  if (!counts) return 'no counts, the output says how it went,';
  const passed = noCheckRan(counts) ? ['no check ran'] : [`${counts.passed} passed`];
  const others = Object.entries(counts).filter(([what, count]) => what !== 'passed' && count > 0);
  return [...passed, ...others.map(([what, count]) => `${count} ${what}`)].join(', ');
}

function nameText(test: string, failures: number): string {
  return failures === 1 ? test : `${test} (${failures})`;
}

/** Whether `row` loads or tests, by code that a tool of ours wrote. */
export function ofLoading({ kind }: Pick<Evaluation, 'kind'>): boolean {
  return kind === 'load' || kind === 'test';
}

/** The first of `texts` that come to no more than `limit` characters, at least one. */
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
