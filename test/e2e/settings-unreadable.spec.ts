/** An app that cannot read its settings does not die silently: it says where the mistake is, and goes on when that is mended. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { _electron, expect } from '@playwright/test';
import { shown } from './desktop';
import { endApp } from './end-app';
import { appArguments, appEnvironment, electronBinary, test } from './fixture';
import { show } from './steps';

/** Dialogs wait for the test from the first moment on. */
const PRELOAD = `
  const { dialog } = require('electron');
  globalThis.dialogs = [];
  dialog.showMessageBox = (options) => new Promise((resolve) => globalThis.dialogs.push({ options, resolve }));
`;

interface Dialogs {
  dialogs: { options: { message: string; detail: string }; resolve(answer: { response: number }): void }[];
}

test('what is wrong is shown, and another try starts it', async ({ folders }) => {
  const settings = path.join(folders.data, 'settings.json');
  const broken = '{\n  "ownHistoryOnly": "yes"\n}';
  writeFileSync(settings, broken);
  const preload = path.join(folders.home, 'preload.cjs');
  writeFileSync(preload, PRELOAD);
  const app = await _electron.launch({
    executablePath: await electronBinary(),
    args: ['-r', preload, ...appArguments(folders, [])],
    env: appEnvironment(folders),
    cwd: folders.project,
    colorScheme: null,
  });
  const child = app.process();
  try {
    const asked = (count: number) =>
      app.evaluate((_, index) => {
        const { dialogs } = globalThis as unknown as Dialogs;
        return dialogs[index]?.options.detail ?? '';
      }, count);
    const tryAgain = (count: number) =>
      app.evaluate((_, index) => {
        const { dialogs } = globalThis as unknown as Dialogs;
        dialogs[index]?.resolve({ response: 0 });
      }, count);
    // What an app is asked that only just begins may be lost on the way.
    await expect(async () => {
      expect(await asked(0)).toMatch(/settings\.json cannot be read: line 2, column 21: ownHistoryOnly/);
    }).toPass();
    // The window is there before the harbor, and waits for it.
    const page = await app.firstWindow();
    await expect.poll(() => shown(app)).toEqual([true]);
    await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
    await tryAgain(0);
    await expect.poll(() => asked(1)).toContain('line 2, column 21');
    expect(readFileSync(settings, 'utf8')).toBe(broken);
    writeFileSync(settings, '{ "ownHistoryOnly": true, "theme": 5 }');
    await tryAgain(1);
    await show(page, 'Settings');
    await expect(page.getByText(/line 1, column 36: theme: .*the default/)).toBeVisible();
    await expect(page.getByRole('checkbox', { name: 'Clients see only their own' })).toBeChecked();
  } finally {
    await endApp(app, child);
  }
});
