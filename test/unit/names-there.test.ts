/** What is told in place of a name that nobody has. */
import { expect, it } from 'vitest';
import { listSimilarNames, similarNames } from '../../electron/contract/errors';

it('names what there is, the nearest first', () => {
  expect(listSimilarNames('sbcl-2', ['nbb-1', 'sbcl-1', 'acl2-1'])).toBe('There are: sbcl-1, nbb-1, acl2-1.');
  expect(listSimilarNames('read', ['eval', 'read_file', 'edit_form'])).toMatch(/^There are: read_file, /);
  expect(listSimilarNames('x', [])).toBe('There are none.');
});

it('tells as many as anybody reads, and how many more there are', () => {
  const names = Array.from({ length: 50_000 }, (_, n) => `name-${n}`);
  expect(similarNames('name-7', names)).toMatch(/^name-7, name-\d+(?:, name-\d+){10} and 49988 more$/);
  expect(similarNames('x', ['y'.repeat(1000)])).toHaveLength(120);
});
