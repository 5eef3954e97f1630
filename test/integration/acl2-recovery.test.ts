/** A session of ACL2 whose process is gone comes back: its world is built again, with every proof. */

import { expect, it } from 'vitest';
import { noteTexts } from '../../electron/contract/note';
import type { Session } from '../../electron/sessions/session/session';
import { acl2Sessions, names, run } from './acl2-sessions';
import { pidOf } from './sessions-fixture';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';
const ASSOC = '(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))';

/** Kills the process; the harbor has seen it when this settles. */
async function kill(session: Session): Promise<void> {
  process.kill(await pidOf(session), 'SIGKILL');
  await expect.poll(() => session.state, { timeout: 20_000 }).toBe('lost');
}

it('after kill -9 has its world, in the package where it was, and says that the proofs were done again', async () => {
  const { open } = acl2Sessions();
  const session = await open();
  await run(session, `${APP} ${ASSOC}`);
  await run(session, `(defpkg "SHOP" '(defun)) (in-package "SHOP") (defun price (x) x)`);
  await run(session, '(acl2::assign seen 3)');
  await kill(session);
  const { outcome, package: packageAfter, notes, forms } = await run(session, '(price 3)');
  expect([outcome, packageAfter, forms[0]?.values]).toEqual(['ok', 'SHOP', ['3']]);
  expect(noteTexts(notes)).toContainEqual(
    expect.stringMatching(
      /new image \(generation 2\) because ACL2 was killed by SIGKILL.*4 forms of the history/,
    ),
  );
  expect(noteTexts(notes)).toContain('Proofs were repeated; none was skipped.');
  expect(await names(session)).toEqual(['APP', 'APP-ASSOC', '"SHOP"', 'SHOP::PRICE']);
});

it('has what was there: neither what was undone nor what failed, and what came before a form that failed', async () => {
  const { open } = acl2Sessions();
  const session = await open();
  await run(session, '(defun gone (x) x) (defun also-gone (x) x)');
  await run(session, ':ubt 2');
  await run(
    session,
    `${APP} (defthm wrong (equal (app x y) (app y x)) :rule-classes nil) (defun never (x) x)`,
  );
  await run(session, ':u');
  await run(session, '(defun last-one (x) x)');
  expect(await names(session)).toEqual(['GONE', 'LAST-ONE']);
  await kill(session);
  const { notes } = await run(session, '(+ 1 2)');
  expect(noteTexts(notes)).not.toContainEqual(expect.stringContaining('Not evaluated again'));
  expect(await names(session)).toEqual(['GONE', 'LAST-ONE']);
});

it('has what came before the form that ended ACL2 in the midst of a request', async () => {
  const { open } = acl2Sessions();
  const session = await open();
  expect((await run(session, `${APP} (exit 3) ${ASSOC}`)).outcome).toBe('crashed');
  expect((await run(session, '(app nil 3)')).forms[0]?.values).toEqual(['3']);
  expect(await names(session)).toEqual(['APP']);
});

it('tells what is not admitted any more, never skips its proof, and counts rightly from there on', async () => {
  const { open } = acl2Sessions();
  const session = await open();
  await run(session, '(defun f (x) x)');
  await run(
    session,
    '(set-ld-skip-proofsp t state) (defthm bad (equal (f x) 3) :rule-classes nil) (set-ld-skip-proofsp nil state)',
  );
  await run(session, '(defun g (x) x) (defun h (x) x)');
  await kill(session);
  const { notes } = await run(session, '(+ 1 2)');
  expect(noteTexts(notes)).toContainEqual(
    expect.stringMatching(
      /^Not evaluated again: #2 \(DEFTHM BAD \(EQUAL \(F X\) 3\) :RULE-CLASSES NIL\) \(ACL2 Error/,
    ),
  );
  expect(await names(session)).toEqual(['F', 'G', 'H']);
  await run(session, ':u');
  await run(session, '(defun i (x) x)');
  await kill(session);
  await run(session, '(+ 1 2)');
  expect(await names(session)).toEqual(['F', 'G', 'I']);
});

it('comes back more than once, also when it is lost again before anything was evaluated', async () => {
  const { open } = acl2Sessions();
  const session = await open();
  await run(session, APP);
  for (const _round of [1, 2]) {
    await kill(session);
    expect((await run(session, '(app nil 3)')).forms[0]?.values).toEqual(['3']);
  }
  await kill(session);
  expect((await run(session, '(exit 3)')).outcome).toBe('crashed');
  await run(session, ASSOC);
  expect(await names(session)).toEqual(['APP', 'APP-ASSOC']);
});

it('is branched into a second session by building its world again', async () => {
  const { open, sessions, checkpoints, project } = acl2Sessions();
  const session = await open();
  await run(session, `${APP} ${ASSOC}`);
  const branch = await sessions.open({ client: 'tester', project, from: checkpoints.replayed(session) });
  await run(branch, '(defun only-there (x) x)');
  expect([await names(session), await names(branch)]).toEqual([
    ['APP', 'APP-ASSOC'],
    ['APP', 'APP-ASSOC', 'ONLY-THERE'],
  ]);
  await kill(branch);
  await run(branch, '(+ 1 2)');
  expect(await names(branch)).toEqual(['APP', 'APP-ASSOC', 'ONLY-THERE']);
});
