/**
 * A harbor with proofs, for tests that look at the window: one agent's theory of lists with a conjecture that fails,
 * a sketch of another's that rests on what was skipped and assumed, a third's proof that does not end. And a tour of the views that show them.
 */
import { expect, type Page } from '@playwright/test';
import { ENDLESS, PIGEONS } from '../pigeons';
import { Agent } from './agent';
import { chooseTheme, newestRow, openPane, select, show, showSession, type Theme } from './steps';
import type { Look } from './working-day';

const APP = `(defun app (x y)
  (declare (xargs :guard t))
  (if (consp x)
      (cons (car x) (app (cdr x) y))
    y))`;

const REV = `(defun rev (x)
  (if (consp x)
      (app (rev (cdr x)) (list (car x)))
    nil))`;

const ASSOC = `(defthm app-assoc
  (equal (app (app x y) z)
         (app x (app y z))))`;

const FALSE = `(defthm rev-rev-of-any
  (equal (rev (rev x)) x))`;

const LEMMAS = `(defthm app-nil
  (implies (true-listp x)
           (equal (app x nil) x)))

(defthm true-listp-rev
  (true-listp (rev x)))

(defthm rev-app
  (equal (rev (app x y))
         (app (rev y) (rev x))))`;

const TRUE = `(defthm rev-rev
  (implies (true-listp x)
           (equal (rev (rev x)) x)))`;

const REST = [
  '(in-theory (disable app-assoc))',
  '(defun shout (x) (declare (xargs :mode :program)) (cw "~x0!~%" x))',
  '(thm (equal (app (app a b) (app c d)) (app a (app b (app c d)))) :hints (("Goal" :in-theory (enable app-assoc))))',
];

const SKETCH = [
  '(defun ordp (x) (if (and (consp x) (consp (cdr x))) (and (<= (car x) (cadr x)) (ordp (cdr x))) t))',
  '(skip-proofs (defthm ordp-of-merge (implies (and (ordp x) (ordp y)) (ordp (append x y)))))',
  '(defaxiom car-is-first (equal (car x) (first x)) :rule-classes nil)',
];

export class ProvingDay {
  readonly #page: Page;
  readonly #agents: readonly Agent[];
  readonly #pigeons: Agent;

  private constructor(page: Page, agents: readonly Agent[], pigeons: Agent) {
    this.#page = page;
    this.#agents = agents;
    this.#pigeons = pigeons;
  }

  static async begin(page: Page): Promise<ProvingDay> {
    const sketch = await Agent.connect(page, 'codex', { engine: 'acl2', name: 'sketch' });
    for (const code of SKETCH) await sketch.evaluate(code);
    const lists = await Agent.connect(page, 'claude-code', { engine: 'acl2', name: 'lists' });
    for (const code of [APP, REV, ASSOC, ...REST, LEMMAS, TRUE, FALSE]) await lists.evaluate(code);
    const pigeons = await Agent.connect(page, 'cursor', { engine: 'acl2', name: 'pigeons' });
    await pigeons.evaluate(PIGEONS);
    return new ProvingDay(page, [sketch, lists], pigeons);
  }

  /** Shows every view of proofs in a theme and calls `look` at each. */
  async tour(theme: Theme, look: Look): Promise<void> {
    const page = this.#page;
    await chooseTheme(page, theme);
    await showSession(page, 'lists');
    await page
      .getByText(/^\d+ key checkpoints?$/)
      .last()
      .click();
    await expect(page.getByRole('group', { name: 'At the top level' }).first()).toBeVisible();
    await look('prover-transcript');
    await openPane(page, 'Proof');
    await expect(
      page.getByRole('region', { name: 'Proof' }).getByRole('group', { name: 'Under an induction' }),
    ).toBeVisible();
    await look('prover-proof');
    await this.#tourEvents(look);
    await this.#tourRunning(look);
    await showSession(page, 'sketch');
    await page
      .getByRole('region', { name: 'Session sketch' })
      .getByRole('button', { name: 'Trust' })
      .first()
      .click();
    await expect(page.getByRole('dialog')).toContainText('which are not proved');
    await look('prover-trust');
    await page.keyboard.press('Escape');
    await show(page, 'History');
    await select(newestRow(page, 'defthm app-nil'));
    const proof = page.getByRole('region', { name: 'Proof' });
    await proof.scrollIntoViewIfNeeded();
    await proof
      .getByText(/^Rules/)
      .first()
      .click();
    await look('prover-history');
  }

  async end(): Promise<void> {
    for (const agent of [...this.#agents, this.#pigeons]) await agent.close();
  }

  /** With a proof that is interrupted when it has been looked at. */
  async #tourRunning(look: Look): Promise<void> {
    const page = this.#page;
    const running = this.#pigeons.evaluate(ENDLESS);
    await showSession(page, 'pigeons');
    await openPane(page, 'Proof');
    await expect(page.getByRole('region', { name: 'Proof' })).toContainText('Working on');
    await look('prover-running');
    await page.getByRole('button', { name: 'Interrupt' }).click();
    await running;
  }

  async #tourEvents(look: Look): Promise<void> {
    const page = this.#page;
    await openPane(page, 'Events');
    const events = page.getByRole('listbox', { name: 'Events' });
    await events.getByRole('option', { name: 'DEFTHM APP-ASSOC' }).click();
    await expect(page.getByRole('region', { name: 'Command 3' })).toBeVisible();
    await look('prover-events');
    await page.getByRole('button', { name: 'Undo to here…' }).click();
    await expect(page.getByRole('dialog')).toContainText('DEFTHM REV-REV');
    await look('prover-undo');
    await page.keyboard.press('Escape');
    await expect(page.getByRole('dialog')).toBeHidden();
  }
}
