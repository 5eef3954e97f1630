/**
 * Performance of the window. Tasks are measured in processor time of the page, so that other programs matter little.
 * `npm run soak` compares the longest task and the memory with the promised limits, in full size. On a machine where a bare
 * page exceeds its part of a limit, the limit is a multiple of that. `npm test` uses small sizes and allows `SLACK` times the
 * limit: enough for a busy machine, and less than what drawing a whole list takes.
 */
import { writeFileSync } from 'node:fs';
import { type ElectronApplication, expect, type Locator, type Page } from '@playwright/test';
import { writeManyEntries } from '../many-entries';
import { rounds } from '../rounds';
import { electronBinary, test } from './fixture';
import { drawn, FRAME_MS, Kept, longestTask, openBarePage, ownMemory } from './pace';
import {
  asBlocks,
  asTerminal,
  block,
  enterForm,
  inputOf,
  openBlocks,
  openPane,
  show,
  type ViewName,
} from './steps';

/** Playwright's own looks at the page would cost more than the page. */
test.use({ trace: 'off' });

const isSoak = rounds({ usual: 0, soak: 1 }) === 1;
// What is measured runs alone.
if (isSoak) test.describe.configure({ mode: 'default' });
const MIB = 1024 * 1024;

/** Factor between the task of a bare page and the limit, if that exceeds the promised limit. */
const TIMES_BARE = 4;

/** Factor of all limits. */
const SLACK = rounds({ usual: 8, soak: 1 });

const VIEWS: readonly ViewName[] = [
  'Home',
  'Sessions',
  'Source',
  'Tests',
  'History',
  'Sandbox',
  'Clients',
  'Settings',
];
const TABS = [
  'Inspector',
  'Browse',
  'Changes',
  'Definitions',
  'Checkpoints',
  'Run',
  'Memory',
  'Log',
  'Debugger',
];

const grid = (page: Page): Locator => page.getByRole('grid', { name: 'Evaluations' });

/** Writes a measurement into the results, and returns it. */
function told(what: string, measured: number): number {
  test.info().annotations.push({ type: what, description: measured.toFixed(1) });
  return measured;
}

/**
 * Milliseconds that the longest task of the window may take.
 * @param promisedMs the limit on a machine that is fast enough
 */
async function limits(app: ElectronApplication): Promise<(promisedMs: number) => number> {
  const bare = isSoak ? TIMES_BARE * (await bareTask(app)) : 0;
  return (promisedMs) => SLACK * Math.max(promisedMs, bare);
}

/** The longest task of a bare page that replaces the text of as many lines as the window draws rows. */
async function bareTask(app: ElectronApplication): Promise<number> {
  const page = await openBarePage(app);
  await page.evaluate(() => {
    for (let row = 0; row < 45; row += 1) document.body.append(document.createElement('p'));
  });
  const longest = await longestTask(app, page, async () => {
    for (let step = 0; step < 40; step += 1) {
      await page.evaluate((from) => {
        for (const [row, line] of [...document.body.children].entries())
          line.textContent = `(height-at ${from + row} :station 17) 4.2 tides SBCL codex 12 ms 4 m ago`;
      }, step * 45);
      await drawn(page);
    }
  });
  await page.close();
  return told('longest task of a bare page, ms', longest);
}

test('what is typed is there in the next frame, and names within 100 ms', async ({ start }) => {
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const repl = await openBlocks(page, 'SBCL');
  const input = inputOf(repl);
  await input.click();
  // The first keys of all have the page compile what its editor and the list of names are made of.
  await page.keyboard.type('(multiple-val');
  await expect(page.getByRole('option').first()).toBeVisible();
  for (const key of ['Escape', 'Control+a', 'Control+k']) await page.keyboard.press(key);
  // In the frame that follows a character, the editor has it, and all that was typed meanwhile.
  await page.evaluate(() => {
    const echo = { late: 0 };
    Object.assign(globalThis, { echo });
    addEventListener('input', ({ target }) => {
      const editor = target as HTMLElement;
      const { length } = editor.textContent;
      requestAnimationFrame(() => {
        if (editor.textContent.length < length) echo.late += 1;
      });
    });
  });
  const form = '(defun tide (station) (list station (+ 40 2)))';
  const type = () => page.keyboard.type(form, { delay: 20 });
  const longest = await longestTask(app, page, type);
  await expect(input).toContainText(form);
  expect(await page.evaluate(() => (globalThis as unknown as { echo: { late: number } }).echo.late)).toBe(0);

  const asked: number[] = [];
  for (const prefix of ['multiple-val', 'with-outp', 'destruct', 'get-inter', 'make-hash']) {
    // An image that is too late is not waited for: a person types on, and it is asked again.
    await expect(async () => {
      for (const key of ['Escape', 'Control+a', 'Control+k']) await page.keyboard.press(key);
      await expect(page.getByRole('option')).toHaveCount(0);
      await page.keyboard.type(`(${prefix.slice(0, -1)}`);
      const took = await tillNames(page, prefix);
      expect(took).not.toBeNull();
      asked.push(took ?? 0);
    }).toPass();
  }
  const limit = await limits(app);
  expect(told('longest task while typing, ms', longest)).toBeLessThan(limit(FRAME_MS));
  // By the clock, so only on a machine with nothing else to do.
  if (!isSoak) return;
  asked.sort((one, other) => one - other);
  expect(told('till names are listed, ms', asked[2] ?? Number.NaN)).toBeLessThan(Math.max(100, 4 * limit(0)));
});

/** Frames in which a list has come that comes at all. */
const MOST_FRAMES = 200;

/** From the press of the last key to the frame in which names are listed that begin so, in milliseconds; null when none are. */
async function tillNames(page: Page, prefix: string): Promise<number | null> {
  await page.evaluate(
    ([wanted, most]) => {
      const took = new Promise<number | null>((resolve) => {
        const begin = ({ timeStamp }: Event) => {
          let frames = 0;
          const look = () => {
            frames += 1;
            const [first] = document.querySelectorAll('[role=option]');
            if (first?.textContent.startsWith(wanted)) resolve(performance.now() - timeStamp);
            else if (frames > most) resolve(null);
            else requestAnimationFrame(look);
          };
          look();
        };
        addEventListener('keydown', begin, { capture: true, once: true });
      });
      Object.assign(globalThis, { took });
    },
    [prefix, MOST_FRAMES] as const,
  );
  await page.keyboard.press(prefix.slice(-1));
  return page.evaluate(() => (globalThis as unknown as { took: Promise<number | null> }).took);
}

test('a flood of output stalls nothing', async ({ start, folders }) => {
  const megabytes = rounds({ usual: 2, soak: 50 });
  test.setTimeout(600_000);
  // As much as one evaluation may print by default would be over at once.
  writeFileSync(`${folders.data}/settings.json`, JSON.stringify({ outputChars: 100_000_000 }));
  const { app, page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  await enterForm(repl, '(list 40 2)');
  const before = block(repl, '(list 40 2)');
  await expect(before.getByRole('list', { name: 'Values' })).toHaveText('(40 2)');
  const line = `(make-string 99 :initial-element #\\x)`;
  const flood = async (name: string) => {
    await enterForm(
      repl,
      `(let ((line ${line})) (dotimes (i ${megabytes * 10_000} '${name}) (write-line line)))`,
    );
    // Waiting for it in this way costs the page little.
    const ended = repl.locator('article[data-outcome="ok"]').filter({ hasText: name });
    await ended.waitFor({ timeout: 240_000 });
    await expect(block(repl, name).getByRole('list', { name: 'Values' })).toHaveText(name.toUpperCase());
  };
  const redrawn = await watchChanges(before);
  const floods = async () => {
    await flood('flooded');
    await flood('drowned');
  };
  const longest = await longestTask(app, page, floods);
  expect(await redrawn()).toBe(0);
  const limit = await limits(app);
  expect(told('longest task in a flood, ms', longest)).toBeLessThan(limit(100));
});

/** How often anything of an element has been changed since. */
async function watchChanges(element: Locator): Promise<() => Promise<number>> {
  const changes = await element.evaluateHandle((watched) => {
    const counted = { changes: 0 };
    new MutationObserver((records) => {
      counted.changes += records.length;
    }).observe(watched, { subtree: true, childList: true, characterData: true, attributes: true });
    return counted;
  });
  return () => changes.evaluate((counted) => counted.changes);
}

test('a long history is walked through within frames, in little memory', async ({ start, folders }) => {
  test.setTimeout(3_600_000);
  const evaluations = rounds({ usual: 20_000, soak: 1_000_000 });
  writeManyEntries(await electronBinary(), folders.data, evaluations);
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await show(page, 'History');
  const count = (evaluations * 1.1).toLocaleString('en-US');
  const patience = { timeout: rounds({ usual: 60_000, soak: 3_000_000 }) };
  await expect(page.getByRole('status').filter({ hasText: `${count} entries` })).toBeVisible(patience);
  await expect(page.getByRole('status').filter({ hasText: 'not indexed' })).toBeHidden(patience);
  await grid(page).focus();
  await page.keyboard.press('Home');
  await expect(grid(page).getByRole('row', { selected: true })).toHaveAttribute('aria-rowindex', '2');
  await drawn(page);

  // A row that is selected is marked in the next frame, and besides that one and the one before nothing is drawn anew.
  const rows = await watchRows(page);
  const walk = () => repeat(page, 10, () => page.keyboard.press('ArrowDown'));
  const walked = await longestTask(app, page, walk);
  const { touched, late } = await rows();
  expect([touched.length, late]).toEqual([11, 0]);

  // What is passed by is drawn by the rows that there are.
  const cells = await grid(page).getByRole('gridcell').elementHandles();
  const leap = () => repeat(page, 10, () => page.keyboard.press('PageDown'));
  const leapt = await longestTask(app, page, leap);
  const gone = await Promise.all(cells.map((cell) => cell.evaluate(({ isConnected }) => !isConnected)));
  expect(gone.filter(Boolean).length).toBeLessThan(cells.length / 2);

  await grid(page).hover();
  const turn = () => repeat(page, 60, () => page.mouse.wheel(0, 240));
  const turned = await longestTask(app, page, turn);
  await page.keyboard.press('End');
  await expect(grid(page).getByRole('row').filter({ hasText: '(height-at 1 :' })).toBeVisible();
  await page.getByRole('button', { name: 'Timeline' }).click();
  const timeline = page.getByRole('region', { name: 'Timeline' });
  await expect(timeline.getByRole('group', { name: 'codex' })).toBeVisible({ timeout: 120_000 });
  await (await Kept.by(page)).look();
  expect(told('memory, MiB', (await ownMemory(app, page)) / MIB)).toBeLessThan(250);
  const limit = await limits(app);
  expect(told('longest task at arrow keys, ms', walked)).toBeLessThan(limit(FRAME_MS));
  expect(told('longest task at page keys, ms', leapt)).toBeLessThan(limit(2 * FRAME_MS));
  expect(told('longest task at the wheel, ms', turned)).toBeLessThan(limit(2 * FRAME_MS));
});

/** Does it so often, each time after what came of the time before is on the screen. */
async function repeat(page: Page, times: number, step: () => Promise<void>): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await step();
    await drawn(page);
  }
}

/** Which rows of the list are changed from now on, and how often one was not marked in the frame after its arrow key. */
async function watchRows(page: Page): Promise<() => Promise<{ touched: string[]; late: number }>> {
  await page.evaluate(() => {
    const seen = { touched: new Set<string>(), late: 0 };
    Object.assign(globalThis, { seen });
    const selected = () => document.querySelector('tr[aria-selected=true]')?.getAttribute('aria-rowindex');
    const placeOf = (node: Node) =>
      (node instanceof Element ? node : node.parentElement)?.closest('tr')?.getAttribute('aria-rowindex');
    const body = document.querySelector('[role=grid] tbody');
    if (!body) throw new Error('There is no list.');
    new MutationObserver((records) => {
      for (const { target } of records) seen.touched.add(placeOf(target) ?? 'all of them');
    }).observe(body, { subtree: true, childList: true, characterData: true, attributes: true });
    const look = () => {
      const before = selected();
      requestAnimationFrame(() => {
        if (selected() === before) seen.late += 1;
      });
    };
    // Before the list hears of the key.
    addEventListener('keydown', look, { capture: true });
  });
  return () =>
    page.evaluate(() => {
      const { seen } = globalThis as unknown as { seen: { touched: Set<string>; late: number } };
      return { touched: [...seen.touched], late: seen.late };
    });
}

test('views that come and go leave nothing behind', async ({ start }) => {
  test.setTimeout(1_800_000);
  const { app, page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const repl = await openBlocks(page, 'SBCL');
  await enterForm(repl, '(list 1 2 3)');
  await expect(block(repl, '(list 1 2 3)').getByRole('list', { name: 'Values' })).toHaveText('(1 2 3)');
  const cycle = async () => {
    for (const view of VIEWS) await show(page, view);
    await show(page, 'Sessions');
    await page.getByRole('row', { name: /lighthouse/ }).click();
    for (const name of TABS) {
      await openPane(page, name);
    }
    await asTerminal(repl);
    await asBlocks(page);
    await page.keyboard.press('Control+k');
    await expect(page.getByRole('dialog')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  };
  const [warm, cycles] = [rounds({ usual: 2, soak: 5 }), rounds({ usual: 4, soak: 50 })];
  const kept = await Kept.by(page);
  for (let round = 0; round < warm; round += 1) await cycle();
  const [before, memory] = [await kept.look(), await ownMemory(app, page)];
  for (let round = 0; round < cycles; round += 1) await cycle();
  // What closed last is let go of a moment after it is gone; what stays has hundreds of nodes each time.
  await expect(async () => {
    const after = await kept.look();
    expect(told('nodes', after.nodes - before.nodes)).toBeLessThan(50 * cycles);
    expect(told('listeners', after.listeners - before.listeners)).toBeLessThan(5 * cycles);
    expect(told('objects, MiB', (after.bytes - before.bytes) / MIB)).toBeLessThan(2);
  }).toPass({ timeout: 60_000 });
  // After a few cycles Chromium has not yet returned what it took for the first ones.
  const growth = rounds({ usual: 60, soak: 20 });
  expect(told('memory, MiB', ((await ownMemory(app, page)) - memory) / MIB)).toBeLessThan(growth);
});
