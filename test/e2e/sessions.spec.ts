/** The list of sessions as the place to tidy up: what is idle and what is large, ending one or several, memory that is short. */
import { expect, type Locator, type Page } from '@playwright/test';
import { connectAgent } from './agent';
import { test } from './shared-app';
import { block, enterForm, openBlocks, reserveMemory, select, show } from './steps';

const grid = (page: Page) => page.getByRole('grid', { name: 'Sessions' });
const row = (page: Page, name: string) => grid(page).getByRole('row').filter({ hasText: name });

/** The names in the list, from top to bottom. */
const names = (page: Page) => grid(page).locator('[data-name]').allInnerTexts();

const sortBy = async (page: Page, column: string) => {
  await page.getByRole('button', { name: 'Sort sessions' }).click();
  await page.getByRole('menuitem', { name: column }).click();
};

/** Chooses in the menu of a row. */
const actOn = async (page: Page, name: string, action: string) => {
  await row(page, name)
    .getByRole('button', { name: `Actions for ${name}` })
    .click();
  await page.getByRole('menuitem', { name: action }).click();
};

/** Three sessions of an agent: `small` was used last, `large` takes most, `middle` has been idle for longest. */
async function threeSessions(page: Page): Promise<void> {
  const agent = await connectAgent(page, 'codex');
  const open = async (name: string) => {
    const opened = await agent.callTool({ name: 'open_session', arguments: { engine: 'sbcl', name } });
    const { session } = opened.structuredContent as { session: string };
    return (code: string) => agent.callTool({ name: 'eval', arguments: { code, session } });
  };
  const [middle, large, small] = [await open('middle'), await open('large'), await open('small')];
  await middle('(defun precious (x) x)');
  await large(
    '(defvar *ballast* (make-array 50000000 :element-type (quote (unsigned-byte 8)) :initial-element 1))',
  );
  await small('(+ 1 2)');
  await agent.close();
  await show(page, 'Sessions');
}

async function confirm(page: Page, title: string, button: string): Promise<Locator> {
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.getByRole('button', { name: button }).click();
  await expect(dialog).toBeHidden();
  return dialog;
}

test('sorts by idleness and by memory, and ends one with a word on what is lost', async ({ start }) => {
  const { page } = await start();
  await threeSessions(page);
  await sortBy(page, 'Idle');
  await expect.poll(() => names(page)).toEqual(['small', 'large', 'middle']);
  await sortBy(page, 'Idle');
  await expect.poll(() => names(page)).toEqual(['middle', 'large', 'small']);
  await sortBy(page, 'Memory');
  await expect.poll(async () => (await names(page))[0]).toBe('large');

  await actOn(page, 'middle', 'End session…');
  const dialog = page.getByRole('dialog', { name: 'End session “middle”?' });
  await expect(dialog.getByRole('list', { name: 'Will be lost' })).toContainText('PRECIOUS function');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => names(page)).toContain('middle');
  await actOn(page, 'middle', 'End session…');
  await confirm(page, 'End session “middle”?', 'End middle');
  await expect.poll(async () => (await names(page)).sort()).toEqual(['large', 'small']);
});

test('ends several at once', async ({ start }) => {
  const { page } = await start();
  await threeSessions(page);
  await select(row(page, 'middle'));
  await row(page, 'large').click({ modifiers: ['ControlOrMeta'] });
  await expect(page.getByText(/^2 sessions selected, /)).toBeVisible();
  await expect(page.getByRole('region', { name: 'Session middle' })).toBeVisible();
  await page.getByRole('button', { name: 'End 2 sessions…' }).click();
  await expect(page.getByRole('dialog')).toContainText('PRECIOUS');
  await expect(page.getByRole('dialog')).toContainText('*BALLAST*');
  await confirm(page, 'End 2 sessions?', 'End 2 sessions');
  await expect.poll(() => names(page)).toEqual(['small']);
  await expect(page.getByText('2 sessions ended.')).toBeVisible();
});

test('says that memory is short, and what could be ended', async ({ start }) => {
  const { page } = await start();
  await threeSessions(page);
  await expect(page.getByRole('region', { name: 'Memory' })).toBeHidden();
  await reserveMemory(page, '1048576');
  const navigation = page.getByRole('navigation', { name: 'Main' });
  await navigation.getByRole('link', { name: 'Memory is low' }).click();
  const memory = page.getByRole('region', { name: 'Memory' });
  await expect(memory).toContainText(/Memory is low: [\d.]+ GB of [\d.]+ GB available/);
  const most = memory.getByRole('definition').filter({ hasText: 'large' }).first();
  await most.getByRole('button', { name: 'End large…' }).click();
  await confirm(page, 'End session “large”?', 'End large');
  await expect(memory).not.toContainText('large');
  await expect.poll(async () => (await names(page)).sort()).toEqual(['middle', 'small']);
  await reserveMemory(page, '0');
  await expect(navigation.getByRole('link', { name: 'Memory is low' })).toBeHidden();
});

test('the end of a transcript stays in view while it grows, until a person scrolls up', async ({ start }) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  const area = page.getByRole('region', { name: 'Transcript of the session' });
  const fromEnd = () =>
    area.evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);
  await enterForm(repl, '(dotimes (i 60) (print i))');
  const counted = block(repl, '(dotimes');
  await expect(counted).toContainText('59');
  // Its first and its last lines are shown.
  await expect(counted).not.toContainText('33');
  await counted.getByRole('button', { name: /^\d+ lines$/ }).click();
  await expect(counted).toContainText('33');
  await expect
    .poll(() => area.evaluate(({ scrollHeight, clientHeight }) => scrollHeight > clientHeight))
    .toBe(true);
  await expect.poll(fromEnd).toBeLessThan(2);
  await area.hover();
  await page.mouse.wheel(0, -400);
  await expect.poll(fromEnd).toBeGreaterThan(100);
  await enterForm(repl, '(list :above)');
  await expect.poll(fromEnd).toBeGreaterThan(100);
  await area.evaluate((element) => element.scrollTo({ top: element.scrollHeight, behavior: 'instant' }));
  await expect(block(repl, '(list :above)')).toContainText('(:ABOVE)');
  await enterForm(repl, '(dotimes (i 30) (print :below))');
  await expect(block(repl, ':below')).toContainText('NIL');
  await expect.poll(fromEnd).toBeLessThan(2);
});
