/** The books of a project: in the order in which they include each other, and none again that has not changed. */
import { existsSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Acl2Engine } from '../../electron/images/acl2/engine';
import { sampled } from '../rounds';
import { SHOP } from '../shop-books';
import { engineOptions, issues, proofOf, startImage } from './acl2-fixture';
import { type Files, writeFiles } from './loading-fixture';
import type { Evaluated } from './test-image';

async function project(files: Files = SHOP) {
  const image = await startImage();
  const folder = image.request.project;
  writeFiles(folder, files);
  const file = (name: string): string => path.join(folder, name);
  return {
    image,
    file,
    certify: (name: string) => image.evaluate(image.image.world?.certifyCode(file(name)) ?? ''),
    all: () => image.evaluate(image.image.loader?.testCode({}) ?? ''),
    change: (name: string, from: string, to: string) =>
      writeFileSync(file(name), readFileSync(file(name), 'utf8').replace(from, to)),
  };
}

/** What has become of each book, as `name: state`, with what it includes and why where that is told. */
function booksOf(answer: Evaluated): string[] {
  const books = proofOf(answer).certification?.books ?? [];
  return books.map(({ book, includes, state, because }) =>
    [`${book}: ${state}`, ...(includes.length > 0 ? [`includes ${includes.join(' ')}`] : []), because]
      .filter((part) => part !== undefined)
      .join(', '),
  );
}

/** The books that ACL2 was asked to certify, by their names. */
function certifiedAnew({ report, notes }: Evaluated): string[] {
  const [, unchanged = ''] = /because unchanged: (.*)\./.exec(notes.join(' ')) ?? [];
  const left = unchanged.split(', ').map((name) => path.basename(name));
  const tests = report?.runs.flatMap(({ tests }) => tests) ?? [];
  return tests.map((test) => path.basename(test)).filter((name) => !left.includes(name));
}

it('is certified from nothing, changed, and certified again with only what has changed', async () => {
  const { image, file, certify, change } = await project();
  const first = await certify('shop');
  expect([first.condition?.message, first.outcome, certifiedAnew(first)]).toEqual([
    undefined,
    'ok',
    ['price', 'basket', 'shop'],
  ]);
  expect(first.values).toEqual([[`"${file('shop')}.cert"`]]);
  expect(first.stdout).toMatch(/^\[1 of 3\] parts\/price is certified\n\[2 of 3\] basket is certified\n/);
  expect(first.stderr).toContain('TOTAL-NATURAL');
  expect(first.stderr).not.toContain('PRICE-NATURAL');

  expect(booksOf(first)).toEqual([
    'parts/price: certified',
    'basket: certified, includes parts/price',
    'shop: certified, includes basket',
  ]);
  for (const { startedAt, durationMs } of proofOf(first).certification?.books ?? [])
    expect([startedAt, durationMs]).toEqual([expect.any(Number), expect.any(Number)]);

  const again = await certify('shop');
  expect([again.outcome, certifiedAnew(again), again.values]).toEqual(['ok', [], first.values]);
  expect(booksOf(again)).toEqual([
    'parts/price: unchanged',
    'basket: unchanged, includes parts/price',
    'shop: unchanged, includes basket',
  ]);
  expect(proofOf(again).issues).toEqual(proofOf(first).issues);

  change('basket.lisp', '(defun total', '(defun goods (l) (len l))\n(defun total');
  const changed = await certify('shop');
  expect([changed.outcome, certifiedAnew(changed)]).toEqual(['ok', ['basket', 'shop']]);
  expect(booksOf(changed)).toEqual([
    'parts/price: unchanged',
    'basket: certified, includes parts/price',
    'shop: certified, includes basket',
  ]);
  expect((await image.evaluate('(include-book "shop") (shop::goods (list 1 2))')).values.at(-1)).toEqual([
    '2',
  ]);
  expect(issues(await image.evaluate('(thm (natp (shop::total l)))'))).toEqual(['outside-book']);

  // A certificate that was not written by this is no certificate.
  change('parts/price.cert', '(', '( ');
  expect(certifiedAnew(await certify('shop'))).toEqual(['price']);
  rmSync(`${file('basket')}.cert`);
  expect(certifiedAnew(await certify('shop'))).toEqual(['basket']);

  // What the portcullis loads, and the portcullis of one book, are part of the books.
  for (const name of sampled('portcullis files', ['package.lsp', 'parts/price.acl2'], 1)) {
    change(name, '\n', '\n; changed\n');
    expect([name, certifiedAnew(await certify('shop'))]).toEqual([name, ['price', 'basket', 'shop']]);
  }
});

it('all books of a project are its tests; what includes one that fails is left out, the others are not', async () => {
  const { all, change, file } = await project({
    ...SHOP,
    'alone.lisp': '; a book by itself\n(in-package "ACL2")\n(defun alone (x) x)\n',
    'alone.acl2': '',
    'no-book.lisp': '(defun raw (x) x)\n',
  });
  change('basket.lisp', '(defun total', '(defthm wrong (equal (price x) x))\n(defun total');
  const answer = await all();
  expect([answer.outcome, answer.report?.runs[0]?.counts]).toEqual([
    'error',
    { passed: 2, failed: 1, errors: 0, skipped: 1 },
  ]);
  expect(answer.report?.runs[0]?.failures[0]).toMatchObject({
    ...{ test: file('basket'), kind: 'failed', file: `${file('basket')}.lisp`, line: expect.any(Number) },
    ...{
      form: '(DEFTHM SHOP::WRONG (EQUAL (SHOP::PRICE SHOP::X) SHOP::X))',
      reason: expect.stringContaining('DEFTHM WRONG'),
    },
  });
  expect(answer.notes.join('\n')).toContain('Not attempted because an included book is not certified: shop.');
  expect(booksOf(answer)).toEqual([
    'alone: certified',
    'parts/price: certified',
    'basket: failed, includes parts/price, DEFTHM WRONG: the proof failed, with 1 key checkpoint',
    'shop: left, includes basket, basket',
  ]);
  const logs = proofOf(answer).certification?.books?.map(({ log }) => log);
  expect(logs).toEqual([undefined, undefined, expect.stringContaining('( DEFTHM WRONG ...)'), undefined]);
  expect([existsSync(`${file('alone')}.cert`), existsSync(`${file('basket')}.cert`)]).toEqual([true, false]);
  change('basket.lisp', '(defthm wrong (equal (price x) x))', '');
  const mended = await all();
  expect([mended.outcome, certifiedAnew(mended)]).toEqual(['ok', ['basket', 'shop']]);
});

it('books that include each other have no order, which is told', async () => {
  const { certify } = await project({
    'one.lisp': '(in-package "ACL2")\n(include-book "two")\n',
    'two.lisp': '(in-package "ACL2")\n(include-book "one")\n',
  });
  const answer = await certify('one');
  expect([answer.outcome, answer.condition?.message]).toEqual([
    'error',
    'The books include each other: one includes two includes one.',
  ]);
});

it('a book with LOCAL events is not told as uncertified of itself', async () => {
  const { certify } = await project();
  const answer = await certify('parts/price');
  expect([answer.outcome, issues(answer)]).toEqual(['ok', []]);
});

it('an interrupt keeps what is certified by then', async () => {
  const { image, file, certify } = await project({
    'fast.lisp': '(in-package "ACL2")\n(defun fast (x) x)\n',
    'slow.lisp': `(in-package "ACL2")
(include-book "fast")
(make-event (prog2$ (cw "ready~%") (prog2$ (sleep 1000) '(value-triple 1))))
`,
  });
  const running = await image.running(image.image.world?.certifyCode(file('slow')) ?? '');
  expect((await image.image.progress?.())?.books).toEqual([
    expect.objectContaining({ book: 'fast', state: 'certified', durationMs: expect.any(Number) }),
    { book: 'slow', includes: ['fast'], state: 'at-work', startedAt: expect.any(Number) },
  ]);
  await image.interrupt('cooperative');
  const answer = await running.settled;
  expect([answer.outcome, answer.report?.runs]).toEqual(['interrupted', []]);
  expect(booksOf(answer)).toEqual(['fast: certified', 'slow: interrupted, includes fast']);
  expect([existsSync(`${file('fast')}.cert`), existsSync(`${file('slow')}.cert`)]).toEqual([true, false]);
  expect(certifiedAnew(await certify('fast'))).toEqual([]);
});

const LOCAL = '(local (defthm only-here (equal (car (cons x y)) x) :rule-classes nil))';
const FALSE = '(defthm false nil :rule-classes nil)';

it.each(
  sampled(
    'cert-flags',
    [
      ['a skipped proof', `(skip-proofs ${FALSE})`, ['book-with-skipped-proofs', 'skip-proofs']],
      [
        'a skipped proof that only a LOCAL event has',
        `(encapsulate () (local (skip-proofs ${FALSE}))
       (defthm worse nil :rule-classes nil :hints (("Goal" :use false))))`,
        ['book-with-skipped-proofs', 'skip-proofs'],
      ],
      ['an axiom', '(defaxiom false nil :rule-classes nil)', ['axiom', 'book-with-axioms']],
    ] as const,
    1,
  ),
)('cert-flags that allow %s do not hide it', async (_what, event, expected) => {
  const { certify } = await project({
    'cert.acl2': '; cert-flags: ? t :skip-proofs-okp t :defaxioms-okp t\n',
    'weak.lisp': `(in-package "ACL2")\n${LOCAL}\n${event}\n`,
  });
  for (const answer of [await certify('weak'), await certify('weak')])
    expect([answer.outcome, issues(answer)]).toEqual(['ok', expected]);
});

it.each(
  sampled(
    'why books fail',
    [
      [
        'an event that ACL2 refuses',
        '(defun f (x) (unknown-one x))',
        /^DEFUN F: The symbol UNKNOWN-ONE .*near-misses/,
      ],
      [
        'a book that is not there',
        '(include-book "nowhere")',
        /^INCLUDE-BOOK "nowhere": The file .* does not exist\.$/,
      ],
      ['a form that ends ACL2', '(make-event (prog2$ (exit 3) 3))', /^ACL2 exited with code 3\.$/],
      [
        'a form that does not end',
        '(defun f (x) x',
        /^The text ends inside the form that starts on line 2 of .*weak\.lisp\. A \)/,
      ],
    ] as const,
    2,
  ),
)('why a book failed is told in a line: %s', async (_what, event, expected) => {
  const { certify } = await project({ 'weak.lisp': `(in-package "ACL2")\n${event}\n` });
  const [book] = proofOf(await certify('weak')).certification?.books ?? [];
  expect([book?.state, book?.because]).toEqual(['failed', expect.stringMatching(expected)]);
});

it.each(
  sampled(
    'certifying by hand',
    [
      ['as its last line', '(certify-book "own" ? t)'],
      [
        'over several lines, in its own package',
        '(in-package "OWN")\n(acl2::certify-book\n  "own" ? t\n  :ttags :all)',
      ],
      ['for another book', '(certify-book! "other")'],
    ] as const,
    1,
  ),
)('what certifies a book by hand is no part of its portcullis: %s', async (_what, form) => {
  const { certify, image, file } = await project({
    'own.acl2': `(value :q)\n(lp)\n:q\n(lp)\n(in-package "ACL2")\n(defpkg "OWN" *acl2-exports*)\n${form}\n`,
    'own.lisp': '(in-package "OWN")\n(defun f (x) x)\n',
  });
  const { outcome, condition, notes } = await certify('own');
  expect([condition?.message, outcome, notes]).toEqual([undefined, 'ok', []]);
  const loaded = await image.evaluate(image.image.loader?.loadCode({ file: file('own.acl2') }) ?? '');
  expect([loaded.outcome, loaded.notes.join()]).toEqual(['ok', expect.stringContaining('Skipped, as')]);
  expect(loaded.notes.join()).toMatch(/\(LP\) \((?:ACL2::)?CERTIFY-BOOK!? "\w+"/);
});

const LOW = '(in-package "ACL2")\n(defun low (x) x)\n';
const HIGH = '(defthm high (equal (low x) x) :rule-classes nil)\n';

/** Ways in which a book rests on files that its text does not name. */
const UNNAMED: [way: string, files: Files][] = [
  [
    'a macro includes',
    {
      'low.lisp': LOW,
      'high.lisp': `(in-package "ACL2")\n(defmacro inc (b) \`(include-book ,b))\n(inc "low")\n${HIGH}`,
    },
  ],
  [
    'an event includes',
    {
      'low.lisp': LOW,
      'high.lisp': `(in-package "ACL2")\n(make-event (list 'include-book (concatenate 'string "lo" "w")))\n${HIGH}`,
    },
  ],
  [
    'a macro of a book includes',
    {
      'low.lisp': LOW,
      'inc.lisp':
        "(in-package \"ACL2\")\n(defmacro inc () (list 'include-book (coerce '(#\\l #\\o #\\w) 'string)))\n",
      'high.lisp': `(in-package "ACL2")\n(include-book "inc")\n(inc)\n${HIGH}`,
    },
  ],
  [
    'the portcullis loads',
    {
      'low.lisp': '(defun low (x) x)\n',
      'high.acl2': '(ld (concatenate \'string "low" ".lisp"))\n(certify-book "high" ?)\n',
      'high.lisp': `(in-package "ACL2")\n${HIGH}`,
    },
  ],
  [
    'an event reads',
    {
      'low.lisp': 'X',
      'high.lisp': `(in-package "ACL2")
(make-event (mv-let (text state) (mv (read-file-into-string "low.lisp") state)
  (value \`(defun low (x) ,(if (equal (char text 0) #\\X) 'x '(list x))))))
${HIGH}`,
    },
  ],
  [
    'an event reads, byte by byte,',
    {
      'low.lisp': 'X',
      'high.lisp': `(in-package "ACL2")
(make-event (mv-let (channel state) (open-input-channel "low.lisp" :byte state)
  (mv-let (byte state) (read-byte$ channel state)
    (pprogn (close-input-channel channel state)
      (value \`(defun low (x) ,(if (equal byte 88) 'x '(list x))))))))
${HIGH}`,
    },
  ],
];

it.each(sampled('files that no text names', UNNAMED, 2))('what %s is part of a book', async (_way, files) => {
  const { certify, file } = await project(files);
  const first = await certify('high');
  expect([first.condition?.message, first.outcome]).toEqual([undefined, 'ok']);
  expect(certifiedAnew(await certify('high'))).toEqual([]);
  writeFileSync(
    file('low.lisp'),
    (files['low.lisp'] ?? '').replace('low (x) x)', 'low (x) (list x))').replace(/^X/, 'Y'),
  );
  expect((await certify('high')).outcome).toBe('error');
});

it('a system book that its owner has certified again is part of a book', async () => {
  const owner = await startImage();
  const books = owner.request.project;
  const low = path.join(books, 'low.lisp');
  const certifyLow = async (text: string) => {
    writeFileSync(low, text);
    expect((await owner.evaluate('(ubt! 1) (certify-book "low" ? nil) (ubt! 1)')).outcome).toBe('ok');
  };
  await certifyLow(LOW);
  const image = await startImage({ engine: new Acl2Engine({ ...engineOptions, books }) });
  writeFiles(image.request.project, {
    'high.lisp': `(in-package "ACL2")\n(include-book "low" :dir :system)\n${HIGH}`,
  });
  const code = image.image.world?.certifyCode(path.join(image.request.project, 'high')) ?? '';
  expect((await image.evaluate(code)).outcome).toBe('ok');
  expect(certifiedAnew(await image.evaluate(code))).toEqual([]);
  await certifyLow(LOW.replace(' x)\n', ' (list x))\n'));
  expect((await image.evaluate(code)).outcome).toBe('error');
});

it('a file that is swapped while its book is certified is noticed, even with its old date', async () => {
  const { image, certify, file } = await project({
    'data.lsp': 'X',
    'high.lisp': `(in-package "ACL2")
(make-event (mv-let (text state) (mv (read-file-into-string "data.lsp") state)
  (value \`(defconst *text* ,text))))
(make-event (prog2$ (cw "~s0~%" "ready") '(value-triple t)))
(make-event (prog2$ (sleep 1) '(value-triple t)))
`,
  });
  const { settled } = await image.running(image.image.world?.certifyCode(file('high')) ?? '');
  writeFileSync(file('data.lsp'), 'Y');
  utimesSync(file('data.lsp'), new Date(0), new Date(0));
  const answer = await settled;
  expect([answer.outcome, answer.condition?.message]).toEqual(['error', expect.stringContaining('data.lsp')]);
  expect((await certify('high')).outcome).toBe('ok');
});
