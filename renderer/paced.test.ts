/** How often what follows events is done: at once when there is time, and not for each when there is not. */
import { expect, it, vi } from 'vitest';
import { createStore } from 'zustand';
import { paced, pacedStore } from './paced';

it('is done at once, and once for all that was asked while it rests', async () => {
  const work = vi.fn();
  const ask = paced(work);
  ask();
  expect(work).toHaveBeenCalledTimes(1);
  for (let asked = 0; asked < 100; asked += 1) ask();
  expect(work).toHaveBeenCalledTimes(1);
  await expect.poll(() => work.mock.calls.length).toBe(2);
  // Nobody asked again.
  await new Promise((resolve) => setTimeout(resolve));
  expect(work).toHaveBeenCalledTimes(2);
});

it('rests longer than it took', async () => {
  const began: number[] = [];
  const took = 20;
  const ask = paced(() => {
    began.push(performance.now());
    while (performance.now() - (began.at(-1) ?? 0) < took);
  });
  ask();
  ask();
  await expect.poll(() => began.length).toBe(2);
  expect((began[1] ?? 0) - (began[0] ?? 0)).toBeGreaterThan(2 * took);
});

it('a store is current at once, and tells its listeners of all changes together, from what they knew to what is', async () => {
  const store = pacedStore(createStore<{ count: number }>(() => ({ count: 0 })));
  const heard: [number, number][] = [];
  const stop = store.subscribe((now, before) => heard.push([before.count, now.count]));
  for (let count = 1; count <= 50; count += 1) store.setState({ count });
  expect(store.getState().count).toBe(50);
  expect(heard).toEqual([[0, 1]]);
  await expect
    .poll(() => heard)
    .toEqual([
      [0, 1],
      [1, 50],
    ]);
  stop();
  store.setState({ count: 51 });
  await new Promise((resolve) => setTimeout(resolve, 5));
  expect(heard).toHaveLength(2);
});
