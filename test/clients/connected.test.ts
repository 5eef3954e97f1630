/**
 * The programs that people connect, as they come from npm, each connected by `lisp-harbor clients add` and run with a scripted
 * model: through exactly what was written it is told of our tools, and calls one. `npm run clients:real` installs and runs them.
 */
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { temporaryFolder } from '../started-harbor';
import { Connecting, HOW, type How } from './connecting';
import { PROGRAMS, type Program } from './programs';
import { evalCall, ScriptedModel } from './scripted-model';

const FOLDER = process.env.CLIENT_PROGRAMS ?? '';
/** What the table calls them; the AI SDK is no program. */
const NAMES: Readonly<Record<string, string>> = { copilot: 'copilot-cli' };
const installed = PROGRAMS.filter(({ name }) => name !== 'ai-sdk' && existsSync(path.join(FOLDER, name)));

let connecting: Connecting;
beforeAll(async () => {
  connecting = await Connecting.begin();
});
afterAll(() => connecting.end());

describe.each(installed)('$name', (program) => {
  it.each(HOW)('is told of our tools and calls one over %s, by what was written', async (how) => {
    const { shown, printed, written, left } = await connectedRun(program, how);
    const tools = shown.tools.map(({ name }) => name);
    expect(
      tools.some((name) => /(^|[^a-z])eval$/.test(name)),
      `${written}\n${printed}`,
    ).toBe(true);
    expect(shown.results.join('\n'), `${written}\n${printed}`).toContain('=> 42');
    const { data, ready } = connecting.harbor;
    for (const ours of [data, ready.mcp]) expect(left).not.toContain(ours);
  });
});

/**
 * Amp’s model is a service that one logs in at. What it does by itself is the handshake, `amp mcp doctor`: with a key that nobody
 * looks at, and without that service.
 */
describe.runIf(existsSync(path.join(FOLDER, 'amp')))('amp', () => {
  it.each(HOW)('is told of our tools over %s, by what was written', async (how) => {
    const { platform, arch } = process;
    const bin = path.join(FOLDER, `amp/node_modules/@ampcode/cli-${platform}-${arch}/amp`);
    const run = { command: [bin, 'mcp', 'doctor'] as [string, ...string[]], env: { AMP_API_KEY: 'made-up' } };
    const { printed, written, left } = await connecting.run('amp', how, run, connecting.home);
    expect(printed, written).toMatch(/^lisp \(user settings\): connected \(\d+ tools: .*\beval\b/m);
    expect(left).toBe('');
  });
});

async function connectedRun(program: Program, how: How) {
  const work = temporaryFolder('work');
  const model = await ScriptedModel.start([evalCall('(* 6 7)')]);
  try {
    const { home } = connecting;
    const run = program.prepare({ folder: path.join(FOLDER, program.name), home, work, model: model.url });
    const came = await connecting.run(NAMES[program.name] ?? program.name, how, run, work);
    return { shown: model.shown, ...came };
  } finally {
    await model.stop();
    rmSync(work, { recursive: true, force: true, maxRetries: 5 });
  }
}
