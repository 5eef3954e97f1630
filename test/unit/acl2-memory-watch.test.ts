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

it('is not full while it takes more, however much it collects for that', () => {
  const filling = growing(224, 252, 266, 285, 306, 326, 350, 375, 376, 402, 415, 442, 446, 471, 491);
  expect(fullAfter(512, filling)).toBe(null);
});

it('is full soon after it has taken all that it can', () => {
  expect(fullAfter(512, [...growing(224, 285, 350, 415, 471), ...steady(60, 491, 990)])).toBeLessThan(15);
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
