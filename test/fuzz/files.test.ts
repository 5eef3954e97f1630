/** Files that people and other programs write as well: settings, configurations, archives, what Linux tells in text. */
import { crc32, deflateRawSync } from 'node:zlib';
import { expect } from 'vitest';
import { json } from '../../electron/connect/formats/json-format';
import { readEntry, removeEntry, type Target, upsertEntry } from '../../electron/connect/merge';
import { HarborError } from '../../electron/contract/errors';
import { Settings } from '../../electron/contract/settings';
import { settingsIn, textOf } from '../../electron/host/settings-file';
import { JsonProblem, parseStrictJson } from '../../electron/host/strict-json';
import { ownGroups } from '../../electron/launchers/control-group';
import { jarEntries, jarFile, pathInJar } from '../../electron/source/jar';
import { bytesOf, textOf as sourceTextOf } from '../../electron/source/text';
import { fuzzText } from './parser';

const CONFIGURATION = {
  seeds: [
    '{\n  "mcpServers": {\n    "other": {"command": "x", "args": []},\n    "lisp": {\n      "command": "lisp-harbor",\n      "args": ["--mcp-stdio"]\n    }\n  },\n  "theme": "dark"\r\n}\n',
    '\ufeff{"mcpServers":{"lisp":{"command":"a"}},"n":[1,-2.5e3,null,true]}',
    '{}',
    '{\n\t"mcpServers": {}\n}',
    '',
  ],
  tokens: [
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"mcpServers":',
    '"lisp":',
    '"a":1,',
    '// c\n',
    '/* c */',
    '\\u0000',
    '01',
    '"__proto__":{"a":1}',
    '\t',
  ],
};

fuzzText({
  ...CONFIGURATION,
  name: 'strict JSON',
  read: parseStrictJson,
  refuses: (error) => error instanceof JsonProblem,
  holds: (root, text) => {
    if (root === undefined) expect(text.trim()).toBe('');
    else expect(() => JSON.parse(text)).not.toThrow();
  },
});

const ENTRY = { command: 'lisp-harbor', args: ['--mcp-stdio', '--client', 'x'] };
const TARGET: Target = {
  file: 'config.json',
  keyPath: ['mcpServers'],
  name: 'lisp',
  format: json,
  isReplaceable: () => true,
};

fuzzText({
  ...CONFIGURATION,
  name: 'the configuration of another program',
  read: (text) => ({
    text,
    added: upsertEntry(text, TARGET, ENTRY),
    removed: removeEntry(text, TARGET, false),
  }),
  refuses: (error) => error instanceof HarborError && error.code === 'config_unreadable',
  holds: ({ text, added, removed }) => {
    expect(readEntry(added, TARGET)).toEqual(ENTRY);
    expect(readEntry(removed, TARGET)).toBeUndefined();
    if (text.trim() === '' || text === '\ufeff') return;
    const [others, without] = [added, removeEntry(added, TARGET, false)].map((each) =>
      json.rest(each, TARGET),
    );
    expect([others, without]).toEqual([json.rest(text, TARGET), json.rest(text, TARGET)]);
  },
});

fuzzText({
  name: 'the settings file',
  seeds: [
    `${JSON.stringify(Settings.parse({}), null, 2)}\n`,
    '{"port": 1, "prot": 2, "servers": [{"kind": "nrepl", "host": "127.0.0.1", "port": 7888}], "allow": {"x": 1}}',
  ],
  tokens: [
    '{',
    '}',
    '[',
    ']',
    ',',
    '"port": 7888,',
    '"servers": ',
    '"a":1,',
    '"__proto__": {"port": 1},',
    '"\\ud800":1,',
    '01',
    'null',
  ],
  read: (text) => ({ read: settingsIn(text), written: textOf(Settings.parse({}), text) }),
  refuses: (error) => error instanceof Error && /^line \d+, column \d+: /.test(error.message),
  holds: ({ read, written }) => {
    expect(() => Settings.parse(read.given)).not.toThrow();
    expect(() => settingsIn(written)).not.toThrow();
    expect(Object.prototype).not.toHaveProperty('port');
  },
});

/** An archive of two files, one of them packed. */
function jar(): string {
  const files = [
    { name: 'a/core.clj', data: Buffer.from('(ns a.core)'), method: 0 },
    { name: 'a/more.clj', data: Buffer.from('(def b 1)'.repeat(9)), method: 8 },
  ];
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, data, method } of files) {
    const packed = method === 0 ? data : deflateRawSync(data);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(method, 4);
    facts.writeUInt32LE(crc32(data), 10);
    facts.writeUInt32LE(packed.length, 14);
    facts.writeUInt32LE(data.length, 18);
    facts.writeUInt16LE(name.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), facts, Buffer.from(name), packed]);
    directory.push(Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), facts, place, Buffer.from(name)]));
    locals.push(local);
    offset += local.length;
  }
  const end = Buffer.alloc(18);
  end.writeUInt16LE(files.length, 6);
  end.writeUInt32LE(offset, 12);
  return Buffer.concat([...locals, ...directory, Buffer.from('PK\x05\x06'), end]).toString('latin1');
}

fuzzText({
  name: 'a jar',
  seeds: [jar()],
  tokens: ['PK\x03\x04', 'PK\x01\x02', 'PK\x05\x06', '\xff\xff', '\0\0'],
  read: (text) => {
    const bytes = Buffer.from(text, 'latin1');
    return jarEntries(bytes).map((entry) => jarFile(bytes, entry)?.length ?? null);
  },
  holds: (files) => expect(files.every((size) => size === null || size >= 0)).toBe(true),
});

fuzzText({
  name: 'a path in a jar',
  slow: [{ before: '', again: 'a.jar!/', after: '\n' }],
  seeds: ['lib/clojure.jar!/clojure/core.clj', 'jar:file:/a/b.jar!/c.clj'],
  tokens: ['.jar!/', 'jar:file:', '/', '\n'],
  read: pathInJar,
});

fuzzText({
  name: 'the bytes of a source file',
  seeds: ['(def a "λ")\r\n', '\xef\xbb\xbf(a)', 'caf\xe9'],
  tokens: ['\xff', '\xc3', '\0', '\xed\xa0\x80'],
  read: (text) => {
    const bytes = Buffer.from(text, 'latin1');
    const read = sourceTextOf(bytes);
    return { bytes, again: read && Buffer.from(bytesOf(read)) };
  },
  holds: ({ bytes, again }) => {
    if (again !== null) expect(again).toEqual(bytes);
  },
});

fuzzText({
  name: 'control groups as Linux tells them',
  seeds: [
    '4:memory:/x\n6:cpu,cpuacct:/\n0::/user.slice\n\x0035 31 0:32 / /sys/fs/cgroup/memory rw,relatime shared:9 - cgroup cgroup rw,memory\n36 31 0:33 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n',
  ],
  tokens: ['\n', ':', ',', ' - ', '\\040', '/..', 'memory'],
  read: (text) => {
    const [memberships = '', ...mounts] = text.split('\0');
    return ownGroups(memberships, mounts.join(''));
  },
});
