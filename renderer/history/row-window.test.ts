/** Visible rows of a long list. */
import { describe, expect, it } from 'vitest';
import { type Drawn, drawnHeight, drawnNext, ROW, rowAt, scrollTopOf, scrollTopToShow } from './row-window';

describe.each([40, 1_000, 1_000_000])('a list of %i rows', (total) => {
  const list = { total, viewHeight: 20.5 * ROW };

  it('begins with its first row and ends with its last', () => {
    expect(rowAt(0, list)).toBe(0);
    const end = drawnHeight(list) - list.viewHeight;
    expect(rowAt(end, list)).toBeCloseTo(total - 20.5);
    expect(scrollTopOf(total, list)).toBeCloseTo(end);
  });

  it('goes to any row, and is there then', () => {
    for (const row of [0, 3, 19.5, total / 3, total / 2].filter((each) => each <= total - 21))
      expect(rowAt(scrollTopOf(row, list), list)).toBeCloseTo(row, 4);
  });

  it('scrolls no further than it must to show a row', () => {
    const at = scrollTopOf(10, list);
    expect(scrollTopToShow(10, at, list)).toBe(at);
    expect(scrollTopToShow(29, at, list)).toBe(at);
    expect(rowAt(scrollTopToShow(30, at, list), list)).toBeCloseTo(Math.min(10.5, total - 20.5), 4);
    expect(rowAt(scrollTopToShow(9, at, list), list)).toBeCloseTo(9, 4);
  });
});

it('is drawn no higher than an element can be', () => {
  expect(drawnHeight({ total: 1_000 })).toBe(1_000 * ROW);
  expect(drawnHeight({ total: 50_000_000 })).toBeLessThan(12_000_000);
});

it('does not scroll where all rows are in sight', () => {
  const list = { total: 3, viewHeight: 400 };
  expect(scrollTopOf(2, list)).toBe(0);
  expect(rowAt(0, list)).toBe(0);
  expect(scrollTopToShow(2, 0, list)).toBe(0);
});

describe('rows that are drawn', () => {
  const at = (first: number) => ({ first, end: first + 40 });
  const begun: Drawn = { base: 100, ...at(100) };
  /** Positions of the rendered rows, which select their elements. */
  const places = ({ base, first, end }: Drawn) => [first - base, end - base];

  it('keep their places while a person scrolls on, up or down', () => {
    const down = [103, 118, 130].reduce((drawn, first) => drawnNext(drawn, at(first)), begun);
    expect(places(down)).toEqual([30, 70]);
    expect(places([118, 106, 95].reduce((drawn, first) => drawnNext(drawn, at(first)), down))).toEqual([
      -5, 35,
    ]);
  });

  it('take over the places of those before them where nearly all are others', () => {
    const leapt = [110, 900_000, 3, 71].reduce((drawn, first) => drawnNext(drawn, at(first)), begun);
    expect(places(leapt)).toEqual([10, 50]);
    expect(drawnNext(leapt, at(71))).toEqual(leapt);
  });

  it('are never far from where they are counted', () => {
    let drawn = begun;
    for (let first = 100; first < 50_000; first += 15) drawn = drawnNext(drawn, at(first));
    expect(Math.max(...places(drawn).map(Math.abs))).toBeLessThan(5_100);
  });
});
