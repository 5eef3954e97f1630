/** Home: what needs a person, what goes on, what can be done next; each is seen to from there, in few steps. */
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from '@playwright/test';
import { call, values } from '../evaluation';
import { freePort } from '../free-port';
import { connectAgent } from './agent';
import { type Folders, test as ownTest } from './fixture';
import { test } from './shared-app';
import { show } from './steps';

/** A library beside the project. */
function libraryOf({ home }: Folders): string {
  const library = path.join(home, 'code/lanterns');
  mkdirSync(path.join(library, 'src'), { recursive: true });
  writeFileSync(path.join(library, 'lanterns.asd'), '(defsystem "lanterns")');
  writeFileSync(path.join(library, 'src/lit.lisp'), '(defvar *lanterns* 42)');
  return realpathSync(library);
}

const settingsOf = ({ data }: Folders) => JSON.parse(readFileSync(path.join(data, 'settings.json'), 'utf8'));

test('a denied library is allowed, and the agent continues: two steps', async ({ start, folders }) => {
  const library = libraryOf(folders);
  const { page } = await start();
  const agent = await connectAgent(page, 'codex');
  const opened = await call<{ session: string }>(agent, 'open_session', { name: 'geometry' });
  const { session } = opened.structured;
  await call(agent, 'eval', { code: '(defvar *kept* 41)', session });
  const load = () => call(agent, 'load', { path: `${library}/src/lit.lisp`, session });
  expect((await load()).text).toContain('file_not_allowed');
  await load();

  await show(page, 'Home');
  const needs = page.getByRole('region', { name: 'Needs you' });
  const refused = needs.getByRole('listitem').filter({ hasText: 'codex was denied' });
  await expect(refused).toContainText('lit.lisp');
  await expect(refused).toContainText('read access, by load · 2 calls');

  await refused.getByRole('button', { name: /^Allow…/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Allow access' });
  await expect(dialog.getByRole('textbox', { name: 'Folder or file' })).toHaveValue(library);
  await dialog.getByRole('button', { name: 'Allow and restart 1 session' }).click();
  await expect(page.getByText('1 session restarted, with its state.')).toBeVisible();
  await expect(needs).toContainText('Nothing');
  const project = realpathSync(folders.project);
  expect(settingsOf(folders).allowList).toMatchObject([{ folder: library, power: 'read', project }]);

  expect((await load()).text).not.toContain('error');
  expect(await values(agent, '(list *kept* *lanterns*)', { session })).toEqual(['(41 42)']);
  await agent.close();
});

test('an agent in an endless loop is shown and stopped: two steps', async ({ start }) => {
  const { page } = await start();
  const agent = await connectAgent(page, 'codex');
  // In no other test: Activity keeps what the app that tests share has done.
  const looping = agent.callTool({ name: 'eval', arguments: { code: '(loop (sleep 0.11))' } });

  await show(page, 'Home');
  const work = page.getByRole('region', { name: 'Activity' });
  await expect(work.getByRole('listitem').filter({ hasText: '(loop (sleep 0.11))' })).toContainText(
    /codex in .*: \(loop \(sleep 0\.11\)\)/,
  );
  await work.getByRole('button', { name: /^Stop codex in / }).click();
  expect(JSON.stringify(await looping)).toContain('interrupted');
  // What it did last stays in sight.
  await expect(work).toContainText('codex called eval (loop (sleep 0.11))');
  await agent.close();
});

// The app goes on with the project that was opened last.
ownTest('a person answers questions, looks at errors and opens projects', async ({ start, folders }) => {
  const other = path.join(folders.home, 'harbour');
  mkdirSync(other);
  const { page } = await start();
  const agent = await connectAgent(page, 'codex');
  await show(page, 'Home');
  const needs = page.getByRole('region', { name: 'Needs you' });
  await expect(needs).toContainText('Nothing');
  const opening = call(agent, 'open_session', { name: 'online', network: true });
  await expect(needs).toContainText('codex wants to open a session with network');
  await needs.getByRole('button', { name: 'Deny' }).click();
  expect((await opening).text).toContain('not_approved');

  await call(agent, 'eval', { code: '(car 7)', on_error: 'debug', wait_ms: 1 });
  const held = needs.getByRole('listitem').filter({ hasText: 'is suspended: TYPE-ERROR' });
  await expect(held).toContainText('7');
  await held.getByRole('link', { name: /^Show the error in / }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible();

  await show(page, 'Home');
  const next = page.getByRole('region', { name: 'Open a project' });
  await expect(next.getByRole('listitem').filter({ hasText: 'lighthouse' })).toContainText(
    'SBCL · 1 session',
  );
  const approved = await page.evaluate(
    (folder) => window.bridge.invoke('settings:change', { projects: [folder] }),
    realpathSync(other),
  );
  expect(approved.ok).toBe(true);
  await next.getByRole('button', { name: /^Open a session in .*harbour$/ }).click();
  await expect(page.getByRole('heading', { level: 1, name: 'Sessions' })).toBeVisible();
  await expect(page.getByRole('grid', { name: 'Sessions' })).toContainText('harbour');
  await agent.close();
});

test('a repository or protected place that code created is reported, until the person has seen it', async ({
  start,
}) => {
  const { page } = await start();
  const agent = await connectAgent(page, 'codex');
  const code =
    '(sb-ext:run-program "/bin/sh" (list "-c" "mkdir -p made/objects made/refs && echo > made/HEAD"))';
  const made = await call(agent, 'eval', { code });
  expect(made.text).toContain('made');
  expect(made.text).toContain('Git');

  await show(page, 'Home');
  const needs = page.getByRole('region', { name: 'Needs you' });
  const found = needs.getByRole('listitem').filter({ hasText: 'for a repository' });
  await expect(found).toContainText('made');
  await found.getByRole('button', { name: /^Dismiss / }).click();
  await expect(needs).toContainText('Nothing');

  const place =
    '(sb-ext:run-program "/bin/sh" (list "-c" "mkdir -p made/sub/.vscode && echo > made/sub/.envrc"))';
  expect((await call(agent, 'eval', { code: place })).text).toContain('made/sub/.envrc');
  const places = needs.getByRole('listitem').filter({ hasText: '2 files' });
  await expect(places).toContainText('made/sub/.vscode');
  await places.getByRole('button', { name: /^Dismiss / }).click();
  await expect(needs).toContainText('Nothing');
  await agent.close();
});

/** A form that starts a server of one page. */
const serverAt = (port: number) => `(progn
  (require :sb-bsd-sockets)
  (let ((listener (make-instance 'sb-bsd-sockets:inet-socket :type :stream :protocol :tcp)))
    (setf (sb-bsd-sockets:sockopt-reuse-address listener) t)
    (sb-bsd-sockets:socket-bind listener #(127 0 0 1) ${port})
    (sb-bsd-sockets:socket-listen listener 5)
    (sb-thread:make-thread
     (lambda ()
       (loop
         (let* ((socket (sb-bsd-sockets:socket-accept listener))
                (stream (sb-bsd-sockets:socket-make-stream socket :input t :output t :buffering :full)))
           (ignore-errors
            (loop for line = (read-line stream nil "") until (< (length line) 2))
            (format stream "HTTP/1.0 200 OK~C~C~C~Clit" #\\return #\\newline #\\return #\\newline)
            (finish-output stream))
           (sb-bsd-sockets:socket-close socket)))))))`;

test('an application is added, runs, is reached at its port, and is stopped', async ({ start }) => {
  const { page } = await start();
  const port = await freePort();
  await show(page, 'Home');
  const part = page.getByRole('region', { name: 'Application' });
  await part.getByRole('button', { name: 'Add an application…' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('textbox', { name: 'Form that starts it' }).fill(serverAt(port));
  await dialog.getByRole('textbox', { name: /^Port/ }).fill(String(port));
  await dialog.getByRole('button', { name: 'Save and start' }).click();
  await expect(part).toContainText('running', { timeout: 30_000 });
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('lit');

  await part.getByRole('button', { name: /^Stop the application of/ }).click();
  await expect(part).toContainText('stopped');
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  await part.getByRole('button', { name: 'Edit…' }).click();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(part.getByRole('button', { name: 'Add an application…' })).toBeVisible();
});
