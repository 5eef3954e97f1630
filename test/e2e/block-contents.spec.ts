/** What a block of the REPL shows of its evaluation: all of it, each thing once, and the lines that its code has read. */
import { expect } from '@playwright/test';
import { test } from './shared-app';
import { block, enterForm, inputOf, openBlocks } from './steps';

test('a block offers all of what it has only the beginning of, also after a reload', async ({ start }) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  await enterForm(repl, `(dotimes (tide 200 'ebb) (format t "tide ~d is high~%" tide))`);
  const printed = block(repl, 'dotimes (tide');
  // This window has seen all of it.
  await expect(printed).toContainText('tide 199 is high');
  await expect(printed.getByRole('button', { name: /^Show all/ })).toBeHidden();
  await enterForm(repl, `(make-string 3000 :initial-element #\\w)`);
  const value = block(repl, 'make-string').getByRole('list', { name: 'Values' });
  await expect(value).toHaveText(/^"w{1000,2000}…$/);
  await block(repl, 'make-string')
    .getByRole('button', { name: /^Show all/ })
    .click();
  await expect(value).toHaveText(/^"w{3000}"$/);
  await page.reload();
  await expect(printed).toContainText('tide 0 is high');
  await expect(printed).not.toContainText('tide 199 is high');
  await printed.getByRole('button', { name: /^Show all/ }).press('Enter');
  await expect(printed).toContainText('tide 199 is high');
  await expect(printed.getByRole('button', { name: /^Show all/ })).toBeHidden();
});

test('a block says an error once, also where the engine prints it', async ({ start }) => {
  const { page } = await start();
  for (const [engine, form, printed, said] of [
    ['ACL2', '(car 1 2)', 'error', /CAR takes 1 argument/g],
    ['Clojure', '(do (println "before") (/ 1 0))', 'before', /Divide by zero/g],
  ] as const) {
    const repl = await openBlocks(page, engine);
    await enterForm(repl, form);
    const failed = block(repl, form);
    await expect(failed).toHaveAttribute('data-outcome', 'error');
    await expect(failed).toContainText(printed);
    const times = async () => [...(await failed.innerText()).matchAll(said)].length;
    await expect.poll(times).toBe(1);
    await page.reload();
    await expect(failed).toContainText(printed);
    await expect.poll(times).toBe(1);
  }
});

test('code that reads gets the next line from the editor', async ({ start }) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  await enterForm(repl, '(list :read (read-line))');
  await expect(repl.getByText('input ›')).toBeVisible();
  await expect(inputOf(repl)).toHaveText('Type a line; press Enter to send it to the code');
  // A line is no Lisp: nothing in it is closed.
  await page.keyboard.type('two "words :(');
  await page.keyboard.press('Enter');
  await expect(block(repl, ':read').getByRole('list', { name: 'Values' })).toHaveText(
    String.raw`(:READ "two \"words :(")`,
  );
  await expect(inputOf(repl)).toHaveText('Type a form; press Enter to evaluate');
  const read = block(repl, ':read').locator('pre[data-stream]');
  await expect(read).toHaveText('two "words :(');
  await expect(read).toHaveAttribute('data-stream', 'input');
  await page.reload();
  await expect(read).toHaveText('two "words :(');
  const clojure = await openBlocks(page, 'Clojure');
  await enterForm(clojure, '(do (println "before") [(read-line) (read-line)])');
  for (const line of ['one', 'two']) {
    await expect(clojure.getByText('input ›')).toBeVisible();
    await expect(inputOf(clojure)).toHaveText('Type a line; press Enter to send it to the code');
    await page.keyboard.type(line);
    await page.keyboard.press('Enter');
  }
  await expect(block(clojure, 'println').locator('pre[data-stream]')).toHaveText([
    /^before\s*$/,
    /^one\s+two\s*$/,
  ]);
});
