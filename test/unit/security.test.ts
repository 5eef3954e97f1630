/** SECURITY.md promises nothing without a test, names those that there are, and has the gaps in the words of `images`. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { survivingProgramGaps } from '../../electron/launchers/process-limits';
import { SandboxExecLauncher } from '../../electron/launchers/sandbox-exec';
import { landlockGaps } from '../../electron/sandbox/landlock-rules';

const ROOT = path.resolve(import.meta.dirname, '../..');
const text = readFileSync(path.join(ROOT, 'SECURITY.md'), 'utf8');

/** Rows of the table of boundaries: each promise with what holds it. */
const promises = text
  .slice(text.indexOf('## What each boundary promises'), text.indexOf('## What each sandbox holds'))
  .split('\n')
  .filter((line) => /^\| (?!boundary|---)/.test(line));

it.each(promises.map((row) => ({ row, boundary: row.split(' | ')[0]?.slice(2) })))(
  'the promise of $boundary names tests that exist',
  ({ row }) => {
    const tests = [...row.matchAll(/`(test\/[^`]+)`/g)].map(([, file = '']) => file);
    expect(tests.length).toBeGreaterThan(0);
    expect(tests.filter((file) => !existsSync(path.join(ROOT, file)))).toEqual([]);
  },
);

it('promises something of each boundary', () => {
  expect(promises.length).toBeGreaterThan(10);
});

/** The gaps of all sandboxes, of the oldest kernel. */
const gaps = [
  ...landlockGaps(1, null),
  ...(new SandboxExecLauncher().sandbox.gaps ?? []),
  ...survivingProgramGaps({ endsPrograms: false }),
].map((gap) => gap.replace(/ \([^()]*\)$/, ''));

it('lists every gap in the words that users see, and no other', () => {
  const section = text.slice(text.indexOf('## Gaps'), text.indexOf('## What is not protected'));
  const listed = [...section.matchAll(/^\| (?!gap \||---)(.*?) \| [^|]* \|$/gm)].map(([, gap]) => gap);
  expect(listed.toSorted()).toEqual([...new Set(gaps)].sort());
});
