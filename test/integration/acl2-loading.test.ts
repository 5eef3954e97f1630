/** Files and books loaded into ACL2: each event is told with its place, and what fails with its form. */

import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Acl2Engine } from '../../electron/images/acl2/engine';
import { findInstallation } from '../../electron/images/acl2/installation';
import type { Loader } from '../../electron/images/optional-groups';
import { engineOptions, type ImageOptions, issues, proofOf, startImage } from './acl2-fixture';
import { type Files, writeFiles } from './loading-fixture';
import type { TestImage } from './test-image';

const APP = '(defun app (x y)\n  (if (consp x) (cons (car x) (app (cdr x) y)) y))';
const ASSOC = '(defthm app-assoc\n  (equal (app (app x y) z) (app x (app y z))))';
const BOOK = `(in-package "ACL2")\n${APP}\n${ASSOC}\n`;

/** An image with these files in its project. */
async function withFiles(files: Files, options: ImageOptions = {}) {
  const image = await startImage(options);
  writeFiles(image.request.project, files);
  const file = (name: string) => path.join(image.request.project, name);
  return { image, file };
}

/** The same ACL2 as a program in that folder, where no books are beside it. */
async function aloneIn(folder: string): Promise<string> {
  const { image } = await findInstallation(engineOptions);
  const program = path.join(folder, 'saved_acl2');
  writeFileSync(program, `#!/bin/sh\nimage=${image}\nexec "$image" "$@"\n`, { mode: 0o755 });
  return program;
}

function loaderOf({ image }: TestImage): Loader {
  if (!image.loader) throw new Error('ACL2 has no loader.');
  return image.loader;
}

function load(image: TestImage, file: string) {
  return image.evaluate(loaderOf(image).loadCode({ file }));
}

/** What became of the events of a file, with their lines. */
function told(answer: Awaited<ReturnType<typeof load>>): string[] {
  return proofOf(answer).events.map(
    ({ operator, verdict, place }) => `${place?.line} ${operator} ${verdict}`,
  );
}

describe('a file', () => {
  it('is loaded form by form, each event told with its line', async () => {
    const { image, file } = await withFiles({
      'a.lisp': `; The list functions.\n${APP}\n\n#| Not this:\n(defun b (x) x) |#\n${ASSOC} (thm (equal x x))\n`,
    });
    const answer = await load(image, file('a.lisp'));
    expect([answer.outcome, answer.values]).toEqual(['ok', [['3']]]);
    expect(told(answer)).toEqual(['2 DEFUN admitted', '7 DEFTHM admitted', '8 THM proved']);
    expect(proofOf(answer).events[0]?.place?.file).toBe(file('a.lisp'));
    const { commands } = (await image.image.world?.commands({ limit: 9 })) ?? { commands: [] };
    expect(commands.map((command) => command.file)).toEqual([file('a.lisp'), file('a.lisp')]);
  });

  it('stops at what fails and tells file, line and form; what came before it stays', async () => {
    const { image, file } = await withFiles({
      'a.lisp': `${APP}\n\n(defthm wrong\n  (equal (app x y) (app y x)))\n(defun never (x) x)\n`,
    });
    const answer = await load(image, file('a.lisp'));
    expect(answer).toMatchObject({
      outcome: 'error',
      condition: { type: 'ACL2 Error [Failure]' },
      report: {
        failures: [
          {
            file: file('a.lisp'),
            line: 4,
            source: '(DEFTHM WRONG (EQUAL (APP X Y) (APP Y X)))',
            message: expect.stringContaining('ACL2 Error'),
          },
        ],
      },
    });
    expect(told(answer)).toEqual(['1 DEFUN admitted', '4 DEFTHM failed']);
    expect((await image.evaluate('(app nil 3)')).values).toEqual([['3']]);
    expect((await image.evaluate('(never 3)')).outcome).toBe('error');
  });

  it.each([
    ['ends in the midst of a form', '(deflabel a)\n\n(defun f (x)\n  x', 3],
    ['names a package that is not there', '(deflabel a)\n(defun nowhere::f (x) x)\n', 2],
  ])('that %s is told with the line', async (_what, text, line) => {
    const { image, file } = await withFiles({ 'a.lisp': text });
    const answer = await load(image, file('a.lisp'));
    expect(answer.outcome).toBe('error');
    expect(answer.report?.failures).toMatchObject([{ file: file('a.lisp'), line }]);
    expect(proofOf(answer).command).toBe(1);
  });

  it('has a package of its own up to its end, and a folder in which its books are', async () => {
    const { image, file } = await withFiles({
      'lib/a.lisp': `(defpkg "SHOP" '(include-book defun))\n(in-package "SHOP")\n(include-book "b")\n(defun price (x) x)\n`,
      'lib/b.lisp': BOOK,
    });
    const answer = await load(image, file('lib/a.lisp'));
    expect([answer.outcome, answer.package]).toEqual(['ok', 'ACL2']);
    expect(issues(answer)).toContain('uncertified-book');
    expect((await image.evaluate('(list (shop::price 3) (app nil 3)) (cbd)')).values).toEqual([
      ['(3 3)'],
      [`"${image.request.project}/"`],
    ]);
  });

  it('that is not there, or is told of wrongly, is an error that says so', async () => {
    const { image, file } = await withFiles({});
    expect((await load(image, file('none.lisp'))).condition?.message).toBe(
      `ACL2 Error in HARBOR-LOAD:  The file ${file('none.lisp')} cannot be read.`,
    );
    expect((await image.evaluate('(harbor-load 3)')).condition?.message).toContain(
      'Expected 1 argument: string.',
    );
  });

  it('is loaded from any package', async () => {
    const { image, file } = await withFiles({ 'a.lisp': `(acl2::in-package "ACL2")\n${APP}\n` });
    await image.evaluate('(defpkg "BARE" nil) (in-package "BARE")');
    const answer = await load(image, file('a.lisp'));
    expect([answer.outcome, answer.package]).toEqual(['ok', 'BARE']);
    expect((await image.evaluate('(acl2::app acl2::nil 3)')).outcome).toBe('ok');
  });

  it('in which a proof is interrupted stops there', async () => {
    const { image, file } = await withFiles({
      'a.lisp': `(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))
(deflabel a)
(make-event (prog2$ (cw "ready~%") (value (list 'defconst '*c* (fib 70)))))
(deflabel never)\n`,
    });
    const running = await image.running(loaderOf(image).loadCode({ file: file('a.lisp') }));
    await image.interrupt('insistent');
    const answer = await running.settled;
    expect([answer.outcome, proofOf(answer).command]).toEqual(['interrupted', 2]);
  });
});

describe('a book', () => {
  it('is included by its path', async () => {
    const { image, file } = await withFiles({ 'lib/b.lisp': BOOK });
    const answer = await image.evaluate(loaderOf(image).bookCode?.(file('lib/b')) ?? '');
    expect(answer.outcome).toBe('ok');
    expect(issues(answer)).toEqual(['outside-book', 'uncertified-book']);
    expect((await image.evaluate('(app nil 3)')).values).toEqual([['3']]);
  });

  it('of the system is named as :DIR :SYSTEM does, and counts as loaded', async () => {
    const books = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-books-')));
    onTestFinished(() => rmSync(books, { recursive: true, force: true }));
    writeFiles(books, { 'lists/top.lisp': BOOK });
    const { image } = await withFiles({}, { engine: new Acl2Engine({ ...engineOptions, books }) });
    const answer = await image.evaluate(loaderOf(image).loadCode({ systems: ['lists/top'] }));
    expect([answer.outcome, answer.report?.loaded]).toEqual(['ok', ['lists/top']]);
    expect(issues(answer)).toEqual(['uncertified-book']);
    expect((await image.evaluate('(app nil 3)')).values).toEqual([['3']]);
  });

  it('is not looked for in a folder that holds only what was compiled of books', async () => {
    const books = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-books-')));
    onTestFinished(() => rmSync(books, { recursive: true, force: true }));
    writeFiles(books, { 'lists/top.o': 'compiled' });
    const options = { ...engineOptions, books };
    expect((await findInstallation(options)).books).not.toBe(books);
    writeFiles(books, { 'lists/top.lisp': BOOK });
    expect((await findInstallation(options)).books).toBe(books);
  });

  it('is missed with how to get it, and a folder without books that somebody named is told', async () => {
    const empty = realpathSync(mkdtempSync(path.join(tmpdir(), 'lisp-harbor-books-')));
    onTestFinished(() => rmSync(empty, { recursive: true, force: true }));
    const program = await aloneIn(empty);
    const engine = new Acl2Engine({ ...engineOptions, program });
    const { image } = await withFiles({}, { engine });
    for (const code of [
      loaderOf(image).loadCode({ systems: ['arithmetic/top'] }),
      '(encapsulate () (local (include-book "arithmetic/top" :dir :system)))',
    ]) {
      const answer = await image.evaluate(code);
      expect([answer.outcome, answer.notes.join(' ')]).toEqual([
        'error',
        expect.stringContaining('apt install acl2-books'),
      ]);
    }
    expect((await image.evaluate('(include-book "mine")')).notes).toEqual([]);
    expect((await engine.discover()).reason).toBeUndefined();
    const named = new Acl2Engine({ ...engineOptions, program, books: empty });
    expect((await named.discover()).reason).toContain(`${empty} contains no ACL2 books`);
  });

  it('of none is a world with nothing in it', async () => {
    const image = await startImage();
    expect((await image.evaluate(loaderOf(image).loadCode({ systems: [] }))).values).toEqual([[':FRESH']]);
  });
});

it('tests a book by certifying it, and says so of anything else', async () => {
  const { image, file } = await withFiles({});
  const book = file('app');
  const test = async (text: string) => {
    writeFiles(image.request.project, { 'app.lisp': `(in-package "ACL2")\n${text}\n` });
    const { report } = await image.evaluate(loaderOf(image).testCode({ file: `${book}.lisp` }));
    return report?.runs;
  };
  expect(await test('(assert-event (equal (+ 1 2) 3))')).toEqual([
    {
      framework: 'certify-book',
      tests: [book],
      counts: { passed: 1, failed: 0, errors: 0, skipped: 0 },
      failures: [],
    },
  ]);
  expect(await test('(assert-event (equal (+ 1 2) 4))')).toMatchObject([
    {
      counts: { passed: 0, failed: 1 },
      failures: [{ test: book, kind: 'failed', reason: expect.stringContaining('ASSERT-EVENT') }],
    },
  ]);
  expect(() => loaderOf(image).testCode({ system: 'app' })).toThrow('Pass the file as path');
});

describe('a theorem of a file', () => {
  const FILE = `(in-package "ACL2")

; wrong is announced here
(defun ap (x y)
  (if (consp x) (cons (car x) (ap (cdr x) y)) y))
(defthm ap-assoc (equal (ap (ap x y) z) (ap x (ap y z))))
(defthm wrong (equal (ap x nil) x))
(defthm never (equal (car (cons x y)) x))
`;

  const proved = async (image: TestImage, test: string, file: string) => {
    const answer = await image.evaluate(loaderOf(image).testCode({ file, test }));
    return { ...answer, run: answer.report?.runs[0] };
  };

  it('is proved after what comes before it, which is not proved again', async () => {
    const { image, file } = await withFiles({ 'a.lisp': FILE });
    const first = await proved(image, 'ap-assoc', file('a.lisp'));
    expect(first).toMatchObject({
      outcome: 'ok',
      run: { tests: ['ap-assoc'], counts: { passed: 1, failed: 0 } },
    });
    expect(told(first)).toEqual(['4 DEFUN admitted', '6 DEFTHM admitted']);
    const again = await proved(image, 'AP-ASSOC', file('a'));
    expect(told(again)).toEqual(['4 DEFUN redundant', '6 DEFTHM redundant']);
  });

  it('fails with its place and a counterexample; what follows is not reached', async () => {
    const { image, file } = await withFiles({ 'a.lisp': FILE });
    const wrong = await proved(image, 'wrong', file('a.lisp'));
    expect(wrong).toMatchObject({
      outcome: 'error',
      run: { counts: { passed: 0, failed: 1 }, failures: [{ test: 'wrong', line: 7, file: file('a.lisp') }] },
    });
    const suggestions = proofOf(wrong).events.at(-1)?.suggestions ?? [];
    expect(suggestions.map(({ kind }) => kind)).toContain('counterexample');
    const never = await proved(image, 'never', file('a.lisp'));
    expect(never.run?.failures).toMatchObject([{ line: 7, reason: expect.stringContaining('not reached') }]);
    const absent = await proved(image, 'absent', file('a.lisp'));
    expect(absent.run?.failures).toMatchObject([{ reason: expect.stringContaining('absent') }]);
  });

  it('is where loading ends, without a test', async () => {
    const { image, file } = await withFiles({ 'a.lisp': FILE });
    const loaded = await image.evaluate(loaderOf(image).untilCode?.(file('a.lisp'), 'ap') ?? '');
    expect([told(loaded), loaded.report?.runs]).toEqual([['4 DEFUN admitted'], []]);
  });
});
