/** Trust tags that a person allows by name: for certified books of the system only. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Acl2Engine } from '../../electron/images/acl2/engine';
import { Engines } from '../../electron/images/discovery';
import { LocalLauncher } from '../../electron/launchers/local';
import { temporaryFolder } from '../started-harbor';
import { engine, engineOptions, issues, proofOf, startImage } from './acl2-fixture';
import { writeFiles } from './loading-fixture';
import { sessionsFixture } from './sessions-fixture';
import { TestImage } from './test-image';

const BOOKS = {
  'clock.lisp':
    '(in-package "ACL2")\n(defttag clock-ttag)\n(progn! (set-raw-mode t) (princ "below"))\n(defttag nil)\n(defun clock (x) x)\n(defun wind (x) x)\n(push-untouchable wind t)\n',
  'drawn.lisp': '(in-package "ACL2")\n(defttag :drawn)\n(defun drawn (x) x)\n',
  'wild.lisp': '(in-package "ACL2")\n(defttag :wild)\n(defun wild (x) x)\n',
};

/** Folder of the system books, which all tests only read. `wild` has no certificate. */
let system: string;

beforeAll(async () => {
  system = temporaryFolder('acl2-system');
  writeFiles(system, BOOKS);
  const folders = { project: system, home: system, checkpoints: system };
  const image = await engine.start({
    launcher: new LocalLauncher('a test'),
    confinement: { writable: [system], readable: [], network: false },
    ...folders,
  });
  image.rawLisp.allow();
  const making = new TestImage(image);
  for (const name of ['clock', 'drawn'])
    expect((await making.evaluate(`(harbor-certify "${name}")`)).outcome).toBe('ok');
  await image.end();
});
afterAll(() => rmSync(system, { recursive: true, force: true }));

/** An engine with the system books that allows these trust tags, and an image of it. */
async function withSystem(trustTags: readonly string[] = []) {
  const allowed = [...trustTags];
  const own = new Acl2Engine({ ...engineOptions, books: system, trustTags: () => allowed });
  return { image: await startImage({ engine: own }), allowed, engine: own };
}

const include = (image: TestImage, book: string) => image.evaluate(`(include-book "${book}" :dir :system)`);

it('are locked by default, and reported when they are used', async () => {
  const { image } = await withSystem();
  const locked = await include(image, 'clock');
  expect([locked.outcome, locked.notes.join(' ')]).toEqual([
    'error',
    expect.stringContaining('--trust-tags'),
  ]);
  await image.image.rawLisp?.allowTrustTags(['clock-ttag']);
  expect(image.image.rawLisp?.trustTags).toEqual(['CLOCK-TTAG']);
  const included = await include(image, 'clock');
  expect([included.condition?.message, included.outcome]).toEqual([undefined, 'ok']);
  expect(proofOf(included).issues).toEqual([
    { kind: 'trust-tag', about: [expect.stringMatching(/^\(:CLOCK-TTAG ".*clock.lisp"\)$/)] },
  ]);
  expect((await include(image, 'drawn')).outcome).toBe('error');
});

it('are reported until the image ends, even after the book is undone: raw Lisp has run', async () => {
  const { image } = await withSystem(['clock-ttag']);
  await include(image, 'clock');
  expect(issues(await image.evaluate('(ubt! 1) (thm (equal x x))'))).toEqual(['trust-tag']);
});

it('bring in functions that stay untouchable, also in untranslated terms', async () => {
  const { image } = await withSystem(['clock-ttag']);
  await include(image, 'clock');
  const evaluated = (term: string) =>
    image.evaluate(`(trans-eval1 '${term} '(nil) 'top (w state) state t t)`);
  expect((await evaluated("(clock '3)")).values).toEqual([['((NIL) . 3)']]);
  expect((await evaluated("(wind '3)")).condition?.message).toContain('calls WIND, which is untouchable');
});

it('open and close for all images with the settings', async () => {
  const { image, allowed } = await withSystem();
  expect((await include(image, 'clock')).outcome).toBe('error');
  allowed.push(':Clock-Ttag', 'no-such-tag');
  expect((await include(image, 'clock')).outcome).toBe('ok');
  allowed.length = 0;
  expect((await image.evaluate('(ubt! 1) (include-book "clock" :dir :system)')).outcome).toBe('error');
});

it.each([
  ['at the top level', '(defttag :clock-ttag)'],
  ['in a book of the project', '(include-book "mine")'],
  ['in a book that is certified with it', '(certify-book "mine" ? nil :ttags :all)'],
  ['in a book that names the path of the other', '(certify-book "mine" ? nil :ttags ((:clock-ttag "mine")))'],
])('are for no other book: %s', async (_where, code) => {
  const { image } = await withSystem(['clock-ttag']);
  writeFiles(image.request.project, { 'mine.lisp': '(in-package "ACL2")\n(defttag :clock-ttag)\n' });
  const answer = await image.evaluate(code);
  expect([answer.outcome, issues(answer)]).toEqual(['error', []]);
});

it('are refused to a book without certificate, and to one the image may write', async () => {
  const { image } = await withSystem();
  const allow = image.image.rawLisp?.allowTrustTags(['wild']);
  await expect(allow).rejects.toThrow('No certified system book uses a trust tag of this name: WILD.');
  const own = new Acl2Engine({ ...engineOptions, books: system });
  const request = {
    ...image.request,
    confinement: { ...image.request.confinement, writable: [path.dirname(system)] },
  };
  const other = await own.start(request);
  await expect(other.rawLisp.allowTrustTags(['drawn'])).rejects.toThrow('DRAWN');
  await other.end();
});

it('apply to certification too, and the new book reports them', async () => {
  const { image } = await withSystem();
  writeFiles(image.request.project, {
    'mine.lisp': '(in-package "ACL2")\n(include-book "clock" :dir :system)\n(defun mine (x) x)\n',
  });
  const certify = image.image.world?.certifyCode(path.join(image.request.project, 'mine')) ?? '';
  expect((await image.evaluate(certify)).outcome).toBe('error');
  await image.image.rawLisp?.allowTrustTags(['clock-ttag']);
  const certified = await image.evaluate(certify);
  expect([certified.outcome, issues(certified)]).toEqual(['ok', ['trust-tag']]);
  for (const [flags, expected] of [
    [':ttags nil', 'error'],
    [':ttags ((:clock-ttag)) :skip-proofs-okp t', 'ok'],
  ] as const) {
    writeFiles(image.request.project, { 'mine.acl2': `; cert-flags: ? t ${flags}\n` });
    expect((await image.evaluate(certify)).outcome).toBe(expected);
  }
});

it('are allowed for a session by a person, also after a crash', async () => {
  const { engine: own } = await withSystem();
  const session = await sessionsFixture({
    instead: { engines: new Engines([own], () => undefined) },
  }).open();
  const evaluated = (code: string) =>
    session.evaluate({ client: 'tester', grant: null, kind: 'eval', code }).settled;
  await expect(session.settings.allowTrustTags(['no-such-tag'])).rejects.toThrow('NO-SUCH-TAG');
  await session.settings.allowTrustTags([':clock-ttag']);
  expect(session.view()).toMatchObject({ rawLisp: false, trustTags: ['CLOCK-TTAG'] });
  const included = await evaluated('(include-book "clock" :dir :system)');
  expect([included.outcome, included.notes.map(({ text }) => text).join(' ')]).toEqual([
    'ok',
    expect.stringContaining('A person has allowed certified books of the system to use these trust tags'),
  ]);
  await evaluated('(good-bye)');
  expect((await evaluated('(clock 7)')).forms[0]?.values).toEqual(['7']);
  expect(session.view()).toMatchObject({ generation: 2, trustTags: ['CLOCK-TTAG'] });
  expect(session.persistentState.trustTags).toEqual(['CLOCK-TTAG']);
});
