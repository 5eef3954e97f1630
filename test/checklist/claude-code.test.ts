/** Claude Code, as people connect it by its command line, and what its own check says of the harbor. */
import { execFile } from 'node:child_process';
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claudeCodeFile } from '../../resources/setup/pinned-package.mjs';
import { expectOneStory, FORMS } from '../clients/one-story';
import { claudeCode } from '../clients/programs';
import { runProgram } from '../clients/run-program';
import { sharedHarbor } from '../shared-harbor';
import { ROOT, type StartedHarbor, temporaryFolder } from '../started-harbor';

const run = promisify(execFile);

let harbor: StartedHarbor;
/** Its home and the folder that it works in. */
let folder: string;

beforeAll(async () => {
  harbor = await sharedHarbor();
  folder = temporaryFolder('claude-code');
  mkdirSync(path.join(folder, 'home'));
});
afterAll(async () => {
  rmSync(folder, { recursive: true, force: true });
  await harbor.stop();
});

async function claude(...args: string[]): Promise<string> {
  const env = {
    ...process.env,
    ELECTRON_RUN_AS_NODE: '1',
    HOME: path.join(folder, 'home'),
    DISABLE_AUTOUPDATER: '1',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  };
  const { stdout } = await run(process.execPath, [claudeCodeFile(ROOT), ...args], { cwd: folder, env });
  return stdout;
}

describe('Claude Code', () => {
  it('S4-87 is connected over HTTP and over stdio, and finds both healthy', {
    timeout: 120_000,
  }, async () => {
    const { mcp, token } = harbor.ready;
    await claude(
      'mcp',
      'add',
      '--transport',
      'http',
      'by-http',
      mcp,
      '--header',
      `Authorization: Bearer ${token}`,
    );
    const stdio = [
      path.join(ROOT, 'out/electron/stdio.js'),
      '--data',
      harbor.data,
      '--project',
      harbor.project,
    ];
    await claude('mcp', 'add', 'by-stdio', '-e', 'ELECTRON_RUN_AS_NODE=1', '--', process.execPath, ...stdio);
    const list = await claude('mcp', 'list');
    expect(list).toMatch(/^by-http: .* ✓ Connected$/m);
    expect(list).toMatch(/^by-stdio: .* ✓ Connected$/m);
  });

  it('shows its model the text of a value and of an error, once, and nothing else', async () => {
    const file = claudeCodeFile(ROOT);
    expectOneStory(await runProgram(claudeCode(path.basename(file)), path.dirname(file), harbor, FORMS));
  });
});
