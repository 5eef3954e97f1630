/**
 * Every view in light and dark, filled with a working day: no accessibility violations, and a picture of each in
 * test-results/screens for people to look at.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import AxeBuilder from '@axe-core/playwright';
import type { Client } from '@modelcontextprotocol/client';
import { expect, type Page } from '@playwright/test';
import { connectAgent } from './agent';
import { ROOT, test } from './fixture';
import { evaluationRow, openSession, screenOf, select, show, typeLine } from './steps';

const THEMES = ['light', 'dark'] as const;

test('every view, light and dark', async ({ start, folders }) => {
  test.setTimeout(180_000);
  const { app, page } = await start();
  await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.setContentSize(1280, 800));
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await lookEmpty(page);
  const agent = await connectAgent(page, 'claude-code');
  const running = await workADay(page, agent);
  for (const theme of THEMES) await lookAtAll(page, theme);
  writeFileSync(path.join(folders.project, 'go-on'), '');
  await running;
  await agent.close();
});

/** The views before anything happened say what will be in them. */
async function lookEmpty(page: Page): Promise<void> {
  await show(page, 'Sessions');
  await look(page, 'sessions-empty');
  await show(page, 'History');
  await look(page, 'history-empty');
}

/**
 * Sessions of two engines, a person's and an agent's evaluations, values, output and a condition. Answers the
 * agent's last evaluation, which runs until the project has a file `go-on`.
 */
async function workADay(page: Page, agent: Client): Promise<unknown> {
  const clojure = await openSession(page, 'nbb');
  await typeLine(clojure, '(->> (range 10) (filter even?) (map #(* % %)))');
  await expect.poll(() => screenOf(clojure)).toContain('(0 4 16 36 64)');
  const lisp = await openSession(page, 'SBCL');
  await typeLine(lisp, "(reduce #'* (loop for i from 1 to 20 collect i))");
  await expect.poll(() => screenOf(lisp)).toContain('2432902008176640000');
  await typeLine(lisp, '(values (floor 17 5) (list :a "b" 3/4))');
  await expect.poll(() => screenOf(lisp)).toContain('3/4)');
  const evaluate = (code: string) => agent.callTool({ name: 'eval', arguments: { code } });
  await evaluate('(defgeneric area (shape &key &allow-other-keys))');
  await evaluate('(defmethod area ((shape (eql :circle)) &key radius) (* pi radius radius))');
  await evaluate('(area :triangle :base 3)');
  const running = evaluate(`(loop for r from 1
      until (probe-file "go-on")
      do (when (< r 6) (format t "r=~d area=~,3f~%" r (area :circle :radius r)) (finish-output))
         (sleep 0.05))`);
  await show(page, 'History');
  await expect(evaluationRow(page, 'loop for r from 1')).toContainText('running');
  await select(evaluationRow(page, 'area :triangle'));
  return running;
}

async function lookAtAll(page: Page, theme: (typeof THEMES)[number]): Promise<void> {
  await chooseTheme(page, theme);
  await look(page, `settings-${theme}`);
  await show(page, 'Home');
  await look(page, `home-${theme}`);
  await show(page, 'History');
  await expect(page.getByRole('region', { name: 'Condition' })).toBeVisible();
  await look(page, `history-${theme}`);
  await show(page, 'Sessions');
  const sessions = page.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ hasText: 'sbcl' });
  await select(sessions.filter({ hasText: 'you' }));
  await page.getByRole('tab', { name: 'REPL' }).click();
  await expect.poll(() => screenOf(page.getByRole('region', { name: /^REPL of / }))).toContain('3/4)');
  await look(page, `sessions-repl-${theme}`);
  await select(sessions.filter({ hasText: 'claude-code' }));
  await page.getByRole('tab', { name: 'Transcript' }).click();
  await expect(page.getByRole('list', { name: 'Transcript' })).toContainText('r=5');
  await look(page, `sessions-transcript-${theme}`);
  await show(page, 'Clients');
  await look(page, `clients-${theme}`);
  await page.getByRole('button', { name: 'Connect Claude Desktop' }).click();
  await expect(page.getByRole('dialog')).toContainText('mcpServers');
  await look(page, `connect-${theme}`);
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
}

async function chooseTheme(page: Page, theme: (typeof THEMES)[number]): Promise<void> {
  await show(page, 'Settings');
  const choice = page.getByRole('radio', { name: theme === 'light' ? 'Light' : 'Dark' });
  await choice.click();
  const dark = () => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await expect.poll(dark).toBe(theme === 'dark');
}

async function look(page: Page, name: string): Promise<void> {
  // Electron cannot open the second page that axe would like to finish its work in.
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).analyze();
  const found = violations.map(({ id, nodes }) => ({ id, where: nodes.map(({ html }) => html) }));
  await page.screenshot({ path: path.join(ROOT, 'test-results/screens', `${name}.png`) });
  expect.soft(found, name).toEqual([]);
}
