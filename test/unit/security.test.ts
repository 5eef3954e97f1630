/** SECURITY.md promises nothing without a test, and names those that there are. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

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
