/** Where nothing confines images: the warning that a person accepts once, and files that only a person’s word opens. */
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { connectAgent } from './agent';
import { type Folders, test } from './fixture';
import { chooseTheme, show } from './steps';

const REASON = 'started with --unconfined';
const settingsOf = ({ data }: Folders) => JSON.parse(readFileSync(path.join(data, 'settings.json'), 'utf8'));

/** A system with one file in a folder beside the project. */
function lampOf({ home }: Folders): string {
  const folder = path.join(home, 'lamp');
  mkdirSync(folder);
  writeFileSync(path.join(folder, 'lamp.asd'), '(defsystem "lamp" :components ((:file "lamp")))');
  writeFileSync(path.join(folder, 'lamp.lisp'), '(defun wick () :lit)');
  return realpathSync(folder);
}

test('"not sandboxed" is accepted once, and a file of a loaded system is read when a person opens its folder', async ({
  start,
  folders,
}) => {
  const { page } = await start({ options: ['--unconfined'] });
  await test.step('the warning is accepted for its reason, and can be taken back', () =>
    acceptOnce(page, folders));
  await test.step('a file of a loaded system', () => openSystem(page, folders));
});

async function acceptOnce(page: Page, folders: Folders): Promise<void> {
  const agent = await connectAgent(page, 'pilot');
  const evaluated = async () =>
    JSON.stringify(await agent.callTool({ name: 'eval', arguments: { code: '(+ 1 2)' } }));
  expect(await evaluated()).toContain(`not sandboxed: ${REASON}`);

  const warning = page.getByRole('note', { name: 'Not sandboxed' });
  await show(page, 'Sandbox');
  await expect(warning).toContainText('it can read and change every file');
  await show(page, 'Home');
  await expect(warning).toContainText(`Not sandboxed: ${REASON}.`);
  await warning.getByRole('button', { name: `Accept: ${REASON}` }).click();
  await expect(warning).toBeHidden();
  await expect(page.getByText(`Not sandboxed: ${REASON}. You accepted this.`)).toBeVisible();
  expect(settingsOf(folders).acceptedUnsandboxed).toEqual([REASON]);
  const accepted = await evaluated();
  expect(accepted).toContain('"3"');
  expect(accepted).not.toContain('not sandboxed');

  await show(page, 'Sandbox');
  await page.getByRole('button', { name: `Warn again: ${REASON}` }).click();
  await expect(warning).toBeVisible();
  expect(await evaluated()).toContain(`not sandboxed: ${REASON}`);
  await agent.close();
}

async function openSystem(page: Page, folders: Folders): Promise<void> {
  const lamp = lampOf(folders);
  const agent = await connectAgent(page, 'codex');
  const code = `(asdf:load-asd "${lamp}/lamp.asd") (asdf:load-system "lamp")`;
  await agent.callTool({ name: 'eval', arguments: { code } });
  const read = async (file: string) =>
    JSON.stringify(await agent.callTool({ name: 'read_file', arguments: { path: `${lamp}/${file}` } }));
  const question = page.getByRole('alert', { name: 'Waiting for approval' });

  const first = read('lamp.lisp');
  await expect(question).toContainText('codex wants to read a file with read_file');
  await expect(question.getByText(`${lamp}/lamp.lisp`, { exact: true })).toBeVisible();
  await expect(question).toContainText(`the whole folder ${lamp} for reading`);
  await expect(question).toContainText(
    /Session sbcl-\w+ claims that the system “lamp” has its sources there/,
  );
  await question.getByRole('button', { name: 'Deny' }).click();
  expect(await first).toContain('not_approved');
  expect(await read('lamp.lisp')).toContain('denied reading');
  await expect(question).toBeHidden();

  const other = await connectAgent(page, 'cursor');
  const second = other.callTool({ name: 'find', arguments: { query: 'wick', kind: 'text', path: lamp } });
  await chooseTheme(page, 'dark');
  await question.getByRole('button', { name: 'Allow until the session ends' }).click();
  expect(JSON.stringify(await second)).toContain('lamp.lisp');
  await show(page, 'Sandbox');
  const opened = page.getByRole('row').filter({ hasText: /opened until sbcl-\w+ ends/ });
  await opened.getByRole('button', { name: `Remove ${lamp}` }).click();
  await expect(opened).toBeHidden();
  expect(settingsOf(folders).allowList).toEqual([]);

  const third = other.callTool({ name: 'read_file', arguments: { path: `${lamp}/lamp.lisp` } });
  await question.getByRole('button', { name: 'Add the folder to the allow-list' }).click();
  expect(JSON.stringify(await third)).toContain('wick');
  const { project } = folders;
  const entry = { folder: lamp, power: 'read', project: realpathSync(project), addedBy: 'window' };
  expect(settingsOf(folders).allowList).toMatchObject([entry]);
  await expect(page.getByRole('row').filter({ hasText: 'sources of the system lamp' })).toBeVisible();
  await Promise.all([agent.close(), other.close()]);
}
