/** The calls of a trace as a tree. */
import { expect, it } from 'vitest';
import type { TracedCall } from '../../electron/contract/trace';
import { callRows, callTree } from './trace-tree';

const call = (name: string, depth: number, values = '1'): TracedCall => ({
  ...{ name, depth, arguments: '2', values, left: false, microseconds: 5 },
});

const TRACE = [
  call('TABLE', 0),
  call('HEIGHT', 1),
  call('NODE', 2, '0.97'),
  call('HEIGHT', 1),
  call('TABLE', 0),
];

it('nests calls by their depth', () => {
  const tree = callTree(TRACE);
  expect(tree.map(({ place, children }) => [place, children.map((each) => each.place)])).toEqual([
    [0, [1, 3]],
    [4, []],
  ]);
});

it('shows the calls that match with those around them, down to a depth, without hidden ones', () => {
  const places = (text: string, depth: number | null, closed: number[] = []) =>
    callRows(callTree(TRACE), { text, depth }, new Set(closed)).map(({ node }) => node.place);
  expect(places('', null)).toEqual([0, 1, 2, 3, 4]);
  expect(places('0.97', null)).toEqual([0, 1, 2]);
  expect(places('', 1)).toEqual([0, 4]);
  expect(places('', null, [1])).toEqual([0, 1, 3, 4]);
});
