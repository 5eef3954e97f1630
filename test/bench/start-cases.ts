/** What it takes until there is somebody to ask: a harbor that starts, a bridge that joins, a command at a shell, a window. */
import { execFile, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { ROOT, StartedHarbor, type StartOptions, temporaryFolder } from '../started-harbor.ts';
import { overHttp, overStdio } from './callers.ts';
import type { Case, Cases } from './case.ts';
import { firstPaint } from './first-paint.ts';

const CODE = '(+ 1 2)';

export async function startCases(): Promise<Cases> {
  const harbor = await StartedHarbor.start({ args: ['--engine', 'sbcl'] });
  const window = await firstPaint();
  // As a person has it, who starts it again: what earlier starts have left is there.
  const used = { data: temporaryFolder('data'), project: temporaryFolder('project') };
  for (const _start of [1, 2]) await firstValue(used);
  const cases = [
    {
      id: 'cold-start',
      what: 'the first value of a fresh start: serve, caches warm',
      goal: { ms: 350 },
      run: () => firstValue(used),
    },
    {
      id: 'join',
      what: 'a new stdio bridge to its first answer',
      goal: { ms: 100 },
      run: () => joined(harbor),
    },
    await readingCase(harbor),
    ...shellCases(
      harbor,
      'clone',
      process.env.npm_node_execpath ?? 'node',
      'resources/setup/lisp-harbor.mjs',
    ),
    ...shellCases(harbor, 'installed', process.execPath, 'out/electron/command-line.js'),
    ...window.cases,
  ];
  const end = async () => {
    await Promise.all([harbor.stop(), window.end()]);
    for (const folder of Object.values(used)) rmSync(folder, { recursive: true, force: true });
  };
  return { cases, end };
}

/** What an image starts from is built in each new data folder: few rounds say enough. */
export async function newFolderCases(): Promise<Cases> {
  const what = 'the first value in a new data folder';
  const run = async () => {
    const data = temporaryFolder('data');
    // Its own, not the one that all tests share.
    mkdirSync(path.join(data, 'cores'));
    const took = await firstValue({ data });
    rmSync(data, { recursive: true, force: true });
    return took;
  };
  return { cases: [{ id: 'new-folder', what, goal: { ms: 1_500 }, run }], end: async () => undefined };
}

/** Of the harbor's end nothing counts. */
async function firstValue(options: StartOptions = {}): Promise<number> {
  const began = performance.now();
  const started = await StartedHarbor.start({ args: ['--engine', 'sbcl'], ...options });
  const caller = await overHttp(started.ready.mcp, '2025', started.ready.token);
  await caller.call('eval', { code: CODE });
  const took = performance.now() - began;
  caller.end();
  await started.stop();
  return took;
}

async function joined({ data, project }: StartedHarbor): Promise<number> {
  const began = performance.now();
  const entry = path.join(ROOT, 'out/electron/stdio.js');
  const child = spawn(process.execPath, [entry, '--data', data, '--project', project], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
  });
  const caller = await overStdio(child);
  // The image that evaluates is a cost of its own: nothing is evaluated.
  await caller.call('images', {});
  const took = performance.now() - began;
  caller.end();
  return took;
}

/** The tool checks parentheses, for which it reads every form of the file. */
async function readingCase(harbor: StartedHarbor): Promise<Case> {
  const client = await harbor.client('legacy', { profile: 'lisp-mcp-server' });
  const folder = path.join(ROOT, 'resources/lisp');
  const files = readdirSync(folder).filter((file) => file.endsWith('.lisp'));
  const text = files.map((file) => readFileSync(path.join(folder, file), 'utf8')).join('\n');
  writeFileSync(path.join(harbor.project, 'long.lisp'), text.repeat(Math.ceil(1_000_000 / text.length)));
  const args = { path: 'long.lisp' };
  return {
    id: 'read-source',
    what: 'reading 1 MB of Lisp, every form',
    run: () => client.callTool({ name: 'lisp-check-parens', arguments: args }),
  };
}

/** A command at a shell from its start to its end, beside a program that does nothing in the same Node. */
function shellCases(harbor: StartedHarbor, where: string, node: string, entry: string): Case[] {
  const start = (...args: string[]) => promisify(execFile)(node, args, { cwd: harbor.project });
  const nothing = `shell-${where}-nothing`;
  return [
    { id: nothing, what: `${where}: node -e 0`, run: () => start('-e', '0') },
    {
      id: `shell-${where}-eval`,
      what: `${where}: lisp-harbor eval '(+ 1 2)'`,
      against: nothing,
      run: () => start(path.join(ROOT, entry), 'eval', CODE, '--data', harbor.data),
    },
  ];
}
