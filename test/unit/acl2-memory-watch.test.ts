/** When an image of ACL2 is taken for full, by what is seen of it second by second; the figures are those of GCL. */
import { expect, it } from 'vitest';
import { Thrashing } from '../../electron/images/acl2/evaluation-monitor';

const MIB = 1024 ** 2;

type Second = [mib: number, collecting: number];

/** Seconds of processor time after which it is full; null where it never is.
 * @param seen MiB that it takes, and milliseconds of a second in which it collects */
function fullAfter(heapMiB: number, seen: readonly Second[]): number | null {
  const thrashing = new Thrashing(heapMiB * MIB);
  let collecting = 0;
  const at = seen.findIndex(([mib, part], second) => {
    collecting += part;
    return (
      thrashing.isRelevant(mib * MIB) &&
      thrashing.isThrashing(mib * MIB, { collecting, running: second * 1_000 })
    );
  });
  return at < 0 ? null : at;
}

const steady = (seconds: number, mib: number, collecting: number) =>
  Array.from({ length: seconds }, (): Second => [mib, collecting]);

const growing = (...sizes: readonly number[]) => sizes.map((mib): Second => [mib, 990]);

it('is full where nothing is gained for a few collections', () => {
  expect(fullAfter(512, steady(60, 490, 990))).toBe(3);
  expect(fullAfter(2048, steady(60, 1900, 990))).toBe(8);
});

it('is full within ten seconds of filling, and not while it has much left to take', () => {
  const filling = growing(224, 252, 266, 285, 306, 326, 350, 375, 376, 402, 415, 442, 446, 471, 491);
  expect(fullAfter(512, filling)).toBeLessThan(10);
  expect(fullAfter(1024, filling)).toBe(null);
});

it('is full within ten seconds where it takes two gigabytes, as GCL was measured', () => {
  const filling = growing(895, 929, 983, 1176, 1231, 1319, 1330, 1417, 1450, 1497, 1582, 1588, 1588, 1676);
  expect(fullAfter(2048, filling)).toBeLessThanOrEqual(10);
});

it('is full beyond its limit, even if it takes more', () => {
  expect(fullAfter(512, growing(460, 480, 500, 530, 560, 590))).toBe(3);
});

it('is not full while it gets something done, or has much memory left', () => {
  expect(fullAfter(512, steady(60, 490, 800))).toBe(null);
  expect(fullAfter(512, steady(60, 200, 1_000))).toBe(null);
});

it('what was done before it filled the memory does not count', () => {
  expect(fullAfter(512, [...steady(30, 100, 1_000), ...steady(3, 490, 990)])).toBe(null);
});
