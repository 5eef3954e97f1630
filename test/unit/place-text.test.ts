/** How a place is written: a file or an evaluation, the line, and what else is known of it. */
import { expect, it } from 'vitest';
import { placeText } from '../../electron/tools/source-places';

it.each([
  [{ path: 'src/a.lisp', line: 12 }, 'src/a.lisp:12'],
  [{ path: 'src/a.lisp' }, 'src/a.lisp'],
  [{ evaluation: 7, line: 2 }, 'evaluation 7, line 2'],
  [{ evaluation: 7, note: 'as it was' }, 'evaluation 7 (as it was)'],
  [{ note: 'It was read from what is no file.' }, 'It was read from what is no file.'],
  [{}, 'unknown place'],
])('%j', (place, text) => {
  expect(placeText(place)).toBe(text);
});
