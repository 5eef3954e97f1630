/** What people come for is done in few steps, by the mouse and by the keyboard alone. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, type Locator, type Page } from '@playwright/test';
import { call } from '../evaluation';
import { connectAgent } from './agent';
import { type Folders, test as ownTest } from './fixture';
import { test } from './shared-app';
import { evaluationRow, show, type ViewName } from './steps';

type Way = 'mouse' | 'keyboard';

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

/** A person's hand, which counts what it does. */
class Hand {
  steps = 0;
  readonly #page: Page;
  readonly #way: Way;

  constructor(page: Page, way: Way) {
    this.#page = page;
    this.#way = way;
  }

  async go(view: ViewName): Promise<void> {
    this.steps += 1;
    if (this.#way === 'mouse')
      await this.#page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: view }).click();
    else await this.#page.keyboard.press(`Control+${VIEWS.indexOf(view) + 1}`);
    await expect(this.#page.getByRole('heading', { level: 1, name: view })).toBeVisible();
  }

  /** By the keyboard it is gone to from where that is; lists and menus take arrows. */
  async press(target: Locator, key: 'Tab' | 'ArrowDown' = 'Tab'): Promise<void> {
    this.steps += 1;
    if (this.#way === 'mouse') return target.click();
    await expect(target).toBeVisible();
    await expect(async () => {
      if (!(await isFocused(target))) await this.#move(key);
      expect(await isFocused(target)).toBe(true);
    }).toPass({ intervals: [10], timeout: 60_000 });
    await this.#page.keyboard.press('Enter');
  }

  /** Where Lisp is typed, Tab is the editor's, and Escape before it leaves. */
  async #move(key: 'Tab' | 'ArrowDown'): Promise<void> {
    const typed = this.#page.locator('.cm-editor :focus, .xterm :focus');
    if (key === 'Tab' && (await typed.count()) > 0) await this.#page.keyboard.press('Escape');
    await this.#page.keyboard.press(key);
  }

  /** The first entry of the history. */
  async openEntry(row: Locator): Promise<void> {
    if (this.#way === 'mouse') return this.press(row);
    await this.press(this.#page.getByRole('grid', { name: 'Evaluations' }));
  }
}

const isFocused = (target: Locator) => target.evaluate((element) => element === document.activeElement);

/** What is done in at most so many steps, each way; `before` makes it needed. */
async function within(
  page: Page,
  most: number,
  before: () => Promise<void>,
  work: (hand: Hand) => Promise<void>,
): Promise<void> {
  for (const way of ['mouse', 'keyboard'] as const) {
    await before();
    await show(page, 'Settings');
    const hand = new Hand(page, way);
    await work(hand);
    expect([way, hand.steps <= most]).toEqual([way, true]);
  }
}

function installClaudeDesktop({ home }: Folders): void {
  const folder = path.join(home, '.config/Claude');
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, 'claude_desktop_config.json'), '{}');
}

test('connecting, stopping, running again and choosing a restart', async ({ start, folders }) => {
  test.setTimeout(240_000);
  installClaudeDesktop(folders);
  const { page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const agent: Client = await connectAgent(page, 'codex');
  const opened = await call<{ session: string }>(agent, 'open_session', { engine: 'sbcl', name: 'tides' });
  const { session } = opened.structured;
  const evaluate = (code: string, more = {}) => call(agent, 'eval', { code, session, ...more });
  await evaluate('(defun first-of (tides) (car tides))');
  await evaluate('(list :flood 42)');

  await test.step('Claude Desktop is connected: three steps', async () => {
    const program = page.getByRole('listitem', { name: 'Claude Desktop' });
    let isConnected = false;
    const disconnect = async () => {
      if (!isConnected) return;
      await program.getByRole('button', { name: 'Disconnect Claude Desktop' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Disconnect' }).click();
      await expect(program.getByText('not connected', { exact: true })).toBeVisible();
    };
    await within(page, 3, disconnect, async (hand) => {
      await hand.go('Clients');
      await hand.press(program.getByRole('button', { name: 'Connect Claude Desktop' }));
      await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Connect', exact: true }));
      await expect(program.getByText('connected', { exact: true })).toBeVisible();
      isConnected = true;
    });
  });

  await test.step('an agent that runs wild is stopped: two steps', async () => {
    let looping: Promise<unknown> = Promise.resolve();
    const loop = async () => {
      looping = evaluate('(loop (sleep 0.1))');
    };
    await within(page, 2, loop, async (hand) => {
      await hand.go('Home');
      const work = page.getByRole('region', { name: 'Activity' });
      await hand.press(work.getByRole('button', { name: 'Stop codex in tides' }));
      expect(JSON.stringify(await looping)).toContain('interrupted');
    });
  });

  await test.step('an evaluation that is searched for runs again in a new session of its engine: four steps', async () => {
    let found = 0;
    await within(
      page,
      4,
      async () => undefined,
      async (hand) => {
        await hand.go('History');
        await page.keyboard.press('Control+f');
        await page.keyboard.press('Control+a');
        await page.keyboard.type('flood');
        const rows = evaluationRow(page, '(list :flood 42)');
        found += 1;
        await expect(rows).toHaveCount(found);
        await hand.openEntry(rows.first());
        await hand.press(page.getByRole('button', { name: 'Run again' }));
        await hand.press(page.getByRole('menuitem', { name: 'In a new session' }), 'ArrowDown');
        await expect(rows).toHaveCount(found + 1);
      },
    );
  });

  await test.step('a restart is chosen after a look at a local: three steps', async () => {
    const hold = async () => void (await evaluate('(first-of 7)', { on_error: 'debug', wait_ms: 1 }));
    await within(page, 3, hold, async (hand) => {
      await hand.go('Home');
      const needs = page.getByRole('region', { name: 'Needs you' });
      await hand.press(needs.getByRole('link', { name: 'Show the error in tides' }));
      const pane = page.getByRole('region', { name: 'Debugger' });
      await expect(pane.locator('dl[aria-label=Locals]')).toContainText('TIDES');
      await hand.press(pane.getByRole('button', { name: /ABORT/ }).first());
      await expect(pane).toBeHidden();
    });
  });
  await agent.close();
});

ownTest(
  'a library that was refused is allowed, or is not, and the agent goes on',
  async ({ start, folders }) => {
    ownTest.setTimeout(240_000);
    const { page } = await start();
    await page.emulateMedia({ reducedMotion: 'reduce' });
    const agent: Client = await connectAgent(page, 'codex');
    const opened = await call<{ session: string }>(agent, 'open_session', { engine: 'sbcl', name: 'lamps' });
    const { session } = opened.structured;
    await call(agent, 'eval', { code: '(defvar *kept* 41)', session });
    const needs = page.getByRole('region', { name: 'Needs you' });
    const dialog = page.getByRole('dialog', { name: 'Allow access' });
    /** Has the agent refused a folder of that name; answers how it tries again. */
    const refused = async (name: string) => {
      const folder = path.join(folders.home, 'code', name);
      mkdirSync(folder, { recursive: true });
      writeFileSync(path.join(folder, `${name}.asd`), `(defsystem "${name}")`);
      writeFileSync(path.join(folder, 'lit.lisp'), '(defvar *lit* 42)');
      const load = async () => (await call(agent, 'load', { path: `${folder}/lit.lisp`, session })).text;
      expect(await load()).toContain('file_not_allowed');
      await show(page, 'Home');
      await expect(needs).toContainText(name);
      return load;
    };
    const allowed = () => {
      const file = `${folders.data}/settings.json`;
      if (!existsSync(file)) return 0;
      const settings = JSON.parse(readFileSync(file, 'utf8')) as { allowList?: object[] };
      return settings.allowList?.length ?? 0;
    };

    for (const way of ['mouse', 'keyboard'] as const)
      await test.step(`for good, by the ${way} alone: two steps`, async () => {
        const load = await refused(`lanterns-${way}`);
        const before = allowed();
        const hand = new Hand(page, way);
        await hand.press(needs.getByRole('button', { name: /^Allow…/ }));
        await hand.press(dialog.getByRole('button', { name: 'Allow and restart 1 session' }));
        expect(hand.steps).toBe(2);
        await expect(dialog).toBeHidden();
        await expect(page.getByText('1 session restarted, with its state.').last()).toBeVisible();
        expect(await load()).not.toContain('file_not_allowed');
        expect(allowed()).toBe(before + 1);
      });

    await test.step('for this time only', async () => {
      const load = await refused('candles');
      const before = allowed();
      await needs.getByRole('button', { name: /^Allow…/ }).click();
      await dialog.getByText('Keep after Lisp Harbor quits').click();
      await dialog.getByRole('button', { name: 'Allow and restart 1 session' }).click();
      await expect(dialog).toBeHidden();
      await expect.poll(load).not.toContain('file_not_allowed');
      expect(allowed()).toBe(before);
    });

    await test.step('or not: it is told no longer, and stays refused', async () => {
      const load = await refused('matches');
      await needs.getByRole('button', { name: /^Deny codex read access to/ }).click();
      await expect(needs).not.toContainText('matches');
      expect(await load()).toContain('file_not_allowed');
    });
    await agent.close();
  },
);
