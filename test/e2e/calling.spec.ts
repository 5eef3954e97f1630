/** A person who does not look at the window is called: by notifications, the tray and the title, for what they want to know. */
import type { ElectronApplication } from '@playwright/test';
import { expect } from '@playwright/test';
import { call } from '../evaluation';
import { connectAgent } from './agent';
import { hideWindow, shown, showWindow } from './desktop';
import { test as base } from './fixture';
import { show } from './steps';
import { TrayHost } from './tray-host';

const test = base.extend<{ tray: TrayHost }>({
  tray: async ({ browserName: _ }, use) => {
    const tray = await TrayHost.start();
    await use(tray);
    tray.stop();
  },
});

async function away(app: ElectronApplication): Promise<void> {
  await hideWindow(app);
  await expect.poll(() => shown(app)).toEqual([false]);
}

test('an approval, a held error and a finished job call a person, and lead to it', async ({
  tray,
  notifications,
  start,
}) => {
  const { app, page } = await start();
  const agent = await connectAgent(page, 'codex');
  const opened = await call<{ session: string }>(agent, 'open_session', { name: 'geometry' });
  const { session } = opened.structured;
  const titles = () => notifications.shown.map(({ title }) => title);
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await away(app);

  // A word is waited for: the notification leads to the question, and goes when that is answered.
  const opening = call(agent, 'open_session', { name: 'online', network: true });
  await expect.poll(titles).toEqual(['codex is waiting for approval']);
  expect(notifications.shown[0]?.body).toBe('It wants to open a session with network access.');
  await expect(page).toHaveTitle('(1) Lisp Harbor');
  await expect
    .poll(async () => (await tray.entries()).map(({ label }) => label))
    .toContain('Show what needs you (1)');
  notifications.press('codex is waiting for approval');
  await expect.poll(() => shown(app)).toEqual([true]);
  await expect(navigation.getByRole('link', { name: /Sandbox 1 needs you/ })).toBeVisible();
  await page
    .getByRole('alert', { name: 'Waiting for approval' })
    .getByRole('button', { name: 'Deny' })
    .click();
  await opening;
  await expect.poll(titles).toEqual([]);
  await expect(page).toHaveTitle('Lisp Harbor');

  // An error is held.
  await away(app);
  const code = '(+ 1 (quote <b>lamp</b>))';
  await call(agent, 'eval', { code, session, on_error: 'debug', wait_ms: 1 });
  await expect.poll(titles).toEqual([expect.stringMatching(/^geometry is suspended: /)]);
  notifications.press('geometry is suspended');
  await expect.poll(() => shown(app)).toEqual([true]);
  await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible();
  await expect(navigation.getByRole('link', { name: /Sessions 1 needs you/ })).toBeVisible();
  await call(agent, 'debug', { session, action: 'abort' });
  await away(app);
  await call(agent, 'eval', { code, session, on_error: 'debug', wait_ms: 1 });
  await expect.poll(titles).toHaveLength(1);
  // The agent sees to it by itself, and nobody is needed any more.
  await call(agent, 'debug', { session, action: 'abort' });
  await expect.poll(titles).toEqual([]);

  // What takes long has finished, unless a person does not want to know.
  const changed = await page.evaluate(() => window.bridge.invoke('settings:change', { softLimitMs: 100 }));
  expect(changed.ok).toBe(true);
  await away(app);
  await call(agent, 'eval', { code: '(progn (sleep 0.2) :done)', session, wait_ms: 20_000 });
  await expect.poll(titles).toEqual([expect.stringMatching(/^#\d+ has finished$/)]);
  expect(notifications.shown[0]?.body).toBe('codex: (progn (sleep 0.2) :done)');
  notifications.press('has finished');
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
  await show(page, 'Settings');
  await page.getByText('When an evaluation that took longer than the soft limit has finished').click();
  await page.getByText('When an evaluation is suspended by an error').click();
  await away(app);
  await call(agent, 'eval', { code: '(progn (sleep 0.2) :again)', session, wait_ms: 20_000 });
  await call(agent, 'eval', { code: '(error "nobody is called")', session, on_error: 'debug', wait_ms: 1 });
  // The mark is there all the same.
  await expect(page).toHaveTitle('(1) Lisp Harbor');
  expect(titles().filter((title) => !title.includes('has finished'))).toEqual([]);
  await agent.close();
});

test('what shows notifications may hang: the harbor goes on, and the mark is there', async ({
  notifications,
  start,
}) => {
  notifications.hang();
  const { app, page } = await start();
  const agent = await connectAgent(page, 'codex');
  await away(app);
  const opening = call(agent, 'open_session', { name: 'online', network: true });
  await expect(page).toHaveTitle('(1) Lisp Harbor');
  await showWindow(app);
  await show(page, 'Sandbox');
  const question = page.getByRole('alert', { name: 'Waiting for approval' });
  await question.getByRole('button', { name: 'Deny' }).click();
  expect((await opening).isError).toBe(true);
  expect(notifications.shown).toEqual([]);
  await agent.close();
});
