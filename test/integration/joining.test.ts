/** How clients that start the stdio entry find the harbor of their data folder, whatever environment they run in. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { dataFolder } from '../../electron/host/data-folder';
import { lockOwner } from '../../electron/host/lock-owner';
import { RunningHarbor } from '../../electron/host/running-harbor';
import { ROOT, StartedHarbor, temporaryFolder } from '../started-harbor';
import { StdioLines } from '../stdio-client';

const cleanUp: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const clean of cleanUp.splice(0).toReversed()) await clean();
});

/** What an MCP client's SDK passes to the servers that it starts: nothing that tells of this session's folders. */
const BARE: NodeJS.ProcessEnv = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  ELECTRON_RUN_AS_NODE: '1',
  // A hidden start from a checkout runs on this very binary, and takes no port that others may want.
  ELECTRON_BIN: process.execPath,
  MCP_HTTP_PORT: '0',
};

/** A folder that goes with the test. */
function folder(name: string): string {
  const made = temporaryFolder(name);
  cleanUp.push(async () => rmSync(made, { recursive: true, force: true }));
  return made;
}

async function start(env: NodeJS.ProcessEnv): Promise<StartedHarbor> {
  const harbor = await StartedHarbor.start({ env });
  cleanUp.push(() => harbor.stop());
  return harbor;
}

function join(harbor: { data: string; project: string }, env: NodeJS.ProcessEnv): StdioLines {
  const client = new StdioLines(harbor, ['--engine', 'nbb'], { env });
  cleanUp.push(() => client.end());
  return client;
}

/** Folders in which no harbor runs yet; the one that is started there ends with the test. */
function empty(): { data: string; project: string } {
  const folders = { data: folder('data'), project: folder('project') };
  cleanUp.push(async () => RunningHarbor.of(dataFolder(folders.data))?.stop());
  return folders;
}

const holderOf = (data: string) => lockOwner(dataFolder(data).lock);

describe('a running harbor is joined', () => {
  it('that listens in XDG_RUNTIME_DIR, by a client that has none', async () => {
    const runtime = folder('runtime');
    const harbor = await start({ XDG_RUNTIME_DIR: runtime });
    expect(holderOf(harbor.data)?.socket).toContain(runtime);
    expect(await join(harbor, BARE).values('(+ 1 2)')).toEqual(['3']);
    expect(holderOf(harbor.data)?.pid).toBe(harbor.ready.pid);
  });

  it('that has no XDG_RUNTIME_DIR, by a client that has one', async () => {
    const harbor = await start({ XDG_RUNTIME_DIR: '', TMPDIR: folder('tmp') });
    const env = { ...BARE, XDG_RUNTIME_DIR: folder('runtime') };
    expect(await join(harbor, env).values('(+ 1 2)')).toEqual(['3']);
    expect(holderOf(harbor.data)?.pid).toBe(harbor.ready.pid);
  });

  it('by whoever asks it to end, and gets its answer', async () => {
    const harbor = await start({ XDG_RUNTIME_DIR: folder('runtime') });
    const ended = once(harbor.child, 'exit');
    expect(await RunningHarbor.of(dataFolder(harbor.data))?.stop()).toBe(true);
    expect(await ended).toEqual([0, null]);
  });

  it('by our own commands too', async () => {
    const harbor = await start({ XDG_RUNTIME_DIR: folder('runtime') });
    const script = path.join(ROOT, 'out/electron/serve.js');
    const args = [script, '--data', harbor.data, '--issue-token', 'codex'];
    const child = spawn(process.execPath, args, { env: BARE, stdio: ['ignore', 'pipe', 'inherit'] });
    const [token, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
    expect(code).toBe(0);
    const client = await harbor.client('modern', { token: token.trim() });
    expect((await client.listTools()).tools).not.toEqual([]);
  });
});

describe('where no harbor runs', () => {
  it('clients that come at the same moment start one, and all of them are served', async () => {
    const folders = empty();
    const clients = [join(folders, BARE), join(folders, BARE)];
    expect(await Promise.all(clients.map((client) => client.values('(+ 1 2)')))).toEqual([['3'], ['3']]);
    const { pid } = holderOf(folders.data) ?? {};
    expect(pid).toBeTypeOf('number');
    const page = await clients[0]?.ask({
      jsonrpc: '2.0',
      id: 'history',
      method: 'tools/call',
      params: { name: 'history', arguments: {} },
    });
    expect(page?.result?.structuredContent).toMatchObject({ rows: [{}, {}] });
  });

  it('the hidden one issues no token that nobody reads', async () => {
    const folders = empty();
    expect(await join(folders, BARE).values('(+ 1 2)')).toEqual(['3']);
    const { log, history } = dataFolder(folders.data);
    expect(readFileSync(path.join(log, 'start.log'), 'utf8')).not.toMatch(/token|"ready"/i);
    const database = new Sqlite(history, { readonly: true });
    expect(database.prepare('select * from tokens').all()).toEqual([]);
    database.close();
  });

  it('a program that was connected finds the data folder without the variable that named it', async () => {
    const home = folder('home');
    const env = { ...BARE, HOME: home, XDG_DATA_HOME: folder('xdg') };
    const args = [path.join(ROOT, 'out/electron/command-line.js'), 'clients', 'add', 'claude-code'];
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    expect(await once(child, 'exit')).toEqual([0, null]);
    const written = JSON.parse(readFileSync(path.join(home, '.claude.json'), 'utf8')) as unknown;
    expect(written).toMatchObject({
      mcpServers: {
        lisp: { args: expect.arrayContaining(['--data', path.join(env.XDG_DATA_HOME, 'lisp-harbor')]) },
      },
    });
  });

  it('a data folder that cannot be made is told at once, with exit 1', async () => {
    const script = path.join(ROOT, 'out/electron/stdio.js');
    const child = spawn(process.execPath, [script, '--data', '/proc/no-such/data'], {
      env: BARE,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(said).toMatch(/data folder \/proc\/no-such\/data cannot be used.*--data DIR/);
    expect(code).toBe(1);
  });
});

describe('an option that there is not', () => {
  it('is refused by name with exit 2, Electron run as Node included', async () => {
    const script = path.join(ROOT, 'out/electron/stdio.js');
    const child = spawn(process.execPath, [script, '--clinet', 'x'], {
      env: BARE,
      stdio: ['pipe', 'ignore', 'pipe'],
    });
    const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
    expect(said).toContain('--clinet');
    expect(code).toBe(2);
  });
});
