/**
 * The corpus of conjectures (test/corpus/acl2), judged by a real ACL2: what becomes of each form, and what the successes rest
 * on. Expected are the verdicts of the forms and, after "!", the kinds of issues. `attempts/` are those at having a
 * falsehood told as proved: after each of them ACL2 itself is asked whether one can be, where nothing was told that it rests on.
 */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sampled } from '../rounds';
import { casesIn, corpusFiles, type Step, words } from './acl2-cases';
import { issues, proofOf, startImage, verdicts } from './acl2-fixture';
import { writeFiles } from './loading-fixture';
import type { Evaluated } from './test-image';

type Started = Awaited<ReturnType<typeof startImage>>;

const ATTEMPTS = corpusFiles('attempts');

const FILES = [...corpusFiles('.'), ...ATTEMPTS];

/** Milliseconds for all cases of a file: they share an image, one after another. */
const CASES_MS = 180_000;

/** What a case may have set, which outlives it. */
const SETTINGS = `(acl2::er-progn
  (acl2::set-ld-skip-proofsp nil acl2::state)
  (acl2::set-ld-redefinition-action nil acl2::state)
  (acl2::set-ld-keyword-aliases nil acl2::state)
  (acl2::set-guard-checking t)
  (acl2::set-inhibit-output-lst '(acl2::proof-tree)))`;

const FALSEHOOD = '(acl2::thm acl2::nil)';

/**
 * The verdict of each form; "unread" is one that could not be read. A form that ends the image counts as an error:
 * GCL ends for access to memory that SBCL refuses.
 */
function judged(answer: Evaluated): string[] {
  if (answer.outcome === 'crashed') return [...answer.forms.map(() => 'value'), 'error'];
  const failed = answer.outcome === 'error';
  const unread = answer.condition?.type === 'Read error' && answer.report?.failures.length === 0;
  const forms = answer.forms.map((_form, index) => {
    const event = proofOf(answer).events.find(({ form }) => form === index);
    return event?.verdict ?? (failed && !unread && index === answer.forms.length - 1 ? 'error' : 'value');
  });
  return unread ? [...forms, 'unread'] : forms;
}

/** The answers to all steps, up to the one that ends the image. */
async function answersTo(image: Started, steps: readonly Step[]): Promise<Evaluated[]> {
  const { project } = image.request;
  const answers: Evaluated[] = [];
  for (const step of steps) {
    if ('file' in step) writeFiles(project, { [step.file]: step.text });
    else answers.push(await image.evaluate(step.code.replaceAll('$PROJECT', project)));
    if (answers.at(-1)?.outcome === 'crashed') break;
  }
  return answers;
}

/** The outcome as the corpus writes it. */
function outcomeOf(answers: readonly Evaluated[]): string {
  const kinds = [...new Set(answers.flatMap(issues))].sort();
  return [answers.flatMap(judged).join(' '), ...(kinds.length > 0 ? ['!', ...kinds] : [])].join(' ');
}

/** Whether ACL2 proves a falsehood now without saying what that rests on. */
async function provesFalsehood(image: Started): Promise<boolean> {
  const answer = await image.evaluate(FALSEHOOD);
  const accepted = verdicts(answer).some((verdict) => verdict === 'proved' || verdict === 'refuted');
  return accepted && issues(answer).every((kind) => kind === 'refuted');
}

async function makeAnew(image: Started): Promise<void> {
  const { command } = proofOf(await image.evaluate(SETTINGS));
  if (command !== 0) await image.evaluate('(acl2::ubt! 1)');
  if (image.image.package !== 'ACL2') await image.evaluate('(acl2::in-package "ACL2")');
  const { project } = image.request;
  for (const name of readdirSync(project)) rmSync(path.join(project, name), { recursive: true });
}

it.each(sampled('corpus of ACL2', FILES, 5))(
  'judges every case of %s',
  async (file) => {
    let image = await startImage();
    const answers: unknown[] = [];
    for (const { name, steps } of casesIn(file)) {
      const given = await answersTo(image, steps);
      const ended = given.at(-1)?.outcome === 'crashed';
      const unsound = ATTEMPTS.includes(file) && !ended && (await provesFalsehood(image));
      answers.push([name, outcomeOf(given), ...(unsound ? ['and proves a falsehood'] : [])]);
      if (ended) image = await startImage();
      else await makeAnew(image);
    }
    expect(answers).toEqual(casesIn(file).map(({ name, expected }) => [name, words(expected).join(' ')]));
  },
  CASES_MS,
);

it('has many attempts, and each case a name of its own', () => {
  const cases = FILES.flatMap(casesIn);
  expect(ATTEMPTS.flatMap(casesIn).length).toBeGreaterThanOrEqual(250);
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  expect(cases.filter(({ expected }) => expected === '')).toEqual([]);
});
