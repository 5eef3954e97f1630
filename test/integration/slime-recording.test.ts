/** What a person evaluates with SLIME is in the history under its name, and other clients are notified. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import { SwankEvaluations } from '../../electron/endpoints/editors/swank-evaluations';
import { PATIENT } from '../started-harbor';
import { evaluate } from './sessions-fixture';
import { attachedSession } from './slime-fixture';

const attached = attachedSession();

/** The newest rows of SLIME, newest first. */
function rows(count: number) {
  const { history, session } = attached();
  const all = history.evaluations.page({ session: session.id, client: 'SLIME', limit: count }).rows;
  return all.map(({ id }) => {
    const row = history.evaluations.find(id);
    if (!row) throw new Error(`There is no row ${id}.`);
    return row;
  });
}

const newest = () => rows(1)[0];

it('an evaluation is a row with values, output and package', async () => {
  const { emacs } = attached();
  await emacs.evaluate('(progn (princ :low) (values 1 "two"))');
  expect(newest()).toMatchObject({
    ...{ client: 'SLIME', kind: 'eval', code: '(progn (princ :low) (values 1 "two"))' },
    ...{ outcome: 'ok', stdout: 'LOW', package: 'COMMON-LISP-USER' },
  });
  expect(newest()?.forms[0]?.values.join()).toContain('1');
  await emacs.do(`(slime-eval '(swank:interactive-eval "(* 6 7)"))`);
  expect(newest()?.forms).toEqual([{ code: '(* 6 7)', values: ['42'] }]);
});

it('so is a form at the prompt, with each value', async () => {
  const { emacs } = attached();
  expect(await emacs.repl('(progn (print :printed) (values :one (list 2 3)))')).toContain(':ONE');
  await expect.poll(() => newest()?.outcome, PATIENT).toBe('ok');
  expect(newest()).toMatchObject({ kind: 'listener', forms: [{ values: [':ONE', '(2 3)'] }] });
  expect(newest()?.stdout).toContain(':PRINTED');
});

it('a definition that is compiled counts as a change, and the agent is notified once', async () => {
  const { emacs, session } = attached();
  await evaluate(session, '(+ 1 2)').settled;
  const code = '(defun moor (ship) "Ties up." (list ship))';
  await emacs.do(
    `(slime-eval '(swank:compile-string-for-emacs ${JSON.stringify(code)} "scratch" '((:position 1)) nil nil))`,
  );
  expect(newest()).toMatchObject({ code, outcome: 'ok', forms: [{ code }] });
  await emacs.evaluate('(defun typed (ship) ship)');
  const unsaved = await session.ability('knowledge').find({ kind: 'unsaved', query: 'typed', limit: 5 });
  expect(unsaved.results.map(({ source }) => source?.evaluation)).toEqual([newest()?.id]);
  const { notes } = await evaluate(session, '(moor 1)').settled;
  expect(noteTexts(notes).join('\n')).toContain('SLIME');
  expect(notes.filter(({ kind }) => kind === 'editor_evaluated')).toHaveLength(1);
  const again = await evaluate(session, '(moor 1)').settled;
  expect(again.notes.map(({ kind }) => kind)).not.toContain('editor_evaluated');
});

it('an error that is aborted is an error with its restarts, and code that does not compile one', async () => {
  const { emacs } = attached();
  await emacs.begin('(error "high water")');
  expect(await emacs.do('(test-debugger)')).toContain('high water');
  expect(newest()?.outcome).toBe('running');
  await emacs.do('(with-current-buffer (sldb-get-default-buffer) (sldb-quit))');
  await expect.poll(() => newest()?.outcome, PATIENT).toBe('error');
  expect(newest()?.condition).toMatchObject({ message: 'high water', level: 1 });
  expect(newest()?.condition?.type).toMatch(/SIMPLE-ERROR/i);
  expect(newest()?.condition?.restarts.length).toBeGreaterThan(0);
  await emacs.do(
    `(slime-eval '(swank:compile-string-for-emacs "(defun broken (" "scratch" '((:position 1)) nil nil))`,
  );
  expect(newest()).toMatchObject({ outcome: 'error', forms: [] });
});

it('a file that is loaded is a load, and what Emacs asks while one types is no row', async () => {
  const { emacs, session } = attached();
  const file = path.join(session.identity.project, 'wall.lisp');
  writeFileSync(file, '(defvar *wall* :stone)\n');
  await emacs.do(`(slime-eval '(swank:load-file ${JSON.stringify(file)}))`);
  const row = newest();
  expect(row).toMatchObject({ kind: 'load', outcome: 'ok', code: `(load "${file}")` });
  await emacs.do(`(slime-eval '(swank:operator-arglist "list" "CL-USER"))`);
  await emacs.do(`(slime-eval '(swank:simple-completions "mapc" "CL-USER"))`);
  expect(newest()?.id).toBe(row?.id);
});

it('the image rebuilds what SLIME defined after it was lost', async () => {
  const { emacs, session } = attached();
  await emacs.evaluate('(defun rebuilt () :again)');
  await evaluate(session, '(sb-ext:exit :code 3 :abort t)').settled;
  await emacs.do('(test-disconnected)');
  const { forms } = await evaluate(session, '(rebuilt)').settled;
  expect(forms).toMatchObject([{ values: [':AGAIN'] }]);
});

it('costs a person who types less than a millisecond', () => {
  const recorded = { id: 1, output: () => undefined, close: () => undefined };
  const evaluations = new SwankEvaluations(() => recorded);
  const typed = `(:emacs-rex (swank:autodoc '("mapcar" "${'x'.repeat(2_000)}" swank::%cursor-marker%) :print-right-margin 80) "CL-USER" :repl-thread 7)`;
  const times = Array.from({ length: 200 }, (_, id) => {
    const begun = performance.now();
    evaluations.requested(typed, id);
    evaluations.replied(':return', []);
    return performance.now() - begun;
  });
  expect(times.sort((a, b) => a - b)[100]).toBeLessThan(1);
});
