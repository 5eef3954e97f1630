/** What belongs to Clojure: build files, poms and port files that anybody wrote, and what servers say of failures. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { HarborError } from '../../electron/contract/errors';
import { type BuildFile, declared } from '../../electron/images/clojure/build-files';
import { resolveLibraries } from '../../electron/images/clojure/maven';
import { outcomeOf } from '../../electron/images/lisply/image';
import { checkedForms } from '../../electron/images/nrepl/clojure-code';
import { conditionFrom } from '../../electron/images/nrepl/image';
import { replayed } from '../../electron/images/nrepl/replayer';
import { projectServer } from '../../electron/sandbox/named-servers';
import { fuzzText } from './parser';

const folder = mkdtempSync(path.join(tmpdir(), 'harbor-fuzz-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TOKENS = [
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  '#{',
  '#_',
  '^',
  "'",
  '"',
  '\\',
  ':deps {',
  ':paths ["',
  ' 1 ',
  'a/b {:mvn/version "1"} ',
  '$',
  '#"',
  '~@',
];

const BUILD_FILES: Readonly<Record<BuildFile, string>> = {
  'deps.edn':
    '{:paths ["src" "resources"] :deps {org.clojure/clojure {:mvn/version "1.11.1"} local/lib {:local/root "../lib"} g/h {:git/sha "a"}} :aliases {:dev {:extra-paths ["dev"]}}}',
  'bb.edn': '{:deps {medley/medley {:mvn/version "1.3.0"}} :tasks {test (run)}}',
  'project.clj':
    '(defproject shop "0.1.0" :dependencies [[org.clojure/clojure "1.11.1"] [a/b$native "2"]] :source-paths ["src/clj"] :profiles {:dev {}})',
  'shadow-cljs.edn':
    ';; shadow\n{:source-paths ["src"] :dependencies [[reagent "1.1.0"]] :builds {:app {:target :browser}}}',
};

for (const [file, text] of Object.entries(BUILD_FILES))
  fuzzText({
    name: file,
    seeds: [text],
    tokens: TOKENS,
    read: (written) => declared(file as BuildFile, written),
    holds: (found) => {
      const texts = found && [
        ...found.paths,
        ...found.roots,
        ...found.others,
        ...found.libraries.flatMap((each) => Object.values(each)),
      ];
      expect(texts?.filter((each) => typeof each !== 'string') ?? []).toEqual([]);
    },
  });

beforeAll(() => mkdirSync(path.join(folder, 'g/a/1'), { recursive: true }));

fuzzText({
  name: 'a pom',
  slow: [
    { before: '', again: '<dependency>', after: '' },
    { before: '', again: '<dependencyManagement>', after: '' },
    { before: '<dependency><version>', again: ' ', after: '<a></version></dependency>' },
  ],
  seeds: [
    `<project><dependencyManagement><dependencies><dependency><groupId>x</groupId></dependency></dependencies></dependencyManagement><dependencies><dependency><groupId>org.clojure</groupId><artifactId>data.json</artifactId><version> 2.4.0 </version><scope>test</scope></dependency><dependency><groupId>g</groupId><artifactId>a</artifactId><version>\${project.version}</version></dependency></dependencies></project>`,
  ],
  tokens: [
    '<dependency>',
    '</dependency>',
    '<dependencyManagement>',
    '</dependencyManagement>',
    '<groupId>',
    '</groupId>',
    '<version>',
    ' ',
    `\${project.version}`,
    '../',
    '<a>',
  ],
  read: async (text) => {
    writeFileSync(path.join(folder, 'g/a/1/a-1.pom'), text);
    return resolveLibraries([{ group: 'g', artifact: 'a', version: '1' }], [folder]);
  },
  holds: ({ archives }) => {
    for (const each of archives) expect(each.startsWith(folder)).toBe(true);
  },
});

fuzzText({
  name: 'a port file',
  seeds: ['7888', ' 56789\n', '65535'],
  tokens: ['1', '65536', ' ', '\n', '0x50', '-'],
  read: async (text) => {
    writeFileSync(path.join(folder, '.nrepl-port'), text);
    return projectServer(folder);
  },
  refuses: (error) => error instanceof HarborError && !error.message.includes('\n'),
  holds: ({ port }) => expect(port).toBeGreaterThan(0),
});

fuzzText({
  name: 'a failure as a server prints it',
  seeds: [
    '{"causes":[{"type":"clojure.lang.ExceptionInfo","message":"kept","data":"{:a 1}"},{"type":"java.lang.Error","message":null}],"frames":[{"call":"user/eval2034 (serve.clj:1)","function":"user/eval2034"}]}',
    'class clojure.lang.ExceptionInfo',
  ],
  tokens: ['"causes":[', '{"type":"a","message":"b"},', 'class a.b', '.', '$'],
  read: (text) => conditionFrom(text, text, text),
});

fuzzText({
  name: 'an answer of Lisply',
  seeds: ['{"success":true,"result":"6","stdout":"a\\n"}', '{"success":false,"error":"no"}', 'pong'],
  tokens: ['"result":', '{"success":true', '\\ud800', '[', '{"a":'],
  read: (body) => outcomeOf({ status: 200, headers: {}, body }, { id: 1, code: '1', maxChars: 10 }),
});

fuzzText({
  name: 'code that is evaluated form by form',
  seeds: [
    '(ns shop.cart)\n(defn total [x] (+ x 1)) ; c\n#_ (left out) @here\n(do (def a 1) (let [b 2] (def c b)))',
    '(set! *warn-on-reflection* true) [(f)] #{1}',
  ],
  tokens: [...TOKENS, '(do ', '(let [] ', '(constructor ', '@'],
  read: (text) => {
    const { forms } = checkedForms(text);
    return forms.map((form) => [form, replayed(form.code)] as const);
  },
  holds: (forms, text) => {
    expect(forms.filter(([{ code }]) => !text.includes(code))).toEqual([]);
  },
});
