/** Configuration files as they are found in the world: all valid, each laid out in its own way. */

const SERVERS = {
  mcpServers: { files: { command: 'npx', args: ['-y', 'files'] }, git: { command: 'uvx' } },
  theme: 'dark',
};

export const CONFIG_SHAPES: Readonly<Record<string, string>> = {
  empty: '',
  'blank lines': '\n  \n',
  'only a byte order mark': '\uFEFF',
  'an empty object': '{}',
  'an empty object with a line break': '{\n}\n',
  'an empty object with blanks': '{ }',
  'empty servers': '{\n  "mcpServers": {}\n}\n',
  'empty servers, minified': '{"mcpServers":{},"a":1}',
  'empty servers over lines': '{\n  "mcpServers": {\n  },\n  "a": 1\n}',
  'without servers': '{\n  "globalShortcut": "",\n  "scale": 1.0\n}\n',
  'in two spaces': `${JSON.stringify(SERVERS, null, 2)}\n`,
  'in four spaces': `${JSON.stringify(SERVERS, null, 4)}\n`,
  'in tabs': `${JSON.stringify(SERVERS, null, '\t')}\n`,
  'without a final line break': JSON.stringify(SERVERS, null, 2),
  minified: JSON.stringify(SERVERS),
  'minified without servers': '{"a":[1,2,{"b":null}]}',
  'one spaced line': '{ "mcpServers": { "files": { "command": "npx" } }, "a": 1 }',
  'one server a line':
    '{\n  "mcpServers": {\n    "files": { "command": "npx" },\n    "git": { "command": "uvx" }\n  }\n}\n',
  'servers on one line': '{\n  "mcpServers": { "files": { "command": "npx" } },\n  "a": 1\n}\n',
  'without indentation': '{\n"a": 1,\n"mcpServers": {\n"x": {}\n}\n}\n',
  'oddly spaced': '\n\n{   "a"  :1 ,\n\n\n      "mcpServers":\n{"x" :{ }\n,\t"y":[ ] } }   \n\n',
  'in CRLF': `${JSON.stringify(SERVERS, null, 2)}\n`.replaceAll('\n', '\r\n'),
  'in CRLF with a byte order mark and tabs': `\uFEFF${JSON.stringify(SERVERS, null, '\t')}\n`.replaceAll(
    '\n',
    '\r\n',
  ),
  'an empty object in CRLF': '{\r\n}\r\n',
  'full of Unicode':
    '{\n  "naïve 🦊": {"\\u00e9\\ud83e\\udd8a": "\u2028 \\" \\\\ { } , :"},\n  "mcpServers": {"λ": {"command": "mcpServers"}}\n}\n',
  'with names twice elsewhere':
    '{\n  "a": 1,\n  "a": 2,\n  "mcpServers": {"x": {"k": 1, "k": 2}, "x": {}}\n}\n',
  'with our words elsewhere':
    '{"projects":{"/p":{"mcpServers":{"lisp":{"command":"other"}}}},"lisp":1,"x":{"lisp":{}}}',
  'deeply nested': `{"deep":${'[{"d":'.repeat(300)}0${'}]'.repeat(300)},"mcpServers":{"x":{}}}`,
  'with numbers no double can hold': '{"big": 12345678901234567890, "exact": 1.10, "exponent": 1E+2}',
};
