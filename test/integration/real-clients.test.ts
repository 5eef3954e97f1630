/** Programs that people connect, as they come from npm, with a started harbor: what they list, call and refuse. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import { ROOT, type StartedHarbor, temporaryFolder } from '../started-harbor';

let harbor: StartedHarbor;
/** Where the Inspector keeps what it knows, instead of the home folder. */
let home: string;

beforeAll(async () => {
  harbor = await sharedHarbor();
  home = temporaryFolder('inspector-home');
});
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await harbor.stop();
});

const STDIO = path.join(ROOT, 'out/electron/stdio.js');
const stdioArguments = () => [STDIO, '--data', harbor.data, '--project', harbor.project];

describe('the Inspector’s command line', () => {
  const INSPECTOR = path.join(
    ROOT,
    'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
  );
  const PRELOAD = path.join(ROOT, 'test/plain-arguments.ts');
  const bearer = () => ['--header', `Authorization: Bearer ${harbor.ready.token}`];
  const http = (era: string) => [
    ...['--server-url', harbor.ready.mcp, '--transport', 'http', '--protocol-era', era],
    ...bearer(),
  ];
  const SERVERS: readonly [string, () => string[]][] = [
    ['HTTP, 2025-11-25', () => http('legacy')],
    ['HTTP, 2026-07-28', () => http('modern')],
    ['stdio', () => ['-e', 'ELECTRON_RUN_AS_NODE=1', process.execPath, ...stdioArguments()]],
  ];

  /** Its exit code, and what it printed. */
  async function inspector(server: readonly string[], ...asked: string[]) {
    const args = ['--import', PRELOAD, INSPECTOR, '--cli', ...server, ...asked, '--format', 'json'];
    const child = spawn(process.execPath, args, {
      stdio: ['ignore', 'pipe', 'ignore'],
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', HOME: home },
    });
    const [printed, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    return { code, answer: printed.startsWith('{') ? JSON.parse(printed) : printed };
  }

  it.each(sampled('inspector', SERVERS, 2))(
    'lists, calls and fails over %s',
    { timeout: 120_000 },
    async (_way, server) => {
      const listed = await inspector(server(), '--method', 'tools/list', '--strict');
      expect(listed.code).toBe(0);
      const names = listed.answer.result.tools.map(({ name }: { name: string }) => name);
      expect(names).toContain('eval');
      const evaluate = (code: string) => [
        '--method',
        'tools/call',
        '--tool-name',
        'eval',
        '--tool-arg',
        `code=${code}`,
      ];
      const called = await inspector(server(), ...evaluate('(* 6 7)'));
      expect(called).toMatchObject({
        code: 0,
        answer: { result: { structuredContent: { forms: [{ values: ['42'] }] } } },
      });
      const failed = await inspector(server(), ...evaluate('(error "on purpose")'));
      expect(failed.code).toBe(5);
      const guides = await inspector(server(), '--method', 'resources/list');
      expect(guides).toMatchObject({ code: 0, answer: { result: { resources: expect.any(Array) } } });
    },
  );

  it('is told that it needs a token', async () => {
    const server = ['--server-url', harbor.ready.mcp, '--transport', 'http', '--stored-auth-only'];
    expect((await inspector(server, '--method', 'tools/list')).code).toBe(3);
  });
});

describe('the first line of the SDK, which most clients are made of,', () => {
  const TRANSPORTS: readonly [string, () => Transport][] = [
    ['HTTP', overHttp],
    [
      'stdio',
      () => new StdioClientTransport({ command: process.execPath, args: stdioArguments(), env: ELECTRON }),
    ],
  ];
  const ELECTRON = { ...(process.env as Record<string, string>), ELECTRON_RUN_AS_NODE: '1' };

  function overHttp(): Transport {
    const requestInit = { headers: { Authorization: `Bearer ${harbor.ready.token}` } };
    // The SDK's own types of it and of what it implements disagree under exactOptionalPropertyTypes.
    return new StreamableHTTPClientTransport(new URL(harbor.ready.mcp), { requestInit }) as Transport;
  }

  it.each(TRANSPORTS)('lists, calls and reads over %s', async (_way, transport) => {
    const client = new Client({ name: 'test', version: '1' });
    await client.connect(transport());
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain('eval');
    // It checks what is structured by the schema of the tool.
    const called = await client.callTool({ name: 'eval', arguments: { code: '(list 1 "two")' } });
    expect(called).toMatchObject({
      isError: false,
      structuredContent: { forms: [{ values: ['(1 "two")'] }] },
    });
    const { resources } = await client.listResources();
    const guide = await client.readResource({ uri: resources[0]?.uri ?? '' });
    expect(guide.contents).toHaveLength(1);
    await client.close();
  });
});
