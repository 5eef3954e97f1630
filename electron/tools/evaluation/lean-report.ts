/** What was loaded and tested in the fewest words: counts when all is well, every failing test by its name when it is not. */
import type { LoadFailure, TestFailure, TestRun } from '../../contract/report';
import { beginning } from '../../history/cut-text';
import { shortPath } from '../source-places';
import { failureText, testFailureText } from './report-text';

/** Characters for the systems that came in. */
const SYSTEMS_CHARACTERS = 120;
/** Characters of a form, of a value and of a reason. */
const VALUE_CHARACTERS = 400;
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
    ...(unnamed === 0
      ? []
      : [`… ${counted(unnamed, 'more failing test')}: in the history, evaluation ${evaluation}`]),
    ...(omitted === 0 ? [] : [`… ${counted(omitted, 'more failure')} not listed`]),
  ].join('\n');
}

/** The first failure of a test, and the first error, say what is wrong; the others are mostly their consequences. */
function groupText(failures: readonly TestFailure[], project: string): string {
  const firsts = failures.filter((each) => failures.find(({ kind }) => kind === each.kind) === each);
  const others = failures.length - firsts.length;
  return [
    ...firsts.map((failure) => leanFailureText(failure, project)),
    ...(others === 0 ? [] : [`    and ${counted(others, 'more failure')} of this test`]),
  ].join('\n');
}

function leanFailureText(failure: TestFailure, project: string): string {
  const { reason, form, expected, actual, ...rest } = inProject(failure, project);
  const values = { ...rest, form: short(form), expected: short(expected), actual: short(actual) };
  // Most frameworks make a sentence of the two values, which says nothing more.
  const isSaid =
    expected !== undefined &&
    actual !== undefined &&
    [expected, actual].every((each) => reason.includes(each));
  return testFailureText(isSaid ? values : { ...values, reason: short(reason) });
}

function short<T extends string | undefined>(text: T): T | string {
  if (text === undefined || text.length <= VALUE_CHARACTERS) return text;
  return `${beginning(text, VALUE_CHARACTERS)}… ${text.length - VALUE_CHARACTERS} more characters`;
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
