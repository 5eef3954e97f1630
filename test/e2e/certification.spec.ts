/** A project of books as it is certified: the tree of its books in the window, while that runs and afterwards. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Locator, type Page } from '@playwright/test';
import { basketWith, ENDLESS_EVENT, SHOP } from '../shop-books';
import { Agent } from './agent';
import { resize } from './desktop';
import { examine } from './examine';
import { test as ownTest } from './fixture';
import { test } from './shared-app';
import { chooseTheme, evaluationRow, newestRow, select, show, showSessionTab, someThemes } from './steps';

const TOOK = String.raw`\d[\d.]* m?s`;
const UNKNOWN = '(defun other (x) (unknown-one x))';

for (const each of [test, ownTest]) {
  each.beforeEach(({ folders }) => {
    for (const [name, text] of Object.entries(SHOP)) write(path.join(folders.project, name), text);
  });
}

test('a project is certified from nothing, and then only what has changed', async ({ start, folders }) => {
  const { page } = await start();
  const agent = await openShop(page);
  await agent.certify('shop.lisp');
  const proof = await proofTab(page);
  await expect(books(proof)).toHaveCount(3);
  await isTold(proof, [
    `shop certified ${TOOK}`,
    `basket certified ${TOOK}`,
    `parts/price certified ${TOOK}`,
  ]);
  for (const [index, level] of ['1', '2', '3'].entries())
    await expect(books(proof).nth(index)).toHaveAttribute('aria-level', level);
  await expect(proof.getByRole('progressbar', { name: 'Books done' })).toHaveAttribute(
    'aria-valuetext',
    '3 of 3 books',
  );

  write(path.join(folders.project, 'basket.lisp'), basketWith('(defun goods (l) (len l))'));
  await agent.certify('shop.lisp');
  await isTold(proof, [`shop certified ${TOOK}`, `basket certified ${TOOK}`, 'parts/price up to date']);
  await agent.close();
});

ownTest('a failed book shows why and its log, also after a restart', async ({ start, folders }) => {
  write(path.join(folders.project, 'basket.lisp'), basketWith('(defthm wrong (equal (price x) x))'));
  write(path.join(folders.project, 'alone.lisp'), `(in-package "ACL2")\n${UNKNOWN}\n`);
  write(path.join(folders.project, 'alone.acl2'), '');
  const first = await start();
  const agent = await openShop(first.page);
  await agent.certify();
  const TOLD = [
    `alone failed ${TOOK} DEFUN OTHER: The symbol UNKNOWN-ONE .* Log of alone`,
    'shop basket is not certified not tried',
    `basket failed ${TOOK} DEFTHM WRONG: the proof failed, with 1 key checkpoint Log of basket`,
    `parts/price certified ${TOOK}`,
  ];
  const proof = await proofTab(first.page);
  await isTold(proof, TOLD);

  await proof.getByRole('button', { name: 'Log of basket' }).click();
  const log = proof.getByRole('region', { name: 'Log of basket' });
  await expect(log).toContainText('ACL2 Error [Failure] in ( DEFTHM WRONG ...)');
  await examine(first.page, 'the log of a book');
  await log.getByRole('button', { name: 'Close the log' }).click();
  await expect(log).toBeHidden();
  await agent.close();
  await first.end();

  const { app, page } = await start();
  await show(page, 'History');
  await select(evaluationRow(page, 'harbor-certify'));
  const part = page.getByRole('region', { name: 'Books', exact: true });
  await isTold(part, TOLD);
  await part.getByRole('button', { name: 'Log of alone' }).click();
  await expect(part.getByRole('region', { name: 'Log of alone' })).toContainText('UNKNOWN-ONE');
  for (const theme of someThemes('certification')) {
    await chooseTheme(page, theme);
    await show(page, 'History');
    await isTold(part, TOLD);
    await examine(page, `books, ${theme}`);
  }
  await resize(app, { width: 720, height: 600 });
  await examine(page, 'books, narrow');

  await show(page, 'Settings');
  await page.getByRole('radio', { name: '日本語' }).click();
  await page.getByRole('navigation', { name: 'メイン' }).getByRole('link', { name: '履歴' }).click();
  const rows = page.getByRole('tree', { name: 'ブック' }).getByRole('treeitem');
  await expect(rows.nth(1)).toHaveAccessibleName('shop basket が認証されていません 未実行');
  await examine(page, 'books, Japanese');
});

test('the tree is walked through with the keyboard', async ({ start, folders }) => {
  write(path.join(folders.project, 'basket.lisp'), basketWith(UNKNOWN));
  const { page } = await start();
  const agent = await openShop(page);
  await agent.certify('shop.lisp');
  const proof = await proofTab(page);
  const row = (name: RegExp) => proof.getByRole('treeitem', { name });
  await row(/^shop/).focus();
  for (const [key, at] of [
    ['ArrowRight', /^basket/],
    ['End', /^parts\/price/],
    ['ArrowLeft', /^basket/],
    ['Home', /^shop/],
    ['p', /^parts\/price/],
    ['ArrowUp', /^basket/],
  ] as const) {
    await page.keyboard.press(key);
    await expect(row(at)).toBeFocused();
  }
  await page.keyboard.press('ArrowLeft');
  await expect(row(/^basket/)).toHaveAttribute('aria-expanded', 'false');
  await expect(books(proof)).toHaveCount(2);
  await page.keyboard.press('Enter');
  const log = proof.getByRole('region', { name: 'Log of basket' });
  await expect(log).toContainText('UNKNOWN-ONE');
  await page.keyboard.press('Escape');
  await expect(log).toBeHidden();
  await expect(row(/^basket/)).toBeFocused();
  await page.keyboard.press('Home');
  await proof.getByRole('button', { name: '1 failed' }).press('Enter');
  await expect(row(/^basket/)).toBeFocused();
  await agent.close();
});

test('while books are certified each tells how far it is, also after a reload, and what an interrupt left', async ({
  start,
  folders,
}) => {
  write(path.join(folders.project, 'basket.lisp'), basketWith(ENDLESS_EVENT));
  const { page } = await start();
  const agent = await openShop(page);
  const running = agent.certify('shop.lisp');
  const proof = await proofTab(page);
  const TOLD = ['shop waiting', `basket .*certifying ${TOOK}`, `parts/price certified ${TOOK}`];
  await isTold(proof, TOLD);
  await expect(proof).toContainText(/1 of 3 books1 process running/);
  await examine(page, 'books that are certified');
  await page.reload();
  await isTold(await proofTab(page), TOLD);
  await show(page, 'History');
  await select(newestRow(page, 'harbor-certify'));
  await isTold(page.getByRole('region', { name: 'Books', exact: true }), TOLD);

  await proofTab(page);
  await page.getByRole('button', { name: 'Interrupt' }).click();
  await running;
  await isTold(proof, [
    'shop basket is not certified not tried',
    `basket interrupted ${TOOK} Log of basket`,
    `parts/price certified ${TOOK}`,
  ]);
  await agent.close();
});

function write(file: string, text: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function openShop(page: Page): Promise<Agent> {
  return Agent.connect(page, 'claude-code', { engine: 'acl2', name: 'shop' });
}

async function proofTab(page: Page): Promise<Locator> {
  await showSessionTab(page, 'shop', 'Proof');
  return page.getByRole('region', { name: 'Proof' });
}

function books(around: Locator): Locator {
  return around.getByRole('tree', { name: 'Books' }).getByRole('treeitem');
}

/** Waits until the rows of the tree are read so, from top to bottom. */
async function isTold(around: Locator, rows: readonly string[]): Promise<void> {
  await expect(books(around)).toHaveCount(rows.length);
  for (const [index, row] of rows.entries())
    await expect(books(around).nth(index)).toHaveAccessibleName(new RegExp(`^${row}$`));
}
