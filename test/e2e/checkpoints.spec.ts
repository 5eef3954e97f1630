/** Checkpoints in the window: saving, going back, opening sessions from them, dropping them, and what stands against it. */
import { expect, type Locator, type Page } from '@playwright/test';
import { examine } from './examine';
import { test } from './shared-app';
import { act, choose, killImage, newestRow, openPane, openSession, screenOf, show, typeLine } from './steps';

test('a session goes back to a saved state, and the history keeps what was done since', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'SBCL');
  await evaluate(repl, '(defparameter *tide* :low)', '*TIDE*');
  await openPane(page, 'Checkpoints');
  await expect(page.getByRole('heading', { name: 'No checkpoints' })).toBeVisible();
  const calm = await save(page, 'calm');
  await expect(calm).toContainText(/(just now|ago)lighthouse · youCL-USER\d+ MB/);

  await evaluate(repl, '(setf *tide* :high)', ':HIGH');
  await openPane(page, 'Checkpoints');
  await calm.getByRole('button', { name: 'Restore calm' }).click();
  await confirm(page, 'Restore calm');
  await expect(page.getByText('is restored from checkpoint calm')).toBeVisible();
  await expect(calm).toContainText('in use by this session');
  await evaluate(repl, '*tide*', ':LOW');
  await page.getByRole('region', { name: 'Messages' }).getByRole('button', { name: 'Undo' }).click();
  await expect(page.getByText('is restored from checkpoint lighthouse-1')).toBeVisible();
  await evaluate(repl, '(list :again *tide*)', '(:AGAIN :HIGH)');
  await show(page, 'History');
  await expect(newestRow(page, '(setf *tide* :high)')).toContainText(':HIGH');
});

test('another session begins from a checkpoint, which is kept as long as it is needed', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'SBCL');
  await evaluate(repl, '(defparameter *tide* :low)', '*TIDE*');
  await openPane(page, 'Checkpoints');
  const saved = await save(page, '', 'lighthouse-1');
  await saved.getByRole('button', { name: 'Open lighthouse-1 as a new session' }).click();
  const branch = page.getByRole('region', { name: 'REPL of lighthouse 2', exact: true });
  await expect.poll(() => screenOf(branch)).toMatch(/\* $/);
  await evaluate(branch, '(list :branch *tide*)', '(:BRANCH :LOW)');

  await openPane(page, 'Checkpoints');
  await expect(saved).toContainText('in use by this session');
  const drop = saved.getByRole('button', { name: 'Delete lighthouse-1' });
  await expect(drop).toBeDisabled();
  await expect(drop).toHaveAccessibleDescription('in use by this session');
  await sessionRow(page, 'lighthouse').click();
  await expect(saved).toContainText('in use by lighthouse 2');
  await sessionRow(page, 'lighthouse 2').click();
  await act(page, 'End session…');
  await expect(page.getByRole('dialog')).toContainText('saved checkpoints stay');
  await confirm(page, 'End lighthouse 2');
  await expect(saved).not.toContainText('in use');
  await expect(saved.getByRole('button', { name: 'Restore lighthouse-1' })).toBeDisabled();
  await drop.click();
  await confirm(page, 'Delete lighthouse-1');
  await expect(saved).toHaveCount(0);
  await expect(page.getByRole('tabpanel', { name: 'Checkpoints' }).locator(':focus')).toHaveCount(1);
});

test('the menu of new sessions has the checkpoints of the project, newest first', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'SBCL');
  await openPane(page, 'Checkpoints');
  await save(page, 'ebb');
  await evaluate(repl, '(defparameter *tide* :high)', '*TIDE*');
  await openPane(page, 'Checkpoints');
  await save(page, 'flood');
  await sessionRow(page, 'lighthouse').click();
  await act(page, 'End session…');
  await confirm(page, 'End lighthouse');
  await show(page, 'Home');
  await page.getByRole('button', { name: 'New session with another engine or from a checkpoint' }).click();
  const offered = page.getByRole('group', { name: 'From a checkpoint' }).getByRole('menuitem');
  await expect(offered).toHaveCount(2);
  await expect(offered.last()).toContainText('ebb');
  await offered.first().click();
  const branch = page.getByRole('region', { name: /^REPL of / });
  await expect.poll(() => screenOf(branch)).toMatch(/\* $/);
  await evaluate(branch, '*tide*', ':HIGH');
});

test('what stands against saving is told, and what could not be saved', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'SBCL');
  const messages = page.getByRole('region', { name: 'Messages' });
  await typeLine(repl, '(loop (sleep 0.1))');
  await expect(sessionRow(page, 'lighthouse')).toContainText('running');
  await openPane(page, 'Checkpoints');
  await askToSave(page, 'busy');
  await expect(messages).toContainText('An evaluation is running or suspended in the debugger.');
  await page.getByRole('button', { name: 'Interrupt' }).click();
  await expect(sessionRow(page, 'lighthouse')).toContainText('idle');

  const thread =
    '(defvar *go* nil) (defvar *pump* (sb-thread:make-thread (lambda () (loop until *go*)) :name "pump"))';
  await evaluate(repl, thread, '*PUMP*');
  await openPane(page, 'Checkpoints');
  await askToSave(page, 'threads');
  await expect(messages).toContainText('pump');

  await evaluate(repl, '(progn (setf *go* t) (sb-thread:join-thread *pump*))', 'NIL');
  await evaluate(repl, '(progn (defvar *log* (open "log.txt" :direction :output)) :opened)', ':OPENED');
  await openPane(page, 'Checkpoints');
  const log = await save(page, 'log');
  await expect(messages).toContainText('It is incomplete');
  await log.getByText('1 item missing').click();
  await expect(log.getByRole('listitem')).toContainText('log.txt');

  await page.getByRole('button', { name: 'Save…' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill('log');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('dialog')).toContainText('A checkpoint with this name already exists.');
});

test('what a crash costs is told by what the session can bring back', async ({ start }) => {
  const { page } = await start();
  await openSession(page, 'ECL');
  await openPane(page, 'Checkpoints');
  await expect(page.getByRole('heading', { name: 'ECL has no checkpoints' })).toBeVisible();
  await killImage(page);
  await expect(page.getByText('Its state is lost.')).toBeVisible();

  const repl = await openSession(page, 'SBCL');
  await killImage(page);
  await expect(
    page.getByText('definitions are evaluated again from the history. Other state is lost.'),
  ).toBeVisible();
  await evaluate(repl, '(defparameter *tide* :low)', '*TIDE*');
  await evaluate(repl, '(progn (format *error-output* "low ~a~%" :water) :said)', ':SAID');
  await openPane(page, 'Checkpoints');
  await save(page, 'calm');
  await killImage(page);
  await expect(page.getByText('a new image from checkpoint calm')).toBeVisible();
  await evaluate(repl, '*tide*', ':LOW');

  await test.step('and the log of the session has it all, as that of the harbor', async () => {
    await openPane(page, 'Log');
    const lines = page.getByRole('list', { name: 'Lines of the session’s log' }).getByRole('listitem');
    await expect(lines.first()).toContainText('Its image is confined');
    await expect(lines.filter({ hasText: 'The image is gone because' })).toHaveCount(2);
    await expect(lines.filter({ hasText: 'stderr: low WATER' })).toHaveCount(1);
    await expect(lines.filter({ hasText: 'Image 3 replaced it, with checkpoint calm' })).toHaveCount(1);
    await choose(page.getByRole('combobox', { name: 'Level' }), 'warn');
    await expect(lines).toHaveCount(2);
    await examine(page, 'log of a session');
    await show(page, 'Settings');
    await page.getByRole('button', { name: 'Show log…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Log' });
    await dialog.getByRole('searchbox', { name: 'Filter the log' }).fill('replaced it');
    const told = dialog.getByRole('listitem');
    await expect(told.filter({ hasText: 'replaced it, with checkpoint calm' }).first()).toBeVisible();
    await expect(told.filter({ hasNotText: 'replaced it' })).toHaveCount(0);
    await examine(page, 'log of the harbor');
    await page.keyboard.press('Escape');
  });
});

test('everything can be done with the keyboard', async ({ start }) => {
  const { page } = await start();
  await page.keyboard.press('Control+n');
  const repl = page.getByRole('region', { name: /^REPL of / });
  await expect(repl.getByRole('textbox')).toBeFocused();
  await page.keyboard.press('Escape');
  const stops = [repl.getByRole('button', { name: 'Terminal' }), page.getByRole('tab', { name: 'Debugger' })];
  for (const next of stops) {
    await page.keyboard.press('Tab');
    await expect(next).toBeFocused();
  }
  for (const key of ['End', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft']) await page.keyboard.press(key);
  await expect(page.getByRole('tab', { name: 'Checkpoints' })).toBeFocused();
  const save = page.getByRole('button', { name: 'Save…' });
  await expect(save).toBeVisible();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Split the pane' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: 'Close the pane' })).toBeFocused();
  await page.keyboard.press('Tab');
  await expect(save).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('dialog').getByRole('textbox', { name: 'Name' })).toBeFocused();
  await page.keyboard.type('calm');
  await page.keyboard.press('Enter');
  const calm = checkpoint(page, 'calm');
  await expect(calm).toBeVisible();

  const area = page.getByRole('region', { name: 'Checkpoints' });
  for (const next of [page.getByRole('button', { name: 'Save…' }), area, calm.getByRole('button').first()]) {
    await page.keyboard.press('Tab');
    await expect(next).toBeFocused();
  }
  await page.keyboard.press('Enter');
  await expect(page.getByRole('button', { name: 'Cancel' })).toBeFocused();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(calm).toContainText('in use by this session');
  const restore = calm.getByRole('button', { name: 'Restore calm' });
  await expect(restore).toBeFocused();
});

/** Types a line into the REPL and waits for the line that its last value makes. */
async function evaluate(repl: Locator, line: string, value: string): Promise<void> {
  await typeLine(repl, line);
  await expect.poll(() => screenOf(repl)).toContain(`\n${value}\n`);
}

/** Saves the session that is shown and answers the checkpoint once it is there. */
async function save(page: Page, name: string, savedAs = name): Promise<Locator> {
  await askToSave(page, name);
  await expect(checkpoint(page, savedAs)).toBeVisible();
  return checkpoint(page, savedAs);
}

async function askToSave(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Save…' }).click();
  const dialog = page.getByRole('dialog', { name: /^Save checkpoint/ });
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(dialog).toBeHidden();
}

async function confirm(page: Page, button: string): Promise<void> {
  await page.getByRole('dialog').getByRole('button', { name: button }).click();
  await expect(page.getByRole('dialog')).toBeHidden();
}

/** What the list says of a checkpoint. */
function checkpoint(page: Page, name: string): Locator {
  const heading = page.getByRole('rowheader', { name, exact: true });
  return page.getByRole('table', { name: 'Checkpoints' }).getByRole('rowgroup').filter({ has: heading });
}

/** The row of the list of sessions that has this text in a cell of its own. */
function sessionRow(page: Page, cell: string): Locator {
  const exact = page.getByText(cell, { exact: true });
  return page.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ has: exact });
}
