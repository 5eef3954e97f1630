/**
 * A harbor in use, for tests that look at the window: a person's sessions, one agent's work on a tide table with
 * checkpoints, a mistake in it and an evaluation that still runs, another's on a chart. And a tour of the views that
 * show it.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, type Page } from '@playwright/test';
import { Agent } from './agent';
import {
  asBlocks,
  asTerminal,
  block,
  chooseTheme,
  evaluationRow,
  openPane,
  openSession,
  reserveMemory,
  screenOf,
  select,
  show,
  showSession,
  showSessionList,
  type Theme,
  typeLine,
} from './steps';

/** What is done with each view that a tour shows; `view` is a name for a file or a message. */
export type Look = (view: string) => Promise<void>;

const CONSTITUENTS = `(defparameter *constituents*
  '((:m2 1.84 28.984 112) (:s2 0.61 30.000 148) (:o1 0.09 13.943 21))
  "Name, amplitude in metres, speed in degrees an hour and phase of each.")`;

const HEIGHT = `(defun height (hour)
  "Metres above mean sea level at HOUR."
  (loop for (nil amplitude speed phase) in *constituents*
        sum (* amplitude (cos (* pi 1/180 (- (* speed hour) phase))))))`;

const LOG = `(defvar *log* (open "tides.log" :direction :output :if-exists :append :if-does-not-exist :create))`;

const RANGE = `(loop for hour below 24
      for metres = (height hour)
      minimize metres into low
      maximize metres into high
      finally (return (values (list :low low :high high) (- high low))))`;

/** Enough work to be seen by a profiler. */
const YEARS = `(loop repeat 200 maximize (loop for hour below 2000 maximize (height (* hour 1/2))))`;

/** Runs until the project has a file `go-on`. */
const TABLE = `(loop for hour from 0
      until (probe-file "go-on")
      do (when (< hour 5)
           (format t "~2,'0d:00 ~6,2f m~%" hour (height hour))
           (finish-output))
         (sleep 0.05))`;

const CHART = `(defn bar [metres]
  (apply str (repeat (Math/round (* 8 metres)) "▪")))`;

/** Tabs of a session that show what was done, and what each shows. */
const TABS = { Changes: 'defun height', Definitions: 'defun height', Log: /replaced it/ };

export class WorkingDay {
  readonly #page: Page;
  readonly #agents: readonly Agent[];
  readonly #project: string;
  readonly #running: Promise<unknown>;

  private constructor(page: Page, agents: readonly Agent[], project: string, running: Promise<unknown>) {
    this.#page = page;
    this.#agents = agents;
    this.#project = project;
    this.#running = running;
  }

  /** Fills the harbor; answers once the history shows all of it, the mistake selected. */
  static async begin(page: Page, project: string): Promise<WorkingDay> {
    const charts = await Agent.connect(page, 'codex', { engine: 'nbb', name: 'charts' });
    const tides = await Agent.connect(page, 'claude-code', { engine: 'sbcl', name: 'tides' });
    await workByHand(page);
    for (const code of [CHART, '(map bar [0.3 1.2 2.1])']) await charts.evaluate(code);
    for (const code of [CONSTITUENTS, HEIGHT]) await tides.evaluate(code);
    await tides.checkpoint('save', 'constituents');
    await tides.checkpoint('restore', 'constituents');
    await tides.evaluate(LOG);
    await tides.checkpoint('save', 'with-log');
    for (const code of [RANGE, '(height :noon)']) await tides.evaluate(code);
    await tides.evaluate(YEARS, { profile: 'cpu' });
    const running = tides.evaluate(TABLE);
    await show(page, 'History');
    await expect(evaluationRow(page, 'loop for hour from 0')).toContainText('running');
    await select(evaluationRow(page, '(height :noon)'));
    return new WorkingDay(page, [charts, tides], project, running);
  }

  /** Shows every view in a theme and calls `look` at each. */
  async tour(theme: Theme, look: Look): Promise<void> {
    const page = this.#page;
    await chooseTheme(page, theme);
    await look('settings');
    await show(page, 'Home');
    await look('home');
    await show(page, 'History');
    await expect(page.getByRole('region', { name: 'Condition' })).toBeVisible();
    await look('history');
    await select(evaluationRow(page, 'loop repeat 200'));
    await expect(page.getByRole('group', { name: 'Flame graph' })).toBeVisible();
    await look('history-profile');
    await select(evaluationRow(page, '(height :noon)'));
    await this.#tourSessions(look);
    await show(page, 'Sandbox');
    await expect(page.getByRole('table', { name: 'Allow-list' })).toBeVisible();
    await look('sandbox');
    await show(page, 'Clients');
    await look('clients');
    await page.getByRole('button', { name: /^Show \d+ (?:more )?that are not installed/ }).click();
    await page.getByRole('button', { name: 'Connect Claude Desktop' }).click();
    await expect(page.getByRole('dialog')).toContainText('mcpServers');
    await look('connect');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }

  /** Lets the evaluation end that still runs. */
  async end(): Promise<void> {
    writeFileSync(path.join(this.#project, 'go-on'), '');
    await this.#running;
    for (const agent of this.#agents) await agent.close();
  }

  async #tourSessions(look: Look): Promise<void> {
    const page = this.#page;
    await showSession(page, 'sbcl', 'you');
    const repl = page.getByRole('region', { name: /^REPL of / });
    await asTerminal(repl);
    await expect.poll(() => screenOf(repl)).toContain('3/4)');
    await look('sessions-terminal');
    await asBlocks(page);
    await expect(block(repl, '3/4')).toBeVisible();
    await look('sessions-repl');
    await page.getByRole('button', { name: 'More', exact: true }).click();
    await expect(page.getByRole('menuitem', { name: 'Attach editor…' })).toBeVisible();
    await look('sessions-menu');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
    await this.#tourAttaching(look);
    await this.#tourCheckpoints(look);
    await showSession(page, 'claude-code');
    await asBlocks(page);
    // All five lines are in view.
    await expect(page.getByRole('list', { name: 'Transcript' }).locator('.xterm-rows')).toContainText(
      /00:00.*04:00/,
    );
    await look('sessions-transcript');
    for (const [tab, shown] of Object.entries(TABS)) {
      await openPane(page, tab);
      await expect(page.getByRole('tab', { name: tab })).toBeInViewport({ ratio: 1 });
      await expect(page.getByRole('tabpanel', { name: tab }).getByText(shown).first()).toBeVisible();
      await look(`sessions-${tab.toLowerCase()}`);
    }
    await openPane(page, 'Memory');
    await expect(page.getByRole('table', { name: 'Objects by type' })).toBeVisible();
    await look('sessions-memory');
    await this.#tourSeveral(look);
    await showSession(page, 'claude-code');
    await this.#tourShortMemory(look);
  }

  /** Where the session stands in the place of the list, one is chosen at a time. */
  async #tourSeveral(look: Look): Promise<void> {
    const page = this.#page;
    const sessions = page.getByRole('grid', { name: 'Sessions' }).getByRole('row');
    if (await sessions.first().isHidden()) return;
    const other = sessions.filter({ hasText: 'sbcl' }).filter({ hasText: 'you' });
    await other.click({ modifiers: ['ControlOrMeta'] });
    await look('sessions-several');
    await page.getByRole('button', { name: 'End 2 sessions…' }).click();
    await expect(page.getByRole('dialog')).toContainText('*CONSTITUENTS*');
    await look('sessions-end');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }

  async #tourShortMemory(look: Look): Promise<void> {
    const page = this.#page;
    await reserveMemory(page, '1048576');
    await page.getByRole('link', { name: 'Memory is low' }).click();
    await expect(page.getByRole('region', { name: 'Memory of this computer' })).toContainText(
      'Memory is low',
    );
    await look('sessions-memory-short');
    await reserveMemory(page, '512');
    await expect(page.getByRole('link', { name: 'Memory is low' })).toBeHidden();
  }

  async #tourAttaching(look: Look): Promise<void> {
    const page = this.#page;
    await showSessionList(page);
    await page.getByRole('button', { name: 'Attach…' }).click();
    await expect(page.getByRole('dialog')).toContainText('swank:create-server');
    await look('attach');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }

  async #tourCheckpoints(look: Look): Promise<void> {
    const page = this.#page;
    await showSession(page, 'sbcl', 'you');
    await openPane(page, 'Checkpoints');
    await page.getByText(/\d items? missing/).click();
    await expect(page.getByText('tides.log')).toBeVisible();
    await look('sessions-checkpoints');
    await page.getByRole('button', { name: 'Save…' }).click();
    await expect(page.getByRole('dialog')).toBeVisible();
    await look('save-checkpoint');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
    await showSessionList(page);
    await page.getByRole('button', { name: 'New session with another engine or from a checkpoint' }).click();
    await expect(page.getByRole('menuitem', { name: 'with-log' })).toBeVisible();
    await look('new-session');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('menu')).toBeHidden();
  }
}

async function workByHand(page: Page): Promise<void> {
  const clojure = await openSession(page, 'nbb');
  await typeLine(clojure, '(->> (range 10) (filter even?) (map #(* % %)))');
  await expect.poll(() => screenOf(clojure)).toContain('(0 4 16 36 64)');
  const lisp = await openSession(page, 'SBCL');
  await typeLine(lisp, "(reduce #'* (loop for i from 1 to 20 collect i))");
  await expect.poll(() => screenOf(lisp)).toContain('2432902008176640000');
  await typeLine(lisp, '(values (floor 17 5) (list :a "b" 3/4))');
  await expect.poll(() => screenOf(lisp)).toContain('3/4)');
}
