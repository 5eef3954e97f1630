/** The beginning and the end of what is printed beyond a limit, and what is said of the rest. */

import { expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { LimitedOutput } from '../../electron/images/image-output';

/** What arrives of `pieces` within `limit`: stream, text, and how much is missing before it. */
function heard(limit: number, pieces: readonly (readonly ['stdout' | 'stderr', string])[]) {
  const arrived: [string, string, number][] = [];
  const output = new LimitedOutput(
    (stream, text, dropped = 0) => arrived.push([stream, text, dropped]),
    limit,
  );
  for (const [stream, text] of pieces) output.write(stream, text);
  const notes = noteTexts(output.end());
  return { arrived, notes };
}

it('passes on what is within the limit', () => {
  expect(
    heard(10, [
      ['stdout', 'abcde'],
      ['stderr', 'fghij'],
    ]),
  ).toEqual({
    arrived: [
      ['stdout', 'abcde', 0],
      ['stderr', 'fghij', 0],
    ],
    notes: [],
  });
});

it('keeps both ends of more, in order and to the character, and counts the rest', () => {
  const { arrived, notes } = heard(10, [
    ['stdout', 'abc'],
    ['stderr', 'defgh'],
    ['stdout', 'ijklm'],
    ['stderr', 'no'],
  ]);
  expect(arrived).toEqual([
    ['stdout', 'abc', 0],
    ['stderr', 'de', 0],
    ['stdout', 'klm', 5],
    ['stderr', 'no', 0],
  ]);
  expect(notes).toEqual([
    "The output exceeded the session's limit of 10 characters. Its start and end are shown; 5 characters between them were dropped.",
  ]);
});

it('tears no character apart', () => {
  const { arrived } = heard(6, [['stdout', 'ab😀😀😀cd']]);
  expect(arrived.map(([, text]) => text)).toEqual(['ab', 'cd']);
  expect(arrived[1]?.[2]).toBe(6);
});
