/** Our reader beside SBCL’s: both find the same top-level forms at the same places. */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { findUnbalanced } from '../../electron/source/diagnosis';
import { read } from '../../electron/source/reader';
import { formsOf } from '../../electron/source/syntax-tree';
import { ROOT } from '../started-harbor';
import { temporaryFolder } from '../unit/history-folder';

/** Prints where each form of the file ends, interning and evaluating nothing. No feature is there, so what depends on one
 * is skipped. */
const SBCL_READS = `(let ((*read-suppress* t) (*features* '()))
  (with-open-file (in (sb-ext:posix-getenv "SOURCE") :external-format :latin-1)
    (loop until (eq in (read in nil in))
          do (format t "~a " (file-position in)))))`;

const TRICKY = `;;; Everything that can hide a delimiter.
(a "b ) \\" ; c" #\\) #\\( #\\; #\\" |d ) ; "| e\\)f g|)|h)
#| ( #| nested ) |# ) |#
(#'a #(1 2) #2A((1) (2)) #*101 #:b #C(1 2) #p"x)" #b101 #36rZ (a . b))
'(quoted ,@(not here)) \`(a ,b ,@c ,.d)
(a;comment )
 b)(c)(d)
"string at top level (" symbol :keyword #\\Space 12.5d0
#+(and never (or a b)) (left out) (kept #-never (in) #+never (out))
|last ( one|
`;

/** Forms of any depth, in all notations that end by themselves. */
const { form: FORM } = fc.letrec<{ form: string }>((tie) => {
  const inner = fc.array(tie('form'), { maxLength: 4 });
  const between = fc.constantFrom(' ', '\n', ' ; ) "\n', ' #| ( #| " |# |# ', '\t');
  const list = fc.tuple(inner, between).map(([forms, blank]) => `(${forms.join(blank)})`);
  const prefix = fc.constantFrom("'", '`', "#'", '#1=', '#', '#2A', '#+never ', '#-never ', '#+(and) ');
  return {
    form: fc.oneof(
      { maxDepth: 5, depthSize: 'small' },
      fc.constantFrom('a', '|b ) "|', 'e\\)f', '12.5d0', ':k', '#\\Space', '#b101', '#:g'),
      fc.constantFrom('"s ( \\" |"', '#p"x)"', '#\\(', '#\\;', '#*101', '#36rZZ'),
      list,
      fc.tuple(prefix, list).map((parts) => parts.join('')),
    ),
  };
});

/** What is done to such a text: something is put in, for so many characters that are taken out. */
const CHANGE = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  put: fc.constantFrom('', '(', ')', '"', '|', '#|', '|#', '\\', ';', '#\\', '\n', '`', '#+', "'"),
  taken: fc.nat({ max: 3 }),
});
const CHANGED = fc.tuple(FORM, fc.array(CHANGE, { minLength: 1, maxLength: 3 })).map(([form, changes]) =>
  changes.reduce((text, { at, put, taken }) => {
    const place = Math.floor(at * text.length);
    return text.slice(0, place) + put + text.slice(place + taken);
  }, `(${form})\n`),
);

/** For each text, which the file has as strings one after another, whether it can be read to its end. */
const SBCL_READS_WHOLE = `(with-open-file (in (sb-ext:posix-getenv "SOURCE"))
  (let ((*features* '()))
    (loop for text = (read in nil)
          while text
          do (format t "~d" (handler-case (let ((*read-suppress* t))
                                            (with-input-from-string (code text)
                                              (loop until (eq code (read code nil code))))
                                            1)
                              (error () 0))))))`;

function ours(text: string): number[] {
  const { tree, problem } = read(text, 'common-lisp');
  expect(problem).toBeNull();
  const forms = formsOf(tree).filter(({ start }) => !/^#[+-]/.test(text.slice(start, start + 2)));
  return forms.map(({ end }) => end);
}

/** SBCL reads the blank after a symbol along with it. */
function agrees(text: string, file: string): void {
  const env = { ...process.env, SOURCE: file };
  const { stdout, stderr, status } = spawnSync('sbcl', ['--script'], { input: SBCL_READS, env });
  expect([status, stderr.toString()]).toEqual([0, '']);
  const theirs = stdout.toString().trim().split(' ').map(Number);
  const mine = ours(text);
  const more = theirs.map((end, index) => end - (mine[index] ?? 0));
  expect([theirs.length, more.filter((each) => each !== 0 && each !== 1)]).toEqual([mine.length, []]);
}

it('finds the forms of a tricky file where SBCL does', () => {
  const file = path.join(temporaryFolder(), 'tricky.lisp');
  writeFileSync(file, TRICKY);
  agrees(TRICKY, file);
});

it('finds the forms of our own files where SBCL does', () => {
  const folder = path.join(ROOT, 'resources/lisp');
  const files = readdirSync(folder).filter((name) => name.endsWith('.lisp'));
  for (const file of files.slice(0, 8).map((name) => path.join(folder, name)))
    agrees(readFileSync(file, 'latin1'), file);
});

it('finds generated forms where SBCL does', () => {
  const text = fc.sample(FORM, { seed: 17, numRuns: 400 }).map((form) => `(${form})\n`);
  const file = path.join(temporaryFolder(), 'generated.lisp');
  writeFileSync(file, text.join(''));
  agrees(text.join(''), file);
});

it('refuses no code that SBCL reads to its end, and most that it does not', () => {
  const texts = fc.sample(CHANGED, { seed: 4, numRuns: 3_000 });
  const file = path.join(temporaryFolder(), 'changed.lisp');
  writeFileSync(file, texts.map((text) => `"${text.replaceAll(/[\\"]/g, '\\$&')}"\n`).join(''));
  const env = { ...process.env, SOURCE: file };
  const { stdout } = spawnSync('sbcl', ['--script'], { input: SBCL_READS_WHOLE, env });
  const read = [...stdout.toString()].map((each) => each === '1');
  expect(read).toHaveLength(texts.length);
  const refused = texts.map((text) => findUnbalanced(text, 'common-lisp') !== null);
  expect(texts.filter((_, index) => read[index] && refused[index])).toEqual([]);
  const halves = read.filter((whole) => !whole).length;
  expect(halves).toBeGreaterThan(500);
  expect(refused.filter(Boolean).length).toBeGreaterThan(halves * 0.9);
});
