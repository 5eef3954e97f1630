/** Quitting the app: a word about what would be lost, files of it for who wants them, and no word when nothing would be. */
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type ElectronApplication, expect, type Page } from '@playwright/test';
import { values } from '../evaluation';
import { connectAgent } from './agent';
import { answerQuestions, answerSaveDialog, askToQuit, hideWindow, questions, shown } from './desktop';
import { test } from './fixture';
import { openSession, screenOf, typeLine } from './steps';

const ended = (app: ElectronApplication) => once(app.process(), 'exit');

/** Quits, and waits until that has come to nothing: then the window is there again, since no tray could bring it back. */
async function quitInVain(app: ElectronApplication): Promise<void> {
  await hideWindow(app);
  await askToQuit(app);
  await expect.poll(() => shown(app)).toEqual([true]);
}

async function defineDepth(page: Page): Promise<void> {
  const repl = await openSession(page, 'SBCL');
  await typeLine(repl, '(defun depth () 7)');
  await expect.poll(() => screenOf(repl)).toMatch(/\nDEPTH\n/);
}

test('asks nobody when nothing would be lost', async ({ start }) => {
  const { app, page } = await start();
  await answerQuestions(app, 'Keep open');
  const repl = await openSession(page, 'SBCL');
  await typeLine(repl, '(+ 40 2)');
  await expect.poll(() => screenOf(repl)).toContain('42');
  const end = ended(app);
  await askToQuit(app);
  expect(await end).toEqual([0, null]);
});

test('says what would be lost, the agents’ as well, and stays if the person thinks better of it', async ({
  start,
}) => {
  const { app, page } = await start();
  const agent = await connectAgent(page, 'codex');
  expect(await values(agent, '(defvar *tide* :low)')).toEqual(['*TIDE*']);
  await defineDepth(page);
  await answerQuestions(app, 'Keep open');
  await quitInVain(app);
  const [asked = ''] = await questions(app);
  expect(asked).toContain('ends 2 sessions');
  expect(asked).toContain('1 definition is not saved to a file (DEPTH)');
  expect(asked).toContain('1 definition is not saved to a file (*TIDE*)');
  expect(await values(agent, '*tide*')).toEqual([':LOW']);

  await answerQuestions(app, 'Quit');
  const end = ended(app);
  await askToQuit(app);
  expect(await end).toEqual([0, null]);
});

test('writes definitions to files before it quits, unless the person cancels that', async ({
  start,
  folders,
}) => {
  const { app, page } = await start();
  await defineDepth(page);
  await answerQuestions(app, 'Export and quit…');
  await answerSaveDialog(app, null);
  await quitInVain(app);
  expect(await questions(app)).toHaveLength(1);
  await answerSaveDialog(app, path.join(folders.project, 'no', 'such', 'folder.lisp'));
  await quitInVain(app);
  expect(await questions(app)).toContainEqual(expect.stringContaining('cannot be written'));

  const file = path.join(folders.project, 'kept.lisp');
  await answerSaveDialog(app, file);
  const end = ended(app);
  await askToQuit(app);
  expect(await end).toEqual([0, null]);
  expect(readFileSync(file, 'utf8')).toContain('(defun depth () 7)');
});

test('a defect is logged, and holds up neither the harbor nor its end', async ({ start, folders }) => {
  const { app, page } = await start();
  await app.evaluate(() => {
    setTimeout(() => {
      throw new Error('a defect on purpose');
    });
  });
  const log = () =>
    readdirSync(`${folders.data}/log`).map((name) => readFileSync(`${folders.data}/log/${name}`, 'utf8'));
  await expect.poll(() => log().join()).toContain('a defect on purpose');
  const opened = await page.evaluate(() => window.bridge.invoke('sessions:open', {}));
  expect(opened.ok).toBe(true);
  const end = ended(app);
  await askToQuit(app);
  expect(await end).toEqual([0, null]);
});

test('a signal ends it without a question', async ({ start }) => {
  const { app, page } = await start();
  await defineDepth(page);
  await answerQuestions(app, 'Keep open');
  const end = ended(app);
  app.process().kill('SIGTERM');
  expect(await end).toEqual([0, null]);
});
