/** What configurations for other servers name, from resources/compat, run as a client would run it. */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { type Ended, endOf } from '../command-line';
import { call, values } from '../evaluation';
import { freePort } from '../free-port';
import { initialize } from '../integration/endpoint-messages';
import { ROOT, StartedHarbor, temporaryFolder } from '../started-harbor';
import { StdioLines } from '../stdio-client';

/** The first evaluation may have to build what images start from. */
const PATIENTLY = { timeout: 120_000 };

const COMPAT = path.join(ROOT, 'resources/compat');
const file = (name: string) => path.join(COMPAT, name);

let harbor: StartedHarbor;
/** The Node of these tests starts the bridge. */
const env = { ...process.env, ELECTRON_RUN_AS_NODE: '1', LISP_HARBOR_NODE: process.execPath };

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--tcp-port', '0'] });
});
afterAll(() => harbor.stop());

/** Options of `sbcl` that make it forget what the person's own files say, and not greet. */
const PLAIN = ['--noinform', '--no-sysinit', '--no-userinit'];

async function clientOf(command: string, args: string[]): Promise<Client> {
  const client = new Client({ name: 'compat', version: '1' });
  await client.connect(new StdioClientTransport({ command, args, env: env as Record<string, string> }));
  onTestFinished(() => client.close());
  return client;
}

const own = () => ['--data', harbor.data, '--project', harbor.project];

describe('cl-mcp-server', PATIENTLY, () => {
  it('S1-12 has an executable launcher that answers, and ends with 0 at the end of stdin', async () => {
    const lines = new StdioLines(harbor, [], { command: [file('run-server.lisp')], env });
    expect((await lines.initialize()).result).toMatchObject({ protocolVersion: '2025-11-25' });
    const params = { name: 'evaluate-lisp', arguments: { code: '(+ 1 2 3)' } };
    const answer = await lines.ask({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    expect(answer.result?.content).toMatchObject([{ text: expect.stringContaining('=> 6') }]);
    expect(await lines.end()).toBe(0);
    expect(lines.received).toEqual([]);
    // It was the harbor of the options that answered.
    const { structured } = await call<{ rows: { code: string }[] }>(await harbor.client(), 'history', {});
    expect(structured.rows.map(({ code }) => code)).toContain('(+ 1 2 3)');
  });

  it.each(['--load', '--script'])('S1-12 has a launcher that sbcl %s runs', async (how) => {
    const launch = how === '--load' ? [...PLAIN, how] : [how];
    const { tools } = await (
      await clientOf('sbcl', [...launch, file('run-server.lisp'), ...own()])
    ).listTools();
    expect(tools.map(({ name }) => name)).toContain('evaluate-lisp');
  });

  it('S1-12 starts from its file alone as well', async () => {
    const options = own()
      .map((option) => `"${option}"`)
      .join(' ');
    const start = ['--load', file('cl-mcp-server.lisp'), '--eval', `(cl-mcp-server:start ${options})`];
    const { tools } = await (await clientOf('sbcl', [...PLAIN, ...start])).listTools();
    expect(tools.map(({ name }) => name)).toContain('evaluate-lisp');
  });

  it('S1-57 is a system whose start serves, from a command line that a person gives', async () => {
    const source = `(push #p"${COMPAT}/" asdf:*central-registry*)`;
    const options = own()
      .map((option) => `"${option}"`)
      .join(' ');
    const forms = [
      '(require "asdf")',
      source,
      '(let ((*standard-output* *error-output*)) (asdf:load-system "cl-mcp-server"))',
    ];
    const evals = [...forms, `(cl-mcp-server:start ${options})`].flatMap((form) => ['--eval', form]);
    const client = await clientOf('sbcl', [...PLAIN, ...evals]);
    const { content } = await client.callTool({ name: 'evaluate-lisp', arguments: { code: '(list 4 2)' } });
    expect(content).toMatchObject([{ text: expect.stringContaining('=> (4 2)') }]);
  });

  it('S1-57 S2-55 is loaded in an image from a folder of local projects', async () => {
    const project = temporaryFolder('project');
    onTestFinished(() => rmSync(project, { recursive: true, force: true }));
    const local = path.join(project, 'local-projects/cl-mcp-server');
    mkdirSync(path.dirname(local), { recursive: true });
    cpSync(COMPAT, local, { recursive: true });
    const other = await StartedHarbor.start({ project });
    onTestFinished(async () => void (await other.stop()));
    const client = await other.client();
    const { structured, text } = await call(client, 'load', { system: 'cl-mcp-server' });
    expect(structured, text).toMatchObject({ outcome: 'ok' });
    expect(await values(client, '(fboundp (find-symbol "START" :cl-mcp-server))')).not.toEqual(['NIL']);
  });
});

/** What the bridge in Python says to `input`, and how it ends. */
async function bridged(input: string, port = harbor.ready.tcp): Promise<Ended> {
  const args = [file('stdio_tcp_bridge.py'), '--host', '127.0.0.1', '--port', String(port)];
  const child = spawn('python3', args, { stdio: ['pipe', 'pipe', 'pipe'] });
  return endOf(child, input);
}

describe('stdio_tcp_bridge.py', PATIENTLY, () => {
  it('S2-54 carries lines both ways for a client', async () => {
    const port = String(harbor.ready.tcp);
    const client = await clientOf('python3', [
      file('stdio_tcp_bridge.py'),
      '--host',
      '127.0.0.1',
      '--port',
      port,
    ]);
    expect(await values(client, '(list "λ" (+ 1 2))')).toEqual(['("λ" 3)']);
    const imports = readFileSync(file('stdio_tcp_bridge.py'), 'utf8').match(/^(?:import|from) \w+/gm);
    const standard = ['argparse', 'json', 'socket', 'sys', 'threading'];
    expect(imports).toEqual(standard.map((name) => `import ${name}`));
  });

  it('S2-54 waits at the end of stdin for the answers that are due, and exits with 0', async () => {
    const params = { name: 'eval', arguments: { code: '(progn (sleep 1) 42)' } };
    const request = { jsonrpc: '2.0', id: 'late', method: 'tools/call', params };
    const { code, stdout } = await bridged(`${initialize(1)}\n${JSON.stringify(request)}\n`);
    const answers = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(answers.map(({ id }) => id)).toEqual([1, 'late']);
    expect(answers[1].result.structuredContent.forms).toEqual([{ values: ['42'] }]);
    expect(code).toBe(0);
  });

  it('S2-54 says that nobody listens', async () => {
    const none = await bridged('', await freePort());
    expect(none).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^No server at 127\.0\.0\.1:/),
    });
  });
});
