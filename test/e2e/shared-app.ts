/**
 * One app for tests that ask only what a page is like and leave nothing behind but what a reload takes away. A file of them says
 * `mode: 'default'`, so that they run in one worker; after a test that failed there is another worker, and so another app.
 */
import { test as base, isDrawn, launchApp, makeFolders, openWindow, type Running } from './fixture';

interface OfTest {
  /** The app with its page as it is after the start. */
  sharedWindow: Running;
}

interface OfWorker {
  shared: Running;
}

export const test = base.extend<OfTest, OfWorker>({
  shared: [
    async ({ display: _ }, use) => {
      const { folders, remove } = makeFolders();
      const { app, end } = await launchApp(folders);
      try {
        await use(await openWindow(app));
      } finally {
        await end();
        remove();
      }
    },
    { scope: 'worker' },
  ],
  sharedWindow: async ({ shared }, use) => {
    await shared.page.evaluate(() => localStorage.clear());
    await shared.page.reload();
    await isDrawn(shared.page);
    await use(shared);
  },
});
