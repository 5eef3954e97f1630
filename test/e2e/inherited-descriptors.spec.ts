/** In the app, whose Chromium opens sockets and shared memory without care, and takes priority: none of that reaches what it starts. */
import os from 'node:os';
import { expect } from '@playwright/test';
import { descendants, sharedDescriptors } from '../processes';
import { test } from './shared-app';
import { openSession } from './steps';

test('images have no descriptor of the app, and no higher priority than usual', async ({ start }) => {
  const { app, page } = await start();
  const chromium = descendants(app.process().pid);
  const harbor = await app.evaluate(() => process.pid);
  for (const engine of ['SBCL', 'nbb'] as const) await openSession(page, engine);
  const images = descendants(harbor).filter((pid) => !chromium.includes(pid));
  expect(images.length).toBeGreaterThan(1);
  for (const pid of images) expect(sharedDescriptors(harbor, pid)).toEqual([]);
  expect(images.map((pid) => os.getPriority(pid))).toEqual(images.map(() => 0));
});
