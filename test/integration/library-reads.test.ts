/**
 * Files of libraries become readable when their system is loaded, and claims by an image never go beyond the
 * list.
 */

import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { ApprovalQuestion } from '../../electron/contract/approvals';
import { AllowEntry } from '../../electron/contract/sandbox';
import {
  composeApprovals,
  composeFileGuard,
  composeReadRequests,
} from '../../electron/harbor/compose-sandbox';

import { SettingsFile } from '../../electron/host/settings-file';
import { Acl2Engine } from '../../electron/images/acl2/engine';
import { Engines } from '../../electron/images/discovery';
import { AllowList } from '../../electron/sandbox/allow-list';
import type { Session } from '../../electron/sessions/session/session';
import { PATIENT } from '../started-harbor';
import { engineOptions } from './acl2-fixture';
import { sessionsFixture } from './sessions-fixture';

/** A library next to the project, with two systems, and files that belong to neither. */
function libraryPlace() {
  const root = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-library-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  const at = (...parts: string[]) => path.join(root, ...parts);
  for (const name of ['fives', 'sixes']) {
    mkdirSync(at('library', name), { recursive: true });
    writeFileSync(at('library', name, `${name}.asd`), `(defsystem "${name}" :components ((:file "main")))`);
    writeFileSync(at('library', name, 'main.lisp'), `(defpackage :${name}) (print :${name})`);
  }
  mkdirSync(at('home'));
  writeFileSync(at('home/diary.txt'), 'decoy');
  const entry = AllowEntry.parse({ folder: at('library'), power: 'library' });
  const list = new AllowList({
    entries: () => [entry],
    withoutDefaults: () => [],
    networkProjects: () => [],
    libraries: () => [],
    home: at('home'),
    dataFolder: at('data'),
    temporaryFolders: [tmpdir()],
  });
  return { at, list };
}

const evaluated = async (session: Session, code: string) =>
  (await session.evaluate({ client: 'test', grant: null, kind: 'eval', code }).settled).outcome;

const refused = expect.objectContaining({ code: 'path_not_allowed' });

describe('a file of a library', () => {
  it('S2-17 S2-18 is read once its system is loaded, and no other system’s', async () => {
    const { at, list } = libraryPlace();
    const { sessions, open } = sessionsFixture();
    const files = composeFileGuard(list, sessions);
    const session = await open();
    const { project } = session.identity;
    const main = at('library/fives/main.lisp');
    await expect(files.read(project, main)).rejects.toThrow(/Load the system first/);
    const asd = at('library/fives/fives.asd');
    expect(await evaluated(session, `(asdf:load-asd "${asd}") (asdf:load-system "fives")`)).toBe('ok');
    expect(Buffer.from((await files.read(project, main)).bytes).toString()).toContain(':fives');
    await expect(files.read(project, at('library/sixes/main.lisp'))).rejects.toThrow(refused);
    await expect(files.read(path.join(project, 'elsewhere'), main)).rejects.toThrow(refused);
  });

  it('is not read on the word of an image, in whatever way it claims everything', async () => {
    const { at, list } = libraryPlace();
    const { sessions, open } = sessionsFixture();
    const files = composeFileGuard(list, sessions);
    const claims = [
      '(asdf:defsystem "claim") (asdf:load-system "claim") (setf (slot-value (asdf:registered-system "claim") (quote asdf/system::source-file)) #p"/claim.asd")',
      '(setf (fdefinition \'asdf:system-source-directory) (constantly #p"/"))',
      '(setf (fdefinition \'uiop:native-namestring) (constantly "/"))',
    ];
    for (const claim of claims) {
      const session = await open();
      await evaluated(session, claim);
      const claimed = await session.ability('knowledge').systemFolders?.();
      expect(
        claimed?.map(({ folder }) => folder),
        claim,
      ).toContain('/');
      const { project } = session.identity;
      for (const file of ['/etc/passwd', at('home/diary.txt'), at('library/../home/diary.txt')])
        await expect(files.read(project, file), file).rejects.toThrow(refused);
    }
  });

  it('is read beyond the libraries when a person is asked about the folder of its system and says yes', async () => {
    const { at, list } = libraryPlace();
    const { sessions, open } = sessionsFixture();
    const settings = new SettingsFile(at('settings.json'));
    const approvals = composeApprovals({ settings, kind: 'app' });
    const files = composeFileGuard(
      list,
      sessions,
      composeReadRequests({ settings, sessions, allowList: list }, approvals),
    );
    renameSync(at('library/fives'), at('home/fives'));
    const session = await open();
    const { project } = session.identity;
    const asd = at('home/fives/fives.asd');
    expect(await evaluated(session, `(asdf:load-asd "${asd}") (asdf:load-system "fives")`)).toBe('ok');
    const reading = files.read(project, at('home/fives/main.lisp'), { client: 'codex', tool: 'read_file' });
    await expect
      .poll(() => approvals.state.questions, PATIENT)
      .toMatchObject([
        {
          explanation: {
            meaning: expect.arrayContaining([{ outside: at('home/fives') }, { outside: session.id }]),
          },
        },
      ]);
    approvals.answer(approvals.state.questions[0] as ApprovalQuestion, 'once');
    expect(Buffer.from((await reading).bytes).toString()).toContain(':fives');
    await session.end();
    await expect(files.read(project, at('home/fives/main.lisp'))).rejects.toThrow(refused);
  });

  it('is refused, and nothing worse, while the image does not answer', async () => {
    const { at, list } = libraryPlace();
    const { sessions, open } = sessionsFixture();
    const session = await open();
    await evaluated(
      session,
      '(setf (fdefinition (quote asdf:already-loaded-systems)) (lambda () (error "no")))',
    );
    const files = composeFileGuard(list, sessions);
    await expect(files.read(session.identity.project, at('library/fives/main.lisp'))).rejects.toThrow(
      refused,
    );
  });
});

describe('a book of ACL2', () => {
  it('is read, and never written, in projects that have a session of it', async () => {
    const { at, list } = libraryPlace();
    mkdirSync(at('books/std'), { recursive: true });
    writeFileSync(at('books/std/lists.lisp'), '(in-package "ACL2")');
    const acl2 = new Acl2Engine({ ...engineOptions, books: at('books') });
    const { sessions, open } = sessionsFixture({
      instead: { engines: new Engines([acl2], () => undefined) },
    });
    const files = composeFileGuard(list, sessions);
    const session = await open();
    const { project } = session.identity;
    const book = at('books/std/lists.lisp');
    expect(Buffer.from((await files.read(project, book)).bytes).toString()).toBe('(in-package "ACL2")');
    const change = files.change(project, book, () => ({
      bytes: Buffer.from('(defun f (x) x)'),
      answer: null,
    }));
    await expect(change).rejects.toThrow(/is read-only/);
    await expect(files.read(project, at('books/../home/diary.txt'))).rejects.toThrow(refused);
    await expect(files.read(path.join(project, 'elsewhere'), book)).rejects.toThrow(refused);
    await sessions.close(session);
    await expect(files.read(project, book)).rejects.toThrow(refused);
  });
});
