/**
 * How fast the window is, and that it stays so: typing, completion, floods, a long history, and views that come and go. `npm run soak`
 * has the sizes and limits that are promised; `npm test` fewer rounds and limits that hold on a machine that is busy otherwise.
 */
import { readFileSync } from 'node:fs';
import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { writeManyEntries } from '../many-entries';
import { rounds } from '../rounds';
import { electronBinary, test } from './fixture';
import { block, enterForm, inputOf, openBlocks, show, type ViewName } from './steps';

/** Milliseconds of a frame, and how many times that a busy machine may take. */
const FRAME_MS = 1000 / 60;
const PATIENCE = rounds({ usual: 15, soak: 1 });

const VIEWS: readonly ViewName[] = ['Home', 'Sessions', 'History', 'Sandbox', 'Clients', 'Settings'];

const middle = (numbers: readonly number[]) =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

/** From each press of a key to the frame in which the page has dealt with it, in milliseconds. */
async function watchKeys(page: Page): Promise<() => Promise<number[]>> {
  await page.evaluate(() => {
    const taken: number[] = [];
    Object.assign(globalThis, { taken });
    addEventListener('keydown', ({ timeStamp }) => {
      requestAnimationFrame(() => taken.push(performance.now() - timeStamp));
    });
  });
  return () => page.evaluate(() => (globalThis as unknown as { taken: number[] }).taken.splice(0));
}

/** From the last press of a key before names were listed to the frame in which they are, in milliseconds. */
async function watchNames(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const names = { pressed: 0, took: 0, listed: false };
    Object.assign(globalThis, { names });
    addEventListener('keydown', ({ timeStamp }) => (names.pressed = timeStamp), { capture: true });
    const look = () => {
      const isListed = document.querySelector('[role=option]') !== null;
      if (isListed && !names.listed) names.took = performance.now() - names.pressed;
      names.listed = isListed;
      requestAnimationFrame(look);
    };
    look();
  });
  return () => page.evaluate(() => (globalThis as unknown as { names: { took: number } }).names.took);
}

/** The longest time for which the page did nothing, in milliseconds, since it was asked for last. */
async function watchStalls(page: Page): Promise<() => Promise<number>> {
  await page.evaluate(() => {
    const stall = { longest: 0, at: performance.now() };
    Object.assign(globalThis, { stall });
    setInterval(() => {
      const now = performance.now();
      stall.longest = Math.max(stall.longest, now - stall.at);
      stall.at = now;
    }, 10);
  });
  return () =>
    page.evaluate(() => {
      const { stall } = globalThis as unknown as { stall: { longest: number } };
      const { longest } = stall;
      stall.longest = 0;
      return longest;
    });
}

/** What JavaScript keeps in the page, in bytes, once what is not needed is gone. */
async function kept(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  for (let round = 0; round < 3; round += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return usedSize;
}

/** The memory of the window's process that is its own, in bytes. */
async function ownMemory(app: ElectronApplication): Promise<number> {
  const pid = await app.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.getOSProcessId() ?? 0,
  );
  const [, kilobytes] = /^Pss:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8')) ?? [];
  return Number(kilobytes) * 1024;
}

test('what is typed is there within a frame, and names within 100 ms', async ({ start }) => {
  const { page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const repl = await openBlocks(page, 'SBCL');
  await inputOf(repl).click();
  const keys = await watchKeys(page);
  await page.keyboard.type('(defun tide (station) (list station (+ 40 2)))', { delay: 20 });
  expect(middle(await keys())).toBeLessThan(2 * FRAME_MS * PATIENCE);

  const listed = await watchNames(page);
  const asked: number[] = [];
  for (const prefix of ['multiple-val', 'with-outp', 'destruct', 'get-inter', 'make-hash']) {
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('option')).toHaveCount(0);
    await page.keyboard.type(`(${prefix}`, { delay: 20 });
    await expect(page.getByRole('option', { name: new RegExp(`^${prefix}`) }).first()).toBeVisible();
    asked.push(await listed());
  }
  expect(middle(asked)).toBeLessThan(100 * PATIENCE);
});

test('a flood of output stalls nothing', async ({ start }) => {
  const megabytes = rounds({ usual: 5, soak: 100 });
  test.setTimeout(300_000);
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  const longestStall = await watchStalls(page);
  await enterForm(repl, `(dotimes (i ${megabytes * 10_000} 'flooded) (format t "~94,,,'x@a ~d~%" i i))`);
  await expect(block(repl, 'flooded').getByRole('list', { name: 'Values' })).toHaveText('FLOODED', {
    timeout: 240_000,
  });
  expect(await longestStall()).toBeLessThan(100 * PATIENCE);
});

test('a long history is walked through within frames, in little memory', async ({ start, folders }) => {
  test.setTimeout(1_200_000);
  const evaluations = rounds({ usual: 20_000, soak: 1_000_000 });
  writeManyEntries(await electronBinary(), folders.data, evaluations);
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await show(page, 'History');
  const count = (evaluations * 1.1).toLocaleString('en-US');
  await expect(page.getByRole('status').filter({ hasText: `${count} entries` })).toBeVisible({
    timeout: 900_000,
  });
  await expect(page.getByRole('status').filter({ hasText: 'not indexed' })).toBeHidden({ timeout: 900_000 });
  const grid = page.getByRole('grid', { name: 'Evaluations' });
  await grid.focus();
  await page.keyboard.press('Home');
  const keys = await watchKeys(page);
  for (let row = 0; row < 60; row += 1) await page.keyboard.press('ArrowDown');
  for (let leap = 0; leap < 10; leap += 1) await page.keyboard.press('PageDown');
  expect(middle(await keys())).toBeLessThan(2 * FRAME_MS * PATIENCE);
  const longestStall = await watchStalls(page);
  await grid.hover();
  for (let turn = 0; turn < 40; turn += 1) await page.mouse.wheel(0, 2_000);
  await page.keyboard.press('End');
  await expect(grid.getByRole('row').filter({ hasText: '(height-at 1 :' })).toBeVisible();
  expect(await longestStall()).toBeLessThan(100 * PATIENCE);
  await page.getByRole('button', { name: 'Timeline' }).click();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline.getByRole('group', { name: 'codex' })).toBeVisible({ timeout: 120_000 });
  expect(await ownMemory(app)).toBeLessThan(250 * 1024 * 1024);
});

test('views that come and go leave nothing behind', async ({ start }) => {
  test.setTimeout(600_000);
  const { page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const repl = await openBlocks(page, 'SBCL');
  await enterForm(repl, '(list 1 2 3)');
  const cycle = async () => {
    for (const view of VIEWS) await show(page, view);
  };
  const [warm, cycles] = [rounds({ usual: 3, soak: 10 }), rounds({ usual: 6, soak: 50 })];
  for (let round = 0; round < warm; round += 1) await cycle();
  const before = await kept(page);
  for (let round = 0; round < cycles; round += 1) await cycle();
  // A view that stays somewhere takes hundreds of kilobytes each time.
  expect((await kept(page)) - before).toBeLessThan(4 * 1024 * 1024);
});
