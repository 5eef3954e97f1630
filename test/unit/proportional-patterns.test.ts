/**
 * Every regular expression takes time proportional to the text. Code, a server or a client can send a text of any
 * kind, and one that takes quadratic time for a megabyte stalls the harbor for everybody.
 */
import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../started-harbor';

/** Expressions that take longer, and why no text for them is long. */
const SHORT_TEXTS: Readonly<Record<string, string>> = {
  'electron/source/diagnosis.ts': 'the text is cut before',
  'electron/images/portable/implementations.ts': 'a program of this computer that starts ABCL',
  'electron/images/acl2/installation.ts': 'a program of this computer that starts ACL2',
  'electron/compat/nrepl/library-tools.ts': 'the name of a file',
  'electron/tools/resources/resources.ts': 'a guide of Lisp Harbor',
};

const LENGTH = 8_000;
const UNITS = [
  ...['x', ' ', '\n', '(', ')', '"', '\\', '1', ';', '#', '<', ':', '-', '.', '/', '|', '_', '=', '*', '`'],
  ...['[', "'", 'x ', '\n ', ' \n', 'a1', '#<', ';\n', '\x1b[', '\\"', 'x.', 'x-', '/x', 'X', '{'],
];
const TEXTS = UNITS.flatMap((unit) => {
  const text = unit.repeat(LENGTH / unit.length);
  return [text, `${text}!`, `${text}\n`];
});

/** Milliseconds; a quadratic expression takes more than forty, a linear one less than five. */
const MOST_MS = 25;

/** The least of several times, because other programs may delay some. */
function duration(pattern: RegExp, text: string): number {
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 10 && least > MOST_MS; round += 1) {
    const begun = performance.now();
    pattern.test(text);
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}

/** A literal after what can stand before an expression, on one line. */
const LITERAL =
  /(?<=[=(,:?[{!&|\s])\/((?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)(?=[\s.,;)\]:?}]|$)/gm;

const found = globSync('electron/**/*.ts', { cwd: ROOT })
  .filter((file) => !(file in SHORT_TEXTS))
  .flatMap((file) =>
    [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(LITERAL)].flatMap(
      ([, body = '', flags = '']) => {
        // A sticky one is tried at one place.
        if (!/[*+{]/.test(body) || flags.includes('y')) return [];
        try {
          return [{ file, pattern: new RegExp(body, flags.replace('g', '')) }];
        } catch {
          // Two slashes that are no expression.
          return [];
        }
      },
    ),
  );

it('finds the expressions', () => {
  expect(found.length).toBeGreaterThan(300);
});

it('each takes time proportional to the text', () => {
  const slow = found.flatMap(({ file, pattern }) => {
    const text = TEXTS.find((each) => duration(pattern, each) > MOST_MS);
    return text === undefined ? [] : [`${file}: ${pattern} for ${JSON.stringify(text.slice(0, 4))}…`];
  });
  expect(slow).toEqual([]);
}, 60_000);
