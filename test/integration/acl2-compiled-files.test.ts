/** Files beside a book that ACL2 would run as raw Lisp: whoever can write there would change the prover, with no trust tag. */
import { readdirSync } from 'node:fs';
import { copyFile, mkdtemp, symlink, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { lispString } from '../../electron/contract/knowledge';
import { Acl2Engine } from '../../electron/images/acl2/engine';
import { sampled } from '../rounds';
import { engine, engineOptions, issues, startImage } from './acl2-fixture';
import { writeFiles } from './loading-fixture';
import type { TestImage } from './test-image';

const SOUND = '(in-package "ACL2")\n(defun id (x) x)\n(defthm sound (equal (id x) x) :rule-classes nil)\n';
const ABOVE = '(in-package "ACL2")\n(include-book "sound")\n(defun above (x) x)\n';

/** What it does to the prover is seen at once, on any host. */
const PLANTED =
  '(in-package "ACL2")\n(setf (symbol-function \'evens) (lambda (x) (declare (ignore x)) 42))\n';

type Started = Awaited<ReturnType<typeof startImage>>;
type Kind = 'compiled' | 'text' | 'expansion';

/** Whether the planted code has run. */
async function isTakenOver(image: TestImage): Promise<boolean> {
  const { values } = await image.evaluate("(acl2::evens '(1 2 3))");
  expect(['(1 3)', '42']).toContain(values.at(-1)?.[0]);
  return values.at(-1)?.[0] === '42';
}

/** The planted code as the host compiles it, where raw Lisp is allowed. */
async function compiled(folder: string, extension: string): Promise<string> {
  const image = await startImage();
  image.image.rawLisp?.allow();
  const source = path.join(folder, 'planted.lsp');
  const file = path.join(folder, `planted.${extension}`);
  await writeFile(source, PLANTED);
  const made = await image.evaluate(
    `(defttag :made) (set-raw-mode-on!) (progn (compile-file "${source}" :output-file "${file}") nil)`,
  );
  expect(made.outcome).toBe('ok');
  return file;
}

/** An image whose project has two certified books, `above` over `sound`. */
async function withBooks(of = engine): Promise<Started> {
  const image = await startImage({ engine: of });
  writeFiles(image.request.project, { 'sound.lisp': SOUND, 'above.lisp': ABOVE });
  const answer = await image.evaluate(
    '(certify-book "sound" ? nil) (ubt! 1) (certify-book "above" ? nil) (ubt! 1)',
  );
  expect(answer.outcome).toBe('ok');
  return image;
}

/** Plants beside the book `sound` of `folder`, with the later date that ACL2 asks for. */
async function plant(image: Started, kind: Kind, folder = image.request.project): Promise<void> {
  const { values } = await image.evaluate('(@ compiled-file-extension)');
  const extension = JSON.parse(values[0]?.[0] ?? '');
  const file = path.join(folder, kind === 'expansion' ? 'sound@expansion.lsp' : `sound.${extension}`);
  if (kind === 'compiled')
    await copyFile(await compiled(await mkdtemp(path.join(folder, 'made-')), extension), file);
  else await writeFile(file, PLANTED);
  const later = new Date(Date.now() + 5_000);
  await utimes(file, later, later);
}

const WAYS = [
  '(include-book "sound")',
  '(include-book "sound" :load-compiled-file t)',
  '(include-book "sound" :load-compiled-file :warn)',
  '(include-book "sound" :load-compiled-file :comp)',
  '(include-book "sub/../sound")',
  '(include-book "linked/sound")',
  '(include-book "above")',
  '(include-book "above" :load-compiled-file t)',
  '(encapsulate () (local (include-book "sound")) (defthm a (equal x x) :rule-classes nil))',
  '(progn (add-include-book-dir :here ".") (include-book "sound" :dir :here))',
  `(make-event '(include-book "sound"))`,
  '(ld (list \'(include-book "sound")))',
  `(include-book-fn "sound" state t nil t t t nil nil '(include-book "sound"))`,
  '(pprogn (set-compiler-enabled :books state) (include-book "sound"))',
  '(pprogn (set-compiler-enabled t state) (include-book "above" :load-compiled-file t))',
  '(harbor-replay ((1 "(ACL2::INCLUDE-BOOK \\"above\\")" "" "")))',
  '(certify-book "above" ? nil)',
  '(certify-book "above" ? t)',
  '(certify-book "sound" ? t)',
];

describe.each(sampled<Kind>('acl2-compiled-files', ['compiled', 'text', 'expansion'], 1))(
  'beside a book, planted code (%s)',
  (kind) => {
    it('is not loaded, in whatever way the book is included or certified', async () => {
      const image = await withBooks();
      const { project } = image.request;
      writeFiles(project, { 'sub/none.lisp': '' });
      await symlink(project, path.join(project, 'linked'));
      await plant(image, kind);
      const told: unknown[] = [];
      for (const way of WAYS) {
        const { outcome } = await image.evaluate(way);
        told.push([way, outcome, await isTakenOver(image)]);
        await image.evaluate('(ubt! 1)');
      }
      expect(told).toEqual(WAYS.map((way) => [way, 'ok', false]));
    });
  },
);

it('code that ACL2 itself writes beside a book is not loaded', async () => {
  const image = await withBooks();
  const answer = await image.evaluate(`(mv-let (channel state)
      (open-output-channel "sound.o" :character state)
    (pprogn (princ$ ${lispString(PLANTED)} channel state) (close-output-channel channel state) (value :written)))
    (include-book "sound")`);
  expect([answer.outcome, await isTakenOver(image)]).toEqual(['ok', false]);
});

it('no compiled file is written for a book of the project, and who asks for one is told', async () => {
  const image = await withBooks();
  const answer = await image.evaluate('(certify-book "sound" ? t)');
  expect([answer.outcome, answer.stderr]).toEqual(['ok', expect.stringContaining('not a system book')]);
  expect(readdirSync(image.request.project).sort()).toEqual([
    'above.cert',
    'above.lisp',
    'above.port',
    'sound.cert',
    'sound.lisp',
    'sound.port',
  ]);
});

it('what COMP compiles is loaded from a folder of the process, whatever the session names', async () => {
  // GCL compiles with a program, which needs such a permission.
  const image = await startImage({
    engine: new Acl2Engine({ ...engineOptions, trustTags: () => ['ANY'] }),
  });
  const { project } = image.request;
  const answer = await image.evaluate(`(assign tmp-dir "${project}/") (assign keep-tmp-files t)
    (defun f (x) (declare (xargs :guard t)) (list x)) (comp '(f f)) (f 1) (@ tmp-dir)`);
  expect([answer.outcome, ...answer.values.slice(-2)]).toEqual(['ok', ['(1)'], [`"${project}/"`]]);
  expect(readdirSync(project)).toEqual([]);
});

it('is loaded once a person has allowed raw Lisp, which the trust says', async () => {
  const image = await withBooks();
  await plant(image, 'compiled');
  image.image.rawLisp?.allow();
  const answer = await image.evaluate('(include-book "sound")');
  expect([answer.outcome, issues(answer)]).toEqual(['ok', ['outside-book', 'raw-lisp-allowed']]);
  expect(await isTakenOver(image)).toBe(true);
});

describe('a book of the system', () => {
  /** A folder of books with a compiled file, in a project that is elsewhere. */
  async function systemBooks(): Promise<{ folder: string; of: Acl2Engine }> {
    const image = await withBooks();
    await plant(image, 'compiled');
    return {
      folder: image.request.project,
      of: new Acl2Engine({ ...engineOptions, books: image.request.project }),
    };
  }

  it('is loaded with its compiled file, and rests on nothing else', async () => {
    const { of } = await systemBooks();
    const image = await startImage({ engine: of });
    const answer = await image.evaluate('(include-book "above" :dir :system)');
    expect([answer.outcome, issues(answer)]).toEqual(['ok', []]);
    const again = await image.evaluate('(ubt! 1) (include-book "sound" :dir :system)');
    expect([again.outcome, issues(again), await isTakenOver(image)]).toEqual(['ok', [], true]);
  });

  it('is foreign where the session may write to it', async () => {
    const { folder, of } = await systemBooks();
    const image = await startImage({ engine: of, project: folder });
    const answer = await image.evaluate('(include-book "sound" :dir :system)');
    expect([answer.outcome, issues(answer), await isTakenOver(image)]).toEqual([
      'ok',
      ['outside-book'],
      false,
    ]);
  });
});

it('a final check takes no book for the system’s that its session may have written', async () => {
  const image = await withBooks();
  await plant(image, 'compiled');
  const { project } = image.request;
  const session = await startImage({ engine: new Acl2Engine({ ...engineOptions, books: project }), project });
  writeFiles(project, { 'main.lisp': ABOVE.replace('"sound"', '"sound" :dir :system') });
  const checks = { book: 'main', claim: null, trustTags: [], notes: [] };
  const { outcome, condition } = await session.evaluate('; a final check', { finalCheck: checks });
  expect([outcome, condition?.message]).toEqual(['error', expect.stringContaining('outside-book')]);
});

it('what keeps them from being loaded is taken away by nothing that ACL2 offers', async () => {
  const image = await withBooks();
  await plant(image, 'text');
  const told: [name: string, outcome: string, isTakenOver: boolean][] = [];
  for (const name of [
    'include-book-fn',
    'load-compiled-book',
    'include-book-raw',
    'comp-fn',
    'load-compiled',
  ]) {
    for (const way of [
      `(comp '${name})`,
      `(comp '(${name} ${name}))`,
      `(comp '(:raw ${name}))`,
      `(trace$ ${name})`,
      `(untrace$ ${name})`,
      `(memoize '${name})`,
      `(unmemoize '${name})`,
      `(verify-termination ${name})`,
      `(profile '${name})`,
      `(disassemble$ '${name} :recompile t)`,
    ])
      await image.evaluate(way);
    const { outcome } = await image.evaluate('(include-book "sound")');
    told.push([name, outcome, await isTakenOver(image)]);
    await image.evaluate('(ubt! 1)');
  }
  expect(told).toEqual(told.map(([name]) => [name, 'ok', false]));
});
