/** File tools of the profile `nrepl`, with the names that users of clojure-mcp know. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;

const CORE =
  '(ns shop.core)\n\n(defn total [items]\n  (reduce + (map :price items)))\n\n(defmethod area :square [s]\n  (* s s))\n';

beforeAll(async () => {
  harbor = await sharedHarbor();
  client = await harbor.client('legacy', { profile: 'nrepl' });
  mkdirSync(path.join(harbor.project, 'src/shop'), { recursive: true });
});
afterAll(() => harbor.stop());

const at = (name: string) => path.join(harbor.project, name);
const write = (name: string, text: string) => writeFileSync(at(name), text);
const textOf = (name: string) => readFileSync(at(name), 'utf8');
const done = async (tool: string, args: Record<string, unknown>) => {
  const { text, isError } = await call(client, tool, args);
  expect([text, isError]).toEqual([text, false]);
  return text;
};
const refused = async (tool: string, args: Record<string, unknown>) => {
  const { text, isError } = await call(client, tool, args);
  expect([text, isError]).toEqual([text, true]);
  return text;
};

it('read a Clojure file by its definitions, and by lines', async () => {
  write('src/shop/core.clj', CORE);
  const collapsed = await done('read_file', { path: 'src/shop/core.clj', name_pattern: 'tot.*' });
  expect(collapsed).toContain('(reduce + (map :price items))');
  expect(collapsed).not.toContain('(* s s)');
  const path = at('src/shop/core.clj');
  const lines = await done('read_file', { path, line_offset: 2, limit: 2 });
  expect(lines).toMatch(/^\(defn total \[items\]\n {2}\(reduce \+ \(map :price items\)\)\)\n\n?; src/);
  expect(await done('read_file', { path, line_offset: 99, limit: 2 })).toMatch(/^; src/);
});

it('edit it by its forms, by expressions and by text', async () => {
  const file_path = 'src/shop/core.clj';
  write(file_path, CORE);
  const square = { form_type: 'defmethod', form_identifier: 'area :square' };
  await done('clojure_edit', {
    ...{ file_path, ...square, operation: 'insert_after' },
    content: '(defmethod area :circle [r]\n  (* 3 r r))',
  });
  const diff = await done('clojure_edit_replace_sexp', {
    ...{ file_path, match_form: '(* s  s)', new_form: '(Math/pow s 2)' },
  });
  expect(diff).toContain('-  (* s s))\n+  (Math/pow s 2))');
  await done('file_edit', { file_path, old_string: '(* 3 r r)', new_string: '(* 3.14 r r)' });
  expect(textOf(file_path)).toBe(
    `${CORE.replace('(* s s)', '(Math/pow s 2)')}\n(defmethod area :circle [r]\n  (* 3.14 r r))\n`,
  );
  expect(await refused('file_edit', { file_path, old_string: 'area', new_string: 'x' })).toMatch(/2 times/);
  expect(
    await refused('clojure_edit', { ...{ file_path, ...square, operation: 'replace' }, content: '(a' }),
  ).toMatch(/Likely fix/);
});

it('write files, and mend what does not balance', async () => {
  const file_path = 'src/shop/new.clj';
  expect(await done('file_write', { file_path, content: '(ns shop.new)\n' })).toMatch(/^Created/);
  const broken = '(ns shop.new)\n\n(defn f [x]\n  (inc x)\n\n(defn g [] 1)\n';
  expect(await done('file_write', { file_path, content: broken })).toMatch(/^Replaced[\s\S]*do not match/);
  expect(await done('paren_repair', { file_path })).toMatch(/Fixed: add `\)` at the end of line 4/);
  expect(textOf(file_path)).toBe(broken.replace('(inc x)', '(inc x))'));
  expect(await done('paren_repair', { file_path })).toBe('The delimiters of src/shop/new.clj match.');
});

it('find files and lines', async () => {
  write('src/shop/core.clj', CORE);
  write('notes.md', 'the total is 3\n');
  const found = (text: string) => text.split('\n').filter((line) => !line.startsWith(';'));
  expect(found(await done('glob_files', { pattern: '**/core.{clj,cljs}' }))).toEqual(['src/shop/core.clj']);
  expect(found(await done('glob_files', { pattern: '*.md' }))).toEqual(['notes.md']);
  expect(found(await done('glob_files', { pattern: 'shop/*.clj', path: 'src' }))).toContain(
    'src/shop/core.clj',
  );
  expect(found(await done('grep', { pattern: 'tot.l' }))).toEqual([
    'notes.md:1: the total is 3',
    'src/shop/core.clj:3: (defn total [items]',
  ]);
  expect(found(await done('grep', { pattern: 'TOTAL', include: '*.clj' }))).toEqual(['Nothing found.']);
  expect(await done('grep', { pattern: '.', max_results: 1 })).toContain('; more than 1');
  expect(found(await done('LS', { path: 'src', max_depth: 3 }))[0]).toBe('shop/');
  expect(await refused('grep', { pattern: '(' })).toMatch(/^bad_arguments: .*Unterminated group/);
});

it('describe the project', async () => {
  write('deps.edn', '{:paths ["src"]}\n');
  write('src/shop/core.clj', CORE);
  expect(await done('clojure_inspect_project', { explanation: 'first look' })).toMatch(
    /^project \S+\nnREPL server none connected\n\[deps\.edn\]\n\{:paths \["src"\]\}\n\[namespaces\]\nshop\.core src\/shop\/core\.clj\n/,
  );
});

it('need no server, and say how to get one where they do', async () => {
  expect(await done('list_nrepl_ports', { explanation: 'why' })).toMatch(/^None is named/);
  for (const [tool, args] of Object.entries({ clojure_eval: { code: '1' }, deps_list: {} }))
    expect(await refused(tool, args)).toMatch(/not connected to an nREPL server/);
});
