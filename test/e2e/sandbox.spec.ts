/** The sandbox in the window: the allow-list as a person changes it, and sessions that began before. */
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { connectAgent } from './agent';
import type { Folders } from './fixture';
import { test } from './shared-app';
import { choose, openSession, screenOf, show, typeLine } from './steps';

const settingsOf = ({ data }: Folders) => JSON.parse(readFileSync(path.join(data, 'settings.json'), 'utf8'));

/** A folder beside the project, with a file that Lisp can read. */
function notesOf({ home }: Folders): string {
  mkdirSync(path.join(home, 'notes'), { recursive: true });
  writeFileSync(path.join(home, 'notes/keeper.lisp'), '(:keeper "Ada")');
  return realpathSync(path.join(home, 'notes'));
}

async function allow(page: Page, folder: string, reason: string): Promise<void> {
  await page.getByRole('button', { name: 'Add to the allow-list…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add to the allow-list' });
  await dialog.getByRole('textbox', { name: 'Folder or file' }).fill(folder);
  await dialog.getByRole('textbox', { name: 'Reason' }).fill(reason);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
}

test('an entry opens a folder to sessions, with its reason, until it is removed', async ({
  start,
  folders,
}) => {
  const notes = notesOf(folders);
  const { page } = await start();
  const repl = await openSession(page, 'SBCL');
  const read = `(with-open-file (s "${notes}/keeper.lisp") (read s))`;
  await typeLine(repl, '(defvar *lamp* :lit)');
  await typeLine(repl, `(ignore-errors ${read})`);
  await expect.poll(() => screenOf(repl)).toMatch(/NIL/);

  await show(page, 'Sandbox');
  await allow(page, notes, 'the keeper’s notes');
  const row = page.getByRole('row').filter({ hasText: 'the keeper’s notes' });
  await expect(row).toContainText('Read');
  expect(settingsOf(folders).allowList).toMatchObject([{ folder: notes, power: 'read', addedBy: 'window' }]);

  await page
    .getByRole('list', { name: 'Sessions to restart' })
    .getByRole('button', { name: /^Restart/ })
    .click();
  await expect(page.getByRole('list', { name: 'Sessions to restart' })).toBeHidden();
  await page.getByRole('link', { name: 'Sessions' }).click();
  await typeLine(repl, `(list *lamp* ${read})`);
  await expect.poll(() => screenOf(repl)).toContain('(:LIT (:KEEPER "Ada"))');

  await show(page, 'Sandbox');
  await row.getByRole('button', { name: `Remove ${notes}` }).click();
  await expect(row).toBeHidden();
  expect(settingsOf(folders).allowList).toEqual([]);
});

test('Git’s own files are read-only until a person removes that rule, and again after it is restored', async ({
  start,
  folders,
}) => {
  const hooks = path.join(realpathSync(folders.project), '.git/hooks');
  mkdirSync(hooks, { recursive: true });
  const { page } = await start();
  const agent = await connectAgent(page, 'codex');
  const write = async (name: string) => {
    const asked = { name: 'write_file', arguments: { path: `.git/hooks/${name}`, content: 'decoy' } };
    return JSON.stringify(await agent.callTool(asked));
  };
  expect(await write('pre-commit')).toMatch(/path_not_allowed.*hooks and settings outside/);

  await show(page, 'Sandbox');
  const git = path.dirname(hooks);
  const row = page.getByRole('row').filter({ hasText: 'hooks and settings' });
  await expect(row).toContainText('by default');
  await row.getByRole('button', { name: `Remove ${git}` }).click();
  await expect(row).toBeHidden();
  expect(settingsOf(folders).withoutDefaults).toEqual([git]);
  expect(await write('post-commit')).not.toContain('path_not_allowed');

  await allow(page, git, 'as it was');
  await expect(row).toContainText('by default');
  expect(settingsOf(folders)).toMatchObject({ withoutDefaults: [], allowList: [] });
  expect(await write('post-merge')).toContain('path_not_allowed');
  await agent.close();
});

test('ports of this computer are named beside the network permission', async ({ start, folders }) => {
  const { page } = await start();
  await show(page, 'Sandbox');
  const field = page.getByRole('textbox', { name: 'Ports of this computer' });
  await field.fill('5432, 70000');
  await field.press('Enter');
  await expect(page.getByText('Write numbers from 1 to 65535')).toBeVisible();
  expect(settingsOf(folders).loopbackPorts ?? []).toEqual([]);
  await field.fill('5432, 8080 5432');
  await field.press('Enter');
  await expect(field).toHaveValue('5432, 8080');
  await expect.poll(() => settingsOf(folders).loopbackPorts).toEqual([5432, 8080]);
  await field.fill('');
  await field.press('Enter');
  await expect.poll(() => settingsOf(folders).loopbackPorts).toEqual([]);
});

test('a folder that would open too much is refused with the reason', async ({ start }) => {
  const { page } = await start();
  await show(page, 'Sandbox');
  await allow(page, '/', 'everything');
  const dialog = page.getByRole('dialog', { name: 'Add to the allow-list' });
  await expect(dialog.getByRole('alert')).toContainText('it is the root of the file system');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
});

/** An agent each of whose evaluations is asked about, and the question that the window shows. */
async function askingAbout(page: Page) {
  const agent = await connectAgent(page, 'codex');
  const { structuredContent } = await agent.callTool({ name: 'open_session', arguments: {} });
  const { session } = structuredContent as { session: string };
  await show(page, 'Sandbox');
  await choose(page.getByRole('combobox', { name: 'Evaluate: every client' }), 'ask');
  const question = page.getByRole('alert', { name: 'Waiting for approval' });
  const evaluate = (code: string) => agent.callTool({ name: 'eval', arguments: { code, session } });
  return { agent, question, evaluate };
}

test('a question of a rule shows the exact code, and the call follows the answer', async ({
  start,
  folders,
}) => {
  const { page } = await start();
  const { agent, question, evaluate } = await askingAbout(page);

  const first = evaluate('(list :first (+ 1 2))');
  await expect(question).toContainText('codex wants to use eval');
  await expect(question).toContainText('(list :first (+ 1 2))');
  await expect(question).toContainText('evaluate: ask, for every client');
  await question.getByRole('button', { name: 'Deny' }).click();
  expect(JSON.stringify(await first)).toContain('not_approved');
  await expect(question).toBeHidden();

  const second = evaluate('(list :second (+ 1 2))');
  await expect(question).toContainText(/In session \S+, SBCL\./);
  await question.getByRole('button', { name: 'Always allow codex' }).click();
  expect(JSON.stringify(await second)).toContain('(:SECOND 3)');
  expect(JSON.stringify(await evaluate('(list :third 3)'))).toContain('(:THIRD 3)');
  expect(settingsOf(folders).approvals).toContainEqual({
    client: 'codex',
    class: 'evaluate',
    answer: 'allow',
  });
  await agent.close();
});

test('a second click does not answer the next question', async ({ start }) => {
  const { page } = await start();
  const { agent, question, evaluate } = await askingAbout(page);
  const both = Promise.all([evaluate('(list :one)'), evaluate('(list :two)')]);
  await expect(question).toContainText('1 more wait');
  // Pressed once more in the moment in which the next one is there.
  await page.evaluate(() => {
    const shown = document.querySelector('[role=alert] article');
    const pressing = new MutationObserver(() => {
      const next = document.querySelector('[role=alert] article');
      if (!next || next === shown) return;
      pressing.disconnect();
      next.querySelector('button')?.click();
    });
    pressing.observe(document.body, { childList: true, subtree: true });
  });
  await question.getByRole('button', { name: 'Deny' }).click();
  await expect(question).not.toContainText('more wait');
  await question.getByRole('button', { name: 'Allow once' }).click();
  const refused = (await both).map((answer) => JSON.stringify(answer).includes('not_approved'));
  expect(refused.sort()).toEqual([false, true]);
  await agent.close();
});

test('Pause refuses new work of agents and lists running work', async ({ start }) => {
  const { page } = await start();
  const agent = await connectAgent(page, 'codex');
  const evaluate = (code: string) => agent.callTool({ name: 'eval', arguments: { code } });
  await evaluate('(defvar *kept* 41)');
  const looping = evaluate('(loop (sleep 0.1))');
  await show(page, 'Sessions');
  await expect(page.getByRole('grid').getByText('running')).toBeVisible();

  await page.getByRole('button', { name: 'Pause all agents' }).click();
  const said = page.getByRole('status').filter({ hasText: 'Agents are paused' });
  await expect(said).toContainText('Still running:');
  await expect(said).toContainText('Threads that code started may still run in 1 image.');
  expect(JSON.stringify(await evaluate('(1+ *kept*)'))).toContain('paused');
  expect(JSON.stringify(await agent.callTool({ name: 'images', arguments: {} }))).toContain('Still running');
  await page.getByRole('grid').getByText('running').click();
  await page.getByRole('button', { name: 'Interrupt', exact: true }).click();
  expect(JSON.stringify(await looping)).toContain('interrupted');
  await expect(said).toContainText('No evaluation is running.');
  await page.getByRole('button', { name: 'Resume agents' }).click();
  await expect(page.getByRole('button', { name: 'Pause all agents' })).toBeVisible();
  expect(JSON.stringify(await evaluate('(1+ *kept*)'))).toContain('42');
  await agent.close();
});

test('Check access answers by the rules that decide', async ({ start, folders }) => {
  const { page } = await start();
  await show(page, 'Sandbox');
  const would = page.getByRole('region', { name: 'Check access' });
  const ask = async (path: string, use: string): Promise<Locator> => {
    await would.getByRole('textbox', { name: 'File to check' }).fill(path);
    await would.getByRole('combobox', { name: 'Use' }).selectOption({ label: use });
    await would.getByRole('button', { name: 'Check the file' }).click();
    return would.getByRole('status').first();
  };
  await expect(await ask('notes.lisp', 'be written')).toContainText('Yes.');
  await expect(await ask('/etc/shadow', 'be read')).toContainText('No.');
  await expect(await ask(`${folders.home}/.ssh/id_ed25519`, 'be read')).toContainText('No.');
  const mayCall = async (client: string, act: string): Promise<Locator> => {
    await would.getByRole('textbox', { name: 'Client to check' }).fill(client);
    await would.getByRole('combobox', { name: 'Action' }).selectOption({ label: act });
    await would.getByRole('button', { name: 'Check the call' }).click();
    return would.getByRole('status').last();
  };
  await expect(await mayCall('', 'evaluate')).toContainText('Yes.');
  await expect(await mayCall('codex', 'network')).toContainText('Needs your approval.');
  await page.getByRole('button', { name: 'Pause all agents' }).click();
  await expect(await mayCall('codex', 'evaluate')).toContainText('No.');
});
