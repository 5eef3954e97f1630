/** What people do in the window, in the words that it shows: views, sessions, typing into a REPL. */
import { expect, type Locator, type Page } from '@playwright/test';
import { sampled } from '../rounds';

export type ViewName =
  | 'Home'
  | 'Sessions'
  | 'Source'
  | 'Tests'
  | 'History'
  | 'Sandbox'
  | 'Clients'
  | 'Settings';

/** Goes to a view by the navigation. */
export async function show(page: Page, view: ViewName): Promise<void> {
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: view }).click();
  await expect(page.getByRole('heading', { level: 1, name: view })).toBeVisible();
}

/** Shows the list of sessions. A narrow window shows the selected session in its place. */
export async function showSessionList(page: Page): Promise<Locator> {
  await show(page, 'Sessions');
  const inList = page.getByRole('button', { name: 'Attach…' });
  const all = page.getByRole('button', { name: 'All sessions' });
  const widen = page.getByRole('button', { name: 'Widen or narrow the session list' });
  // The selected session may replace the list or make it a rail at any moment, so the step repeats.
  await expect(async () => {
    if (!(await inList.isVisible())) {
      await ((await all.isVisible()) ? all : widen).click({ timeout: 1_000 });
    }
    await expect(inList).toBeVisible({ timeout: 1_000 });
  }).toPass();
  return page.getByRole('grid', { name: 'Sessions' });
}

/** Shows the session whose row in the list says all of this. */
export async function showSession(page: Page, ...says: string[]): Promise<void> {
  await show(page, 'Sessions');
  const list = page.getByRole('grid', { name: 'Sessions' });
  if (await page.getByRole('button', { name: 'All sessions' }).isVisible()) await showSessionList(page);
  await expect(list).toBeVisible();
  const rows = list.getByRole('row');
  const row = says.reduce((found, text) => found.filter({ hasText: text }), rows);
  const name = await row.locator('[data-name]').innerText();
  await row.click();
  await expect(page.getByRole('region', { name: `Session ${name}`, exact: true })).toBeVisible();
}

/** Opens a pane of the session by its icon in the rail. A second press would close it. */
export async function openPane(page: Page, name: string): Promise<void> {
  const tab = page.getByRole('tab', { name });
  await expect(tab).toBeVisible();
  if ((await tab.getAttribute('aria-selected')) !== 'true') await tab.click();
  await expect(tab).toHaveAttribute('aria-selected', 'true');
}

/** Shows a session by its name, with a pane next to its REPL. */
export async function showSessionTab(page: Page, session: string, tab: string): Promise<void> {
  await showSession(page, session);
  await openPane(page, tab);
}

const PROMPTS = { SBCL: /\* $/, ECL: /> $/, nbb: /=> $/, Clojure: /=> $/, ACL2: /ACL2 !>\s*$/ } as const;

/** Milliseconds that an engine may take to start: a JVM on a busy machine. A test's own limit comes first. */
const STARTING = { timeout: 120_000 };

/** Shows the button that opens a session: with no session, with the list, or in its place. */
async function showNewSession(page: Page): Promise<void> {
  await show(page, 'Sessions');
  const open = page.getByRole('button', { name: 'New session with another engine' });
  const rail = page.getByRole('button', { name: 'Widen or narrow the session list' });
  await expect(
    open
      .or(rail)
      .or(page.getByRole('button', { name: 'All sessions' }))
      .first(),
  ).toBeVisible();
  if (!(await open.isVisible())) await showSessionList(page);
}

/** Opens a session of an engine, as the menu names it, and answers its REPL, the transcript in blocks. */
export async function openBlocks(page: Page, engine: keyof typeof PROMPTS): Promise<Locator> {
  await showNewSession(page);
  const shownBefore = await page
    .locator('[data-session]')
    .evaluateAll(([host]) => host?.getAttribute('data-session'));
  await page.getByRole('button', { name: 'New session with another engine' }).click();
  await page.getByRole('group', { name: 'Engines' }).getByRole('menuitem', { name: engine }).click();
  await expect(page.locator(`[data-session]:not([data-session="${shownBefore}"])`)).toBeVisible(STARTING);
  return page.getByRole('region', { name: /^REPL of / });
}

/** As `openBlocks`, and shows it as a plain terminal; answers that once it shows its prompt. */
export async function openSession(page: Page, engine: keyof typeof PROMPTS): Promise<Locator> {
  const repl = await openBlocks(page, engine);
  await asTerminal(repl);
  await expect.poll(() => screenOf(repl), STARTING).toMatch(PROMPTS[engine]);
  return repl;
}

/** Shows a REPL as a plain terminal, unless it is one. */
export async function asTerminal(repl: Locator): Promise<void> {
  await repl.getByRole('button', { name: /^(?:Terminal|Blocks)$/ }).waitFor();
  const terminal = repl.getByRole('button', { name: 'Terminal' });
  if (await terminal.isVisible()) await terminal.click();
  await expect(repl.locator('.xterm-screen')).toBeVisible();
}

/** Shows the REPL of the session that is shown as blocks, unless it is. */
export async function asBlocks(page: Page): Promise<void> {
  const repl = page.getByRole('region', { name: /^REPL of / });
  await repl.getByRole('button', { name: /^(?:Terminal|Blocks)$/ }).waitFor();
  const blocks = repl.getByRole('button', { name: 'Blocks' });
  if (await blocks.isVisible()) await blocks.click();
  await expect(inputOf(repl)).toBeVisible();
}

/** The editor below the blocks. */
export function inputOf(repl: Locator): Locator {
  return repl.getByRole('textbox', { name: /^Input of / });
}

/** Enters a form into the editor below the blocks at once, as pasting does, and presses Enter. */
export async function enterForm(repl: Locator, form: string): Promise<void> {
  await inputOf(repl).click();
  await repl.page().keyboard.insertText(form);
  await repl.page().keyboard.press('Enter');
}

/** The block of the evaluation whose code has this text. */
export function block(repl: Locator, code: string): Locator {
  return repl.getByRole('article').filter({ hasText: code });
}

/** What the terminal shows, from its first row to the last that is not empty, which keeps one space at its end. */
export async function screenOf(repl: Locator): Promise<string> {
  const rows = await repl.locator('.xterm-rows > div').allInnerTexts();
  const text = rows.map((row) => row.replaceAll('\u00a0', ' ').trimEnd()).join('\n');
  return `${text.trimEnd()} `;
}

/** Enters a line into the terminal at once and submits it. */
export async function typeLine(repl: Locator, line: string): Promise<void> {
  await repl.locator('.xterm-screen').click();
  await repl.page().keyboard.insertText(line);
  await repl.page().keyboard.press('Enter');
}

/** Submits a form to ACL2 and waits for what it prints, which nothing before it has, and for the prompt after that. */
export async function submit(repl: Locator, code: string, printed: string): Promise<void> {
  await typeLine(repl, code);
  const shown = async () => (await screenOf(repl)).split(printed).slice(1).join(printed);
  await expect.poll(shown).toMatch(/ACL2 (?:p|P)?!?>\s*$/);
}

/** Chooses an action in the menu of the session that is shown. */
export async function act(page: Page, action: string): Promise<void> {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: action }).click();
}

/** Kills the image of the session that is shown, as the kernel does when memory is short. */
export async function killImage(page: Page): Promise<void> {
  const session = page.getByRole('region', { name: /^Session / });
  await expect(session).toContainText(/pid \d+/);
  const [, pid] = /pid (\d+)/.exec(await session.innerText()) ?? [];
  process.kill(Number(pid), 'SIGKILL');
  await expect(session.getByText('lost', { exact: true })).toBeVisible();
}

/** Chooses in a list of choices; answers when what chooses by it follows, as only then the page shows it. */
export async function choose(choices: Locator, value: string): Promise<void> {
  await choices.selectOption(value);
  await expect(choices).toHaveValue(value);
}

/** Issues a token in the Clients view and answers its secret. */
export async function issueToken(page: Page, name: string): Promise<string> {
  await show(page, 'Clients');
  await page.getByRole('button', { name: 'Issue token…' }).click();
  await page.getByRole('dialog').getByRole('textbox', { name: 'Name' }).fill(name);
  await page.getByRole('button', { name: 'Issue', exact: true }).click();
  const shown = page.getByRole('dialog', { name: new RegExp(`^Token .*${name}`) });
  const secret = await shown.locator('[data-secret]').innerText();
  await shown.getByRole('button', { name: 'Done' }).click();
  await expect(shown).toBeHidden();
  return secret;
}

/** Sets from how much memory on it is called short, in MiB. */
export async function reserveMemory(page: Page, mebibytes: string): Promise<void> {
  await show(page, 'Settings');
  await page.getByRole('textbox', { name: 'Memory reserve' }).fill(mebibytes);
  await page.keyboard.press('Enter');
}

/** The row of the history whose code starts so. */
export function evaluationRow(page: Page, code: string): Locator {
  return page.getByRole('grid', { name: 'Evaluations' }).getByRole('row').filter({ hasText: code });
}

/** The newest of them, in an app that tests share: others may have run the same code before. */
export const newestRow = (page: Page, code: string): Locator => evaluationRow(page, code).first();

/** Makes a row of a list the selected one; one that is stays so. */
export async function select(row: Locator): Promise<void> {
  await row.click();
  await expect(row).toHaveAttribute('aria-selected', 'true');
}

/** Presses what ends the app: its page may be gone before it has confirmed that. */
export async function pressLast(button: Locator): Promise<void> {
  await button.click().catch((error: Error) => {
    if (!error.message.includes('has been closed')) throw error;
  });
}

export const THEMES = ['light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** The themes in which `npm test` examines a view: one; both in soak. */
export const someThemes = (view: string): Theme[] => sampled(`themes of ${view}`, THEMES, 1);

/** Chooses a theme in the settings. */
export async function chooseTheme(page: Page, theme: Theme): Promise<void> {
  await show(page, 'Settings');
  await page.getByRole('radio', { name: theme === 'light' ? 'Light' : 'Dark' }).click();
  await expectTheme(page, theme);
}

/** Answers when the system's parts and the page have the theme. */
export async function expectTheme(page: Page, theme: Theme): Promise<void> {
  const themes = () =>
    page.evaluate(() => [
      matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light',
      getComputedStyle(document.documentElement).colorScheme,
    ]);
  await expect.poll(themes).toEqual([theme, theme]);
}
