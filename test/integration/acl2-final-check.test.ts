/** Final checks: books are rebuilt from their sources in processes that hold nothing else, and the report says what holds. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { FinalCheck } from '../../electron/contract/proof';
import type { FinalCheckRequest } from '../../electron/images/world';
import { finalCheckText } from '../../electron/sessions/export/final-check';
import { temporaryFolder } from '../started-harbor';
import { startImage } from './acl2-fixture';
import { type Files, writeFiles } from './loading-fixture';
import type { Evaluated } from './test-image';

const APP = `(in-package "ACL2")
(defun app (x y) (if (consp x) (cons (car x) (app (cdr x) y)) y))
(defthm app-assoc (equal (app (app x y) z) (app x (app y z))))
`;

/** Checks `book` of a project that has `files`. */
async function check(
  files: Files,
  asked: Partial<FinalCheckRequest> & Pick<FinalCheckRequest, 'book'>,
  prepare: (image: Awaited<ReturnType<typeof startImage>>) => void = () => undefined,
) {
  const image = await startImage();
  prepare(image);
  writeFiles(image.request.project, files);
  const checks = { claim: null, trustTags: [], notes: [], ...asked };
  const answer = await image.evaluate('; a final check', { finalCheck: checks });
  return { image, answer, project: image.request.project };
}

function reportOf({ report, condition }: Evaluated): FinalCheck {
  if (!report?.finalCheck) throw new Error(`There is no report: ${condition?.message}`);
  return report.finalCheck;
}

it('says what a claim is, what it is about, and of which sources it was built', async () => {
  const { answer, project, image } = await check(
    {
      'lib/shop.acl2': `(defpkg "SHOP" '(defun))\n(certify-book "shop" ? t)\n`,
      'lib/shop.lisp': '(in-package "SHOP")\n(defun price (x) x)\n',
      'app.lisp': `(in-package "ACL2")\n(include-book "lib/shop")\n${APP.split('\n').slice(1).join('\n')}`,
      'main.acl2': '(include-book "lib/shop")\n',
      'main.lisp':
        '(in-package "ACL2")\n(include-book "app")\n(local (include-book "lib/shop"))\n(defthm claim (equal (shop::price (app nil x)) x) :hints (("Goal" :in-theory (enable shop::price))))\n',
      'main.cert': 'nonsense',
      'app.o': 'nonsense',
      'other.lisp': '(in-package "ACL2")\n(defthm other nil)\n',
    },
    { book: 'main', claim: 'claim' },
  );
  const report = reportOf(answer);
  expect(report).toMatchObject({
    claim: 'CLAIM',
    book: 'main',
    theorems: [{ name: 'CLAIM', formula: '(EQUAL (SHOP::PRICE (APP NIL X)) X)' }],
    theoremCount: 1,
    issues: [],
    trustTags: [],
  });
  expect(report.functions.map(({ name }) => name).sort()).toEqual(['APP', 'SHOP::PRICE']);
  expect(report.functions.find(({ name }) => name === 'SHOP::PRICE')?.axiom).toBe(
    '(EQUAL (SHOP::PRICE SHOP::X) SHOP::X)',
  );
  expect(report.files.map(({ file, role }) => [file, role])).toEqual([
    ['main.lisp', 'book'],
    ['main.acl2', 'portcullis'],
    ['lib/shop.lisp', 'book'],
    ['lib/shop.acl2', 'portcullis'],
    ['app.lisp', 'book'],
  ]);
  expect(report.files.find(({ file }) => file === 'lib/shop.lisp')?.sha256).toBe(
    createHash('sha256').update('(in-package "SHOP")\n(defun price (x) x)\n').digest('hex'),
  );
  expect(report.steps).toHaveLength(4);
  expect([report.acl2, report.lisp]).toEqual([
    expect.stringContaining('ACL2 Version'),
    expect.stringMatching(/GCL|SBCL/),
  ]);
  expect(existsSync(path.join(project, 'lib/shop.cert'))).toBe(false);
  expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
});

it('without a claim tells all theorems of the project’s books', async () => {
  const { answer } = await check({ 'app.acl2': '(defpkg "SHOP" nil)', 'app.lisp': APP }, { book: 'app' });
  // What DEFPKG adds to the logic is no theorem of anybody's.
  expect(reportOf(answer).theorems).toMatchObject([
    { name: 'APP-ASSOC', formula: '(EQUAL (APP (APP X Y) Z)\n       (APP X (APP Y Z)))' },
  ]);
});

it.each([
  ['a theorem that is none', `${APP}(defthm wrong (equal (app x y) (app y x)))\n`, /WRONG/],
  ['a skipped proof', `${APP}(skip-proofs (defthm wrong (equal (app x y) (app y x))))\n`, /skip-proofs/i],
  ['an axiom', `${APP}(defaxiom wrong (equal (app x y) (app y x)))\n`, /defaxiom/i],
  ['a trust tag that is not named', `${APP}(defttag :mine)\n`, /ttag/],
  ['a claim that is not there', APP, /WRONG is not defined/i],
  ['a book that is missing', '(in-package "ACL2")\n(include-book "nowhere")\n', /nowhere/],
  ['a book outside of the project', '(in-package "ACL2")\n(include-book "../x/y")\n', /leads out of/],
  ['books in a circle', '(in-package "ACL2")\n(include-book "app")\n', /include each other/],
])('%s does not pass', async (_what, text, message) => {
  const { answer } = await check({ 'app.lisp': text }, { book: 'app', claim: 'wrong' });
  expect([answer.outcome, answer.report?.finalCheck]).toEqual(['error', undefined]);
  expect(answer.condition?.message).toMatch(message);
});

it('a formula is written as ACL2 itself writes it, whatever tables the book has', async () => {
  const { answer } = await check(
    {
      'app.lisp': `${APP}
(defun pretty (term iff wrld) (declare (xargs :mode :program) (ignore term iff wrld)) '(equal fermat true))
(table untrans-table 'app '(same . t))
(table user-defined-functions-table 'untranslate 'pretty)
`,
    },
    { book: 'app', claim: 'app-assoc' },
  );
  expect([
    answer.outcome,
    answer.report?.finalCheck?.theorems[0]?.formula ?? answer.condition?.message,
  ]).toEqual(['ok', '(EQUAL (APP (APP X Y) Z)\n       (APP X (APP Y Z)))']);
});

it('a trust tag that is named and that a person has allowed may be used, and the report says what that means', async () => {
  const { answer } = await check(
    { 'app.lisp': `${APP}(defttag :mine)\n(remove-untouchable 'nothing nil)\n(defttag nil)\n` },
    { book: 'app', claim: 'app-assoc', trustTags: ['MINE'] },
    ({ image }) => image.rawLisp?.allow(),
  );
  const report = reportOf(answer);
  expect([report.trustTags, report.issues.map(({ kind }) => kind)]).toEqual([['MINE'], ['trust-tag']]);
  expect(finalCheckText(report)).toContain('Code with a trust tag could have falsified the result.');
});

it('what is redefined below a book does not pass', async () => {
  const { answer } = await check(
    {
      'app.acl2': `(set-ld-redefinition-action '(:doit . :overwrite) state)\n(defun f (x) x)\n(defun f (x) (cons x x))\n`,
      'app.lisp': APP,
    },
    { book: 'app' },
  );
  expect(answer.outcome).toBe('error');
});

it('is interrupted like any evaluation, and leaves nothing behind', async () => {
  const image = await startImage();
  writeFiles(image.request.project, {
    'slow.lisp': `(in-package "ACL2")
(defun fib (n) (if (zp n) 0 (if (equal n 1) 1 (+ (fib (- n 1)) (fib (- n 2))))))
(make-event (prog2$ (cw "ready~%") (value (list 'defconst '*c* (fib 70)))))
`,
  });
  const folder = temporaryFolder('checks');
  vi.stubEnv('TMPDIR', folder);
  onTestFinished(() => void vi.unstubAllEnvs());
  const running = await image.running('; a final check', {
    finalCheck: { book: 'slow', claim: null, trustTags: [], notes: [] },
  });
  expect(await image.image.progress?.()).toMatchObject({ form: 0 });
  await image.interrupt('cooperative');
  expect((await running.settled).outcome).toBe('interrupted');
  expect(readdirSync(folder)).toEqual([]);
  expect((await image.evaluate('(+ 1 2)')).values).toEqual([['3']]);
});

it('text that a book has written passes for no line of the report', async () => {
  const { answer } = await check(
    {
      'app.lisp': `(in-package "ACL2")\n(defthm |x\nThe theorem FALSE holds| (equal (car (cons '|a\nSources| y)) '|a\nSources|) :rule-classes nil)\n`,
    },
    { book: 'app' },
  );
  const text = finalCheckText(reportOf(answer));
  expect(text).not.toMatch(/^The theorem FALSE|^Sources\|/m);
});

const BAD = '(skip-proofs (defthm bad (equal x y) :rule-classes nil))';

it.each([
  ['in a book', { 'app.lisp': `${APP}\n${BAD}\n` }, `app.lisp:5: ${BAD}`],
  ['in what is below a book', { 'app.acl2': `${BAD}\n`, 'app.lisp': APP }, `app.acl2:1: ${BAD}`],
  [
    'by a setting',
    { 'app.acl2': '(set-ld-skip-proofsp t state)\n', 'app.lisp': APP },
    'app.acl2:1: (set-ld-skip',
  ],
  [
    'by a macro',
    { 'app.lisp': `${APP}(defmacro s (f) \`(skip-proofs ,f))\n(s (defthm bad nil))` },
    'app.lisp:4: (skip-proofs ,f)',
  ],
])('that a proof was skipped %s is told as that', async (_what, files, place) => {
  const { answer } = await check(files, { book: 'app' });
  const message = answer.condition?.message.replaceAll(/\s+/g, ' ') ?? '';
  expect(message).toMatch(/This skips proofs\. A final check performs every proof/);
  expect(message).not.toContain('INSIDE-SKIP-PROOFS');
  expect(answer.stdout).not.toContain('INSIDE-SKIP-PROOFS');
  expect(message).toContain(place);
});

it('a form that cannot be read is told with its place in the sources, and not where they were checked', async () => {
  const { answer } = await check(
    {
      'app.lisp': '(in-package "ACL2")\n(include-book "low")\n',
      'low.lisp': '(in-package "ACL2")\n(defun f (x)\n',
    },
    { book: 'app' },
  );
  const told = 'The text ends inside the form that starts on line 2 of low.lisp. A ), " or | is missing.';
  expect(answer.condition?.message).toBe(`low does not hold: ${told}`);
  expect(answer.report?.failures).toMatchObject([{ file: 'low.lisp', line: 2, message: told }]);
});
