/**
 * The running app, in both sandboxes of Linux: an agent names a protected place as its project, and writes to
 * protected places by tools and by code.
 */
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call, evaluate } from '../evaluation';
import { PATIENT, ROOT, StartedHarbor, spawnServe, temporaryFolder } from '../started-harbor';
import { KEPT } from './attack';
import { LANDLOCK_SERVE } from './launchers';

const FOLDERS = [
  ...['.git/hooks', '.husky', '.githooks', '.vscode', '.idea', '.zed', '.devcontainer', '.claude', '.cursor'],
  ...['.codex', '.gemini', 'node_modules/.bin', '.lein', '.github/workflows', '.circleci', '.kiro/settings'],
  ...['.junie/mcp', '.opencode', '.config/mise', 'sub/.vscode', '.woodpecker', '.hg'],
];
const FILES = ['opencode.json', 'crush.json', '.mcp.json', 'AGENTS.md', '.envrc', 'mise.toml', '.npmrc'];

describe.each([
  { sandbox: 'bubblewrap', command: undefined },
  { sandbox: 'landlock', command: LANDLOCK_SERVE },
])('in $sandbox', ({ sandbox, command }) => {
  let harbor: StartedHarbor;
  let client: Client;

  beforeAll(async () => {
    harbor = await StartedHarbor.start(command ? { command } : {});
    client = await harbor.client();
    for (const folder of FOLDERS) {
      mkdirSync(path.join(harbor.project, folder), { recursive: true });
      writeFileSync(path.join(harbor.project, folder, 'kept'), KEPT);
    }
    for (const file of FILES) writeFileSync(path.join(harbor.project, file), KEPT);
    mkdirSync(path.join(harbor.project, 'src'));
    symlinkSync(path.join(harbor.project, '.vscode'), path.join(harbor.project, 'way'));
  }, 60_000);
  afterAll(() => harbor.stop());

  it('is the sandbox', async () => {
    expect((await call<{ sandbox: string }>(client, 'images')).structured.sandbox).toContain(sandbox);
  });

  it.each([...FOLDERS, 'way', 'src/../.vscode', ROOT, path.join(ROOT, 'resources/setup')])(
    'opens no session in %s',
    async (project) => {
      for (const named of [project, path.resolve(harbor.project, project)]) {
        const opened = await call(client, 'open_session', { engine: 'sbcl', project: named });
        expect(opened.isError, named).toBe(true);
        expect(opened.text).toMatch(/cannot be a project|not an approved project/);
      }
    },
  );

  it.each([...FOLDERS.map((folder) => `${folder}/kept`), ...FILES])('%s is not written', async (file) => {
    for (const name of [file, `${path.dirname(file)}/made`])
      if (path.dirname(name) !== '.')
        expect((await call(client, 'write_file', { path: name, content: 'x' })).isError, name).toBe(true);
    const code = `(with-open-file (s "${file}" :direction :output :if-exists :overwrite) (write-line "x" s))`;
    if (!file.startsWith('sub/')) expect((await evaluate(client, code)).isError, file).toBe(true);
    expect(readFileSync(path.join(harbor.project, file), 'utf8')).toBe(KEPT);
  });

  it('works in a subfolder, on an ordinary file, and reads what is protected', async () => {
    const opened = await call<{ session: string }>(client, 'open_session', {
      engine: 'sbcl',
      project: 'src',
    });
    expect(opened.isError, opened.text).toBe(false);
    const { session } = opened.structured;
    const made = await evaluate(client, '(with-open-file (s "a.lisp" :direction :output) (print 1 s))', {
      session,
    });
    expect(made.isError, made.text).toBe(false);
    expect(readdirSync(path.join(harbor.project, 'src'))).toContain('a.lisp');
    expect((await call(client, 'write_file', { path: 'src/b.lisp', content: '(b)' })).isError).toBe(false);
    expect((await call(client, 'read_file', { path: '.envrc' })).text).toContain(KEPT.trim());
  });
});

it('opens no session in a protected place that a mount point shows under another name', async () => {
  const project = temporaryFolder('project');
  for (const folder of ['sub/.vscode/inner', '.claude', 'ordinary/src', 'one', 'two', 'three', 'four'])
    mkdirSync(path.join(project, folder), { recursive: true });
  const mounts = ['sub/.vscode one', 'sub/.vscode/inner two', '.claude three', 'ordinary four'];
  const script = [...mounts.map((each) => `mount --bind ${each}`), 'cd /', 'exec "$@"'].join('; ');
  const own = ['--user', '--map-root-user', '--mount', `--wd=${project}`, 'sh', '-ec', script, 'sh'];
  const serve = [process.execPath, path.join(ROOT, 'out/electron/serve.js')];
  const harbor = await StartedHarbor.start({ project, command: ['unshare', ...own, ...serve] });
  onTestFinished(async () => {
    await harbor.stop();
    rmSync(project, { recursive: true, force: true });
  });
  const client = await harbor.client();
  const opened = (named: string) => call(client, 'open_session', { engine: 'sbcl', project: named });
  for (const named of ['one', 'one/inner', 'two', 'three'])
    expect((await opened(named)).text, named).toContain('project_not_approved');
  const ordinary = await opened('four/src');
  expect(ordinary.isError, ordinary.text).toBe(false);
});

it('works in scratch where it is started in its own installation, and says why', async () => {
  const data = temporaryFolder('data');
  const serve = spawnServe(['--data', data, '--port', '0'], { INIT_CWD: ROOT });
  onTestFinished(async () => {
    const ended = once(serve, 'exit');
    serve.kill();
    await ended;
    rmSync(data, { recursive: true, force: true });
  });
  if (!serve.stdout || !serve.stderr) throw new Error('serve was started without pipes');
  let said = '';
  serve.stderr.on('data', (chunk) => {
    said += String(chunk);
  });
  await once(createInterface(serve.stdout), 'line');
  await expect.poll(() => said, PATIENT).toContain('installation');
  expect(said).toContain(path.join(data, 'scratch'));
});
