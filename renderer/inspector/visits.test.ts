/** The navigation of the inspector: back, forward, and up the path. */
import { expect, it } from 'vitest';
import {
  canMove,
  intoPart,
  moved,
  shownCrumb,
  shownWay,
  upTo,
  type Visits,
  visited,
  type Way,
} from './visits';

const crumb = (label: string) => ({ handle: `#o-${label}`, label });
const ROOT: Way = [crumb('root')];
const labels = (visits: Visits) => shownWay(visits)?.map(({ label }) => label);

it('enters parts, goes up, back and forward', () => {
  const inPart = visited(visited(undefined, ROOT), intoPart(ROOT, crumb('0')));
  expect(labels(inPart)).toEqual(['root', '0']);
  const deep = visited(inPart, intoPart(shownWay(inPart) ?? ROOT, crumb('X')));
  const up = visited(deep, upTo(shownWay(deep) ?? ROOT, 1));
  expect(labels(up)).toEqual(['root', '0']);
  expect(labels(moved(up, -1))).toEqual(['root', '0', 'X']);
  expect(labels(moved(moved(up, -1), 1))).toEqual(['root', '0']);
  expect(shownCrumb(upTo(shownWay(deep) ?? ROOT, 0))).toEqual(crumb('root'));
});

it('drops the forward entries on a new visit, and stops at both ends', () => {
  const back = moved(visited(visited(undefined, ROOT), [crumb('other')]), -1);
  expect(canMove(back, -1)).toBe(false);
  expect(canMove(back, 1)).toBe(true);
  const elsewhere = visited(back, [crumb('third')]);
  expect(canMove(elsewhere, 1)).toBe(false);
  expect(elsewhere.ways).toHaveLength(2);
  expect(moved(elsewhere, 1)).toEqual(elsewhere);
});
