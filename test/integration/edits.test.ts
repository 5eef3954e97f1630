/** Several edits and renamings in one call of `edit_form`, as agents make them: all of it is written, or nothing. */
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;
/** Of the test, in the project. */
let folder = 0;

const inFolder = (file: string) => path.join(harbor.project, String(folder), file);
const held = (file: string) => readFileSync(inFolder(file), 'utf8');

function write(files: Record<string, string>): void {
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(inFolder(file)), { recursive: true });
    writeFileSync(inFolder(file), text);
  }
}

interface Result {
  files: { path: string; hash: string; count?: number; lines?: number[] }[];
  edits: { path: string; form: string; diff: string }[];
  left: { kind: string; path: string; lines: number[] }[];
  written: boolean;
  notes: string[];
}

const edit = (args: Record<string, unknown>) => call<Result>(client, 'edit_form', args);
const inThis = (file: string) => `${folder}/${file}`;

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client();
});
afterAll(() => harbor.stop());
beforeEach(() => {
  folder += 1;
});

it('format indents a file, and leaves alone what does not balance', async () => {
  write({ 'wide.clj': '(defn f [x]\n(inc\n   x))  \n', 'torn.clj': '(defn f [x]\n(inc x)\n' });
  const { text, isError } = await edit({ operation: 'format', path: inThis('wide.clj') });
  expect([isError, held('wide.clj')]).toEqual([false, '(defn f [x]\n  (inc\n   x))\n']);
  expect(text).toMatch(/Written, lines -2 \+2 at 2 · format · /);
  const torn = await edit({ operation: 'format', path: inThis('torn.clj') });
  expect(torn.text).toMatch(/^bad_arguments: Nothing was formatted: /);
  expect(held('torn.clj')).toBe('(defn f [x]\n(inc x)\n');
});

describe('several edits', () => {
  const CORE = '(ns core)\n\n(defn price [x] x)\n\n(defn total [xs]\n  (reduce + (map price xs)))\n';
  const orders = () => [
    {
      path: inThis('core.clj'),
      operation: 'replace',
      form_type: 'defn',
      form_name: 'price',
      content: '(defn price [x] (* 2 x))',
    },
    {
      path: inThis('core.clj'),
      operation: 'patch',
      form_name: 'price',
      old_text: '(* 2 x)',
      new_text: '(* 3 x)',
    },
    { path: inThis('README.md'), operation: 'patch', old_text: 'Two', new_text: 'Three' },
    { path: inThis('new/a.clj'), operation: 'create', content: '(ns new.a)\n' },
  ];

  it('are made in their order, over files of any kind, in few words', async () => {
    write({ 'core.clj': CORE, 'README.md': 'Two times.\r\n' });
    const { structured, text, isError } = await edit({ edits: orders() });
    expect(isError).toBe(false);
    expect(held('core.clj')).toBe(CORE.replace('[x] x', '[x] (* 3 x)'));
    expect([held('README.md'), held('new/a.clj')]).toEqual(['Three times.\r\n', '(ns new.a)\n']);
    expect(structured.files.map(({ path: file }) => file)).toEqual(
      ['core.clj', 'README.md', 'new/a.clj'].map(inThis),
    );
    expect(text).toMatch(/^1\. defn price · \d+\/core\.clj · lines -1 \+1 at 3\n-\(defn price \[x\] x\)\n\+/);
    expect(text).toMatch(/; Written\n; \d+\/core\.clj · hash [0-9a-f]{12} · before: history:\d+\n/);
    expect(text.length).toBeLessThan(650);
    const kept = /history:\d+/.exec(text)?.[0];
    expect(
      (await call<{ content: string }>(client, 'read_file', { path: kept, collapsed: false })).structured
        .content,
    ).toBe(CORE);
  });

  it('write nothing where one cannot be made, and name each that cannot', async () => {
    write({ 'core.clj': CORE, 'README.md': 'One.\n', 'new/a.clj': '' });
    const more = { path: inThis('gone.clj'), operation: 'delete', form_name: 'x' };
    const open = {
      path: inThis('core.clj'),
      operation: 'insert_after',
      form_name: 'total',
      content: '(defn f [',
    };
    const { text, isError } = await edit({ edits: [...orders(), more, open] });
    expect(isError).toBe(true);
    expect(text).toContain('Nothing was written: 4 of 6 edits failed.');
    for (const told of [
      /3\. \d+\/README\.md patch: old_text does not occur/,
      /4\. .* create: .* already exists/,
    ])
      expect(text).toMatch(told);
    for (const told of [
      /5\. .*gone\.clj delete x: .*does not exist/,
      /6\. .*content is incomplete.*Likely fix/,
    ])
      expect(text).toMatch(told);
    expect([held('core.clj'), held('README.md'), held('new/a.clj')]).toEqual([CORE, 'One.\n', '']);
  });

  it('are shown and not made in a dry run', async () => {
    write({ 'core.clj': CORE, 'README.md': 'Two\n' });
    const { text, structured } = await edit({ edits: orders(), dry_run: true });
    expect([structured.written, held('core.clj')]).toEqual([false, CORE]);
    expect(text).toMatch(
      /\+\(defn price \[x\] \(\* 2 x\)\)[\s\S]*\+\(ns new\.a\)[\s\S]*; Not written: dry run/,
    );
  });

  it('take a path for all of them, and links for what they lead to', async () => {
    write({ 'core.clj': CORE });
    symlinkSync(inFolder('core.clj'), inFolder('link.clj'));
    const edits = [
      { operation: 'patch', old_text: '[x] x', new_text: '[y] y' },
      { path: inThis('link.clj'), operation: 'delete', form_name: 'total' },
    ];
    await edit({ path: inThis('core.clj'), edits });
    expect(held('core.clj')).toBe('(ns core)\n\n(defn price [y] y)\n');
  });

  it('are refused without what says which', async () => {
    for (const args of [{}, { edits: [] }, { edits: [{ operation: 'delete', form_name: 'x' }] }])
      expect((await edit(args)).text).toMatch(/^bad_arguments: /);
    const renaming = { edits: [{ path: 'a.clj', operation: 'rename' }] };
    expect((await edit(renaming)).text).toMatch(/replace.*create/);
  });
});

describe('renaming', () => {
  const LISP = {
    'package.lisp': '(defpackage :shop (:use :cl) (:export #:price))\r\n',
    'shop.lisp': '\uFEFF(in-package :shop)\n\n; price\n(defun price (x)\n\t(if (zerop x) 0 (price (1- x))))',
    'tests.lisp': '(in-package :cl-user)\n(shop:price 1)\n(list :price)\n',
  };
  const order = (args = {}) =>
    edit({ operation: 'rename', form_name: 'shop:price', new_name: 'cost', ...args });
  const skipped = () => ({ skip: Array.from({ length: folder - 1 }, (_, index) => String(index + 1)) });

  it('changes every file at once, keeps all other bytes and tells what it left', async () => {
    write(LISP);
    const dry = await order({ ...skipped(), dry_run: true });
    expect(dry.text).toContain(`${inThis('shop.lisp')}:5: (if (zerop x) 0 (cost (1- x))))`);
    expect(held('shop.lisp')).toBe(LISP['shop.lisp']);
    const { text, structured } = await order(skipped());
    for (const [file, before] of Object.entries(LISP))
      expect(held(file)).toBe(before.replaceAll(/(?<!; |list :)price/g, 'cost'));
    expect(structured.files.map(({ count, lines }) => [count, lines])).toEqual([
      [1, [1]],
      [2, [4, 5]],
      [1, [2]],
    ]);
    expect(text).toMatch(
      /^; shop::price is now cost: 4 in 3 files\n; 1 in lines 1 · \d+\/package\.lisp · hash /,
    );
    expect(text).toMatch(
      /; not renamed \(comments\): \d+\/shop\.lisp:3\n; not renamed \(:price\): \d+\/tests\.lisp:3$/,
    );
    expect(text.length).toBeLessThan(400);
  });

  it('of what DEFSTRUCT makes is refused, and nothing is written', async () => {
    const box = '(in-package :cl-user)\n(defstruct box w h)\n(defun area (b) (* (box-w b) (box-h b)))\n';
    write({ 'box.lisp': box });
    const refused = await order({ ...skipped(), form_name: 'box-w', new_name: 'box-width' });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(
      /box-w is generated by \(defstruct box …\) \(.*box\.lisp:2\) from its slot w/,
    );
    expect(held('box.lisp')).toBe(box);
  });

  it('touches nothing while a file that holds the name cannot be read, unless that is left out', async () => {
    write({ ...LISP, 'broken.lisp': '(in-package :shop)\n(defun f ()\n  (price 1)\n' });
    const refused = await order(skipped());
    expect(refused.text).toMatch(/Nothing was renamed[\s\S]*broken\.lisp: .*Likely fix: add `\)`/);
    expect(held('shop.lisp')).toBe(LISP['shop.lisp']);
    const { skip } = skipped();
    expect((await order({ skip: [...skip, inThis('broken.lisp')] })).structured.written).toBe(true);
    expect(held('broken.lisp')).toContain('price');
  });

  it('writes none where one may not be written, and stays in the project', async () => {
    write(LISP);
    chmodSync(inFolder('tests.lisp'), 0o444);
    symlinkSync(path.join(harbor.project, '..'), inFolder('out'));
    const refused = await order(skipped());
    expect(refused.text).toMatch(/tests\.lisp is read-only/);
    expect(held('shop.lisp')).toBe(LISP['shop.lisp']);
    chmodSync(inFolder('tests.lisp'), 0o644);
    expect((await order(skipped())).structured.files).toHaveLength(3);
  });

  it('refuses a name that is taken, and an order without its names', async () => {
    write({ ...LISP, 'more.lisp': '(in-package :shop)\n(defun cost ())' });
    expect((await order(skipped())).text).toMatch(
      /^bad_arguments: shop::cost already exists \(.*more\.lisp:2\)/,
    );
    expect((await edit({ operation: 'rename', form_name: 'price' })).text).toMatch(/new_name/);
    expect((await order({ ...skipped(), path: 'none.lisp' })).text).toMatch(
      /none\.lisp is not a Lisp file of the project/,
    );
  });
});
