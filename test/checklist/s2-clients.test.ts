/** Rows about the programs that agents run in: what is written into their configuration starts a server that answers. */
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { call, values } from '../evaluation';
import { ROOT, StartedHarbor, temporaryFolder, WAYS } from '../started-harbor';

const Entry = z.object({
  command: z.string(),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()).default({}),
});

let harbor: StartedHarbor;
let home: string;

beforeAll(async () => {
  home = temporaryFolder('clients-home');
  // It writes the configuration, wherever its own person's home is.
  harbor = await StartedHarbor.start({ env: { HOME: home, XDG_CONFIG_HOME: undefined } });
});
afterAll(async () => {
  rmSync(home, { recursive: true, force: true });
  await harbor.stop();
});

it.each([
  ['claude-desktop', '.config/Claude', 'claude_desktop_config.json', 'mcpServers'],
  ['vscode', '.config/Code/User', 'mcp.json', 'servers'],
])('S2-2 writes an entry for %s that works', async (name, folder, file, key) => {
  mkdirSync(path.join(home, folder), { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, ELECTRON_RUN_AS_NODE: '1' };
  const commands = path.join(ROOT, 'out/electron/command-line.js');
  await promisify(execFile)(process.execPath, [commands, 'clients', 'add', name, '--data', harbor.data], {
    env,
  });
  const config = JSON.parse(readFileSync(path.join(home, folder, file), 'utf8'));
  const entry = Entry.parse(config[key].lisp);
  const client = new Client({ name, version: '1' });
  await client.connect(
    new StdioClientTransport({ ...entry, env: { ...env, ...entry.env } as Record<string, string> }),
  );
  onTestFinished(() => client.close());
  expect(await values(client, '(+ 1 2)')).toEqual(['3']);
});

it.each(WAYS)('S2-12 asks one policy in every tool that reads or writes files, over %s', async (way) => {
  const outside = temporaryFolder('outside');
  onTestFinished(() => rmSync(outside, { recursive: true, force: true }));
  const file = path.join(outside, 'a.lisp');
  writeFileSync(file, '(defun a () 1)\n');
  const client = await harbor.over(way);
  const asked: [string, Record<string, unknown>][] = [
    ['read_file', { path: file }],
    ['write_file', { path: file, content: '' }],
    ['edit_form', { path: file, operation: 'delete', form_type: 'defun', form_name: 'a' }],
    ['find', { kind: 'text', query: 'defun', path: file }],
  ];
  for (const [tool, args] of asked) {
    const { isError, text } = await call(client, tool, args);
    expect([tool, isError, text]).toEqual([
      tool,
      true,
      expect.stringContaining(`path_not_allowed: ${file} `),
    ]);
  }
});
