/** What sessions change: real images, a real history, files written as tools write them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChangesSince, ChangesView } from '../../electron/contract/changes';
import type { Client } from '../../electron/contract/model';
import { composeChanges } from '../../electron/harbor/compose-toolbox';
import { Engines } from '../../electron/images/discovery';
import { AllowList } from '../../electron/sandbox/allow-list';
import { FileGuard } from '../../electron/sandbox/guarded-files';
import type { Session } from '../../electron/sessions/session/session';
import { changeFile } from '../../electron/tools/files/text-files';
import { acl2Sessions } from './acl2-sessions';
import { engine as clojure } from './clojure-fixture';
import { evaluate, type SessionsFixture, sessionsFixture } from './sessions-fixture';

const PERSON: Client = { key: 'you', scopes: new Set(['read', 'evaluate', 'admin']) };
const BEGINNING: ChangesSince = { is: 'beginning' };

function changesOf({ history, project }: SessionsFixture) {
  const list = new AllowList({
    entries: () => [],
    withoutDefaults: () => [],
    libraries: () => [],
    networkProjects: () => [],
    home: '/nowhere',
    dataFolder: '/nowhere/data',
    temporaryFolders: [],
  });
  const files = new FileGuard({ rules: (of, claimed) => list.rules(of, claimed), systems: async () => [] });
  const approvals = { require: async () => undefined };
  const composed = composeChanges({ history, files, approvals }, PERSON);
  const at = (file: string) => path.join(project, file);
  return {
    ...composed,
    files,
    put: (file: string, text: string) => {
      mkdirSync(path.dirname(at(file)), { recursive: true });
      writeFileSync(at(file), text);
    },
    held: (file: string) => readFileSync(at(file), 'utf8'),
    /** As an agent's tool does. */
    edit: (file: string, text: string) =>
      changeFile(file, { client: { key: 'tester', scopes: new Set() }, project }, { files, history }, () => ({
        bytes: Buffer.from(text),
        answer: null,
      })),
  };
}

const run = async (session: Session, ...codes: string[]) => {
  for (const code of codes) {
    const row = await evaluate(session, code).settled;
    expect([code, row.outcome, row.condition?.message]).toEqual([code, 'ok', undefined]);
  }
};

const told = ({ definitions }: ChangesView) =>
  definitions.map(({ what, title, saved, file }) =>
    [
      what,
      title,
      saved === null ? '?' : saved ? 'saved' : 'unsaved',
      ...(file ? [path.basename(file.path), file.line] : []),
    ].join(' '),
  );

const keyOf = ({ definitions }: ChangesView, title: string) =>
  definitions.find((each) => each.title === title)?.key ?? title;

describe('in Common Lisp', () => {
  it('are told with what was there before, written to files and taken back', async () => {
    const fixture = sessionsFixture();
    const { changes, written, put, held, edit } = changesOf(fixture);
    put(
      'shop.lisp',
      '(defpackage :shop (:use :cl))\n(in-package :shop)\n\n(defun price (x) x)\n\n(defun tax (x) x)\n',
    );
    const session = await fixture.open();
    await run(session, '(load "shop.lisp")', '(in-package :shop)', '(defun price (x) x)');
    // Evaluated as its file has it, it is not another one.
    expect(told(await changes.view(session, BEGINNING))).toEqual([]);
    await run(
      session,
      '(defun price (x)\n  (* 2 x))',
      '(progn (defvar *rate* 3) (defun gone () 1))',
      '(defclass item () ())',
      '(defmethod total ((i item)) 1) (defmethod total :around ((i item)) 2)',
      "(fmakunbound 'gone) (fmakunbound 'tax)",
    );
    const view = await changes.view(session, BEGINNING);
    expect(told(view)).toEqual([
      'removed defun tax ? shop.lisp 6',
      'added defmethod total (item) unsaved',
      'added defmethod total :around (item) unsaved',
      'added defclass item unsaved',
      'added defvar *rate* unsaved',
      'redefined defun price unsaved shop.lisp 4',
    ]);
    expect(view.definitions.at(-1)?.diff).toContain('-(defun price (x) x)\n+(defun price (x)\n+  (* 2 x))\n');
    await written.definitions(
      session,
      view.definitions.at(-1)?.file?.path ?? '',
      view.definitions.at(-1)?.writeAs ?? [],
    );
    expect(held('shop.lisp')).toContain('(defun price (x)\n  (* 2 x))\n\n(defun tax');
    const after = await changes.view(session, BEGINNING);
    expect(told(after).at(-1)).toBe('redefined defun price saved shop.lisp 4');
    expect(after.files.map(({ client, writes, diff }) => [client, writes, diff])).toEqual([
      ['you', 1, expect.stringContaining('+  (* 2 x))')],
    ]);
    for (const title of [
      'defmethod total :around (item)',
      'defvar *rate*',
      'defun price',
      'defun tax',
      'defclass item',
    ])
      expect([
        title,
        await changes.revert(session, { key: keyOf(view, title), since: BEGINNING }, PERSON),
      ]).toEqual([title, { evaluation: expect.any(Number), problem: null }]);
    expect(
      (await evaluate(session, "(list (price 4) (tax 1) (boundp '*rate*) (find-class 'item nil))").settled)
        .forms[0]?.values,
    ).toEqual(['(4 1 NIL NIL)']);
    const [file] = after.files;
    await edit('shop.lisp', '(defpackage :shop)\n');
    await expect(
      written.restore(session, file?.path ?? '', file?.earlierContent ?? 0, file?.hash ?? ''),
    ).rejects.toMatchObject({ code: 'hash_mismatch' });
    const [now] = (await changes.view(session, BEGINNING)).files;
    await written.restore(session, now?.path ?? '', now?.earlierContent ?? 0, now?.hash ?? '');
    expect(held('shop.lisp')).toContain('(defun price (x) x)\n');
    expect((await changes.view(session, BEGINNING)).files).toEqual([]);
  });

  it('are told of files that were loaded, as the files have them', async () => {
    const fixture = sessionsFixture();
    const { changes, put } = changesOf(fixture);
    put('shop.lisp', '(defun price (x) x)\n\n(defclass item () ())\n');
    put('src/a "b".lisp', '(defvar *rate* 1)');
    put('never.lisp', '(error "Never.")');
    const session = await fixture.open();
    await run(session, '(load "shop.lisp") (load "src/a \\"b\\".lisp") (load "shop.lisp")');
    await evaluate(session, '(load "never.lisp")').settled;
    const loads = async () => (await changes.view(session, BEGINNING)).loads;
    expect((await loads()).map((load) => [path.basename(load.path), load.evaluation])).toEqual([
      ['shop.lisp', 1],
      ['a "b".lisp', 1],
    ]);
    const [shop, other] = await loads();
    expect(await changes.inFile(session, shop?.path ?? '')).toEqual([
      { title: 'defun price', name: 'price', package: 'CL-USER', line: 1 },
      { title: 'defclass item', name: 'item', package: 'CL-USER', line: 3 },
    ]);
    expect(await changes.inFile(session, other?.path ?? '')).toHaveLength(1);
    await expect(changes.inFile(session, '/etc/hostname')).rejects.toMatchObject({
      code: 'path_not_allowed',
    });
    expect((await changes.view(session, { is: 'time', at: Date.now() + 1_000 })).loads).toEqual([]);
  });

  it('are told since a checkpoint, and of a session that began from one', async () => {
    const fixture = sessionsFixture();
    const { changes } = changesOf(fixture);
    const session = await fixture.open();
    await run(session, '(defun low (x) x) (defun high (x) x)');
    const client: Client = { key: 'tester', scopes: new Set(['admin']) };
    const saved = await fixture.checkpoints.save(session, { client, grant: null }, 'calm');
    await run(session, '(defun low (x) (1+ x)) (defun late () 1)', "(fmakunbound 'high)");
    const since = { is: 'checkpoint', id: saved.id } as const;
    expect(told(await changes.view(session, since))).toEqual([
      'removed defun high ?',
      'redefined defun low unsaved',
      'added defun late unsaved',
    ]);
    const from = fixture.checkpoints.origin(saved);
    const branch = await fixture.sessions.open({ client: 'tester', project: fixture.project, from });
    expect(told(await changes.view(branch, BEGINNING))).toEqual([]);
    await run(branch, '(defun low (x) (* x x))');
    const view = await changes.view(branch, BEGINNING);
    expect(told(view)).toEqual(['redefined defun low unsaved']);
    expect(view.definitions[0]?.diff).toContain('-(defun low (x) x)');
    await expect(changes.view(branch, since)).rejects.toMatchObject({ code: 'unknown_checkpoint' });
  });

  it('have the systems that were loaded, and what an hour holds', async () => {
    const fixture = sessionsFixture();
    const { changes, put } = changesOf(fixture);
    put('tide.asd', '(defsystem "tide" :components ((:file "tide")))');
    put('tide.lisp', '(defun cl-user::tide () 1)');
    const session = await fixture.open();
    const code = session.loader.loadCode({ systems: ['tide'] });
    await session.evaluate({ client: 'tester', grant: null, kind: 'load', code }).settled;
    await run(session, '(defun here () 1)');
    const hour = await changes.view(session, { is: 'time', at: Date.now() - 3_600_000 });
    expect(hour.systems.map(({ name, client }) => [name, client])).toEqual([['tide', 'tester']]);
    expect(told(hour)).toEqual(['added defun here unsaved']);
    expect((await changes.view(session, { is: 'time', at: Date.now() + 1 })).definitions).toEqual([]);
  });
});

it('in Clojure are told by namespace, and taken back', async () => {
  const fixture = sessionsFixture({ instead: { engines: new Engines([clojure], () => undefined) } });
  const { changes, put } = changesOf(fixture);
  put('src/shop.clj', '(ns shop)\n\n(defn price [x] x)\n');
  const session = await fixture.open();
  await run(
    session,
    '(load-file "src/shop.clj")',
    '(in-ns (quote shop))',
    '(defn price [x]\n  (* 2 x))',
    '(def ^:private rate 3)',
  );
  await run(
    session,
    '(defmulti area :kind) (defmethod area :square [_] 1)',
    "(def gone 1) (ns-unmap 'shop 'gone)",
  );
  const view = await changes.view(session, BEGINNING);
  expect(told(view)).toEqual([
    'added defmulti area unsaved',
    'added def rate unsaved',
    'redefined defn price unsaved shop.clj 3',
  ]);
  for (const title of ['defn price', 'def rate'])
    expect(
      (await changes.revert(session, { key: keyOf(view, title), since: BEGINNING }, PERSON)).problem,
    ).toBeNull();
  expect((await evaluate(session, "[(price 4) (resolve 'shop/rate)]").settled).forms.at(-1)?.values).toEqual([
    '[4 nil]',
  ]);
});

it('in ACL2 are events, taken back by taking them out of the world', async () => {
  const fixture = acl2Sessions();
  const { changes } = changesOf(fixture);
  const session = await fixture.open();
  await run(session, '(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))');
  await run(session, '(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))');
  const view = await changes.view(session, BEGINNING);
  expect(told(view)).toEqual(['added defthm app-assoc unsaved', 'added defun app unsaved']);
  expect(view.definitions.map(({ writeAs }) => writeAs)).toEqual([null, null]);
  expect(
    (await changes.revert(session, { key: keyOf(view, 'defthm app-assoc'), since: BEGINNING }, PERSON))
      .problem,
  ).toBeNull();
  expect(told(await changes.view(session, BEGINNING))).toEqual(['added defun app unsaved']);
});
