/** How each program is told of the harbor, and how that is known again. */
import { describe, expect, it } from 'vitest';
import { CLIENT_PROGRAMS, programNamed as program } from '../../electron/connect/programs/table';
import { additionsTo, reachesSame, resemblesOwn, transportIn } from '../../electron/connect/transport';

const COMMAND = { command: '/bin/x', args: ['--mcp-stdio', '--client', 'x'], env: {} };
const ADDRESS = { url: 'http://127.0.0.1:4617/mcp', token: `lh_${'a'.repeat(43)}` };

it.each([
  ['cursor', { command: '/bin/x', args: COMMAND.args }, { url: ADDRESS.url, headers: bearer() }],
  ['windsurf', { command: '/bin/x', args: COMMAND.args }, { serverUrl: ADDRESS.url, headers: bearer() }],
  [
    'zed',
    { source: 'custom', command: '/bin/x', args: COMMAND.args },
    { url: ADDRESS.url, headers: bearer() },
  ],
  ['codex', { command: '/bin/x', args: COMMAND.args }, { url: ADDRESS.url, http_headers: bearer() }],
  ['gemini-cli', { command: '/bin/x', args: COMMAND.args }, { httpUrl: ADDRESS.url, headers: bearer() }],
  [
    'continue',
    { name: 'lisp', type: 'stdio', command: '/bin/x', args: COMMAND.args },
    { name: 'lisp', type: 'streamable-http', url: ADDRESS.url, requestOptions: { headers: bearer() } },
  ],
  [
    'cline',
    { transport: { type: 'stdio', command: '/bin/x', args: COMMAND.args } },
    { transport: { type: 'streamableHttp', url: ADDRESS.url, headers: bearer() } },
  ],
  [
    'cline-vscode',
    { command: '/bin/x', args: COMMAND.args, disabled: false },
    { type: 'streamableHttp', url: ADDRESS.url, headers: bearer(), disabled: false },
  ],
  [
    'opencode',
    { type: 'local', command: ['/bin/x', ...COMMAND.args], enabled: true },
    { type: 'remote', url: ADDRESS.url, headers: bearer(), enabled: true },
  ],
  [
    'goose',
    { name: 'lisp', type: 'stdio', cmd: '/bin/x', args: COMMAND.args, envs: {}, enabled: true, timeout: 300 },
    {
      ...{ name: 'lisp', type: 'streamable_http', uri: ADDRESS.url, headers: bearer(), envs: {} },
      ...{ enabled: true, timeout: 300 },
    },
  ],
  [
    'copilot-cli',
    { type: 'local', command: '/bin/x', args: COMMAND.args, tools: ['*'] },
    { type: 'http', url: ADDRESS.url, headers: bearer(), tools: ['*'] },
  ],
  [
    'crush',
    { type: 'stdio', command: '/bin/x', args: COMMAND.args },
    { type: 'http', url: ADDRESS.url, headers: bearer() },
  ],
])('%s is told in its own notation', (name, stdio, http) => {
  const { notation } = program(name);
  expect(notation.stdio(COMMAND)).toEqual(stdio);
  expect(notation.http?.(ADDRESS)).toEqual(http);
});

function bearer() {
  return { Authorization: `Bearer ${ADDRESS.token}` };
}

describe.each(CLIENT_PROGRAMS)('an entry of $name', ({ name, notation }) => {
  it.each([{}, { LISP_HOME: '/l' }])('is known again, with the environment %j', (env) => {
    const command = { command: '/bin/x', args: ['--mcp-stdio', '--client', name], env };
    const back = transportIn(JSON.parse(JSON.stringify(notation.stdio(command))));
    // Autolith gives a server only variables of its own environment, by their names.
    const written = name === 'autolith' ? { ...command, env: {} } : command;
    expect(back).toEqual({ kind: 'stdio', ...written });
    expect(resemblesOwn(back, name)).toBe(true);
    expect(resemblesOwn(back, 'another')).toBe(false);
  });

  it('differs from what was written in every member that was added, changed or removed', () => {
    const written = notation.stdio(COMMAND);
    expect(additionsTo(written, written)).toEqual([]);
    expect(additionsTo(written, { env: {}, tools: [], ...written })).toEqual([]);
    expect(additionsTo(written, { ...written, mine: ['a'] })).toEqual(['mine']);
    for (const key of Object.keys(written)) {
      expect(additionsTo(written, { ...written, [key]: 'other' })).toEqual([key]);
      const { [key]: removed, ...rest } = written;
      const isEmpty = JSON.stringify(removed) === '{}';
      expect(additionsTo(written, rest)).toEqual(isEmpty ? [] : [key]);
    }
  });

  it('with an address is known again, where it takes one', () => {
    if (!notation.http) return expect(['claude-desktop', 'autolith']).toContain(name);
    const back = transportIn(JSON.parse(JSON.stringify(notation.http?.(ADDRESS))));
    expect(back).toEqual({ kind: 'http', ...ADDRESS });
    expect(resemblesOwn(back, name)).toBe(true);
  });
});

describe('an entry', () => {
  it.each([
    [null],
    ['x'],
    [[]],
    [{}],
    [{ command: 1 }],
    [{ command: 'x', args: 'y' }],
    [{ transport: 'sse' }],
  ])('is not seen in %j', (entry) => expect(transportIn(entry)).toBeUndefined());

  it.each([
    ['http://example.org/mcp', ADDRESS.token],
    ['http://127.0.0.1:4617/sse', ADDRESS.token],
    [ADDRESS.url, 'sk_other'],
    [ADDRESS.url, ''],
  ])('of %s with the token %s is not ours', (url, token) => {
    expect(resemblesOwn({ kind: 'http', url, token }, 'cursor')).toBe(false);
  });

  it('reaches what is wanted with exactly its environment', () => {
    const wanted = { kind: 'stdio' as const, ...COMMAND };
    expect(reachesSame({ ...wanted }, wanted)).toBe(true);
    expect(reachesSame({ ...wanted, env: { MINE: '1' } }, wanted)).toBe(false);
    expect(reachesSame({ ...wanted, args: [] }, wanted)).toBe(false);
    expect(reachesSame(wanted, { ...wanted, env: { OURS: '1' } })).toBe(false);
  });
});

describe('a link', () => {
  it.each([
    ['cursor', 'cursor://anysphere.cursor-deeplink/mcp/install?name=lisp&config='],
    ['lm-studio', 'lmstudio://add_mcp?name=lisp&config='],
  ])('of %s holds the entry', (name, beginning) => {
    const link = program(name).link?.(program(name).notation.stdio(COMMAND)) ?? '';
    expect(link.startsWith(beginning)).toBe(true);
    const config = new URL(link).searchParams.get('config') ?? '';
    expect(JSON.parse(Buffer.from(config, 'base64').toString())).toEqual(
      program(name).notation.stdio(COMMAND),
    );
  });

  it('of VS Code holds its name as well', () => {
    const link = program('vscode').link?.(program('vscode').notation.stdio(COMMAND)) ?? '';
    const [, query = ''] = link.split('vscode:mcp/install?');
    expect(JSON.parse(decodeURIComponent(query))).toEqual({
      name: 'lisp',
      type: 'stdio',
      ...{ command: '/bin/x', args: COMMAND.args },
    });
  });
});
