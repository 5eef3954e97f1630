/** One entry into files of each format and out of them again: neighbours and comments keep their bytes. */
import { parse as parseAnyJson } from 'jsonc-parser';
import { getStaticTOMLValue, parseTOML } from 'toml-eslint-parser';
import { describe, expect, it } from 'vitest';
import { parse as parseAnyYaml } from 'yaml';
import type { ConfigFormat, Spot } from '../../electron/connect/formats/config-format';
import { jsonc } from '../../electron/connect/formats/json-format';
import { sexp } from '../../electron/connect/formats/sexp-format';
import { toml } from '../../electron/connect/formats/toml-format';
import { yaml, yamlList } from '../../electron/connect/formats/yaml-format';
import { formsIn } from '../../electron/source/reader';

const STDIO = { command: '/opt/a b/node', args: ['x.mjs', '--client', "it's"], env: { KEY: 'v "1"' } };

interface Case {
  format: ConfigFormat;
  spot: Spot;
  entry: Record<string, unknown>;
  parse: (text: string) => unknown;
}

const spot = (keyPath: string[]): Spot => ({ file: '/home/ada/config', keyPath, name: 'lisp' });

const JSONC: Case = {
  format: jsonc,
  spot: spot(['servers']),
  entry: STDIO,
  parse: (text) => parseAnyJson(text),
};
const TOML: Case = {
  format: toml,
  spot: spot(['mcp_servers']),
  entry: STDIO,
  parse: (text) => getStaticTOMLValue(parseTOML(text)),
};
const YAML: Case = {
  format: yaml,
  spot: spot(['extensions']),
  entry: STDIO,
  parse: (text) => parseAnyYaml(text),
};
const LIST: Case = {
  format: yamlList,
  spot: spot(['mcpServers']),
  entry: { name: 'lisp', ...STDIO },
  parse: (text) => parseAnyYaml(text),
};

const SEXP: Case = {
  format: sexp,
  spot: spot(['servers']),
  entry: {
    name: 'lisp',
    transport: {
      type: ':stdio',
      command: '/opt/a b/"node"\\',
      arguments: ['x.mjs', '--client'],
      directory: ':workspace',
    },
  },
  parse: (text) => formsIn(text, 'common-lisp') ?? undefined,
};

const crlf = (text: string) => text.replaceAll('\n', '\r\n');

const JSONC_TEXTS = {
  'comments and a trailing comma':
    '// mine\n{\n\t"servers": {\n\t\t// first\n\t\t"a": { "command": "x" }, // why\n\t},\n\t"inputs": [],\n}\n',
  'a comment behind the last server': '{\n  "servers": {\n    "a": {} // keep\n    /* old: "b" */\n  }\n}',
  'commas first': '{ "servers":\n  { "a": 1\n  , "b": 2 // two\n  }\n}\n',
  'one line with a comment': '{ "servers": { "a": 1 /* x */ }, "b": [1,] }',
  'an empty object with a comment': '{\n  // nothing yet\n}\n',
  'a comment in the line of the brace': '{ "servers": { // these\n    "a": 1\n  }\n}\n',
  'a line comment that ends the object': '{ "servers": { "a": 1 // x\n } }',
};

const TOML_TEXTS = {
  empty: '',
  'tables and comments':
    '# mine\nmodel = "x" # why\n\n[mcp_servers.files]\ncommand = "npx"\nargs = [\n  "-y", # yes\n  "files",\n]\n\n[mcp_servers.files.env]\nKEY = "secret"\n\n[tui]\ntheme = \'dark\'\n',
  'no last line break': 'a = 1\n[mcp_servers.b]\ncommand = "x"',
  'servers in one line': 'mcp_servers = { a = { command = "x" } }\n[z]\nq = 1979-05-27T07:32:00Z\n',
  'servers in one line that are empty': 'mcp_servers = {}\n',
  'a table of servers':
    '[mcp_servers]\na = { command = "x" }\n\n\n[[profiles]]\nn = 1\n[[profiles]]\nn = 2\n',
  'dotted keys': 'mcp_servers.a.command = "x"\nmcp_servers.a.args = []\n',
  'strings in lines': 'a = """\n[mcp_servers.lisp]\ncommand = "no"\n"""\n',
  'blank lines at its end': 'a = 1\n\n\n',
};

const YAML_TEXTS = {
  empty: '',
  'maps and comments':
    '# mine\nGOOSE_MODEL: x # why\nextensions:\n  files:\n    cmd: npx # yes\n    args: [-y, files]\n    envs:\n      KEY: secret\n\n  # the last\n  git: {cmd: uvx}\n\n# the end\nother: 1\n',
  'servers at the end': 'a: 1\nextensions:\n    files:\n        cmd: npx\n',
  'no last line break': 'extensions:\n  files:\n    cmd: npx',
  'a block of text behind': 'extensions:\n  files:\n    cmd: |+\n      x\n\n\nb: 1\n',
  'servers that are not there': 'a: 1\n',
  braces: 'extensions: {files: {cmd: npx}}\na: [1, 2]\n',
  'empty braces': 'extensions: {}\na: 1\n',
  'JSON over lines': '{\n\t"a": 1,\n\t"extensions": {\n\t\t"files": {"cmd": "x"}\n\t}\n}\n',
  'a document with a mark': '---\na: 1\nextensions:\n  files: {}\n',
  'anchors elsewhere': 'a: &x {b: 1}\nc: *x\nextensions:\n  files: *x\n',
};

const LIST_TEXTS = {
  'a list':
    'name: mine\nmcpServers:\n  - name: files # yes\n    command: npx\n    args:\n      - -y\n  - name: git\n    command: uvx\n# models\nmodels: []\n',
  'a list that is not indented': 'mcpServers:\n- name: files\n  command: npx\nmodels: []\n',
  'an empty list': 'mcpServers: []\n',
  'no list': 'name: mine\n',
  'a list between brackets': 'mcpServers: [{name: files, command: npx}]\n',
  'only comments': '# nothing\n',
};

const SEXP_TEXTS = {
  empty: '',
  'comments only': ';; mine\n',
  'a list':
    ';;; mine\n(:version 1\n :servers\n ((:name "files" ; why\n   :transport (:type :stdio :command "npx" :arguments ("-y" "files")))\n  (:name "git" :transport (:type :http :url "http://127.0.0.1:1/")) ; last\n  ))\n',
  'a list in one line': '(:version 1 :servers ((:name "files" :transport (:type :stdio :command "x"))))',
  'an empty list': '(:version 1 :servers ())\n',
  'no servers': '(:version 1)\n',
  'capital keywords': '(:VERSION 1 :SERVERS ((:NAME "files")))\n',
  'servers and more': '(:servers ((:name "a\\"b")) ; x\n :other (1 2))\n',
};

const CASES = [
  ...Object.entries(SEXP_TEXTS).map(([name, text]) => ['sexp', name, text, SEXP] as const),
  ...Object.entries(JSONC_TEXTS).map(([name, text]) => ['JSONC', name, text, JSONC] as const),
  ...Object.entries(TOML_TEXTS).map(([name, text]) => ['TOML', name, text, TOML] as const),
  ...Object.entries(YAML_TEXTS).map(([name, text]) => ['YAML', name, text, YAML] as const),
  ...Object.entries(LIST_TEXTS).map(([name, text]) => ['YAML', name, text, LIST] as const),
].flatMap(([language, name, text, row]) => [
  [language, name, text, row] as const,
  [language, `${name}, CRLF`, crlf(text), row] as const,
  [language, `${name}, BOM`, `\uFEFF${text}`, row] as const,
]);

describe.each(CASES)('%s with %s', (_, __, text, { format, spot, entry, parse }) => {
  const added = format.upsert(text, spot, entry);
  const madeServers = !format.hasServers(text, spot);

  it('gets the entry, and the same rest', () => {
    expect(format.read(added, spot)).toEqual(entry);
    expect(format.rest(added, spot)).toBe(format.rest(text, spot));
    expect(parse(added.replace(/^\uFEFF/, ''))).toBeDefined();
    if (text.includes('\r\n')) expect(added.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(added.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
  });

  it('has the same bytes after the entry is taken out', () => {
    expect(format.remove(added, spot, madeServers)).toBe(text);
  });

  it('takes another entry in the place of the first', () => {
    const other = { ...entry, command: '/new', env: undefined, url: 'http://127.0.0.1:1/mcp' };
    const { env: _env, ...wanted } = other;
    const replaced = format.upsert(added, spot, wanted);
    expect(format.read(replaced, spot)).toEqual(wanted);
    expect(format.rest(replaced, spot)).toBe(format.rest(text, spot));
    expect(format.remove(replaced, spot, madeServers)).toBe(text);
  });
});

/** What says nothing is not known again: a removal leaves an empty place, which the record makes exact. */
it.each([
  ['only comments', JSONC, '// nothing yet\n', '// nothing yet\n{}\n'],
  ['servers without a value', YAML, 'extensions: # mine\na: 1\n', 'extensions: {} # mine\na: 1\n'],
] as const)('%s', (_, { format, spot, entry }, text, after) => {
  const added = format.upsert(text, spot, entry);
  expect(format.read(added, spot)).toEqual(entry);
  expect(format.remove(added, spot, !format.hasServers(text, spot))).toBe(after);
});
