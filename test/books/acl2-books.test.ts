/**
 * ACL2 with its community books, where they are installed: those that are used most are included and trusted, trust tags of
 * theirs are told, and a book that needs them certifies.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { Acl2Engine } from '../../electron/images/acl2/engine';
import { findInstallation } from '../../electron/images/acl2/installation';
import { engineOptions, issues, proofOf, startImage } from '../integration/acl2-fixture';
import { writeFiles } from '../integration/loading-fixture';
import { MOST_USED } from './most-used';

/** Milliseconds: books are large, and a busy machine takes its time. */
const LONG = 900_000;

const options = { ...engineOptions, books: process.env.ACL2_BOOKS, heapMiB: () => 2048 };
const engine = new Acl2Engine(options);
const { books } = await findInstallation(options);
const isCertified = (book: string): boolean => existsSync(path.join(books ?? '', `${book}.cert`));

const HALVES = `(in-package "ACL2")
(include-book "arithmetic/top" :dir :system)
(defthm halves
  (implies (acl2-numberp x) (equal (+ (* 1/2 x) (* 1/2 x)) x))
  :rule-classes nil)
`;

it(
  'arithmetic/top is included, rests on nothing else, and counts as loaded',
  async () => {
    const image = await startImage({ engine });
    const code = image.image.loader?.loadCode({ systems: ['arithmetic/top'] }) ?? '';
    const answer = await image.evaluate(code);
    expect([answer.outcome, answer.report?.loaded, issues(answer)]).toEqual(['ok', ['arithmetic/top'], []]);
    expect((await image.evaluate('(thm (equal (+ x (- x)) 0))')).outcome).toBe('ok');
  },
  LONG,
);

it.each(MOST_USED)(
  '%s is included, and what it rests on is told',
  async (book) => {
    const image = await startImage({ engine });
    const answer = await image.evaluate(`(include-book "${book}" :dir :system)`);
    const told = [answer.outcome, answer.report?.loaded, issues(answer)];
    expect(told).toEqual(isCertified(book) ? ['ok', [book], []] : ['error', [], []]);
  },
  LONG,
);

it(
  'a trust tag of one is told, where a person has allowed it',
  async () => {
    const image = await startImage({ engine });
    const include = '(include-book "std/io/read-string" :dir :system)';
    const locked = await image.evaluate(include);
    expect([locked.outcome, locked.notes.join(' ')]).toEqual([
      'error',
      expect.stringContaining('--trust-tags'),
    ]);
    await image.image.rawLisp?.allowTrustTags(['read-string']);
    const answer = await image.evaluate(include);
    expect([answer.outcome, proofOf(answer).issues]).toEqual([
      'ok',
      [
        {
          kind: 'trust-tag',
          about: [expect.stringMatching(/^\(:READ-STRING ".*std\/io\/read-string.lisp"\)$/)],
        },
      ],
    ]);
    expect((await image.evaluate('(defttag :read-string)')).outcome).toBe('error');
  },
  LONG,
);

it(
  'a book with a portcullis and thousands of events is one event, and the only one that counts as loaded',
  async () => {
    const image = await startImage({ engine });
    const answer = await image.evaluate('(include-book "std/lists/top" :dir :system)');
    const [event] = proofOf(answer).events;
    expect(event?.events.map(({ kind, depth }) => ({ kind, depth }))).toEqual([
      { kind: 'INCLUDE-BOOK', depth: 0 },
    ]);
    expect(event?.eventCount).toBeGreaterThan(1_000);
    expect([answer.report?.loaded, issues(answer)]).toEqual([['std/lists/top'], []]);
  },
  LONG,
);

it(
  'going back to a world with large books takes no longer than including them, and functions are compiled there',
  async () => {
    const image = await startImage({ engine });
    const seconds = async (work: Promise<{ outcome: string; notes: string[] }>) => {
      const before = (await image.image.usage())?.cpuSeconds ?? Number.NaN;
      const { outcome, notes } = await work;
      expect(outcome).toBe('ok');
      return { took: ((await image.image.usage())?.cpuSeconds ?? Number.NaN) - before, notes };
    };
    const including = await seconds(image.evaluate('(include-book "centaur/fty/top" :dir :system)'));
    const saved = path.join(image.request.checkpoints, 'with-books');
    await image.image.checkpoints?.save(saved);
    await image.evaluate('(ubt! 1)');
    const restoring = await seconds(image.evaluate('; goes back', { restores: saved }));
    expect(restoring.notes.join()).toContain('submitted again');
    expect(restoring.took).toBeLessThan(1.3 * including.took);
  },
  LONG,
);

it(
  'a book that includes it certifies and rests on nothing else',
  async () => {
    const image = await startImage({ engine });
    writeFiles(image.request.project, { 'halves.lisp': HALVES });
    const book = path.join(image.request.project, 'halves');
    const answer = await image.evaluate(image.image.world?.certifyCode(book) ?? '');
    expect([answer.outcome, issues(answer)]).toEqual(['ok', []]);
    expect(proofOf(answer).certification?.certificate).toBe(`${book}.cert`);
  },
  LONG,
);

it(
  'a final check of what is made with large books rests on these, and names them by their hashes',
  async () => {
    const believing = new Acl2Engine({ ...options, trustSystemBooks: () => true });
    const image = await startImage({ engine: believing });
    writeFiles(image.request.project, {
      'cert.acl2': '(include-book "std/portcullis" :dir :system)\n',
      'records.lisp': `(in-package "ACL2")
(include-book "std/util/top" :dir :system)
(include-book "std/lists/top" :dir :system)
(include-book "arithmetic-5/top" :dir :system)
(std::defaggregate point ((x natp) (y natp)))
(define total ((p point-p)) :returns (sum acl2-numberp) (+ (point->x p) (point->y p)))
`,
    });
    const checks = { book: 'records', claim: 'acl2-numberp-of-total', trustTags: [], notes: [] };
    const answer = await image.evaluate('; a final check', { finalCheck: checks });
    const check = answer.report?.finalCheck;
    expect([answer.condition?.message, check?.theorems[0]?.formula]).toEqual([
      undefined,
      expect.stringContaining('(ACL2-NUMBERP SUM)'),
    ]);
    expect(check?.files.filter(({ role }) => role === 'system').length).toBeGreaterThan(50);
    expect(check?.issues.map(({ kind }) => kind)).toEqual(['system-books']);
  },
  LONG,
);
