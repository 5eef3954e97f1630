/**
 * The programs that people connect, as they come from npm, each with a scripted model: what the model is shown of our answers.
 * `npm run clients:real` installs and runs them; CLIENT_PROGRAMS names a folder with a folder for each.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MODEL_CLIENTS, modelClientNamed } from '../../electron/endpoints/mcp/model-clients';
import { StartedHarbor } from '../started-harbor';
import { expectOneStory, FORMS, shownOf } from './one-story';
import { PROGRAMS } from './programs';
import { runProgram } from './run-program';

const FOLDER = process.env.CLIENT_PROGRAMS ?? '';
const installed = PROGRAMS.filter(({ name }) => existsSync(path.join(FOLDER, name)));

/** Of the AI SDK, which has no row. */
const TEXT_ALONE = { result: 'text', error: 'text' };

let harbor: StartedHarbor;
/** What programs called themselves. */
let log = '';

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--debug'] });
  harbor.child.stderr?.on('data', (chunk: Buffer) => {
    log += chunk.toString();
  });
});
afterAll(() => harbor.stop());

describe.each(installed)('$name', (program) => {
  it('is known by the name that it gives, and tells its model one story', async () => {
    log = '';
    const run = await runProgram(program, path.join(FOLDER, program.name), harbor, FORMS);
    const [, name = ''] = /stdio is (.+) \S+$/m.exec(log) ?? [];
    expect(modelClientNamed(name)?.program ?? null, `${name}\n${run.printed}`).toBe(program.program);
    expectOneStory(run, program.errorsTold);
    // Where the program does not say whose tool it is, the tool does.
    const tools = run.shown.tools.map((tool) => tool.name);
    if (modelClientNamed(name)?.mixesServers) expect(tools).toContain('lisp_eval');
  });

  it('shows of text and data what is written of it', async () => {
    const run = await runProgram(program, path.join(FOLDER, program.name), harbor, FORMS, false);
    const row = MODEL_CLIENTS.find(({ program: named }) => named === program.program);
    const { result, error } = row?.seen ?? TEXT_ALONE;
    expect(shownOf(run)).toEqual({ result, error });
  });
});
