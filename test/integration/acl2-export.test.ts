/** A world exported as a book: it certifies, and what no book may hold is told. So is the report of a final check. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { finalCheckOf } from '../../electron/sessions/export/final-check';
import { sessionSource } from '../../electron/sessions/export/session-source';
import type { Session } from '../../electron/sessions/session/session';
import { exportSession, saveCheck } from '../../electron/shell/export-session';
import { wordsOf } from '../../electron/words/words';
import { PATIENT } from '../started-harbor';
import { acl2Sessions, names, run } from './acl2-sessions';
import { writeFiles } from './loading-fixture';
import type { SessionsFixture } from './sessions-fixture';

const APP = '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))';
const ASSOC = '(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))';

interface Exported {
  text: string;
  portcullis: string | undefined;
  /** Certified, included in a fresh session, and what is in its world then. */
  fresh: Session;
}

/** Exports the session, certifies the book, and includes it in a fresh session. */
async function exported({ open, history, project }: SessionsFixture, session: Session): Promise<Exported> {
  const { text, portcullis } = await sessionSource(session, history.evaluations);
  const book = path.join(project, 'exported');
  writeFileSync(`${book}.lisp`, text);
  if (portcullis !== undefined) writeFileSync(`${book}.acl2`, portcullis);
  const { outcome, condition } = await run(session, session.ability('world').certifyCode(book));
  expect([outcome, condition?.message]).toEqual(['ok', undefined]);
  const fresh = await open();
  expect((await run(fresh, '(include-book "exported")')).outcome).toBe('ok');
  return { text, portcullis, fresh };
}

it('holds what every kind of command has done, in its order', async () => {
  const fixture = acl2Sessions();
  const session = await fixture.open();
  const made = await run(
    session,
    `${APP} ${ASSOC} (in-theory (disable app-assoc)) (defmacro twice (x) (list 'app x x))
    (defconst *long* '(${'"a ; \\" |" #\\A |Odd one| 1/3 '.repeat(2_000)})) (program) (defun p (x) (twice x)) (logic)
    (local (defun hidden (x) x)) (make-event '(defun made (x) x)) (defstobj st fld)
    (encapsulate (((h *) => *)) (local (defun h (x) x)) (defthm h-h (equal (h (h x)) (h x))))
    (mutual-recursion (defun a (n) (if (zp n) n (b (- n 1)))) (defun b (n) (if (zp n) n (a (- n 1)))))
    (verify-guards app) (table my-table 'key 'value) (defun gone (x) x) :u`,
  );
  expect([made.outcome, made.condition?.message]).toEqual(['ok', undefined]);
  const { text, portcullis, fresh } = await exported(fixture, session);
  expect([portcullis, text.includes('GONE')]).toEqual([undefined, false]);
  const told = await fresh.ability('knowledge').describe({ symbol: 'app' });
  expect(told.definitions[0]).toMatchObject({ guardsVerified: true });
  const { forms, condition } = await run(fresh, '(list (len *long*) (made 3) (app nil 2))');
  expect([condition, forms[0]?.values]).toEqual([null, ['(8000 3 2)']]);
});

it('has packages below it, with what came before them, whatever package the session is in', async () => {
  const fixture = acl2Sessions();
  const session = await fixture.open();
  await run(
    session,
    `(defconst *imports* '(defun equal)) (defpkg "SHOP" *imports*) (in-package "SHOP") (defun price (x) x)`,
  );
  await run(
    session,
    `(acl2::defthm price-is-x (equal (price x) x)) (acl2::set-print-base 16 acl2::state) (acl2::defconst *n* 255)`,
  );
  const { text, portcullis, fresh } = await exported(fixture, session);
  expect(portcullis).toMatch(/\(defconst \*imports\*[\s\S]*\(defpkg "SHOP" \*imports\*\)\n$/);
  expect(text).toMatch(/^\(in-package "ACL2"\)\n\n\(DEFUN SHOP::PRICE \(SHOP::X\)\s+SHOP::X\)$/m);
  expect((await run(fresh, '(list (shop::price 3) shop::*n*)')).forms[0]?.values).toEqual(['(3 255)']);
});

it('includes the books that the session did, wherever they are, also for their packages', async () => {
  const fixture = acl2Sessions();
  const session = await fixture.open();
  writeFiles(fixture.project, {
    'lib/shop.acl2': `(defpkg "SHOP" '(defun))\n`,
    'lib/shop.lisp': '(in-package "SHOP")\n(defun price (x) x)\n',
    'lib/load.lisp': '(include-book "shop")\n',
    'app.lisp': `(in-package "ACL2")\n${APP}\n`,
  });
  for (const book of ['lib/shop', 'app'])
    await run(session, session.ability('world').certifyCode(path.join(fixture.project, book)));
  await run(session, session.loader.loadCode({ file: path.join(fixture.project, 'lib/load.lisp') }));
  await run(session, '(include-book "app") (defun twice (x) (app (shop::price x) x))');
  const { text, portcullis, fresh } = await exported(fixture, session);
  expect(portcullis).toContain(`(INCLUDE-BOOK "${fixture.project}/lib/shop")`);
  expect(text).toContain(`;;; Names of books are relative to ${fixture.project}.`);
  expect(text).toContain('(INCLUDE-BOOK "app")');
  expect((await run(fresh, '(twice nil)')).forms[0]?.values).toEqual(['NIL']);
});

it('has comments and case as evaluated, except of what is gone or was read in another package', async () => {
  const fixture = acl2Sessions();
  const session = await fixture.open();
  await run(session, ';; An old version.\n(defun Twice (x) (list x x)) :u (defun gone (x) x) :u');
  await run(
    session,
    `; Appends a list to itself.
${APP}
;; Of ACL2’s "append".
(defmacro Twice (x) \`(app ,x ,x))
#| unused |# (defun Other (x) ; one
  (Twice x))`,
  );
  await run(
    session,
    `(defpkg "SHOP" '(defun)) (in-package "SHOP") ; Not in ACL2.
(defun Price (x) x)`,
  );
  const { text: book, portcullis } = await exported(fixture, session);
  const text = `${portcullis}${book}`;
  for (const part of [
    `; Appends a list to itself.\n${APP}`,
    '`(app ,x ,x)',
    '(defun Other (x) ; one\n  (Twice x))',
  ])
    expect(text).toContain(part);
  expect(text).toMatch(/\(DEFUN SHOP::PRICE \(SHOP::X\)\s+SHOP::X\)$/m);
  expect(text).not.toMatch(/old version|gone|Not in ACL2/);
});

it('leaves out and names what no book may hold', async () => {
  const fixture = acl2Sessions();
  const session = await fixture.open();
  await run(session, `(er-progn (defun f (x) x) (value :done)) ${APP}`);
  const { text, fresh } = await exported(fixture, session);
  expect(text).toContain(
    ';;; Omitted, because a book cannot contain it:\n;;; (ER-PROGN (DEFUN F (X) X) (VALUE :DONE))\n',
  );
  expect(await names(fresh)).not.toContain('F');
});

it('says that proofs were skipped, and then does not certify', async () => {
  const { open, history, project } = acl2Sessions();
  const session = await open();
  await run(session, '(skip-proofs (defthm wrong (equal (car x) x) :rule-classes nil))');
  const { text } = await sessionSource(session, history.evaluations);
  expect(text).toContain(';;; Some proofs were skipped in the session.');
  writeFileSync(path.join(project, 'exported.lisp'), text);
  const { outcome } = await run(
    session,
    session.ability('world').certifyCode(path.join(project, 'exported')),
  );
  expect([outcome, existsSync(path.join(project, 'exported.cert'))]).toEqual(['error', false]);
});

it('holds more commands than are asked for at once, and of an empty world none', async () => {
  const fixture = acl2Sessions();
  const session = await fixture.open();
  expect(await sessionSource(session, fixture.history.evaluations)).toMatchObject({ definitions: 0 });
  await run(session, Array.from({ length: 450 }, (_, n) => `(deflabel l${n})`).join('\n'));
  const { text, definitions } = await sessionSource(session, fixture.history.evaluations);
  expect([definitions, text.match(/deflabel l\d+/g)?.length]).toEqual([450, 450]);
});

it('is refused while an evaluation runs, which goes on', async () => {
  const { open, history } = acl2Sessions();
  const session = await open();
  await run(session, '(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))');
  const endless = run(session, '(fib 70)');
  await expect.poll(() => session.state, PATIENT).toBe('running');
  await expect(sessionSource(session, history.evaluations)).rejects.toMatchObject({ code: 'busy' });
  await session.interrupt('tester');
  expect((await endless).outcome).toBe('interrupted');
});

it('is written where a person says, with what it needs beside it', async () => {
  const { open, history, project } = acl2Sessions();
  const session = await open();
  await run(session, `(defpkg "SHOP" '(defun)) (defun shop::price (x) x)`);
  const file = path.join(project, 'chosen.lisp');
  const asked: unknown[] = [];
  const answer = await exportSession(session, history.evaluations, async (ask, { text, companion }) => {
    asked.push(ask(wordsOf('en').dialogs), companion?.extension);
    writeFileSync(file, text);
    return file;
  });
  expect([answer, asked[1], readFileSync(file, 'utf8').startsWith(';;; ')]).toEqual([
    { file, definitions: 2 },
    '.acl2',
    true,
  ]);
});

it('so is the report of a final check, with the same as data beside it', async () => {
  const { open, history, project } = acl2Sessions();
  const session = await open();
  await run(session, `${APP} ${ASSOC}`);
  const asked = await finalCheckOf(session, { claim: 'app-assoc' });
  const { id } = await session.evaluate({ client: 'tester', grant: null, kind: 'test', ...asked }).settled;
  const file = path.join(project, 'report.txt');
  expect(history.evaluations.find(id)?.report?.finalCheck?.issues).toEqual([]);
  const written = await saveCheck(id, history.evaluations, async (ask, { text, companion }) => {
    expect(ask(wordsOf('en').dialogs).suggested).toBe(path.join(project, 'final check of APP-ASSOC.txt'));
    writeFileSync(file, text);
    expect([companion?.extension, JSON.parse(companion?.text ?? '')]).toMatchObject([
      '.json',
      { claim: 'APP-ASSOC' },
    ]);
    return file;
  });
  expect(written).toEqual({ file });
  const text = readFileSync(file, 'utf8');
  for (const part of ['The theorem APP-ASSOC', 'To repeat it', 'Text of lisp-harbor-session.lisp'])
    expect(text).toContain(part);
  await expect(saveCheck(id - 1, history.evaluations, async () => null)).rejects.toMatchObject({
    code: 'unknown_evaluation',
  });
});

it('what another process was told to rest on is not what the session rests on', async () => {
  const { open, project } = acl2Sessions();
  const session = await open();
  await run(session, '(skip-proofs (defthm wrong (equal (car x) x) :rule-classes nil))');
  writeFileSync(path.join(project, 'app.lisp'), `(in-package "ACL2")\n${APP}\n`);
  const certified = await run(session, session.ability('world').certifyCode(path.join(project, 'app')));
  const asked = await finalCheckOf(session, { file: path.join(project, 'app.lisp') });
  const checked = await session.evaluate({ client: 'tester', grant: null, kind: 'test', ...asked }).settled;
  expect([certified.outcome, checked.outcome]).toEqual(['ok', 'ok']);
  expect(session.view().trust?.map(({ kind }) => kind)).toEqual(['skip-proofs']);
});

it('a report can be repeated by hand as it says', async () => {
  const { open, project } = acl2Sessions();
  const session = await open();
  await run(session, `(defpkg "SHOP" '(defun)) (defun shop::price (x) x) ${APP} ${ASSOC}`);
  const asked = await finalCheckOf(session, {});
  const { report } = await session.evaluate({ client: 'tester', grant: null, kind: 'test', ...asked })
    .settled;
  const check = report?.finalCheck;
  for (const { file, text } of check?.files ?? []) writeFileSync(path.join(project, file), text ?? '');
  expect(check?.steps).toHaveLength(2);
  for (const step of check?.steps ?? []) {
    const fresh = await open();
    const { outcome, condition } = await run(fresh, step);
    expect([outcome, condition?.message]).toEqual(['ok', undefined]);
  }
});
