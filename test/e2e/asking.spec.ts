/** What agents want to reach, asked in the window: a server that nobody named, and the network. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, type Page } from '@playwright/test';
import { call, values } from '../evaluation';
import { Greeter } from '../greeter';
import { COMPILING_MS, SwankServer } from '../swank-server';
import { connectAgent } from './agent';
import { resize } from './desktop';
import type { Folders } from './fixture';
import { test } from './shared-app';
import { block, choose, enterForm, inputOf, openBlocks, show } from './steps';

const settingsOf = ({ data }: Folders) => JSON.parse(readFileSync(path.join(data, 'settings.json'), 'utf8'));

/** Adds a rule for each kind of call, which asks for every client. */
async function askAbout(page: Page, kinds: readonly ('evaluate' | 'load' | 'write')[]): Promise<void> {
  const changed = await page.evaluate(
    (classes) =>
      window.bridge.invoke('settings:change', {
        approvals: classes.map((each) => ({ client: null, class: each, answer: 'ask' as const })),
      }),
    kinds,
  );
  expect(changed.ok).toBe(true);
}

const open = (agent: Client, args: Record<string, unknown>) =>
  call<{ session: string; sandbox: string }>(agent, 'open_session', args);

test('attaching to a server that nobody named needs an approval, which may be permanent', async ({
  start,
  folders,
}) => {
  test.setTimeout(COMPILING_MS);
  const server = await SwankServer.start({ setup: '(defvar *made-elsewhere* 41)' });
  const { page } = await start();
  const agent = await connectAgent(page, 'codex');
  const attach = () => open(agent, { attach: { kind: 'swank', port: server.port } });
  const question = page.getByRole('alert', { name: 'Waiting for approval' });

  const refused = attach();
  await expect(question).toContainText('codex wants to attach a session to a server');
  await expect(question).toContainText(`swank 127.0.0.1:${server.port}`);
  await expect(question).toContainText('The user has not named the swank server');
  await expect(question).toContainText('attach: ask, unless a rule changes it');
  await question.getByRole('textbox', { name: 'Reason for denying' }).fill('Use the other port.');
  await question.getByRole('button', { name: 'Deny' }).click();
  expect((await refused).text).toMatch(/^not_approved: .* denied.*Use the other port\./);
  await expect(question).toBeHidden();

  const once = attach();
  await question.getByRole('button', { name: 'Allow once' }).click();
  const { session } = (await once).structured;
  expect(await values(agent, '(1+ *made-elsewhere*)', { session })).toEqual(['42']);

  const always = attach();
  await question.getByRole('button', { name: 'Always allow this server' }).click();
  expect((await always).isError).toBe(false);
  expect(settingsOf(folders)).toMatchObject({
    servers: [{ kind: 'swank', port: server.port }],
    approvals: [],
  });
  expect((await attach()).isError).toBe(false);
  await show(page, 'Settings');
  await expect(page.getByRole('list', { name: 'Servers' }).getByRole('listitem')).toHaveText([
    new RegExp(`127.0.0.1:${server.port}`),
  ]);
  await agent.close();
  await server.stop();
});

test('a question about a file shows its text, and a file that changes meanwhile is not loaded', async ({
  start,
  folders,
}) => {
  const { page } = await start();
  await askAbout(page, ['load']);
  const agent = await connectAgent(page, 'codex');
  const file = path.join(folders.project, 'shown.lisp');
  const question = page.getByRole('alert', { name: 'Waiting for approval' });
  const allow = question.getByRole('button', { name: 'Allow once' });
  const load = (args: Record<string, unknown>) => call(agent, 'load', args);

  writeFileSync(file, '(defvar *shown* 1)');
  const swapped = load({ path: 'shown.lisp' });
  await expect(question).toContainText('(defvar *shown* 1)');
  writeFileSync(file, '(defvar *shown* :evil)');
  await allow.click();
  expect((await swapped).text).toMatch(/refused.*shown\.lisp changed/s);
  expect((await call(agent, 'eval', { code: '(boundp (quote *shown*))' })).text).toContain('NIL');

  const loaded = load({ path: 'shown.lisp' });
  await expect(question).toContainText('(defvar *shown* :evil)');
  await allow.click();
  expect((await loaded).isError).toBe(false);

  const tests = call(agent, 'run_tests', { system: 'shown' });
  await expect(question).toContainText('1 source file');
  await expect(question).toContainText('shown.lisp');
  writeFileSync(path.join(folders.project, 'shown.asd'), '(asdf:defsystem "shown")');
  await allow.click();
  expect((await tests).text).toMatch(/refused.* changed/s);
  await agent.close();
});

test('code cannot hide what it does in a question', async ({ start }) => {
  const { page } = await start();
  await askAbout(page, ['evaluate']);
  const agent = await connectAgent(page, 'codex');
  const question = page.getByRole('alert', { name: 'Waiting for approval' });
  const evil = '(delete-file "decoy")';
  const evaluating = call(agent, 'eval', { code: `(+ 1 2) ; \u202eno\u200bthing${'\n'.repeat(400)}${evil}` });
  const text = question.getByLabel('What will run or be accessed');
  await expect(text).toContainText('(+ 1 2) ; ⟨U+202E⟩no⟨U+200B⟩thing');
  await expect(question).toContainText('401 lines');
  const allow = question.getByRole('button', { name: 'Allow once' });
  const refuse = question.getByRole('button', { name: 'Deny' });
  await expect(refuse).toBeEnabled();
  await expect(allow).toBeDisabled();
  await question.getByRole('button', { name: 'Show middle' }).click();
  await expect(allow).toBeDisabled();
  await question.getByRole('button', { name: 'Show end' }).click();
  await expect(allow).toBeEnabled();
  await refuse.click();
  expect((await evaluating).text).toMatch(/^not_approved: /);
  await agent.close();
});

test('a question leaves room for input and output, also in a small window', async ({ start }) => {
  const { app, page } = await start();
  const agent = await connectAgent(page, 'codex');
  const repl = await openBlocks(page, 'SBCL');
  await enterForm(repl, `(dotimes (tide 40) (format t "tide ~d~%" tide))`);
  await expect(block(repl, 'dotimes')).toContainText('tide 39');
  const opening = open(agent, { name: 'online', network: true });
  const question = page.getByRole('alert', { name: 'Waiting for approval' });
  await page.keyboard.type('(* 6 7');
  for (const size of [
    { width: 1200, height: 780 },
    { width: 720, height: 620 },
  ]) {
    await resize(app, size);
    await expect(question.getByRole('button', { name: 'Deny' })).toBeInViewport({ ratio: 1 });
    await expect(question.getByRole('button', { name: 'Allow once' })).toBeInViewport({ ratio: 1 });
    await expect(inputOf(repl)).toBeFocused();
    for (const seen of [inputOf(repl), block(repl, 'dotimes').getByRole('list', { name: 'Values' })])
      await expect.poll(() => seen.evaluate(isOnTop)).toBe(true);
  }
  await question.getByRole('button', { name: 'Deny' }).click();
  await opening;
  await agent.close();
});

/** Whether all corners of an element are seen, and nothing lies over them. */
function isOnTop(element: Element): boolean {
  const { left, right, top, bottom } = element.getBoundingClientRect();
  return [left + 2, right - 2].every((x) =>
    [top + 2, bottom - 2].every((y) => {
      const seen = document.elementFromPoint(x, y);
      return seen !== null && (element.contains(seen) || seen.contains(element));
    }),
  );
}

test('a session has a network when a person allows it, and shows that', async ({ start, folders }) => {
  const greeter = await Greeter.listen();
  mkdirSync(folders.data, { recursive: true });
  writeFileSync(path.join(folders.data, 'settings.json'), JSON.stringify({ loopbackPorts: [greeter.port] }));
  const { page } = await start();
  // An app that runs already reads the file again when it has noticed it; a session that is older would have to restart.
  const ports = () =>
    page.evaluate(async () => {
      const settings = await window.bridge.invoke('settings:read', null);
      return settings.ok ? settings.value.loopbackPorts : [];
    });
  await expect.poll(ports).toEqual([greeter.port]);
  const agent = await connectAgent(page, 'codex');
  const question = page.getByRole('alert', { name: 'Waiting for approval' });
  const plain = (await open(agent, { name: 'plain' })).structured.session;
  const opening = open(agent, { name: 'online', network: true });
  await expect(question).toContainText('codex wants to open a session with network');
  await expect(question).toContainText(`project: ${folders.project}`);
  await expect(question).toContainText('network: ask, unless a rule changes it');
  await question.getByRole('button', { name: 'Allow once' }).click();
  const { session, sandbox } = (await opening).structured;
  expect(sandbox).toMatch(/, with network$/);
  expect(await values(agent, greeter.form, { session })).toEqual(['"hello"']);
  expect(await values(agent, greeter.form, { session: plain })).toEqual([':UNREACHED']);

  await show(page, 'Sessions');
  const row = (name: string) => page.getByRole('row').filter({ hasText: name });
  await expect(row('online')).toContainText('network');
  await expect(row('plain')).not.toContainText('network');
  await row('online').click();
  const head = page.getByRole('region', { name: 'Session online' }).locator('header');
  await expect(head.getByTitle('Code in this session can open network connections')).toBeVisible();

  await show(page, 'Sandbox');
  await expect(page.getByRole('combobox', { name: 'Network: every client' })).toHaveValue('ask');
  await expect(page.getByRole('list', { name: 'Sessions to restart' })).toBeHidden();
  await choose(page.getByRole('combobox', { name: 'Attach: every client' }), 'deny');
  const denied = await open(agent, { attach: { kind: 'swank', port: 1 } });
  expect(denied.text).toMatch(/^not_approved: .*\(attach: deny, for every client\)/);
  await agent.close();
  await greeter.close();
});

test('a question shows the whole call: code, its other arguments, and a diff for an edit', async ({
  start,
  folders,
}) => {
  const file = path.join(folders.project, 'tide.lisp');
  writeFileSync(file, '(defun tide () 1)\n');
  const { page } = await start();
  await askAbout(page, ['evaluate', 'write']);
  const agent = await connectAgent(page, 'codex');
  const question = page.getByRole('alert', { name: 'Waiting for approval' });
  const shown = question.getByLabel('What will run or be accessed');
  const allow = question.getByRole('button', { name: 'Allow once' });

  const evil = '(setf (first *) (delete-file "decoy"))';
  const inspecting = call(agent, 'inspect', { code: '(list 1 2)', set: evil });
  await expect(shown).toContainText('(list 1 2)');
  await expect(shown).toContainText(evil);
  await expect(shown).not.toContainText('{');
  await expect(question).toContainText(/[2-9] lines/);
  await expect(allow).toBeEnabled();
  await expect(question.getByRole('button', { name: 'Show end' })).toHaveCount(0);
  await question.getByRole('button', { name: 'Deny' }).click();
  expect((await inspecting).text).toMatch(/^not_approved: /);

  const edit = {
    ...{ path: 'tide.lisp', operation: 'replace', form_type: 'defun', form_name: 'tide' },
    content: '(defun tide () 2)',
  };
  const editing = call(agent, 'edit_form', edit);
  await expect(shown).toContainText('-(defun tide () 1)');
  await expect(shown).toContainText('+(defun tide () 2)');
  // The file is not what the diff showed any more.
  writeFileSync(file, '(defun tide () 0)\n');
  await allow.click();
  expect((await editing).text).toMatch(/^hash_mismatch: /);
  const again = call(agent, 'edit_form', edit);
  await expect(shown).toContainText('-(defun tide () 0)');
  await allow.click();
  expect((await again).isError).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe('(defun tide () 2)\n');
  await agent.close();
});
