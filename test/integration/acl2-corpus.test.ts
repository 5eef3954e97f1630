/**
 * The corpus of conjectures (test/corpus/acl2), judged by a real ACL2: what becomes of each form, and what the successes
 * rest on. A case begins with a line ";;; name => verdict of each form ! kinds of issues".
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { issues, proofOf, startImage } from './acl2-fixture';
import type { Evaluated } from './test-image';

const FOLDER = path.resolve(import.meta.dirname, '../corpus/acl2');

const FILES = readdirSync(FOLDER).filter((name) => name.endsWith('.lisp'));

/** Milliseconds for all cases of a file: they share an image, one after another. */
const CASES_MS = 180_000;

/** What a case may have set, which outlives it. */
const SETTINGS = `(acl2::er-progn
  (acl2::set-ld-skip-proofsp nil acl2::state)
  (acl2::set-ld-redefinition-action nil acl2::state)
  (acl2::set-ld-keyword-aliases nil acl2::state)
  (acl2::set-guard-checking t)
  (acl2::set-inhibit-output-lst '(acl2::proof-tree)))`;

interface Case {
  name: string;
  verdicts: string[];
  issues: string[];
  code: string;
}

function casesIn(file: string): Case[] {
  const text = readFileSync(path.join(FOLDER, file), 'utf8');
  return text
    .split(/^;;; /m)
    .slice(1)
    .map((part) => {
      const [heading = '', ...code] = part.split('\n');
      const [, name = '', verdicts = '', issueKinds = ''] =
        /^(.*) => ([^!]*?)(?: ! (.*))?$/.exec(heading) ?? [];
      return { name, verdicts: words(verdicts), issues: words(issueKinds).sort(), code: code.join('\n') };
    });
}

function words(text: string): string[] {
  return text.split(' ').filter((word) => word !== '');
}

/** What became of each form; "unread" is what could not be read. */
function judged(answer: Evaluated): string[] {
  const failed = answer.outcome === 'error';
  const unread = answer.condition?.type === 'Read error';
  const forms = answer.forms.map((_form, index) => {
    const event = proofOf(answer).events.find(({ form }) => form === index);
    return event?.verdict ?? (failed && !unread && index === answer.forms.length - 1 ? 'error' : 'value');
  });
  return unread ? [...forms, 'unread'] : forms;
}

it.each(FILES)(
  'judges every case of %s',
  async (file) => {
    const image = await startImage();
    const answers: unknown[] = [];
    const expected: unknown[] = [];
    for (const { name, code, ...wanted } of casesIn(file)) {
      const answer = await image.evaluate(code);
      answers.push({ name, verdicts: judged(answer), issues: issues(answer) });
      expected.push({ name, ...wanted });
      if (proofOf(answer).command !== 0) await image.evaluate('(acl2::ubt! 1)');
      if (answer.package !== 'ACL2') await image.evaluate('(acl2::in-package "ACL2")');
      await image.evaluate(SETTINGS);
    }
    expect(answers).toEqual(expected);
  },
  CASES_MS,
);

it('has many cases, each with a verdict and a name of its own', () => {
  const cases = FILES.flatMap(casesIn);
  expect(cases.length).toBeGreaterThanOrEqual(250);
  expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  expect(cases.filter(({ verdicts }) => verdicts.length === 0)).toEqual([]);
});
