/** Files of each format as nobody would think of them: one entry in and out again changes no other byte. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ConfigFormat, Spot } from '../../electron/connect/formats/config-format';
import { json, jsonc } from '../../electron/connect/formats/json-format';
import { toml } from '../../electron/connect/formats/toml-format';
import { yaml, yamlList } from '../../electron/connect/formats/yaml-format';

const SPOT: Spot = { file: '/home/ada/config', keyPath: ['servers'], name: 'lisp' };
const ENTRY = { name: 'lisp', command: '/opt/a b/node', args: ['x.mjs', 'é"\\'], env: { KEY: "'" } };

const word = fc.constantFrom('a', 'b-c', 'files', 'git', 'é', 'x y', 'on', '1', '#', '"', '\\', '🦊');
const scalar = fc.oneof(fc.integer(), fc.boolean(), word, fc.string({ maxLength: 6 }));
const value = fc.letrec<{ any: unknown }>((tie) => ({
  any: fc.oneof(
    { maxDepth: 2, depthSize: 'small' },
    scalar,
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(word, tie('any'), { maxKeys: 3 }),
  ),
})).any;

/** Servers beside ours, and what else a file has; null for a file without servers. */
const content = fc.record({
  before: fc.dictionary(word, value, { maxKeys: 2 }),
  servers: fc.option(
    fc.dictionary(word, fc.dictionary(word, value, { maxKeys: 2 }), { minKeys: 1, maxKeys: 3 }),
  ),
  after: fc.boolean(),
});

/** Random blanks and comments of a language, the same for the same seed. */
const noise = fc.record({
  eol: fc.constantFrom('\n', '\r\n'),
  step: fc.constantFrom('  ', '    ', '\t'),
  comments: fc.infiniteStream(fc.integer({ min: 0, max: 9 })),
  trailing: fc.boolean(),
  inline: fc.boolean(),
  ended: fc.boolean(),
  mark: fc.constantFrom('', '\uFEFF'),
});
type Content = { before: Record<string, unknown>; servers: Record<string, unknown> | null; after: boolean };
type Noise = {
  eol: string;
  step: string;
  comments: Iterator<number>;
  trailing: boolean;
  inline: boolean;
  ended: boolean;
  mark: string;
};

function rows({ before, servers, after }: Content): [string, unknown][] {
  return [
    ...Object.entries(before),
    ...(servers ? [['servers', servers] as [string, unknown]] : []),
    ...(after ? [['zz', 1] as [string, unknown]] : []),
  ];
}

function finished(text: string, { ended, eol, mark }: Noise): string {
  return mark + (ended ? text + eol : text).replace(/\r?\n/g, eol);
}

function jsonText(content: Content, noise: Noise, withComments: boolean): string {
  const { step, comments, trailing } = noise;
  const note = (kinds: readonly string[]) => (withComments ? (kinds[comments.next().value ?? 0] ?? '') : '');
  const print = (held: unknown, indentation: string): string => {
    if (typeof held !== 'object' || held === null) return JSON.stringify(held);
    const isList = Array.isArray(held);
    const items = isList
      ? held.map((item) => print(item, indentation + step))
      : Object.entries(held).map(
          ([key, item]) => `${JSON.stringify(key)}: ${print(item, indentation + step)}`,
        );
    const [open, close] = isList ? '[]' : '{}';
    if (items.length === 0) return `${open}${close}`;
    const inner = indentation + step;
    const lines = items.map((item, at) => {
      const isLast = at === items.length - 1;
      const comma = isLast && !(trailing && withComments) ? '' : ',';
      return `${note(['// above\n', '/* x */ '])}${inner}${item}${note(['', ' /* in */'])}${comma}${note(['', '', ' // why  '])}`;
    });
    return `${open}${note(['', '', '', ' // here'])}\n${lines.join('\n')}\n${note(['// end\n'])}${indentation}${close}`;
  };
  return finished(print(Object.fromEntries(rows(content)), ''), noise);
}

function tomlText(content: Content, noise: Noise): string {
  const print = (held: unknown): string => {
    if (Array.isArray(held)) return `[${held.map(print).join(', ')}]`;
    if (typeof held === 'object' && held !== null)
      return `{ ${Object.entries(held)
        .map(([key, item]) => `${quoted(key)} = ${print(item)}`)
        .join(', ')} }`;
    return typeof held === 'string' ? quoted(held) : String(held);
  };
  const { before, servers, after } = content;
  const note = () => ['', ' # why', '\n# below', '\n\n', '  '][noise.comments.next().value ?? 0] ?? '';
  const top = Object.entries(before).map(([key, item]) => `${quoted(key)} = ${print(item)}${note()}`);
  const inline = noise.inline && servers ? [`servers = ${print(servers)}${note()}`] : [];
  const tables = noise.inline
    ? []
    : Object.entries(servers ?? {}).flatMap(([key, held]) => [
        `[servers.${quoted(key)}]${note()}`,
        ...Object.entries(Object(held) as object).map(
          ([inner, item]) => `${quoted(inner)} = ${print(item)}${note()}`,
        ),
      ]);
  return finished([...top, ...inline, ...tables, ...(after ? ['[[zz]]', 'q = 1'] : [])].join('\n'), noise);
}

function quoted(text: string): string {
  return JSON.stringify(text).replaceAll('\u007f', '\\u007f');
}

function yamlText(content: Content, noise: Noise, isList: boolean): string {
  const note = () => ['', ' # why', '\n# below', '\n', '  '][noise.comments.next().value ?? 0] ?? '';
  const { before, servers, after } = content;
  const held = Object.entries(servers ?? {});
  const flow = isList ? held.map(([name, each]) => ({ name, ...Object(each) })) : servers;
  const server = ([name, each]: [string, unknown]) =>
    isList
      ? `  - name: ${quoted(name)}${note()}\n    held: ${JSON.stringify(each)}${note()}`
      : `  ${quoted(name)}:${note()}\n    held: ${JSON.stringify(each)}${note()}`;
  const lines = [
    ...Object.entries(before).map(([key, item]) => `${quoted(key)}: ${JSON.stringify(item)}${note()}`),
    ...(servers === null
      ? []
      : noise.inline
        ? [`servers: ${JSON.stringify(flow)}${note()}`]
        : [`servers:${note()}`, ...held.map(server)]),
    ...(after ? ['zz: 1'] : []),
  ];
  return finished(lines.join('\n'), noise);
}

const FORMATS: readonly [string, ConfigFormat, (content: Content, noise: Noise) => string][] = [
  ['JSON', json, (content, how) => jsonText(content, how, false)],
  ['JSON with comments', jsonc, (content, how) => jsonText(content, how, true)],
  ['TOML', toml, tomlText],
  ['YAML', yaml, (content, how) => yamlText(content, how, false)],
  ['YAML with a list', yamlList, (content, how) => yamlText(content, how, true)],
];

describe.each(FORMATS)('%s', (_, format, print) => {
  it('takes an entry in and out again without touching a byte of others', () => {
    fc.assert(
      fc.property(content, noise, (held, how) => {
        const text = print(held, how as Noise);
        const added = format.upsert(text, SPOT, ENTRY);
        expect(format.read(added, SPOT)).toEqual(ENTRY);
        expect(format.rest(added, SPOT)).toBe(format.rest(text, SPOT));
        // What is said by nothing, a file or a place, is not known again.
        const says = text.replace(/^\uFEFF/, '').trim();
        if (says !== '' && says !== '{}') {
          expect(format.remove(added, SPOT, !format.hasServers(text, SPOT))).toBe(text);
        }
        const replaced = format.upsert(added, SPOT, { name: 'lisp', url: 'http://127.0.0.1:1/mcp' });
        expect(format.rest(replaced, SPOT)).toBe(format.rest(text, SPOT));
      }),
      { numRuns: 200 },
    );
  });
});
