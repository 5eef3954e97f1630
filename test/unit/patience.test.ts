/** How long an image may take: time in which it was held up by others does not count. */
import { expect, it } from 'vitest';
import { countedMilliseconds, inTime } from '../../electron/images/image-process';
import type { Activity } from '../../electron/launchers/launcher';

const looked = (look: Partial<Activity> = {}): Activity => ({
  cpuSeconds: 7,
  wantsProcessor: false,
  bytesRead: 0,
  ...look,
});

it.each<[string, Activity | null, number]>([
  ['that waits for nothing but itself', looked(), 100],
  ['that cannot be seen', null, 100],
  ['that works and waits in turn', looked({ cpuSeconds: 7.05 }), 100],
  ['that wants a processor and gets none', looked({ wantsProcessor: true }), 0],
  ['that gets a fifth of one', looked({ wantsProcessor: true, cpuSeconds: 7.02 }), 20],
  ['that has two', looked({ wantsProcessor: true, cpuSeconds: 7.2 }), 100],
  ['that waits until its flood is read', looked({ bytesRead: 100_000 }), 0],
  ['that says a little', looked({ bytesRead: 100 }), 100],
])('of an image %s', (_what, now, milliseconds) => {
  expect(countedMilliseconds(now && looked(), now, 100)).toBeCloseTo(milliseconds, 6);
});

it('ends with what it waits for, or when it is used up', async () => {
  expect(await inTime({}, 60_000, Promise.resolve())).toBe(true);
  expect(await inTime({ activity: async () => looked() }, 120, new Promise(() => undefined))).toBe(false);
  expect(
    await inTime({ activity: () => new Promise(() => undefined) }, 50, new Promise(() => undefined)),
  ).toBe(false);
  let looks = 0;
  const starving = async () => {
    looks += 1;
    return looked({ wantsProcessor: true, cpuSeconds: looks > 5 ? 8 : 7 });
  };
  expect(await inTime({ activity: starving }, 50, new Promise(() => undefined))).toBe(false);
  expect(looks).toBeGreaterThan(5);
});
