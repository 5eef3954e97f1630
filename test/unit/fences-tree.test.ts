/** What the layout promises of every file in the tree, and no linter checks. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { OUR_TOOLS } from '../../electron/contract/mention';
import { handPaired, LONGEST, REASONS } from '../structure.mjs';
import { ROOT } from './setup-checkout';

const FOLDERS = ['electron', 'renderer', 'resources', 'test'];
const FORBIDDEN = ['utils', 'util', 'helpers', 'helper', 'common', 'shared', 'misc', 'lib'];

const files = FOLDERS.flatMap((folder) =>
  readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/')),
);
const code = files.filter((file) => /\.(ts|tsx|mjs|cjs|css|lisp|clj|cljs)$/.test(file));
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');
const lines = (file: string) => read(file).trimEnd().split('\n').length;

describe('the tree', () => {
  it('is found', () => {
    expect(code.length).toBeGreaterThan(50);
  });

  it('has no file longer than usual without a reason', () => {
    const long = code.filter((file) => lines(file) > LONGEST);
    const unexplained = long.filter((file) => !REASONS.has(file));
    expect(unexplained.map((file) => `${file}: ${lines(file)} lines`)).toEqual([]);
    expect([...REASONS.keys()].filter((file) => !long.includes(file))).toEqual([]);
  });

  it('removes listeners and intervals by the function that adding them returned', () => {
    const pairs =
      "a.off('x', f);\nb.removeEventListener('x', f);\nsignal?.addEventListener('abort', f);\nclearInterval(t);";
    expect(handPaired('electron/new.ts', pairs)).toHaveLength(4);
    expect(code.flatMap((file) => handPaired(file, read(file)))).toEqual([]);
  });

  it('names a tool in the text of a result by a mention, which has the name of the profile', () => {
    const name = new RegExp(`\\\\\`(?:${OUR_TOOLS.join('|')})\\\\\``);
    // Instructions of a profile name its own tools; the files are for clients of the default profile.
    const sources = code.filter(
      (file) => file.startsWith('electron/') && !/-profile\.ts$|\/agent-files\.ts$/.test(file),
    );
    const naming = sources.flatMap((file) =>
      read(file)
        .split('\n')
        .flatMap((line) =>
          name.test(line) && !/description: `/.test(line) ? [`${file}: ${line.trim()}`] : [],
        ),
    );
    expect(name.test('`Use \\`images\\` now`')).toBe(true);
    expect(naming).toEqual([]);
  });

  it('has no barrels', () => {
    expect(files.filter((file) => /(^|\/)index\.(ts|tsx|mjs|js)$/.test(file))).toEqual([]);
  });

  it('has no folder whose name says nothing', () => {
    expect(files.filter((file) => file.split('/').some((part) => FORBIDDEN.includes(part)))).toEqual([]);
  });

  it('says at the top of every source what it is for', () => {
    const sources = code.filter((file) => !file.startsWith('test/') && !file.endsWith('.css'));
    expect(sources.filter((file) => !/^(#!.*\n|#\|[^|]*\|#\n)?(\/\*\*|;;)/.test(read(file)))).toEqual([]);
  });

  it('begins every Lisp file with a sentence on what it is for', () => {
    const lisp = files.filter((file) => /^resources\/.*\.(lisp|asd)$/.test(file));
    expect(lisp.length).toBeGreaterThan(100);
    // An executable file begins with a comment for the shell.
    const sentence = /^(#\|[^|]*\|#\n)?;;;; [A-Z]\S* .*(\n;;;; .*)*\.\n\n/;
    expect(lisp.filter((file) => !sentence.test(read(file)))).toEqual([]);
  });
});

describe('the window', () => {
  it('imports only types of the app, its words, and the reader of source', () => {
    const values = files
      // A test is no part of the page: it may check the page's words against the schemas themselves.
      .filter((file) => /^renderer\/.*\.tsx?$/.test(file) && !file.endsWith('.test.ts'))
      .filter((file) =>
        /^(import|export) (?!type )[^;]*from '(\.\.\/)+electron\/(?!source\/|words\/)/m.test(read(file)),
      );
    expect(values).toEqual([]);
  });

  // Chromium takes `tag + what` for a rule of any two elements: wherever one is put in, all that the rule may mean is styled anew.
  it('tells by its class after what a rule holds', () => {
    const sheets = code.filter((file) => /^renderer\/.*\.css$/.test(file));
    // What stands in parentheses is a sum, or which child.
    const rules = sheets.map((file) => read(file).replace(/\(.*\)/g, ''));
    const before = rules.flatMap((rule) => [...rule.matchAll(/(\S+) [+~] /g)].map(([, what]) => what));
    expect(before).toContain('.value');
    expect(before.filter((what) => !/[.#[]/.test(what ?? ''))).toEqual([]);
  });
});
