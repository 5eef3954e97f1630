/** Saved states of ACL2 sessions: gone back to and away from again, without a proof where the world is still there. */
import { rmSync } from 'node:fs';
import { expect, it, vi } from 'vitest';
import type { Client, Evaluation } from '../../electron/contract/model';
import { noteTexts } from '../../electron/contract/note';
import type { Session } from '../../electron/sessions/session/session';
import { ENDLESS, PIGEONS } from '../pigeons';
import { acl2Sessions, names, run } from './acl2-sessions';
import { pidOf, type SessionsFixture } from './sessions-fixture';

vi.setConfig({ testTimeout: 120_000 });

const TESTER: Client = { key: 'tester', scopes: new Set(['read', 'evaluate']) };
const BY_TESTER = { client: TESTER, grant: null };

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';
const ASSOC = '(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))';
const NO_PROOF = 'ACL2 still had this world. No proof was repeated.';

interface Saved {
  harbor: SessionsFixture;
  session: Session;
  save(name: string): Promise<void>;
  /** The row of what went back, and the checkpoint that has what was there before. */
  restore(name: string): Promise<{ row: Evaluation | null; savedAs: string | null }>;
}

async function opened(): Promise<Saved> {
  const harbor = acl2Sessions();
  const session = await harbor.open();
  const { checkpoints, project } = harbor;
  return {
    harbor,
    session,
    save: async (name) => void (await checkpoints.save(session, BY_TESTER, name)),
    restore: async (name) => {
      const found = checkpoints.find({ name, project }, TESTER);
      const { row, savedAs } = await checkpoints.restore(session, found, BY_TESTER);
      return { row, savedAs: savedAs?.name ?? null };
    },
  };
}

async function kill(session: Session): Promise<void> {
  process.kill(await pidOf(session), 'SIGKILL');
  await expect.poll(() => session.state, { timeout: 20_000 }).toBe('lost');
}

it('two ways of going on from the same lemmas are left and taken up again, and nothing is proved twice', async () => {
  const { session, save, restore, harbor } = await opened();
  await run(session, APP);
  await save('lemmas');
  await run(session, `${ASSOC} (defun left (x) x)`);
  const back = await restore('lemmas');
  expect([back.row?.outcome, back.row?.code]).toEqual(['ok', '(acl2::harbor-restore "lemmas")']);
  expect(noteTexts(back.row?.notes ?? [])).toContain(NO_PROOF);
  expect(await names(session)).toEqual(['APP']);

  await run(session, '(defun right (x) (list x))');
  const savedAs = back.savedAs ?? '';
  const forth = await restore(savedAs);
  expect(noteTexts(forth.row?.notes ?? [])).toContain(NO_PROOF);
  expect(forth.row?.report?.proof?.events).toMatchObject([{ verdict: 'restored', command: 3 }]);
  expect(await names(session)).toEqual(['APP', 'APP-ASSOC', 'LEFT']);
  expect((await run(session, '(left 3)')).forms[0]?.values).toEqual(['3']);
  expect((await run(session, '(right 3)')).outcome).toBe('error');
  expect(
    (await run(session, '(thm (equal (app (app a b) (app c d)) (app a (app b (app c d)))))')).outcome,
  ).toBe('ok');

  await restore(forth.savedAs ?? '');
  expect((await run(session, '(right 3)')).forms[0]?.values).toEqual(['(3)']);
  expect(harbor.checkpoints.list(TESTER).map(({ name }) => name)).toHaveLength(3);
  expect(session.generation).toBe(1);
});

it('a world that is taken up again has all that a world can have', async () => {
  const { session, save, restore } = await opened();
  await run(session, `(defun base (x) x)`);
  await save('base');
  const rich = `(defpkg "SHOP" '(defun)) (defconst *c* '(1 2)) (defstobj st fld) (defmacro two () 2)
    (mutual-recursion (defun evn (x) (declare (xargs :guard t)) (if (consp x) (odn (cdr x)) t))
                      (defun odn (x) (declare (xargs :guard t)) (if (consp x) (evn (cdr x)) nil)))
    (encapsulate ((h (x) t)) (local (defun h (x) x)) (defthm h-id (equal (h x) (h x)) :rule-classes nil))
    (defstub att (x) t) (defun att-is (x) (declare (xargs :guard t)) (list x)) (defattach att att-is)
    (defthm len-base (equal (len (base x)) (len x))) (in-theory (disable len-base)) (defun-sk any-y (x) (exists y (equal x y)))
    (table things :a 1) (set-verify-guards-eagerness 0)`;
  await run(session, rich);
  await save('rich');
  await restore('base');
  await run(session, '(defun evn (x) (list :other x)) (defconst *c* 7)');
  expect(noteTexts((await restore('rich')).row?.notes ?? [])).toContain(NO_PROOF);
  const { forms, outcome } = await run(
    session,
    `*c* (two) (evn '(1 2)) (att 5) (cdr (assoc :a (table-alist 'things (w state)))) 'shop::x
     (thm (equal (h x) (h x))) (disabledp 'len-base) (fld st)`,
  );
  expect(outcome).toBe('ok');
  expect(forms.map(({ values }) => values[0])).toEqual([
    ...['(1 2)', '2', 'T', '(5)', '1', 'SHOP::X', undefined],
    ...['((:REWRITE LEN-BASE))', 'NIL'],
  ]);
});

it('a name that was redefined means again what it meant there', async () => {
  const { session, save, restore } = await opened();
  await run(session, '(defun f (x) (list :first x)) (defun g (x) (f x))');
  await save('first');
  await run(session, '(set-ld-redefinition-action (quote (:doit . :overwrite)) state)');
  await run(session, '(defun f (x) (list :second x))');
  await save('second');
  for (const [name, value] of [
    ['first', '(:FIRST 1)'],
    ['second', '(:SECOND 1)'],
    ['first', '(:FIRST 1)'],
  ] as const) {
    expect(noteTexts((await restore(name)).row?.notes ?? [])).toContain(NO_PROOF);
    expect((await run(session, '(f 1) (g 1)')).forms.map(({ values }) => values[0])).toEqual([value, value]);
  }
});

it('what is in a checkpoint already is not saved again, and a later :OOPS undoes the going back', async () => {
  const { session, save, restore, harbor } = await opened();
  await run(session, APP);
  await save('short');
  await run(session, ASSOC);
  await save('long');
  expect((await restore('short')).savedAs).toBe('long');
  expect((await restore('long')).savedAs).toBe('long');
  expect(harbor.checkpoints.list(TESTER)).toHaveLength(2);
  await restore('short');
  await run(session, ':oops');
  expect(await names(session)).toEqual(['APP', 'APP-ASSOC']);
});

it('in another process the commands are submitted again from the last one that is shared, with their proofs', async () => {
  const { session, save, restore } = await opened();
  await run(session, `${APP} ${ASSOC} (defpkg "SHOP" '(defun)) (in-package "SHOP") (defun price (x) x)`);
  await save('shop');
  await kill(session);
  await run(session, '(acl2::+ 1 2)');
  await run(session, '(acl2::ubt 3) (acl2::in-package "ACL2") (defun other (x) x)');
  const { row, savedAs } = await restore('shop');
  expect(noteTexts(row?.notes ?? [])).toContain(
    '2 commands were submitted again. Proofs were repeated; none was skipped.',
  );
  expect(session.package).toBe('SHOP');
  expect(await names(session)).toEqual(['APP', 'APP-ASSOC', '"SHOP"', 'SHOP::PRICE']);
  const again = await restore(savedAs ?? '');
  expect(noteTexts(again.row?.notes ?? [])).toContain(NO_PROOF);
  expect(await names(session)).toEqual(['APP', 'APP-ASSOC', 'OTHER']);
  expect(noteTexts((await restore('shop')).row?.notes ?? [])).toContainEqual(
    expect.stringMatching(/submitted again/),
  );
});

it('is what a lost image begins from, with what was evaluated since, and what another session begins with', async () => {
  const { session, save, harbor } = await opened();
  await run(session, `${APP} (defun gone (x) x)`);
  await run(session, ':u');
  await save('app');
  await kill(session);
  const { notes } = await run(session, ASSOC);
  expect(noteTexts(notes).join('\n')).toMatch(
    /What came back: checkpoint app, and 1 form .*Proofs were repeated/s,
  );
  await kill(session);
  await run(session, '(+ 1 2)');
  expect(await names(session)).toEqual(['APP', 'APP-ASSOC']);
  await harbor.sessions.close(session);

  const { checkpoints, sessions, project } = harbor;
  const from = checkpoints.origin(checkpoints.find({ name: 'app', project }, TESTER));
  const second = await sessions.open({ client: 'tester', project, engine: 'acl2', from });
  expect(await names(second)).toEqual(['APP']);
  await kill(second);
  await run(second, '(+ 1 2)');
  expect(await names(second)).toEqual(['APP']);
});

it('no kept world is believed once raw Lisp was allowed: then every proof is done again', async () => {
  const { session, save, restore } = await opened();
  await run(session, APP);
  await save('app');
  await run(session, ASSOC);
  await save('assoc');
  session.settings.allowRawLisp();
  await run(session, ':ubt 1');
  const { row } = await restore('assoc');
  expect(noteTexts(row?.notes ?? [])).toContain(
    '2 commands were submitted again. Proofs were repeated; none was skipped.',
  );
  expect(row?.report?.proof?.issues.map(({ kind }) => kind)).toContain('raw-lisp-allowed');
});

it('commands that are not admitted any more are told, and their proofs are never skipped', async () => {
  const { session, save, restore } = await opened();
  await run(
    session,
    '(set-ld-skip-proofsp t state) (defthm bad (equal x 3) :rule-classes nil) (defun f (x) x)',
  );
  await save('bad');
  await kill(session);
  await run(session, '(set-ld-skip-proofsp nil state) :ubt 1');
  const { row } = await restore('bad');
  expect(row?.report?.proof?.lost).toMatchObject([{ command: 1, form: expect.stringContaining('BAD') }]);
  expect(await names(session)).toEqual(['F']);
});

it('is refused while something runs', async () => {
  const { session, save } = await opened();
  await run(session, PIGEONS);
  const running = session.evaluate({ client: 'tester', grant: null, kind: 'eval', code: ENDLESS });
  await expect.poll(() => session.state).toBe('running');
  await expect(save('now')).rejects.toMatchObject({ code: 'busy' });
  await session.interrupt('tester');
  expect((await running.settled).outcome).toBe('interrupted');
  await save('now');
});

it('one that is interrupted in the midst of its proofs leaves the world as it is', async () => {
  const { session, save, harbor } = await opened();
  // Saved without its proof, which nothing skips that goes back.
  await run(session, `${PIGEONS} (set-ld-skip-proofsp t state) ${ENDLESS} (set-ld-skip-proofsp nil state)`);
  await save('endless');
  const other = await harbor.open();
  await run(other, '(defun only-this (x) x)');
  const { checkpoints, project } = harbor;
  const going = checkpoints.restore(other, checkpoints.find({ name: 'endless', project }, TESTER), BY_TESTER);
  await expect
    .poll(async () => other.running && (await other.progress(other.running))?.goal, { timeout: 20_000 })
    .toBeTruthy();
  await other.interrupt('tester');
  expect((await going).row).toMatchObject({ outcome: 'interrupted', report: { proof: { command: 1 } } });
  expect(await names(other)).toEqual(['ONLY-THIS']);
});

it('a session whose image is lost goes back with the next one', async () => {
  const { session, save, restore } = await opened();
  await run(session, `${APP} (defpkg "SHOP" '(defun)) (in-package "SHOP")`);
  await save('app');
  await run(session, '(acl2::defun acl2::later (acl2::x) acl2::x) (acl2::in-package "ACL2")');
  await kill(session);
  expect(await restore('app')).toEqual({ row: null, savedAs: null });
  expect(await names(session)).toEqual(['APP', '"SHOP"']);
  expect(session.package).toBe('SHOP');
});

it('a file that is gone is told, and the world stays', async () => {
  const { session, save, restore, harbor } = await opened();
  await run(session, APP);
  await save('app');
  await run(session, ASSOC);
  rmSync(harbor.checkpointFiles, { recursive: true });
  const { row } = await restore('app');
  expect(row).toMatchObject({ outcome: 'error', condition: { type: 'unknown_checkpoint' } });
  expect(await names(session)).toEqual(['APP', 'APP-ASSOC']);
});
