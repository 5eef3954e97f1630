/** Evaluating by hand: keystrokes into the terminal, a real image behind it. */
import { expect } from '@playwright/test';
import { test } from './shared-app';
import {
  asTerminal,
  block,
  enterForm,
  inputOf,
  killImage,
  newestRow,
  openBlocks,
  openSession,
  screenOf,
  show,
  typeLine,
} from './steps';

test('an SBCL session evaluates what is typed', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'SBCL');
  await typeLine(repl, "(reduce #'* (loop for i from 1 to 20 collect i))");
  await expect.poll(() => screenOf(repl)).toMatch(/\n2432902008176640000\n\* $/);
});

test('code that reads gets the line that is typed next', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'SBCL');
  await typeLine(repl, '(list :read (read-line) (y-or-n-p "sure?"))');
  await typeLine(repl, 'two words');
  await expect.poll(() => screenOf(repl)).toMatch(/sure\? \(y or n\)/);
  await typeLine(repl, 'y');
  await expect.poll(() => screenOf(repl)).toMatch(/\n\(:READ "two words" T\)\n\* $/);
});

test('what is typed before the transcript has come stands below it', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'SBCL');
  await show(page, 'Home');
  // In the moment in which the terminal is there.
  await page.evaluate(() => {
    const typing = new MutationObserver(() => {
      const area = document.querySelector('.xterm-helper-textarea');
      if (!area) return;
      typing.disconnect();
      area.dispatchEvent(new InputEvent('input', { inputType: 'insertText', data: '(list :early 1)' }));
      area.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', keyCode: 13 }));
    });
    typing.observe(document.body, { childList: true, subtree: true });
  });
  await show(page, 'Sessions');
  await expect.poll(() => screenOf(repl)).toMatch(/\* \(list :early 1\)\n\(:EARLY 1\)\n\* $/);
});

test('Ctrl+C interrupts a loop and the session goes on', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'SBCL');
  await typeLine(repl, '(defparameter *kept* 41)');
  await expect.poll(() => screenOf(repl)).toMatch(/\*KEPT\*\n\* $/);
  await typeLine(repl, '(loop (sleep 0.1))');
  const session = page.getByRole('region', { name: /^Session / });
  await expect(session.getByText('running')).toBeVisible();
  await page.keyboard.press('Control+c');
  await expect(session.getByText('idle')).toBeVisible();
  await typeLine(repl, '(1+ *kept*)');
  await expect.poll(() => screenOf(repl)).toMatch(/\n42\n\* $/);
  await show(page, 'History');
  await expect(newestRow(page, '(loop (sleep 0.1))')).toContainText('interrupted');
});

test('an error holds the session until a restart is chosen by its number', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'SBCL');
  await typeLine(repl, '(+ 1 (restart-case (error "The tide is out.") (wait () 41)))');
  await expect.poll(() => screenOf(repl)).toMatch(/0: \[WAIT\] WAIT[\s\S]*\n0\] $/);
  const session = page.getByRole('region', { name: /^Session / });
  await expect(session.getByText('debugger', { exact: true })).toBeVisible();
  await typeLine(repl, '(car 1)');
  await expect.poll(() => screenOf(repl)).toMatch(/Return to debugger level 1[\s\S]*\n1\] $/);
  await typeLine(repl, '0');
  await expect.poll(() => screenOf(repl)).toMatch(/\n1\] 0\n0\] $/);
  await typeLine(repl, '0');
  await expect.poll(() => screenOf(repl)).toMatch(/\n42\n[\s\S]*\n\* $/);
  await expect(session.getByText('idle')).toBeVisible();
  await show(page, 'History');
  await expect(newestRow(page, 'The tide is out.')).toContainText('42');
  await expect(newestRow(page, '(car 1)')).toContainText('error');
});

test('an nbb session evaluates ClojureScript', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'nbb');
  await typeLine(repl, '(map inc [1 2 3])');
  await expect.poll(() => screenOf(repl)).toMatch(/\n\(2 3 4\)\n\S+=> $/);
});

test('a flood of output leaves the page alive and ends in its value', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'SBCL');
  await typeLine(repl, '(dotimes (i 60000 \'flooded) (format t "~80,,,\'x@a ~d~%" i i))');
  await expect
    .poll(() => screenOf(repl), { timeout: 40_000 })
    .toMatch(/\nFLOODED\n; It printed more than the 4194304 characters.*\n\* $/s);
  await typeLine(repl, '(+ 40 2)');
  await expect.poll(() => screenOf(repl)).toMatch(/\n42\n\* $/);
});

test('an image that is killed makes its session lost, and the next evaluation says what came back', async ({
  start,
}) => {
  const { page } = await start();
  const repl = await openSession(page, 'SBCL');
  await typeLine(repl, '(defparameter *kept* 1)');
  await expect.poll(() => screenOf(repl)).toMatch(/\*KEPT\*\n\* $/);
  const row = page.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ hasText: 'sbcl' });
  await killImage(page);
  await expect(row).toContainText('lost');
  await typeLine(repl, '(1+ *kept*)');
  await expect.poll(() => screenOf(repl)).toMatch(/\n2\n; This session has a new image [^*]*\* $/);
  await expect(row).toContainText('idle');
  await show(page, 'History');
  await newestRow(page, '(1+ *kept*)').click();
  await expect(page.getByRole('region', { name: 'Notes' })).toContainText('1 form of the history');
});

test('a block says that its image is a new one, and nothing where there is nothing to say', async ({
  start,
}) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  await enterForm(repl, '(defparameter *tide* 41)');
  await expect(block(repl, 'defparameter *tide*').getByRole('list', { name: 'Values' })).toHaveText('*TIDE*');
  await killImage(page);
  await enterForm(repl, '(1+ *tide*)');
  const line = repl.locator('summary').filter({ hasText: 'New image' });
  const first = repl.getByRole('list', { name: 'Transcript' }).getByRole('listitem');
  await expect(line).toContainText('This session has a new image (generation 2)');
  await page.reload();
  await expect(line).toContainText('This session has a new image (generation 2)');
  // It is above the first evaluation of that image.
  await expect(first.filter({ has: page.locator('summary') })).toContainText('(1+ *tide*)');
  await line.click();
  await expect(repl.getByRole('list', { name: 'Notes' })).toHaveCount(1);
  await expect(repl.getByRole('list', { name: 'Notes' })).toContainText('1 form of the history');
});

test('a block shows the values of every form, of many the last until all are asked for', async ({
  start,
}) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  await enterForm(repl, '(+ 1 1) (values) (values 3 4)');
  const values = (code: string) => block(repl, code).getByRole('list', { name: 'Values' });
  await expect(values('(+ 1 1)').getByRole('listitem')).toHaveText(['2', 'no values', '3', '4']);
  await expect(values('(+ 1 1)').getByRole('button')).toHaveText('3');
  await enterForm(repl, '(+ 20 1) (car 1)');
  await expect(block(repl, '(car 1)')).toContainText('TYPE-ERROR');
  await expect(values('(car 1)').getByRole('listitem')).toHaveText(['21']);
  await page.keyboard.type('0');
  await page.keyboard.press('Enter');
  await enterForm(repl, Array.from({ length: 30 }, (_, form) => `:tide-${form}`).join(' '));
  await expect(values(':tide-29').getByRole('listitem').first()).toHaveText('9 forms before');
  await block(repl, ':tide-29')
    .getByRole('button', { name: /^Show all/ })
    .click();
  await expect(values(':tide-29').getByRole('listitem').first()).toHaveText(':TIDE-0');
  await expect(values(':tide-29').getByRole('listitem')).toHaveCount(30);
});

test('Ctrl+C loses nothing: what is cleared or waited comes back', async ({ start }) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  await inputOf(repl).click();
  await page.keyboard.type('(never :sent)');
  await page.keyboard.press('Control+c');
  await expect(inputOf(repl)).not.toContainText('never');
  await page.keyboard.press('Control+z');
  await expect(inputOf(repl)).toHaveText('(never :sent)');
  await page.keyboard.press('Control+c');
  for (const form of ['(loop (sleep 0.1))', '(+ 1 1)', '(+ 2 2)']) await enterForm(repl, form);
  const waits = page.getByRole('region', { name: 'Queue' });
  await expect(waits).toContainText('2 forms queued');
  await page.keyboard.type(':half');
  for (const key of ['Control+c', 'Control+c']) await page.keyboard.press(key);
  await expect(waits).toBeHidden();
  await expect(inputOf(repl)).toHaveText(/^\(\+ 1 1\)\s*\(\+ 2 2\)$/);
  await page.keyboard.press('Control+c');
  await expect(block(repl, '(loop')).toContainText('interrupted');
  await expect(inputOf(repl)).toHaveText(/^\(\+ 1 1\)\s*\(\+ 2 2\)$/);
  await page.keyboard.press('Control+c');
  await expect(inputOf(repl)).not.toContainText('1 1');
  for (const text of [/^\(\+ 1 1\)\s*\(\+ 2 2\)$/, ':half', '(loop (sleep 0.1))', '(never :sent)']) {
    await page.keyboard.press('Alt+p');
    await expect(inputOf(repl)).toHaveText(text);
  }
  await page.keyboard.press('Control+c');
  await page.keyboard.press('ArrowUp');
  await expect(inputOf(repl)).toHaveText(/^\(\+ 1 1\)/);
});

test('no bracket is closed where it is a character or a comment', async ({ start }) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  for (const form of [String.raw`(list #\( "a \" b" #\))`, '#| not ( this |# :sent'])
    await enterForm(repl, form);
  await expect(block(repl, '(list').getByRole('list', { name: 'Values' })).toHaveText(
    String.raw`(#\( "a \" b" #\))`,
  );
  await expect(block(repl, ':sent').getByRole('list', { name: 'Values' })).toHaveText(':SENT');
});

test('what runs says for how many seconds, from the first one on', async ({ start }) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  await page.evaluate(() => {
    const seen = new Set<string>();
    Object.assign(window, { seen });
    const look = () => {
      for (const running of document.querySelectorAll<HTMLElement>('article[data-outcome=running]'))
        seen.add(/running\s*(.*?)\s*(?:Break\s*)?Stop/.exec(running.innerText)?.[1] ?? '');
    };
    new MutationObserver(look).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
    });
  });
  await enterForm(repl, '(progn (sleep 4) :slept)');
  await expect(block(repl, ':slept').getByRole('list', { name: 'Values' })).toHaveText(':SLEPT');
  const seen = await page.evaluate(() => [...(window as unknown as { seen: Set<string> }).seen]);
  const [first, ...later] = seen;
  expect(first).toBe('');
  expect(later).toEqual(later.map((said) => `${Number.parseInt(said, 10)} s`));
  expect(later).toContain('3 s');
});

test('of many names those are drawn that are seen, and the arrow keys come to every one', async ({
  start,
}) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  await inputOf(repl).click();
  await page.keyboard.type('(def');
  const names = page.getByRole('option');
  await expect(names.first()).toHaveText(/^def/);
  expect(await names.count()).toBeLessThanOrEqual(20);
  const first = await names.first().innerText();
  for (let step = 0; step < 25; step += 1) await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('option', { selected: true })).toHaveText(/^def/);
  await expect(names.filter({ hasText: first })).toHaveCount(0);
});

test('nothing moves while nobody does anything, for what moves is drawn sixty times a second', async ({
  start,
}) => {
  const { page } = await start();
  const moving = () => page.evaluate(() => document.getAnimations().length);
  const repl = await openBlocks(page, 'SBCL');
  await inputOf(repl).click();
  await expect.poll(moving).toBe(0);
  await asTerminal(repl);
  await repl.getByRole('textbox').focus();
  await expect.poll(moving).toBe(0);
});
