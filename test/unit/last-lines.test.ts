/** The end of what a program said. */
import { expect, it } from 'vitest';
import { lastLines } from '../../electron/images/image-process';

it.each([
  ['what fits is whole', ' one\ntwo \n', 20, 'one\ntwo'],
  [
    'a line that would be cut is left out',
    'Could not find lamp\nin offline mode\nset a proxy\n',
    30,
    'in offline mode\nset a proxy',
  ],
  ['of one long line the end is kept', 'x'.repeat(50), 8, 'x'.repeat(8)],
])('%s', (_, text, most, shown) => {
  expect(lastLines(text, most)).toBe(shown);
});
