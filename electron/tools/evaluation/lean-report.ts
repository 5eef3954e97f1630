/** What was loaded and tested in the fewest words: counts when all is well, every failing test by its name when it is not. */
import type { LoadFailure, TestFailure, TestRun } from '../../contract/report';
import { shortPath } from '../source-places';
import { failureText, testFailureText } from './report-text';

/** Characters for the systems that came in. */
const SYSTEMS_CHARACTERS = 120;
/** Characters for the tests that are told with form, expected and actual, and for the names of the others. */
const DETAILS_CHARACTERS = 2_000;
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
  const head = `${framework}: ${countsText(counts)} in ${counted(tests.length, 'test')}`;
  const groups = [...Map.groupBy(run.failures, ({ test }) => test)].map(([test, failures]) => ({
    test,
    failures,
  }));
  const details = fitting(
    groups.map(({ failures }) => groupText(failures, project)),
    DETAILS_CHARACTERS,
  );
  const rest = groups.slice(details.length).map(({ test, failures }) => nameText(test, failures.length));
  const names = fitting(rest, NAMES_CHARACTERS);
  const unnamed = rest.length - names.length;
  return [
    head,
    ...details,
    ...(names.length === 0 ? [] : [`also failed: ${names.join(' ')}`]),
    ...(unnamed === 0 ? [] : [`… ${counted(unnamed, 'more failing test')}: history with id ${evaluation}`]),
    ...(omitted === 0 ? [] : [`… ${counted(omitted, 'more failure')} not listed`]),
  ].join('\n');
}

/** The first failure of a test says what is wrong; the others are mostly its consequences. */
function groupText(failures: readonly TestFailure[], project: string): string {
  const [first] = failures;
  if (!first) return '';
  const { reason, expected, actual, ...rest } = inProject(first, project);
  const values = { ...rest, expected, actual };
  // Most frameworks make a sentence of the two values, which says nothing more.
  const isSaid =
    expected !== undefined &&
    actual !== undefined &&
    [expected, actual].every((each) => reason.includes(each));
  const told = isSaid ? values : { ...values, reason };
  const more = failures.length === 1 ? '' : `\n    and ${counted(failures.length - 1, 'more failure')}`;
  return `${testFailureText(told)}${more}`;
}

function countsText(counts: TestRun['counts']): string {
  if (!counts) return 'no counts, the output says how it went,';
  const told = Object.entries(counts).filter(([what, count]) => what === 'passed' || count > 0);
  return told.map(([what, count]) => `${count} ${what}`).join(', ');
}

function nameText(test: string, failures: number): string {
  return failures === 1 ? test : `${test} (${failures})`;
}

/** The first of `texts` that come to no more than `limit` characters, at least one. */
function fitting(texts: readonly string[], limit: number): readonly string[] {
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
