/** The debugger in the window: an agent's error is looked at and let go on by a person, by mouse and by keyboard. */
import type { Client } from '@modelcontextprotocol/client';
import { expect, type Locator, type Page } from '@playwright/test';
import { call, type WholeRecord } from '../evaluation';
import { connectAgent } from './agent';
import { examine } from './examine';
import type { Running } from './fixture';
import { test } from './shared-app';
import { chooseTheme, show, someThemes } from './steps';

const DIST = `(defun dist (p q)
  (let ((dx (- (car p) (car q)))
        (dy (- (cdr p) (cdr q))))
    (sqrt (+ (* dx dx) (* dy dy)))))`;

/** An agent with a session of its own, in which DIST is defined. */
class Geometer {
  readonly client: Client;
  readonly session: string;

  private constructor(client: Client, session: string) {
    this.client = client;
    this.session = session;
  }

  static async connect(page: Page): Promise<Geometer> {
    const client = await connectAgent(page, 'geometer');
    const opened = await call<{ session: string }>(client, 'open_session', {
      engine: 'sbcl',
      name: 'geometry',
    });
    const { session } = opened.structured;
    await call(client, 'eval', { code: DIST, session });
    return new Geometer(client, session);
  }

  /** Evaluates what fails, and holds it; answers its job. */
  async hold(code: string): Promise<string> {
    const { structured } = await call<WholeRecord>(this.client, 'eval', {
      code,
      session: this.session,
      on_error: 'debug',
    });
    expect(structured.outcome).toBe('debugger');
    return `job-${structured.id}`;
  }

  /** Waits for the end of what was held. */
  async end(job: string): Promise<WholeRecord> {
    return (await call<WholeRecord>(this.client, 'job', { job, action: 'wait' })).structured;
  }
}

async function openDebugger(page: Page): Promise<Locator> {
  await show(page, 'Sessions');
  await page.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ hasText: 'geometry' }).click();
  return page.getByRole('region', { name: 'Debugger' });
}

async function begin({ page }: Running): Promise<{ agent: Geometer; pane: Locator; job: string }> {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const agent = await Geometer.connect(page);
  const job = await agent.hold('(+ 1 (dist (cons 1 2) (list 3 4)))');
  return { agent, pane: await openDebugger(page), job };
}

test('a person looks at an agent’s error and chooses how it goes on', async ({ start }) => {
  const running = await start();
  const { page } = running;
  const { agent, pane, job } = await begin(running);

  await expect(pane).toContainText('TYPE-ERROR');
  await expect(pane).toContainText('The value (4) is not of type NUMBER');
  await expect(pane).toContainText('geometer’s evaluation');
  await pane.getByText('Slots of the condition').click();
  await expect(pane.locator('dl[aria-label=Slots]')).toContainText('EXPECTED-TYPE');

  // The frame of the agent's own function is open: its locals, its source, the form that runs.
  const frame = pane.getByRole('button', { name: /\(DIST \(1 \. 2\) \(3 4\)\)/ });
  await expect(frame).toHaveAttribute('aria-expanded', 'true');
  await expect(pane.locator('dl[aria-label=Locals]')).toContainText('(3 4)');
  await expect(pane.locator('mark')).toHaveText('(- (cdr p) (cdr q))');
  // Of a local of another package it is the name that is seen, not the package.
  await pane.getByRole('button', { name: /TWO-ARG--/ }).click();
  await expect(pane.locator('dl[aria-label=Locals] dt[title="SB-KERNEL::X"]')).toHaveText('X');
  await frame.click();
  for (const theme of someThemes('debugger')) {
    await chooseTheme(page, theme);
    await openDebugger(page);
    await expect(pane.locator('mark')).toBeVisible();
    await examine(page, `debugger, ${theme}`);
  }

  const here = pane.getByRole('textbox', { name: 'Form to evaluate in the frame' });
  await here.fill('(second q)');
  await here.press('Enter');
  await expect(pane.getByRole('status')).toContainText('4');
  await here.fill('(setf q (cons 4 6))');
  await here.press('Enter');
  await expect(pane.locator('dl[aria-label=Locals]')).toContainText('(4 . 6)');
  await here.fill('(car :none)');
  await here.press('Enter');
  await expect(pane.getByRole('status')).toContainText(':NONE');

  // What was asked for with other locals can be had by calling the function again.
  await pane.getByRole('button', { name: 'Return from…' }).click();
  await pane.getByRole('textbox', { name: 'value 1' }).fill('(* 2 20.5)');
  await pane.getByRole('button', { name: 'Return', exact: true }).click();
  const told = await agent.end(job);
  expect(told).toMatchObject({ outcome: 'ok', values: ['42.0'] });
  expect(told.notes.join('\n')).toContain(
    'A person at the window chose the restart RETURN-FROM-FRAME with (* 2 20.5) at frame',
  );
  await expect(pane).toBeHidden();
  await agent.client.close();
});

test('restarts ask for arguments, levels lead back, and the keyboard alone does it all', async ({
  start,
}) => {
  const running = await start();
  const { page } = running;
  const { agent, pane, job } = await begin(running);
  const levels = pane.getByRole('navigation', { name: 'Levels' });
  const frame = pane.getByRole('button', { name: /\(DIST/ });

  // The agent makes a second error at the level of the first.
  await call(agent.client, 'eval', {
    code: '(symbol-value (intern "UNHEARD-OF"))',
    session: agent.session,
    level: 1,
    on_error: 'debug',
  });
  await expect(levels).toContainText('1 TYPE-ERROR');
  await expect(levels).toContainText('2 UNBOUND-VARIABLE');
  await examine(page, 'debugger, two levels');
  await pane.getByRole('button', { name: /USE-VALUE…/ }).focus();
  await page.keyboard.press('a');
  await expect(levels).toBeHidden();
  await expect(pane).toHaveAttribute('aria-busy', 'false');
  // The keyboard stays in the debugger, also when a frame is called again.
  await expect(pane).toBeFocused();
  await pane.evaluate((section) => section.setAttribute('data-earlier', ''));
  await page.keyboard.press('r');
  await expect(page.locator('[data-earlier]')).toHaveCount(0);
  await expect(pane).toBeFocused();
  await expect(pane.locator('[data-frame]').first()).toBeVisible();
  await page.keyboard.press('ArrowDown');
  await expect(pane.locator('[data-frame]:focus')).toBeVisible();
  await page.keyboard.press('Shift+R');
  await page.keyboard.press('Escape');
  await expect(pane.getByRole('textbox', { name: 'value 1' })).toBeHidden();
  await expect(pane).toBeFocused();

  await frame.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowUp');
  await expect(pane.getByRole('button', { name: /TWO-ARG--/ })).toBeFocused();
  await expect(pane).toContainText('Compile with (debug 3)');
  await page.keyboard.press('ArrowDown');
  await expect(frame).toBeFocused();
  await page.keyboard.press('e');
  await page.keyboard.type('(setf q (cons 4 6))');
  await page.keyboard.press('Enter');
  await expect(pane.locator('dl[aria-label=Locals]')).toContainText('(4 . 6)');
  await frame.focus();
  await page.keyboard.press('Shift+R');
  await page.keyboard.type('(+ 40 1');
  await page.keyboard.press('Enter');
  // What is incomplete stays there to be completed.
  await expect(pane.getByRole('form', { name: 'Values to return' }).getByRole('alert')).toContainText(
    'do not match',
  );
  await expect(pane.getByRole('textbox', { name: 'value 1' })).toHaveValue('(+ 40 1');
  await page.keyboard.type(')');
  await page.keyboard.press('Enter');
  expect(await agent.end(job)).toMatchObject({ outcome: 'ok', values: ['42'] });

  // Nothing is held any more: who types, types into the REPL.
  await expect(page.getByRole('textbox', { name: /^Input of / })).toBeFocused();

  const unbound = await agent.hold('(list *tide*)');
  await pane.getByRole('button', { name: /STORE-VALUE…/ }).focus();
  const index =
    (await pane.getByRole('button', { name: /USE-VALUE…/ }).getAttribute('aria-keyshortcuts')) ?? '';
  await page.keyboard.press(index);
  await page.keyboard.type('(* 6 7');
  await page.keyboard.press('Enter');
  await expect(pane.getByRole('alert')).toContainText('do not match');
  await page.keyboard.type(')');
  await expect(pane.getByRole('alert')).toBeHidden();
  await page.keyboard.press('Enter');
  const told = await agent.end(unbound);
  expect(told).toMatchObject({ outcome: 'ok', values: ['(42)'] });
  expect(told.notes.join('\n')).toContain('A person at the window chose the restart USE-VALUE with (* 6 7).');

  const given = await agent.hold('(error "no tide")');
  await pane.getByRole('button', { name: /ABORT/ }).focus();
  await page.keyboard.press('q');
  const upset = await agent.end(given);
  expect(upset.outcome).toBe('error');
  expect(upset.notes.join('\n')).toContain('A person at the window chose to abort to the top level.');

  // What was given up is there to read, and can be held after all, or stepped through.
  const last = page.getByRole('region', { name: 'Last error' });
  await expect(last).toContainText('no tide');
  await call(agent.client, 'eval', { code: '(dist (cons 1 2) (list 3 4))', session: agent.session });
  await expect(last).toContainText('TYPE-ERROR');
  await examine(page, 'last error');
  await last.getByRole('button', { name: 'Step through' }).click();
  await pane.getByRole('button', { name: 'Step into' }).click();
  await expect(pane.getByRole('button', { name: 'Step out' })).toBeVisible();
  await pane
    .getByRole('button', { name: /^\d+ ABORT|ABORT/ })
    .first()
    .click();
  await expect(pane).toBeHidden();
  await page.getByRole('textbox', { name: /^Input of / }).focus();
  await call(agent.client, 'close_session', { session: agent.session });
  await expect(page.getByRole('region', { name: 'REPL of geometry' })).toBeHidden();
  await expect(page.getByRole('main')).toBeFocused();
  await agent.client.close();
});
