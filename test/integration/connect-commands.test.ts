/** `lisp-harbor clients` beside a harbor that runs: what it writes is used as the program itself would. */
import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { unpackExtension } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { dataFolder } from '../../electron/host/data-folder';
import { type Ended, runCommand } from '../command-line';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

let harbor: StartedHarbor;
let home: string;

beforeAll(async () => {
  home = temporaryFolder('home');
  harbor = await StartedHarbor.start({ env: environment() });
}, 60_000);

afterAll(async () => {
  await harbor.stop();
  rmSync(home, { recursive: true, force: true });
});

/** What programs that are started get: their home, and this runtime to be the harbor's. */
const environment = () => ({
  HOME: home,
  XDG_CONFIG_HOME: path.join(home, '.config'),
  XDG_RUNTIME_DIR: home,
  ELECTRON_BIN: process.execPath,
});

const clients = (...words: string[]): Promise<Ended> =>
  runCommand(['clients', ...words, '--data', harbor.data], '', { cwd: harbor.project, env: environment() });

/** What a server says that is started so, to an MCP client. */
async function toolsBy({ command, args, env }: Entry): Promise<string[]> {
  const client = new Client({ name: 'test', version: '1' });
  const inherited = process.env as Record<string, string>;
  await client.connect(
    new StdioClientTransport({ command, args, env: { ...inherited, ...environment(), ...env } }),
  );
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name }) => name);
}

interface Entry {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

describe('clients doctor', () => {
  it('makes the handshake by the command in the file, and says what a model sees', async () => {
    expect((await clients('add', 'claude-code')).code).toBe(0);
    const { code, stdout } = await clients('doctor', 'claude-code');
    expect(stdout).toMatch(/runs .*stdio\.mjs.* --client claude-code/);
    expect(stdout).toMatch(/Its model sees \d+ tools in \d+ KB: .*\beval\b/);
    expect(code).toBe(0);
  });

  it('says what is wrong where the command is not there any more, and fails', async () => {
    const file = path.join(home, '.claude.json');
    const config = JSON.parse(readFileSync(file, 'utf8'));
    config.mcpServers.lisp.command = '/nowhere/node';
    writeFileSync(file, JSON.stringify(config));
    const { code, stdout, stderr } = await clients('doctor', 'claude-code');
    expect(stdout + stderr).toContain('command');
    expect(code).toBe(1);
    // Without a name it agrees with the list, also about an entry that somebody else wrote.
    config.mcpServers.lisp = { type: 'http', url: 'http://127.0.0.1:1/elsewhere' };
    writeFileSync(file, JSON.stringify(config));
    expect((await clients('list')).stdout).toMatch(/^claude-code +foreign/m);
    const all = await clients('doctor');
    expect([all.code, all.stdout + all.stderr]).toEqual([1, expect.stringContaining('Claude Code')]);
  });
});

describe('the file of a project', () => {
  it('gets the command and no token, is used from there, and goes again', async () => {
    const project = path.join(harbor.project, 'tides');
    mkdirSync(project);
    const added = await clients('add', 'cursor', '--project', project);
    expect(added.code, added.stderr).toBe(0);
    const file = path.join(project, '.cursor/mcp.json');
    const { lisp } = JSON.parse(readFileSync(file, 'utf8')).mcpServers as { lisp: Entry };
    expect(readFileSync(file, 'utf8')).not.toContain('lh_');
    expect(await toolsBy(lisp)).toContain('eval');
    expect((await clients('doctor', 'cursor', '--project', project)).stdout).toContain('Its model sees');
    expect((await clients('remove', 'cursor', '--project', project)).code).toBe(0);
    expect(existsSync(path.join(project, '.cursor'))).toBe(false);
  });

  it('is given no address, because its token would be everybody’s', async () => {
    const { code, stderr } = await clients('add', 'cursor', '--project', harbor.project, '--http');
    expect([code, stderr]).toEqual([1, expect.stringContaining('--http')]);
  });
});

describe('clients remove --all', () => {
  it('takes back every entry, as before the app is removed', async () => {
    expect((await clients('add', 'cursor')).code).toBe(0);
    expect((await clients('add', 'claude-desktop')).code).toBe(0);
    expect((await clients('remove')).code).toBe(2);
    expect((await clients('remove', 'cursor', '--all')).code).toBe(2);
    const removed = await clients('remove', '--all');
    expect(removed.code, removed.stderr).toBe(0);
    expect(existsSync(path.join(home, '.cursor/mcp.json'))).toBe(false);
    expect((await clients('remove', '--all')).stdout).toContain('No program');
  });
});

describe('a program without a file', () => {
  it('gets a snippet to paste by hand, with the command or with the address', async () => {
    const added = await clients('add', 'jetbrains-ai');
    expect([added.code, added.stderr]).toEqual([0, '']);
    const { lisp } = JSON.parse(added.stdout.slice(added.stdout.indexOf('{'))).mcpServers as { lisp: Entry };
    expect(await toolsBy(lisp)).toContain('eval');
    const { stdout } = await clients('add', 'jetbrains-ai', '--http');
    expect(stdout).toContain(harbor.ready.mcp);
    expect(stdout).toContain('lisp-harbor serve --issue-token jetbrains-ai');
  });
});

describe('clients bundle', () => {
  it('makes an extension that Anthropic’s tool takes apart, and whose server serves', async () => {
    const file = path.join(home, 'lisp-harbor.mcpb');
    const made = await clients('bundle', file);
    expect(made.code, made.stderr).toBe(0);
    const outputDir = path.join(home, 'extension');
    expect(await unpackExtension({ mcpbPath: file, outputDir, silent: true })).toBe(true);
    const manifest = JSON.parse(readFileSync(path.join(outputDir, 'manifest.json'), 'utf8'));
    expect(manifest).toMatchObject({ name: 'lisp-harbor', server: { entry_point: 'server/lisp-harbor' } });
    expect(statSync(path.join(outputDir, manifest.server.entry_point)).mode & 0o100).toBe(0o100);
    expect(await toolsBy(manifest.server.mcp_config)).toContain('eval');
  });
});

describe('the registry', () => {
  it('tells this user’s programs how the harbor is reached, and no secret', async () => {
    const file = path.join(home, 'lisp-harbor', path.basename(dataFolder(harbor.data).registry));
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(statSync(path.dirname(file)).mode & 0o777).toBe(0o700);
    const told = JSON.parse(readFileSync(file, 'utf8'));
    expect(told).toMatchObject({
      format: 1,
      kind: 'headless',
      dataFolder: harbor.data,
      mcp: harbor.ready.mcp,
      pid: harbor.ready.pid,
    });
    expect(readFileSync(file, 'utf8')).not.toMatch(/lh_|secret/i);
    expect(await toolsBy(told.stdio)).toContain('eval');
  });

  it('is gone when the harbor is', async () => {
    const file = path.join(home, 'lisp-harbor', path.basename(dataFolder(harbor.data).registry));
    await harbor.stop();
    expect(existsSync(file)).toBe(false);
  });
});
