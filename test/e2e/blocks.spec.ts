/** The REPL in blocks: one transcript of a person and agents, and the editor below it. */
import { expect, type Page } from '@playwright/test';
import { Agent } from './agent';
import { test } from './shared-app';
import { act, asTerminal, block, enterForm, inputOf, openBlocks, screenOf, select, show } from './steps';

const input = (page: Page) => inputOf(page.getByRole('region', { name: /^REPL of / }));
const session = (page: Page) => page.getByRole('region', { name: /^Session / });

test('a person writes, completes, edits and finds forms', async ({ start }) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  await test.step('Enter begins a line until the form is complete', async () => {
    await inputOf(repl).click();
    await page.keyboard.type('(defun tide (hour)');
    await page.keyboard.press('Enter');
    await page.keyboard.type('(* 2 hour');
    await expect(inputOf(repl)).toHaveText(/\(defun tide \(hour\)\s{2,}\(\* 2 hour\)\)/);
    await page.keyboard.press('End');
    await page.keyboard.press('Enter');
    await expect(block(repl, 'defun tide')).toContainText('TIDE');
  });
  await test.step('a name is completed, and its arguments are shown', async () => {
    await page.keyboard.type('(tid');
    await expect(page.getByRole('option', { name: /^tide/ })).toBeVisible();
    await page.keyboard.press('Tab');
    await page.keyboard.type(' 21');
    await expect(repl.getByText('tide (hour)', { exact: true })).toBeVisible();
    await page.keyboard.press('Control+e');
    await page.keyboard.press('Enter');
    await expect(block(repl, '(tide 21)').getByRole('list', { name: 'Values' })).toHaveText('42');
  });
  await test.step('Up and Down walk by forms', async () => {
    await page.keyboard.type(':half');
    await page.keyboard.press('ArrowUp');
    await expect(inputOf(repl)).toHaveText('(tide 21)');
    await page.keyboard.press('ArrowUp');
    await expect(inputOf(repl)).toHaveText(/^\(defun tide \(hour\)\s+\(\* 2 hour\)\)$/);
    for (const key of ['ArrowDown', 'ArrowDown']) await page.keyboard.press(key);
    await expect(inputOf(repl)).toHaveText(':half');
    await page.keyboard.press('Control+c');
    await expect(inputOf(repl)).not.toContainText(':half');
  });
  await test.step('forms are edited by their structure', async () => {
    await page.keyboard.type('(list 1) 2');
    for (let step = 0; step < 4; step += 1) await page.keyboard.press('Control+b');
    await page.keyboard.press('Control+ArrowRight');
    await expect(inputOf(repl)).toHaveText('(list 1 2)');
    await page.keyboard.press('Control+ArrowLeft');
    await expect(inputOf(repl)).toHaveText('(list 1) 2');
    await page.keyboard.press('Control+c');
  });
  await test.step('Ctrl+R finds an earlier form', async () => {
    await page.keyboard.press('Control+r');
    await page.keyboard.type('defun');
    await expect(page.getByRole('option', { name: /defun tide/ })).toHaveAttribute('aria-selected', 'true');
    await page.keyboard.press('Enter');
    await expect(inputOf(repl)).toHaveText(/^\(defun tide/);
    await page.keyboard.press('Control+c');
  });
  await test.step('Tab does not leave, Escape and Tab do', async () => {
    await page.keyboard.type('(x');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+a');
    await page.keyboard.press('Tab');
    await expect(inputOf(repl)).toBeFocused();
    for (const key of ['Escape', 'Tab']) await page.keyboard.press(key);
    await expect(inputOf(repl)).not.toBeFocused();
  });
  await test.step('what was typed survives a reload', async () => {
    await page.reload();
    await expect(inputOf(repl)).toHaveText('(x)');
    await inputOf(repl).click();
    await page.keyboard.press('Control+c');
  });
  await test.step('a value has a name in the next input', async () => {
    const link = block(repl, '(tide 21)').getByRole('link', { name: /^#\d+$/ });
    const id = (await link.innerText()).slice(1);
    await enterForm(repl, `(1+ #v${id})`);
    await expect(block(repl, `(1+ `).getByRole('list', { name: 'Values' })).toHaveText('43');
  });
  await test.step('an evaluation is run again, folded, and found in the history', async () => {
    await block(repl, '(tide 21)').hover();
    await repl
      .getByRole('button', { name: /^Run evaluation \d+ again$/ })
      .nth(1)
      .click();
    await expect(block(repl, '(tide 21)')).toHaveCount(2);
    await block(repl, 'defun tide').hover();
    await repl
      .getByRole('button', { name: /^Fold evaluation/ })
      .first()
      .click();
    await expect(block(repl, 'defun tide')).not.toContainText('(* 2 hour)');
  });
  await test.step('the terminal has the same transcript, one key away', async () => {
    await input(page).click();
    await page.keyboard.press('Control+Shift+x');
    await expect.poll(() => screenOf(repl)).toMatch(/\(tide 21\)\n42\n[\s\S]*\* $/);
    await page.keyboard.press('Control+Shift+x');
    await expect(inputOf(repl)).toBeVisible();
  });
});

test('a session is opened at its end, which stays in view until a person reads above', async ({ start }) => {
  const { page } = await start();
  const rows = page.getByRole('grid', { name: 'Sessions' }).getByRole('row');
  const shown = (name: string) => page.getByRole('region', { name: `REPL of ${name}` });
  const running = (name: string) => block(shown(name), 'loop for n');
  // Before they are measured six blocks fit into the window, and thirty do not.
  const agents: { agent: Agent; looped: Promise<unknown> }[] = [];
  for (const [name, blocks] of [
    ['six', 6],
    ['thirty', 30],
  ] as const) {
    const agent = await Agent.connect(page, `claude-${name}`, { engine: 'sbcl', name });
    for (let hour = 0; hour < blocks; hour += 1)
      await agent.evaluate(`(dotimes (line ${(hour * 7) % 23} ${hour})\n  (format t "tide ~d~%" line))`);
    const looping = '(loop for n from 0 do (format t "turn ~d~%" n) (finish-output) (sleep 0.3))';
    // One still runs when its client goes.
    const looped = agent.evaluate(looping).catch(() => undefined);
    agents.push({ agent, looped });
  }
  await openBlocks(page, 'SBCL');
  for (const name of ['six', 'thirty'])
    await test.step(`what runs in ${name} is in view as it grows`, async () => {
      await select(rows.filter({ hasText: name }));
      await expect(running(name).locator('.xterm-rows')).toContainText('turn 9');
      await expect(running(name)).toBeInViewport({ ratio: 0.99 });
    });
  await test.step('whoever reads above stays there', async () => {
    // Over a terminal the wheel would scroll what that has above first.
    await block(shown('thirty'), 'dotimes')
      .last()
      .hover({ position: { x: 20, y: 8 } });
    await page.mouse.wheel(0, -2_000);
    await expect(running('thirty')).not.toBeInViewport();
    await page.getByRole('button', { name: 'Stop claude-thirty' }).click();
    await agents[1]?.looped;
    await expect(page.getByRole('region', { name: 'claude-thirty is evaluating' })).toBeHidden();
    await expect(running('thirty')).not.toBeInViewport();
  });
  await test.step('and is back at the end by the key', async () => {
    await shown('thirty').getByRole('region', { name: 'Transcript of the session' }).press('End');
    await enterForm(shown('thirty'), ':last');
    await expect(block(shown('thirty'), ':last')).toBeInViewport({ ratio: 0.99 });
  });
  for (const { agent } of agents) await agent.close();
});

test('Ctrl+C takes back what a person sent, and leaves the agent at work', async ({ start }) => {
  const { page } = await start();
  const agent = await Agent.connect(page, 'claude-code', { engine: 'sbcl', name: 'busy' });
  await show(page, 'Sessions');
  await select(page.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ hasText: 'busy' }));
  const repl = page.getByRole('region', { name: 'REPL of busy' });
  const working = agent.evaluate('(loop (print :at-work) (finish-output) (sleep 0.2))');
  const strip = page.getByRole('region', { name: 'claude-code is evaluating' });
  await expect(strip).toContainText('(loop');
  await expect(block(repl, '(loop').locator('.xterm-rows')).toContainText(':AT-WORK');

  await enterForm(repl, '(+ 1 1)');
  await expect(page.getByRole('region', { name: 'Queue' })).toContainText('(+ 1 1)');
  await page.keyboard.press('Control+c');
  await expect(page.getByRole('region', { name: 'Queue' })).toBeHidden();
  await expect(inputOf(repl)).toHaveText('(+ 1 1)');
  for (const key of ['Control+c', 'Control+c']) await page.keyboard.press(key);
  await expect(strip).toBeVisible();
  await expect(session(page).getByText('running').first()).toBeVisible();

  await strip.getByRole('button', { name: 'Stop claude-code' }).click();
  await working;
  await expect(strip).toBeHidden();
  await expect(block(repl, '(loop')).toContainText('interrupted');
  await agent.close();
});

test('an error of an agent is told where it happened, and help does not nest another', async ({ start }) => {
  const { page } = await start();
  const agent = await Agent.connect(page, 'claude-code', { engine: 'sbcl', name: 'held' });
  const held = agent.evaluate('(restart-case (+ :a 2) (wait () 41))', { on_error: 'debug' });
  await show(page, 'Sessions');
  await select(page.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ hasText: 'held' }));
  const repl = page.getByRole('region', { name: 'REPL of held' });
  const strip = page.getByRole('region', { name: 'Suspended at level 1' });
  await expect(strip).toContainText('TYPE-ERROR');
  await expect(block(repl, 'restart-case')).toContainText('claude-code is waiting for a restart');
  await block(repl, 'restart-case').getByRole('button', { name: 'Debug' }).click();
  await expect(page.getByRole('tab', { name: 'Debugger' })).toHaveAttribute('aria-selected', 'true');
  await enterForm(repl, 'help');
  await enterForm(repl, '(* 6 7)');
  await expect(block(repl, '(* 6 7)')).toContainText('42');
  await expect(strip).toBeVisible();
  await expect(page.getByRole('region', { name: 'Suspended at level 2' })).toHaveCount(0);
  await strip.getByRole('button', { name: /WAIT/ }).click();
  await expect(strip).toBeHidden();
  await held;
  await agent.close();
});

test('code without interrupts: what is tried is said, and force or a restart is offered', async ({
  start,
}) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  await enterForm(repl, '(defparameter *kept* 41)');
  await expect(block(repl, '*kept*')).toContainText('*KEPT*');
  await enterForm(repl, '(sb-sys:without-interrupts (loop (sleep 0.1)))');
  await expect(session(page).getByText('running').first()).toBeVisible();
  await page.keyboard.press('Control+c');
  const note = session(page).getByRole('note');
  await expect(note).toContainText('did not stop when it was interrupted');
  await note.getByRole('button', { name: 'Force stop' }).click();
  await expect(note).toContainText('could only be stopped by ending its image');
  await expect(note).not.toContainText('died');
  await enterForm(repl, '(1+ *kept*)');
  await expect(block(repl, '(1+ *kept*)')).toContainText('42');
});

test('a flood of output leaves the editor alive', async ({ start }) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  await enterForm(repl, '(dotimes (i 60000 \'flooded) (format t "~80,,,\'x@a ~d~%" i i))');
  await page.keyboard.type('(+ 40 2)');
  await expect(inputOf(repl)).toHaveText('(+ 40 2)');
  await expect(block(repl, 'flooded').getByRole('list', { name: 'Values' })).toHaveText('FLOODED', {
    timeout: 60_000,
  });
  await page.keyboard.press('Control+e');
  await page.keyboard.press('Enter');
  await expect(block(repl, '(+ 40 2)')).toContainText('42');
  await asTerminal(repl);
});

test('a session is named, noted and restarted with its definitions', async ({ start }) => {
  const { page } = await start();
  const repl = await openBlocks(page, 'SBCL');
  await enterForm(repl, '(defun tide (hour) (* 2 hour))');
  await expect(block(repl, 'defun tide')).toContainText('TIDE');
  await act(page, 'Name and note…');
  const dialog = page.getByRole('dialog', { name: /^Name and note/ });
  await dialog.getByRole('textbox', { name: 'Name' }).fill('flood');
  await dialog.getByRole('textbox', { name: 'Note' }).fill('tables of Tuesday');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await expect(
    page.getByRole('grid', { name: 'Sessions' }).getByTitle('flood: tables of Tuesday'),
  ).toBeVisible();
  await act(page, 'Restart…');
  await page.getByRole('dialog').getByRole('button', { name: 'Restart flood' }).click();
  await expect(session(page)).toContainText('generation 2');
  await enterForm(repl, '(tide 4)');
  await expect(block(repl, '(tide 4)').getByRole('list', { name: 'Values' })).toHaveText('8');
});

test('End leads to the end of a long transcript, whatever the heights of its blocks', async ({ start }) => {
  const { page } = await start();
  const agent = await Agent.connect(page, 'claude-code', { engine: 'sbcl', name: 'long' });
  for (let turn = 0; turn < 120; turn += 1)
    await agent.evaluate(
      `(dotimes (line ${(turn * 7) % 23} ${turn}) (format t "~D: ~V,,,'x@A~%" line ${(turn * 31) % 300} ""))`,
    );
  await show(page, 'Sessions');
  await select(page.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ hasText: 'long' }));
  const repl = page.getByRole('region', { name: 'REPL of long' });
  const transcript = repl.getByRole('region', { name: 'Transcript of the session' });
  const below = () => transcript.evaluate((area) => area.scrollHeight - area.scrollTop - area.clientHeight);
  await expect(block(repl, '(dotimes').last()).toBeInViewport();
  for (const way of ['Home', 'PageUp', 'wheel'] as const) {
    if (way === 'wheel') {
      await transcript.hover({ position: { x: 20, y: 8 } });
      await page.mouse.wheel(0, -5_000);
    } else for (let times = 0; times < 3; times += 1) await transcript.press(way);
    await expect.poll(below).toBeGreaterThan(500);
    await transcript.press('End');
    await expect.poll(below).toBeLessThan(2);
    await expect(transcript.getByText(/^119$/).last()).toBeInViewport();
  }
  await agent.close();
});
