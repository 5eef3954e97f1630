/** One entry into a configuration text and out again: every other byte stays, and what cannot be edited safely is refused. */
import { describe, expect, it } from 'vitest';
import { json } from '../../electron/connect/formats/json-format';
import { removeEntry, snippetOf, type Target, upsertEntry } from '../../electron/connect/merge';
import { HarborError } from '../../electron/contract/errors';
import { CONFIG_SHAPES } from './connect-shapes';

const ENTRY = { command: '/usr/bin/node', args: ['/opt/harbor/stdio.mjs', '--client', 'claude-desktop'] };
const TARGET: Target = {
  file: '/home/ada/config.json',
  keyPath: ['mcpServers'],
  name: 'lisp',
  format: json,
  isReplaceable: (entry) => JSON.stringify(entry).includes('stdio.mjs'),
};

function refusal(work: () => unknown): HarborError {
  try {
    work();
  } catch (error) {
    if (error instanceof HarborError) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

function parsed(text: string) {
  return JSON.parse(text.replace(/^\uFEFF/, ''));
}

describe.each(Object.entries(CONFIG_SHAPES))('a file that is %s', (_, text) => {
  const added = upsertEntry(text, TARGET, ENTRY);

  it('gets the entry and keeps all else as it was', () => {
    const before = text.trim() === '' ? {} : parsed(text);
    const { lisp, ...others } = parsed(added).mcpServers;
    expect(lisp).toEqual(ENTRY);
    expect(others).toEqual(before.mcpServers ?? {});
    expect({ ...parsed(added), mcpServers: null }).toEqual({ ...before, mcpServers: null });
    const order = Object.keys(before).filter((key) => key !== 'mcpServers');
    expect(Object.keys(parsed(added)).filter((key) => key !== 'mcpServers')).toEqual(order);
  });

  it('keeps its byte order mark, line ends and final line break', () => {
    expect(added.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'));
    if (text.includes('\r\n')) expect(added.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    else expect(added).not.toContain('\r');
    if (text.trim() !== '') expect(/\s*$/.exec(added)?.[0]).toBe(/\s*$/.exec(text)?.[0]);
  });

  it('is not changed by adding the same again', () => {
    expect(upsertEntry(added, TARGET, ENTRY)).toBe(added);
  });

  it('has its old tokens after the entry is cut out', () => {
    const madeServers = !json.hasServers(text, TARGET);
    const removed = removeEntry(added, TARGET, madeServers);
    expect(json.rest(removed, TARGET)).toBe(json.rest(text, TARGET));
    expect(parsed(removed)).toEqual(text.trim() === '' ? {} : parsed(text));
    // An insertion behind a sibling is cut out without a trace; only the blanks of empty objects are not known again.
    if (!/\{\s*\}/.test(text) && text.trim() !== '') expect(removed).toBe(text);
  });

  it('takes another command in the place of the old one', () => {
    const other = { command: '/new/node', args: ['/opt/harbor/stdio.mjs'] };
    const replaced = upsertEntry(added, TARGET, other);
    expect(parsed(replaced).mcpServers.lisp).toEqual(other);
    expect(upsertEntry(replaced, TARGET, ENTRY)).toBe(added);
  });
});

describe('the layout of what is added', () => {
  it('is that of its siblings', () => {
    const text = '{\n\t"mcpServers": {\n\t\t"a": {}\n\t}\n}\n';
    expect(upsertEntry(text, TARGET, { command: 'stdio.mjs', args: ['x'] })).toBe(
      '{\n\t"mcpServers": {\n\t\t"a": {},\n\t\t"lisp": {\n\t\t\t"command": "stdio.mjs",\n\t\t\t"args": [\n\t\t\t\t"x"\n\t\t\t]\n\t\t}\n\t}\n}\n',
    );
  });

  it('is one line in a minified file', () => {
    expect(upsertEntry('{"a":1}', TARGET, { command: 'stdio.mjs' })).toBe(
      '{"a":1,"mcpServers":{"lisp":{"command":"stdio.mjs"}}}',
    );
  });

  it('is a whole document for a person to paste', () => {
    expect(snippetOf(TARGET, { command: 'stdio.mjs' })).toBe(
      '{\n  "mcpServers": {\n    "lisp": {\n      "command": "stdio.mjs"\n    }\n  }\n}',
    );
  });
});

describe('removal', () => {
  it('keeps an empty mcpServers that was there before us', () => {
    const text = '{\n  "mcpServers": {}\n}\n';
    expect(removeEntry(upsertEntry(text, TARGET, ENTRY), TARGET, false)).toBe(text);
  });

  it('keeps servers that were added beside ours to an mcpServers that we made', () => {
    const text = '{\n  "mcpServers": {\n    "lisp": {"command": "stdio.mjs"},\n    "other": {}\n  }\n}\n';
    expect(removeEntry(text, TARGET, true)).toBe('{\n  "mcpServers": {\n    "other": {}\n  }\n}\n');
  });

  it('leaves a text without our entry alone', () => {
    expect(removeEntry('{"a" : 1}', TARGET, true)).toBe('{"a" : 1}');
  });
});

describe('refused, naming the file, the line and the column', () => {
  it.each([
    ['a trailing comma', '{\n  "a": 1,\n}\n', 'line 3, column 1'],
    ['a comment', '{\n  // mine\n  "a": 1\n}\n', 'line 2, column 3'],
    ['a missing brace', '{"a": 1', 'line 1, column 8'],
    ['a missing comma, CRLF', '{\r\n"a": 1\r\n"b": 2}', 'line 3, column 1'],
    ['something behind the end', '{}\n{}', 'line 2, column 1'],
    ['single quotes', "{'a': 1}", 'line 1, column 2'],
    ['a number that is none', '{"a": NaN}', 'line 1, column 7'],
    ['an array', '[]', 'line 1, column 1: the file is not an object'],
    ['a string', ' "x"', 'line 1, column 2: the file is not an object'],
    ['mcpServers as an array', '{"mcpServers": []}', 'line 1, column 16: "mcpServers" is not an object'],
    ['mcpServers as null', '{"mcpServers": null}', '"mcpServers" is not an object'],
    [
      'mcpServers twice',
      '{"mcpServers": {},\n "mcpServers": {}}',
      'line 2, column 2: "mcpServers" occurs twice',
    ],
    ['our entry twice', '{"mcpServers": {"lisp": 1, "lisp": 2}}', '"lisp" occurs twice'],
    ['nesting beyond reason', `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`, 'nested too deeply'],
  ])('%s', (_, text, message) => {
    for (const work of [() => upsertEntry(text, TARGET, ENTRY), () => removeEntry(text, TARGET, true)]) {
      const error = refusal(work);
      expect(error.code).toBe('config_unreadable');
      expect(error.message).toContain(TARGET.file);
      expect(error.message).toContain(message);
    }
  });

  it.each([
    ['another command', { command: 'npx', args: ['lisp-mcp'] }],
    ['a string', 'lisp'],
    ['null', null],
  ])('an entry of our name that is %s', (_, entry) => {
    const text = JSON.stringify({ mcpServers: { lisp: entry } });
    expect(refusal(() => upsertEntry(text, TARGET, ENTRY)).code).toBe('config_foreign');
    expect(refusal(() => removeEntry(text, TARGET, true)).code).toBe('config_foreign');
  });

  it('an edit by a format that touches more than the entry', () => {
    const clumsy = {
      ...json,
      upsert: (text: string, ...rest: [Target, object]) =>
        json.upsert(text, rest[0], { ...rest[1] }).replace('"a":1', '"a":2'),
    };
    const error = refusal(() => upsertEntry('{"a":1}', { ...TARGET, format: clumsy }, ENTRY));
    expect(error.message).toContain('without touching more than the entry');
  });
});

it('never makes a damaged file worse: text cut or changed anywhere is refused or still edited exactly', () => {
  const text =
    '{\n  "mcpServers": {\n    "a": {"command": "x\\u00e9", "args": [1, -2.5e3, true, null]}\n  },\n  "z": "é"\n}\n';
  let refused = 0;
  for (let at = 0; at < text.length; at += 1) {
    for (const change of ['', ',', '"', '}', '\\', '-', '1', '\u00a0', '\t']) {
      const damaged = text.slice(0, at) + change + text.slice(at + 1);
      try {
        const added = upsertEntry(damaged, TARGET, ENTRY);
        expect(JSON.parse(added).mcpServers.lisp).toEqual(ENTRY);
        expect(json.rest(added, TARGET)).toBe(json.rest(damaged, TARGET));
      } catch (error) {
        if (!(error instanceof HarborError)) throw error;
        refused += 1;
        const acceptable = isJson(damaged) && typeof JSON.parse(damaged).mcpServers === 'object';
        expect(acceptable, `refused though it is good: ${damaged}`).toBe(false);
      }
    }
  }
  expect(refused).toBeGreaterThan(100);
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
