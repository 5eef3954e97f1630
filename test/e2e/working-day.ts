/**
 * A harbor in use, for tests that look at the window: a person's sessions, an agent's work on a tide table with a
 * mistake in it, one evaluation that still runs. And a tour of the views that show it.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { expect, type Page } from '@playwright/test';
import { connectAgent } from './agent';
import { evaluationRow, openSession, screenOf, select, show, typeLine } from './steps';

export type Theme = 'light' | 'dark';

/** What is done with each view that a tour shows; `view` is a name for a file or a message. */
export type Look = (view: string) => Promise<void>;

const CONSTITUENTS = `(defparameter *constituents*
  '((:m2 1.84 28.984 112) (:s2 0.61 30.000 148) (:o1 0.09 13.943 21))
  "Name, amplitude in metres, speed in degrees an hour and phase of each.")`;

const HEIGHT = `(defun height (hour)
  "Metres above mean sea level at HOUR."
  (loop for (nil amplitude speed phase) in *constituents*
        sum (* amplitude (cos (* pi 1/180 (- (* speed hour) phase))))))`;

const RANGE = `(loop for hour below 24
      for metres = (height hour)
      minimize metres into low
      maximize metres into high
      finally (return (values (list :low low :high high) (- high low))))`;

/** Runs until the project has a file `go-on`. */
const TABLE = `(loop for hour from 0
      until (probe-file "go-on")
      do (when (< hour 8)
           (format t "~2,'0d:00 ~6,2f m~%" hour (height hour))
           (finish-output))
         (sleep 0.05))`;

export class WorkingDay {
  readonly #page: Page;
  readonly #agent: Client;
  readonly #project: string;
  readonly #running: Promise<unknown>;

  private constructor(page: Page, agent: Client, project: string, running: Promise<unknown>) {
    this.#page = page;
    this.#agent = agent;
    this.#project = project;
    this.#running = running;
  }

  /** Fills the harbor; answers once the history shows all of it, the agent's mistake selected. */
  static async begin(page: Page, project: string): Promise<WorkingDay> {
    const agent = await connectAgent(page, 'claude-code');
    await workByHand(page);
    await workOfAgent(agent);
    const running = evaluate(agent, TABLE);
    await show(page, 'History');
    await expect(evaluationRow(page, 'loop for hour from 0')).toContainText('running');
    await select(evaluationRow(page, '(height :noon)'));
    return new WorkingDay(page, agent, project, running);
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
    await this.#tourSessions(look);
    await show(page, 'Clients');
    await look('clients');
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
    await this.#agent.close();
  }

  async #tourSessions(look: Look): Promise<void> {
    const page = this.#page;
    await show(page, 'Sessions');
    const sessions = page
      .getByRole('grid', { name: 'Sessions' })
      .getByRole('row')
      .filter({ hasText: 'sbcl' });
    await select(sessions.filter({ hasText: 'you' }));
    await page.getByRole('tab', { name: 'REPL' }).click();
    const repl = page.getByRole('region', { name: /^REPL of / });
    await expect.poll(() => screenOf(repl)).toContain('3/4)');
    await look('sessions-repl');
    await select(sessions.filter({ hasText: 'claude-code' }));
    await page.getByRole('tab', { name: 'Transcript' }).click();
    await expect(page.getByRole('list', { name: 'Transcript' })).toContainText('07:00');
    await look('sessions-transcript');
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

async function workOfAgent(agent: Client): Promise<void> {
  for (const code of [CONSTITUENTS, HEIGHT, RANGE, '(height :noon)']) await evaluate(agent, code);
}

function evaluate(agent: Client, code: string): Promise<unknown> {
  return agent.callTool({ name: 'eval', arguments: { code } });
}

async function chooseTheme(page: Page, theme: Theme): Promise<void> {
  await show(page, 'Settings');
  await page.getByRole('radio', { name: theme === 'light' ? 'Light' : 'Dark' }).click();
  const dark = () => page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches);
  await expect.poll(dark).toBe(theme === 'dark');
}
