/** The window in Japanese: a person chooses it, it takes hold at once, and no view says anything in English but what is data. */
import { writeFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import { call, values } from '../evaluation';
import { sampled } from '../rounds';
import { connectAgent } from './agent';
import {
  answerQuestions,
  answerSaveDialog,
  askToQuit,
  hideWindow,
  questions,
  resize,
  shown,
  showWindow,
} from './desktop';
import { examine } from './examine';
import { test } from './fixture';
import { ProvingDay } from './proving-day';
import { test as sharedTest } from './shared-app';
import { show } from './steps';
import { WorkingDay } from './working-day';

const VIEWS = {
  home: 'ホーム',
  sessions: 'セッション',
  source: 'ソース',
  tests: 'テスト',
  history: '履歴',
  sandbox: 'サンドボックス',
  clients: 'クライアント',
  settings: '設定',
};

test('日本語 takes hold at once, everywhere, and English as well', async ({ start, folders }) => {
  test.setTimeout(480_000);
  const { app, page } = await start();
  // A pulsing mark would be seen half faded, and count as low contrast.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const day = await WorkingDay.begin(page, folders.project);
  const menus = () =>
    app.evaluate(({ Menu }) => Menu.getApplicationMenu()?.items.map(({ label }) => label) ?? []);
  await show(page, 'Settings');
  await page.getByRole('radio', { name: '日本語' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
  await expect(page.getByRole('heading', { level: 1, name: '設定' })).toBeVisible();
  await expect.poll(menus).toEqual(expect.arrayContaining(['編集(&E)', 'セッション', 'エージェント']));

  const look = async (view: string) => {
    // Every other look is also one for accessibility.
    if (sampled(`looks at ${view}`, [true, false], 1).includes(true)) await examine(page, view);
    expect.soft(await englishIn(page), view).toEqual([]);
  };
  for (const [view, title] of Object.entries(VIEWS)) {
    await page.getByRole('navigation', { name: 'メイン' }).getByRole('link', { name: title }).click();
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible();
    await look(view);
    if (view === 'sessions') {
      await tourTabs(page, look);
      await tourOwn(page, look);
    }
  }

  await page.getByRole('radio', { name: 'English' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  await show(page, 'Home');
  await expect.poll(menus).toContain('&Edit');
  await day.end();
});

sharedTest('proofs are told in Japanese as well', async ({ start }) => {
  sharedTest.setTimeout(480_000);
  const { page } = await start();
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const day = await ProvingDay.begin(page);
  await show(page, 'Settings');
  await page.getByRole('radio', { name: '日本語' }).click();
  await page.getByRole('navigation', { name: 'メイン' }).getByRole('link', { name: VIEWS.sessions }).click();
  const rows = page.getByRole('grid', { name: 'セッション' }).getByRole('row');
  for (const name of ['sketch', 'lists', 'pigeons']) {
    await rows.filter({ hasText: name }).click();
    await expect(page.getByRole('region', { name: `セッション ${name}`, exact: true })).toBeVisible();
    for (const tab of await page.getByRole('tab').all()) {
      await tab.click();
      expect.soft(await englishIn(page), `${name}, ${await tab.innerText()}`).toEqual([]);
    }
  }
  await day.end();
});

test('it is there from the first moment of the next start', async ({ launch, folders }) => {
  writeFileSync(`${folders.data}/settings.json`, JSON.stringify({ language: 'ja' }));
  const page = await (await launch()).firstWindow();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
  await expect(page.getByRole('navigation', { name: 'メイン' })).toContainText('履歴');
});

test('what calls a person, asks or warns is in Japanese as well', async ({ notifications, start }) => {
  const { app, page } = await start();
  const agent = await connectAgent(page, 'codex');
  expect(await values(agent, '(defvar *tide* :low)')).toEqual(['*TIDE*']);
  await show(page, 'Settings');
  await page.getByRole('radio', { name: '日本語' }).click();
  await expect(page.locator('html')).toHaveAttribute('lang', 'ja');
  const title = () => notifications.shown.map((each) => each.title);

  await hideWindow(app);
  const opening = call(agent, 'open_session', { name: 'online', network: true });
  await expect.poll(title).toEqual(['codex が承認を待っています']);
  await showWindow(app);
  const question = page.getByRole('alert', { name: '承認待ち' });
  await expect(question).toBeVisible();
  expect(await englishIn(page)).toEqual([]);
  await resize(app, { width: 720, height: 800 });
  const navigation = page.getByRole('navigation', { name: 'メイン' });
  await expect.poll(() => navigation.evaluate(beyondItsEdge)).toEqual([]);
  await question.getByRole('button', { name: '拒否' }).click();
  await opening;
  await expect.poll(title).toEqual([]);

  await answerQuestions(app, '書き出して終了…');
  await answerSaveDialog(app, '/no/such/folder.lisp');
  await hideWindow(app);
  await askToQuit(app);
  await expect.poll(() => shown(app)).toEqual([true]);
  const [lost, problem] = await questions(app);
  expect(lost).toContain('定義 1件がファイルに保存されていません（*TIDE*）');
  expect(problem).toContain('このファイルへのアクセスは許可されていません');
});

/** What of the element's contents reaches over its edge. */
function beyondItsEdge(element: Element): string[] {
  const edge = element.getBoundingClientRect().right;
  const inside = [...element.querySelectorAll('a > *, button')];
  const beyond = inside.filter((each) => each.getBoundingClientRect().right > edge);
  return beyond.map(({ textContent }) => textContent);
}

/** Each tab of an agent's session, and the dialog before it ends. */
async function tourTabs(page: Page, look: (view: string) => Promise<void>): Promise<void> {
  await page.getByRole('grid', { name: 'セッション' }).getByRole('row').filter({ hasText: 'tides' }).click();
  const tabs = page.getByRole('tab');
  await expect(tabs.first()).toBeVisible();
  for (const tab of await tabs.all()) {
    await tab.click();
    await look(`sessions, ${await tab.innerText()}`);
  }
  await page.getByRole('button', { name: 'その他', exact: true }).click();
  await look('sessions, menu');
  await page.getByRole('menuitem', { name: 'セッションを終了…' }).click();
  await look('sessions, end');
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog')).toBeHidden();
}

/** The person's own session, with an error that is held, and the menu of engines. */
async function tourOwn(page: Page, look: (view: string) => Promise<void>): Promise<void> {
  await page.getByRole('row').filter({ hasText: 'あなた' }).first().click();
  const repl = page.getByRole('region', { name: /の REPL$/ });
  await repl.getByRole('button', { name: 'ブロック' }).click();
  await repl.getByRole('textbox').click();
  await expect(repl.getByRole('button', { name: /リスタート$/ })).toHaveCount(0);
  await page.keyboard.type('(restart-case (error "tide") (ebb () 1) (flow () 2) (slack () 3) (surge () 4))');
  await page.keyboard.press('Enter');
  await repl.getByRole('button', { name: /リスタート$/ }).click();
  await look('sessions, more restarts');
  await page.keyboard.press('Escape');
  await look('sessions, held');
  await page.getByRole('button', { name: 'セッション一覧を広げる・狭める' }).click();
  await look('sessions, list');
  await page.getByRole('button', { name: '別のエンジンまたはチェックポイントから新規セッション' }).click();
  await look('sessions, engines');
  await page.keyboard.press('Escape');
}

/** Of what people and programs call things: no translation is due. */
const NAMES = [
  'http',
  'ms',
  ...[
    'lighthouse',
    'sketch',
    'lists',
    'pigeons',
    'cursor',
    'tides',
    'charts',
    'constituents',
    'claude',
    'code',
    'codex',
    'eval',
    'English',
    'Lisp',
    'Harbor',
  ],
  ...[
    'sbcl',
    'acl2',
    'clojure',
    'nbb',
    'ecl',
    'abcl',
    'ccl',
    'Clojure',
    'Swank',
    'Slynk',
    'Lisply',
    'Emacs',
    'pid',
    'bubblewrap',
  ],
];

/**
 * What is in English, of all that can be seen or read out: a text without Japanese that has a word, or any text with a word
 * that no name has. Forms, other code, and what is marked as English, is data: what engines, logs and main's rules say. So are texts that
 * have digits, signs or capitals in them: numbers, paths, keys, abbreviations.
 */
function englishIn(page: Page): Promise<string[]> {
  return page.evaluate((names) => {
    const DATA =
      'code, pre, kbd, bdi, textarea, .xterm, [lang=en], [translate=no], td[data-column]:not([data-column=client])';
    const WORD = /^[A-Z]?[a-z]+$/;
    const SMALL = /^(?:you|your|the|of|in|and|is|are|not|to|with|for|by|from|at|on|it|no)$/i;
    const JAPANESE = /[\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Han}]/u;
    const wordsOf = (text: string) => text.split(/[^A-Za-z\d_.+/’-]+/);
    const seen = [...document.querySelectorAll('body *')].filter((element) => element.checkVisibility());
    const data = [...document.querySelectorAll(DATA)].map(({ textContent }) => textContent);
    const known = new Set([...names, ...data.flatMap(wordsOf)]);
    const texts = seen.flatMap((element) => {
      const own = [...element.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE);
      const told = ['aria-label', 'placeholder', 'title'].map((name) => element.getAttribute(name));
      return element.closest(DATA) ? [] : [...own.map(({ textContent }) => textContent), ...told];
    });
    return texts
      .map((text) => text?.trim() ?? '')
      .filter((text) => {
        if (text.startsWith('(')) return false;
        const unknown = wordsOf(text).filter((word) => WORD.test(word) && !known.has(word));
        return unknown.some((word) => !JAPANESE.test(text) || SMALL.test(word));
      });
  }, NAMES);
}
