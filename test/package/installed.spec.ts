/** What the package promises to somebody who has installed it and is nobody: commands, clients, the window, the tray. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect } from '@playwright/test';
import { test } from '../e2e/fixture';
import { show } from '../e2e/steps';
import { TrayHost } from '../e2e/tray-host';
import { call } from '../evaluation';
import { openInstalled } from './installed-window';
import { Nobody } from './nobody';
import { APP, COMMAND, ensureInstalled, FOLDER } from './package-files';
import { Root } from './root';

test.describe.configure({ mode: 'serial' });

let nobody: Nobody;

test.beforeAll(async () => {
  ensureInstalled();
  nobody = await Nobody.take();
});

test.afterAll(() => {
  nobody.say(COMMAND, 'stop', '--data', nobody.data);
  nobody.end();
});

test('a command evaluates in a harbor that it starts, without a display', () => {
  expect(nobody.say(COMMAND, 'eval', '(+ 1 2)', '--data', nobody.data)).toContain('=> 3');
  expect(nobody.say(COMMAND, 'eval', '(* 6 7)', '--data', nobody.data)).toContain('42');
});

test('each engine that the app brings code for finds it beside the archive', () => {
  for (const engine of ['sbcl', 'nbb', 'clojure']) {
    const said = nobody.say(
      ...[
        COMMAND,
        'eval',
        '(+ 20 22)',
        '--engine',
        engine,
        '--session',
        `on-${engine}`,
        '--data',
        nobody.data,
      ],
    );
    expect(said, engine).toContain('=> 42');
  }
  const proved = nobody.say(
    ...[COMMAND, 'eval', '(thm (equal (car (cons x y)) x))', '--engine', 'acl2', '--session', 'on-acl2'],
    ...['--data', nobody.data],
  );
  expect(proved).toContain('proved');
});

test('an MCP client evaluates through the command that its configuration names', async () => {
  nobody.say(COMMAND, 'clients', 'add', 'claude-desktop', '--data', nobody.data);
  const file = `${nobody.folder}/.config/Claude/claude_desktop_config.json`;
  const { lisp } = (JSON.parse(readFileSync(file, 'utf8')) as { mcpServers: { lisp: Entry } }).mcpServers;
  const [command, ...before] = nobody.command(lisp.command);
  const transport = new StdioClientTransport({
    command,
    args: [...before, ...lisp.args],
    env: { ...(nobody.env as Record<string, string>), ...lisp.env },
    cwd: nobody.project,
  });
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(transport);
  expect((await call(client, 'eval', { code: '(lisp-implementation-type)' })).text).toContain('SBCL');
  await client.close();
  nobody.say(COMMAND, 'clients', 'remove', 'claude-desktop', '--data', nobody.data);
  expect(existsSync(file)).toBe(false);
});

interface Entry {
  command: string;
  args: string[];
  env?: Record<string, string>;
}

test('the window opens inside Chromium’s own sandbox and shows what was evaluated', async () => {
  nobody.say(COMMAND, 'stop', '--data', nobody.data);
  const { page, end } = await openInstalled(nobody, nobody);
  await expect(page.getByRole('heading', { level: 1, name: 'Home' })).toBeVisible();
  const drawing = pageProcesses();
  expect(drawing.length).toBeGreaterThan(0);
  expect(drawing.every(isFiltered)).toBe(true);
  expect(nobody.say(COMMAND, 'eval', '(+ 2 2)', '--data', nobody.data)).toContain('4');
  await show(page, 'History');
  await expect(page.getByText('(lisp-implementation-type)').first()).toBeVisible();
  await end();
});

test('its icon is in the tray, and a second start brings the window of the first to the front', async () => {
  const root = new Root();
  const tray = await TrayHost.start();
  const { page, end } = await openInstalled(root, root);
  await expect.poll(() => tray.icons).toBe(1);
  await expect.poll(async () => (await tray.entries()).map(({ label }) => label)).toContain('Show window');
  await show(page, 'Sessions');
  root.say(APP, '--password-store=basic', '--data', root.data, 'lisp-harbor://history/1');
  await expect(page.getByRole('heading', { level: 1, name: 'History' })).toBeVisible();
  await end();
  tray.stop();
  root.end();
});

/** The processes that draw the pages of this app, by their ids. */
function pageProcesses(): string[] {
  return readdirSync('/proc').filter((pid) => {
    if (!/^\d+$/.test(pid) || !existsSync(`/proc/${pid}/cmdline`)) return false;
    const words = readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return words.includes('--type=renderer') && words.startsWith(`${FOLDER}/`);
  });
}

/** Whether the kernel filters its system calls: Chromium's sandbox stands. */
function isFiltered(pid: string): boolean {
  return /^Seccomp:\s*2$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
}

test('shells and man(1) know the command', () => {
  const completed = execFileSync('bash', [
    '-c',
    'source /usr/share/bash-completion/completions/lisp-harbor; COMP_WORDS=(lisp-harbor hea); COMP_CWORD=1; _lisp_harbor; echo "$COMPREPLY"',
  ]);
  expect(completed.toString().trim()).toBe('health-check');
  expect(readFileSync('/usr/share/man/man1/lisp-harbor.1', 'utf8')).toContain('.TH LISP-HARBOR 1');
});
