/** In the app, whose Chromium opens sockets and shared memory without care: none of that reaches what it starts. */
import { expect } from '@playwright/test';
import { descendants, sharedDescriptors } from '../processes';
import { test } from './fixture';
import { openSession } from './steps';

test('images have no descriptor of the app', async ({ start }) => {
  const { app, page } = await start();
  const chromium = descendants(app.process().pid);
  const harbor = await app.evaluate(() => process.pid);
  for (const engine of ['SBCL', 'nbb'] as const) await openSession(page, engine);
  const images = descendants(harbor).filter((pid) => !chromium.includes(pid));
  expect(images.length).toBeGreaterThan(1);
  for (const pid of images) expect(sharedDescriptors(harbor, pid)).toEqual([]);
});
