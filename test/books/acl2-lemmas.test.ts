/** What ACL2's community books know is found, where they are installed: their documentation, and lemmas of those that are not loaded. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { Acl2Engine } from '../../electron/images/acl2/engine';
import { OneForm } from '../../electron/source/code';
import { engineOptions, issues, startImage } from '../integration/acl2-fixture';

/** Milliseconds: books are large. */
const LONG = 180_000;

const engine = new Acl2Engine({ ...engineOptions, books: process.env.ACL2_BOOKS });

it(
  'what a book documents is told as text and found by words, with no trust tag',
  async () => {
    const image = await startImage({ engine });
    const answer = await image.evaluate('(include-book "std/lists/top" :dir :system)');
    expect(issues(answer)).toEqual([]);
    const { definitions } = (await image.image.knowledge?.describe({ symbol: 'list-fix' })) ?? {};
    expect(definitions?.[0]?.documentation).toMatch(/^list-fix converts x into a true-listp/);
    const topics = await image.image.library?.topics(['prefixp'], 5);
    expect(topics?.results[0]).toMatchObject({ kind: 'topic', text: 'PREFIXP' });
  },
  LONG,
);

it(
  'lemmas are found in books that are not loaded, and are there once theirs is included',
  async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'lisp-harbor-lemmas-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const lemmas = { ...engineOptions.lemmas, folder };
    const indexing = new Acl2Engine({ ...engineOptions, lemmas, books: process.env.ACL2_BOOKS });
    const image = await startImage({ engine: indexing });
    const pattern = OneForm.read(
      '(equal (len (append ?x ?y)) (+ (len ?x) (len ?y)))',
      'common-lisp',
      'query',
    );
    const find = async () => {
      const found = await image.image.library?.lemmas(pattern, 500);
      return found?.notes?.some(({ text }) => text.includes('being indexed')) ? null : found;
    };
    const found = await vi.waitUntil(find, { timeout: LONG, interval: 500 });
    const lemma = found?.results.find(({ text }) => text === 'len-of-append');
    expect(lemma).toEqual({
      kind: 'theorem',
      text: 'len-of-append',
      formula: '(equal (len (append x y)) (+ (len x) (len y)))',
      include: expect.stringMatching(/^\(include-book "\S+\/append" :dir :system\)$/),
      source: { file: expect.stringMatching(/\/append\.lisp$/), line: expect.any(Number) },
      alike: expect.any(Number),
    });
    await image.evaluate(lemma?.include ?? '');
    expect((await find())?.results[0]).toMatchObject({ text: 'LEN-OF-APPEND' });
  },
  2 * LONG,
);
