/** What programs with a model are sent, and what everybody else: by the name that a program gives, over real HTTP in both eras. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { MODEL_CLIENTS, modelClientNamed } from '../../electron/endpoints/mcp/model-clients';
import { PROGRAMS } from '../clients/programs';
import { type HttpFixture, httpFixture } from './endpoint-fixture';
import { ask, modern, modernMeta } from './endpoint-messages';

let harbor: HttpFixture;

beforeAll(async () => {
  harbor = await httpFixture();
});

afterAll(() => harbor.close());

async function client(name: string, mode: 'legacy' | { pin: string }): Promise<Client> {
  const opened = new Client({ name, version: '1' }, { versionNegotiation: { mode } });
  const requestInit = { headers: { authorization: 'Bearer token-a' } };
  await opened.connect(new StreamableHTTPClientTransport(new URL(harbor.url), { requestInit }));
  onTestFinished(() => opened.close());
  return opened;
}

const ECHO = { name: 'echo', arguments: { text: 'so' } };
const ERAS = [
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const;

describe.each(ERAS)('in %s', (_version, mode) => {
  it('a program with a model is sent the text alone, and told of no output schema', async () => {
    const model = await client('claude-code', mode);
    const called = await model.callTool(ECHO);
    expect(called).toMatchObject({ content: [{ type: 'text', text: 'so' }], isError: false });
    expect(called).not.toHaveProperty('structuredContent');
    for (const tool of (await model.listTools()).tools) expect(tool).not.toHaveProperty('outputSchema');
  });

  it('everybody else is sent the data as well', async () => {
    const program = await client('a-script', mode);
    expect(await program.callTool(ECHO)).toMatchObject({
      content: [{ type: 'text', text: 'so' }],
      structuredContent: { text: 'so' },
    });
    for (const tool of (await program.listTools()).tools) expect(tool).toHaveProperty('outputSchema');
  });
});

it('who gives no name is sent the data as well', async () => {
  expect((await ask(harbor.port, modern(1, 'tools/call', ECHO))).json.result).toHaveProperty(
    'structuredContent',
  );
});

it('where the tools of all servers stand in one list, ours have a name of their own', async () => {
  const mixing = await client('continue-cli-client', 'legacy');
  const { tools } = await mixing.listTools();
  expect(tools.map(({ name }) => name)).toContain('lisp_echo');
  expect(tools.every(({ name }) => name.startsWith('lisp_'))).toBe(true);
  for (const name of ['lisp_echo', 'echo'])
    expect(await mixing.callTool({ ...ECHO, name })).toMatchObject({ content: [{ text: 'so' }] });
  await expect(
    (await client('claude-code', 'legacy')).callTool({ ...ECHO, name: 'lisp_echo' }),
  ).rejects.toThrow(/Unknown tool: lisp_echo/);
});

it('a request says for itself who sent it', async () => {
  const clientInfo = { 'io.modelcontextprotocol/clientInfo': { name: 'codex-mcp-client', version: '1' } };
  const asked = modern(2, 'tools/call', { ...ECHO, _meta: modernMeta(clientInfo) });
  expect((await ask(harbor.port, asked)).json.result).not.toHaveProperty('structuredContent');
});

it.each([
  ['qwen-cli-mcp-client-lisp', 'Qwen Code'],
  ['Visual Studio Code - Insiders', 'VS Code'],
  ['claude-ai (via mcp-remote 0.1.37)', 'Claude Desktop'],
  ['claude-code-proxy', undefined],
  ['ai-sdk-mcp-client', undefined],
  ['', undefined],
])('%j is %s', (name, program) => {
  expect(modelClientNamed(name)?.program).toBe(program);
});

it('every program that was looked at is run by test/clients', () => {
  const looked = MODEL_CLIENTS.filter(({ seen }) => seen !== undefined).map(({ program }) => program);
  expect(PROGRAMS.flatMap(({ program }) => program ?? []).sort()).toEqual(looked.sort());
});
