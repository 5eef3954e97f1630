/**
 * The programs that people connect, as they come from npm, each connected by `lisp-harbor clients add` and run with a scripted
 * model: through exactly what was written it is told of our tools, and calls one. `npm run clients:real` installs and runs them.
 */
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../command-line';
import { StartedHarbor, temporaryFolder } from '../started-harbor';
import { PROGRAMS, type Program } from './programs';
import { NODE } from './run-program';
import { evalCall, ScriptedModel } from './scripted-model';

const FOLDER = process.env.CLIENT_PROGRAMS ?? '';
/** What the table calls them; the AI SDK is no program. */
const NAMES: Readonly<Record<string, string>> = { copilot: 'copilot-cli' };
const installed = PROGRAMS.filter(({ name }) => name !== 'ai-sdk' && existsSync(path.join(FOLDER, name)));

/** HOME of the harbor and of every program, as for a person. */
let home: string;
let bin: string;
let harbor: StartedHarbor;

beforeAll(async () => {
  home = temporaryFolder('home');
  bin = temporaryFolder('bin');
  writeFileSync(path.join(bin, 'node'), NODE, { mode: 0o700 });
  const env = { HOME: home, XDG_CONFIG_HOME: undefined, LISP_HARBOR_NODE: path.join(bin, 'node') };
  harbor = await StartedHarbor.start({ env });
});
afterAll(async () => {
  await harbor.stop();
  for (const folder of [home, bin]) rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
});

describe.each(installed)('$name', (program) => {
  it.each(['stdio', 'http'] as const)(
    'is told of our tools and calls one over %s, by what was written',
    async (how) => {
      const { shown, printed, written, left } = await connectedRun(program, how);
      const tools = shown.tools.map(({ name }) => name);
      expect(
        tools.some((name) => /(^|[^a-z])eval$/.test(name)),
        `${written}\n${printed}`,
      ).toBe(true);
      expect(shown.results.join('\n'), `${written}\n${printed}`).toContain('=> 42');
      for (const ours of [harbor.data, harbor.ready.mcp]) expect(left).not.toContain(ours);
    },
  );
});

async function connectedRun(program: Program, how: 'stdio' | 'http') {
  const name = NAMES[program.name] ?? program.name;
  const work = temporaryFolder('work');
  mkdirSync(work, { recursive: true });
  const model = await ScriptedModel.start([evalCall('(* 6 7)')]);
  const data = ['--data', harbor.data];
  try {
    const run = program.prepare({ folder: path.join(FOLDER, program.name), home, work, model: model.url });
    const added = await runCommand(['clients', 'add', name, `--${how}`, ...data]);
    expect(added.code, added.stderr).toBe(0);
    const [, file = ''] = /\((\/.*)\)$/m.exec(added.stdout) ?? [];
    const [command, ...args] = run.command;
    const env = { PATH: `${bin}:${process.env.PATH}`, HOME: home, ...run.env };
    const child = spawn(command, args, { cwd: work, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, errors] = await Promise.all([text(child.stdout), text(child.stderr)]);
    const written = readFileSync(file, 'utf8');
    const removed = await runCommand(['clients', 'remove', name, ...data]);
    expect(removed.code, removed.stderr).toBe(0);
    const left = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return { shown: model.shown, printed: out + errors, written, left };
  } finally {
    await model.stop();
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
}
