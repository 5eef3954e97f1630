/** The settings file edited by hand while the window is open: what it says shows at once and is never overwritten. */
import { existsSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import type { Folders } from './fixture';
import { test as base } from './shared-app';
import { show } from './steps';

const fileOf = ({ data }: Folders) => path.join(data, 'settings.json');
const settingsOf = (folders: Folders) => JSON.parse(readFileSync(fileOf(folders), 'utf8'));

const test = base.extend<{ write: (settings: string | object) => void }>({
  write: async ({ folders, user }, use) => {
    await use((settings) => {
      writeFileSync(fileOf(folders), typeof settings === 'string' ? settings : JSON.stringify(settings));
      user.own(fileOf(folders));
    });
  },
});

test('an edit shows in the window, and a change in the window keeps it', async ({
  start,
  folders,
  write,
}) => {
  const { page } = await start();
  await show(page, 'Settings');
  const ready = page.getByRole('checkbox', { name: 'Start images in advance for new sessions' });
  await expect(ready).toBeChecked();
  write({ keepReady: false });
  await expect(ready).not.toBeChecked();
  write({ keepReady: false, softLimitMs: 12_345 });
  await ready.press('Space');
  await expect(ready).toBeChecked();
  expect(settingsOf(folders)).toMatchObject({ keepReady: true, softLimitMs: 12_345 });

  const autostart = path.join(folders.home, '.config/autostart/lisp-harbor.desktop');
  const login = page.getByRole('checkbox', { name: 'Start hidden at login' });
  await login.press('Space');
  await expect.poll(() => existsSync(autostart)).toBe(true);
  expect(readFileSync(autostart, 'utf8')).toContain(`"--hidden" "--data" "${folders.data}"`);
  await login.press('Space');
  await expect.poll(() => existsSync(autostart)).toBe(false);

  await show(page, 'Sandbox');
  const notes = realpathSync(folders.home);
  write({ allowList: [{ folder: path.join(notes, 'notes'), power: 'read', reason: 'by hand' }] });
  await expect(page.getByRole('row').filter({ hasText: 'by hand' })).toContainText('Read');
});

test('a setting that cannot be read is told, stays as it is, and changes nothing', async ({
  start,
  folders,
  write,
}) => {
  const { page } = await start();
  write({ keepReady: false });
  await show(page, 'Settings');
  const ready = page.getByRole('checkbox', { name: 'Start images in advance for new sessions' });
  await expect(ready).not.toBeChecked();
  const broken = '{\n  "keepReady": "yes"\n}';
  write(broken);
  await ready.press('Space');
  await expect(page.getByText(/settings\.json cannot be read: line 2, column 16: keepReady/)).toBeVisible();
  await expect(ready).not.toBeChecked();
  expect(readFileSync(fileOf(folders), 'utf8')).toBe(broken);

  await show(page, 'Home');
  const notice = page.getByText(/In the settings file, line 2, column 16: keepReady/);
  await expect(notice).toBeVisible();
  write({ keepReady: true });
  await expect(notice).toBeHidden();
  await show(page, 'Settings');
  await expect(ready).toBeChecked();
});
