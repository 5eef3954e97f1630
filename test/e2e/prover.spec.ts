/** What the window shows of proofs: verdicts and trust, key checkpoints, the events of a world and their undoing. */
import { expect, type Page } from '@playwright/test';
import { ENDLESS, PIGEONS } from '../pigeons';
import { Agent } from './agent';
import { resize } from './desktop';
import { examine } from './examine';
import { test } from './shared-app';
import {
  asBlocks,
  chooseTheme,
  newestRow,
  openPane,
  openSession,
  select,
  show,
  someThemes,
  submit,
  typeLine,
} from './steps';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';
const ASSOC = '(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))';
const FIB = '(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))';
const CLAIM = '(cw "proved: no trust issues~%")';
const FALSE = '(thm (equal (app x y) (app y x)))';

test('an evaluation is told by its verdict, and a failure by its key checkpoints', async ({ start }) => {
  const { page } = await start();
  const agent = await openLists(page);
  for (const code of [APP, `${ASSOC} (defun f (x) x)`, CLAIM, FALSE, '(+ 1 2)']) await agent.evaluate(code);
  const entries = page.getByRole('list', { name: 'Transcript' }).getByRole('listitem');
  const entry = (code: string) => entries.filter({ hasText: code }).first();
  await expect(entry(APP)).toContainText(/#\d+ · [\d.]+ m?s.*admitted.*no trust issues/s);
  const several = entry('(defun f (x) x)').getByRole('list', { name: 'Events' }).getByRole('listitem');
  await expect(several).toHaveText([/^admittedDEFTHM APP-ASSOC.*\d+ steps$/, /^admittedDEFUN F/]);
  await expect(entry('(+ 1 2)')).toContainText(/3.*no trust issues/s);

  // A bar stands beside each line that a form has printed.
  const printed = entry(CLAIM).locator('pre[data-stream]');
  await expect(printed).toHaveText('proved: no trust issues\n');
  await expect(printed).toHaveCSS('border-left', /^2px solid/);

  const failed = entry(FALSE);
  await expect(failed).toContainText(/#\d+ · [\d.]+ m?s.*failed[\d,]+ steps/);
  await expect(failed).not.toContainText('no trust issues');
  await failed.getByText('3 key checkpoints').click();
  await expect(failed.getByRole('group', { name: 'Under an induction' })).toContainText(
    /Subgoal \*1\/2'.*\(EQUAL Y \(APP Y X\)\)/s,
  );

  await openPane(page, 'Proof');
  const proof = page.getByRole('region', { name: 'Proof' });
  await expect(proof).toContainText(FALSE);
  await expect(proof.getByRole('group', { name: 'At the top level' })).toContainText(
    'then tried by induction',
  );
  await proof.getByText(/^Rules \(/).click();
  await expect(proof).toContainText('(:DEFINITION APP)');
  await agent.close();
});

test('what instructions have left, and what rules did, stand beside the evaluation', async ({ start }) => {
  const { app, page } = await start();
  const agent = await openLists(page);
  const claim = '(implies (true-listp x) (equal (app x nil) x))';
  await agent.evaluate(APP);
  await agent.evaluate(`(harbor-verify ${claim} (:induct))`);
  await agent.evaluate(`(harbor-verify ${claim} (:prove))`);
  await agent.evaluate(`(harbor-observe (app) (thm ${claim}))`);
  await agent.evaluate(`(harbor-observe () (thm ${claim}))`);
  await show(page, 'History');
  const detail = page.getByRole('region', { name: /^Evaluation \d/ });
  const goals = detail.getByRole('region', { name: 'Remaining goals' });
  await select(newestRow(page, ':induct'));
  await expect(goals.getByRole('heading', { level: 3 })).toHaveText(
    /^\d remaining goals?, the current one first$/,
  );
  await expect(goals.getByRole('list', { name: 'Hypotheses' }).first()).toContainText('CONSP');
  await select(newestRow(page, ':prove'));
  await expect(goals).toContainText('No remaining goals');

  const rules = detail.getByRole('region', { name: 'Rule activity' });
  await select(newestRow(page, 'harbor-observe (app)'));
  await expect(rules.getByRole('heading')).toHaveText(/^\d+ attempts of the watched rules$/);
  await expect(rules).toContainText(/DEFINITION APP/);
  await select(newestRow(page, 'harbor-observe ()'));
  await expect(rules.getByRole('table', { name: 'Rule costs' })).toContainText('(:DEFINITION APP)');
  for (const theme of someThemes('prover')) {
    await chooseTheme(page, theme);
    await show(page, 'History');
    for (const row of [':induct', 'harbor-observe (app)', 'harbor-observe ()']) {
      await select(newestRow(page, row));
      await examine(page, `${row}, ${theme}`);
    }
  }
  await resize(app, { width: 720, height: 600 });
  await examine(page, 'what rules did, narrow');
  await agent.close();
});

test('a session and an evaluation say what they rest on, and what that means', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'ACL2');
  const session = page.getByRole('region', { name: 'Session lighthouse' });
  const badge = session.getByRole('button', { name: /^Trust: / }).first();
  await expect(badge).toHaveCount(0);
  await typeLine(repl, '(defun f (x) (declare (xargs :mode :program)) x)');
  await expect(badge).toHaveAccessibleName('Trust: no trust issues');
  await typeLine(repl, '(defaxiom ax (equal (car x) x) :rule-classes nil)');
  await expect(badge).toHaveAccessibleName('Trust: rests on: axiom AX');
  await typeLine(repl, '(skip-proofs (defthm bad nil :rule-classes nil))');
  await expect(badge).toHaveAccessibleName('Trust: rests on: skip-proofs, axiom AX');
  await expect(page.getByRole('grid', { name: 'Sessions' })).toContainText('2 issues');

  await badge.focus();
  await page.keyboard.press('Enter');
  const about = page.getByRole('dialog', { name: 'Trust: rests on: skip-proofs, axiom AX' });
  await expect(about).toContainText(/skip-proofs.*assumed without proof\..*\(DEFTHM BAD NIL/s);
  await expect(about).toContainText(/axiom.*a false axiom implies anything\.AX/s);
  await page.keyboard.press('Escape');
  await expect(badge).toBeFocused();

  await show(page, 'History');
  await select(newestRow(page, 'defun f'));
  await expect(page.getByRole('region', { name: /^Evaluation \d/ })).toContainText(
    'rests on: program mode F',
  );
  await select(newestRow(page, 'skip-proofs'));
  await expect(page.getByRole('region', { name: 'Proof' })).toContainText('not proved');
});

test('the events of a world are undone, and the history has how', async ({ start }) => {
  const { page } = await start();
  const repl = await openSession(page, 'ACL2');
  await openPane(page, 'Events');
  await expect(page.getByRole('heading', { name: 'No events yet' })).toBeVisible();
  const several = `${APP} ${ASSOC} (in-theory (disable app-assoc)) (defun g (x) (declare (xargs :guard t)) x)`;
  await submit(repl, several, 'DEFUN G');
  await openPane(page, 'Events');
  const events = page.getByRole('listbox', { name: 'Events' }).getByRole('option');
  await expect(events).toHaveText([
    '1DEFUN APP',
    '2DEFTHM APP-ASSOCdisabled',
    '3(IN-THEORY (DISABLE APP-ASSOC))',
    '4DEFUN Gguards verified',
  ]);

  await events.nth(1).click();
  const command = page.getByRole('region', { name: 'Command 2' });
  await expect(command).toContainText('(EQUAL (APP (APP X Y) Z)');
  await command.getByRole('button', { name: 'Undo to here…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Undo to command 2?' });
  await expect(dialog.getByRole('list', { name: 'Will be undone' }).getByRole('listitem')).toHaveText([
    /IN-THEORY/,
    /DEFUN G/,
  ]);
  await dialog.getByRole('button', { name: 'Undo 2 commands' }).click();
  // Before anything that may take longer than it is shown.
  await expect(page.getByText('2 commands of lighthouse are undone.')).toBeVisible();
  await expect(events).toHaveText(['1DEFUN APP', '2DEFTHM APP-ASSOC']);
  await expect(command.getByRole('button', { name: 'Undo to here…' })).toBeDisabled();
  await asBlocks(page);
  await expect(page.getByRole('list', { name: 'Transcript' })).toContainText(/you.*harbor-undo 2.*undone/s);
});

test('a command is taken out, and what does not stand without it is told', async ({ start }) => {
  const { page } = await start();
  const agent = await openLists(page);
  await agent.evaluate(`(defun f (x) (list x)) (defthm f-conses (consp (f x))) ${APP}`);
  await openPane(page, 'Events');
  const events = page.getByRole('listbox', { name: 'Events' }).getByRole('option');
  await events.first().click();
  await page.getByRole('button', { name: 'Remove…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Remove command 1?' });
  await expect(dialog).toContainText('DEFTHM F-CONSES');
  await dialog.getByRole('button', { name: 'Remove 1' }).click();
  await expect(events).toHaveText(['1DEFUN APP']);
  await expect(page.getByText('1 later command is no longer valid')).toBeVisible();
  await openPane(page, 'Proof');
  await expect(page.getByRole('region', { name: 'No longer in the world' })).toContainText('F-CONSES');
  await agent.close();
});

test('while a proof runs the events stay and nothing can be undone', async ({ start }) => {
  const { page } = await start();
  const agent = await openLists(page);
  await agent.evaluate(`${APP} ${FIB}`);
  await openPane(page, 'Events');
  const events = page.getByRole('listbox', { name: 'Events' }).getByRole('option');
  await events.first().click();
  await expect(page.getByRole('button', { name: 'Undo to here…' })).toBeEnabled();
  const running = agent.evaluate('(fib 70)');
  await expect(page.getByText('An evaluation is running. These are the events before it.')).toBeVisible();
  await expect(events).toHaveCount(2);
  await expect(page.getByRole('button', { name: 'Undo to here…' })).toBeDisabled();
  await page.getByRole('button', { name: 'Interrupt' }).click();
  await running;
  await expect(page.getByRole('button', { name: 'Undo to here…' })).toBeEnabled();
  await agent.close();
});

test('a proof that runs tells how long it takes and what goal it has come to', async ({ start }) => {
  const { page } = await start();
  const agent = await openLists(page);
  await agent.evaluate(PIGEONS);
  const running = agent.evaluate(ENDLESS);
  await openPane(page, 'Proof');
  const proof = page.getByRole('region', { name: 'Proof' });
  await expect(proof).toContainText(/^running\d/);
  await expect(proof).toContainText(/Working on (?:Goal|Subgoal [\d./*]+)[\d']*[\d,]+ steps/);
  await expect(proof.getByRole('group', { name: 'At the top level' })).toContainText('(EQUAL (APP X Y) Z)');
  await page.getByRole('button', { name: 'Interrupt' }).click();
  await running;
  await expect(proof).toContainText('interrupted');
  await expect(proof).not.toContainText('Working on');
  await agent.close();
});

test('a world of hundreds of events is walked through with the keyboard', async ({ start }) => {
  const { page } = await start();
  const agent = await openLists(page);
  await agent.evaluate(Array.from({ length: 500 }, (_, n) => `(deflabel mark-${n + 1})`).join(' '));
  await openPane(page, 'Events');
  const list = page.getByRole('listbox', { name: 'Events' });
  await expect(list.getByRole('option')).toHaveCount(200);
  await expect(list.getByRole('option', { name: 'DEFLABEL MARK-500' })).toBeInViewport();
  await page.getByRole('button', { name: 'Load older (300)' }).click();
  await page.getByRole('button', { name: 'Load older (100)' }).click();
  await expect(list.getByRole('option')).toHaveCount(500);
  await list.getByRole('option', { name: 'DEFLABEL MARK-500' }).click();
  await page.keyboard.press('Home');
  await expect(list.getByRole('option').first()).toBeFocused();
  await expect(list.getByRole('option').first()).toBeInViewport();
  await expect(page.getByRole('region', { name: 'Command 1' })).toContainText('(DEFLABEL MARK-1)');
  await page.keyboard.press('ArrowDown');
  await expect(page.getByRole('region', { name: 'Command 2' })).toBeVisible();
  await page.keyboard.press('Tab');
  await agent.close();
});

test('a session that proves nothing has none of this', async ({ start }) => {
  const { page } = await start();
  await openSession(page, 'nbb');
  await expect(page.getByRole('tab', { name: 'Memory' })).toBeVisible();
  await expect(page.getByRole('tab', { name: 'Proof' })).toHaveCount(0);
  await expect(page.getByRole('tab', { name: 'Events' })).toHaveCount(0);
});

/** An agent's session of ACL2, shown. */
async function openLists(page: Page): Promise<Agent> {
  const agent = await Agent.connect(page, 'claude-code', { engine: 'acl2', name: 'lists' });
  await show(page, 'Sessions');
  await select(page.getByRole('grid', { name: 'Sessions' }).getByRole('row').filter({ hasText: 'lists' }));
  return agent;
}
