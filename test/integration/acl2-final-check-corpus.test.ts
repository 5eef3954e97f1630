/** Attempts at a final check (test/corpus/acl2/final-checks), each answered by a real one. */
import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { sampled } from '../rounds';
import { casesIn, corpusFiles, type Step } from './acl2-cases';
import { startImage } from './acl2-fixture';
import { writeFiles } from './loading-fixture';

type Started = Awaited<ReturnType<typeof startImage>>;

/** Milliseconds for all cases of a file. */
const CASES_MS = 300_000;

const CHECKS = { book: 'main', claim: 'claim', trustTags: [], notes: [] };

/** What the check says of the claim. */
async function told(image: Started, steps: readonly Step[]): Promise<string> {
  const { project } = image.request;
  for (const name of readdirSync(project)) rmSync(path.join(project, name), { recursive: true });
  for (const step of steps) if ('file' in step) writeFiles(project, { [step.file]: step.text });
  const { report, condition } = await image.evaluate('; a final check', { finalCheck: CHECKS });
  const theorem = report?.finalCheck?.theorems[0];
  const said = theorem ? `holds ${theorem.formula}` : `refused ${condition?.message}`;
  return said.replaceAll(/\s+/g, ' ');
}

it.each(corpusFiles('final-checks'))(
  'holds against every case of %s',
  async (file) => {
    const image = await startImage();
    const answers: unknown[] = [];
    const cases = sampled('final checks', casesIn(file), 6);
    for (const { name, steps } of cases) answers.push([name, await told(image, steps)]);
    expect(answers).toEqual(
      cases.map(({ name, expected }) => [
        name,
        expected.startsWith('holds ')
          ? expected
          : expect.stringMatching(new RegExp(`^refused .*${expected.replace(/^refused /, '')}`)),
      ]),
    );
  },
  CASES_MS,
);
