/**
 * Where there is no Electron: the Node that runs npm does without when it is new enough, and says what is missing when
 * it is not. Which of the two is tested depends on the Node that the tests were started with.
 */
import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { values } from '../evaluation';
import { ROOT, StartedHarbor } from '../started-harbor';
import { StdioLines } from '../stdio-client';
import { checkout, Program } from '../unit/setup-checkout';

const NODE = process.env.npm_node_execpath ?? 'node';
const VERSION = execFileSync(NODE, ['-p', 'process.versions.node'], { encoding: 'utf8' }).trim();
const [MAJOR = 0, MINOR = 0] = VERSION.split('.').map(Number);
const NEW_ENOUGH = MAJOR >= 24 || (MAJOR === 22 && MINOR >= 14) || (MAJOR === 23 && MINOR >= 6);

const env: NodeJS.ProcessEnv = { ELECTRON_BIN: '/nowhere/electron', ELECTRON_RUN_AS_NODE: undefined };
const entry = (name: string) => [NODE, path.join(ROOT, 'resources/setup', `${name}.mjs`)] as const;

async function serves(): Promise<void> {
  const harbor = await StartedHarbor.start({ command: entry('serve'), env });
  onTestFinished(async () => void (await harbor.stop()));
  expect(await values(await harbor.client('legacy'), '(+ 1 2)')).toEqual(['3']);
  expect(await values(await harbor.client('modern'), '(+ 1 2)')).toEqual(['3']);
  const stdio = new StdioLines(harbor, [], { command: entry('stdio'), env: { ...process.env, ...env } });
  expect(await stdio.values('(+ 1 2)')).toEqual(['3']);
  expect(await stdio.end()).toBe(0);
  expect(await harbor.stop()).toBe(0);
}

/** In a clone of its own, because `npm start` may have fetched a newer Node into this one. */
async function refuses(): Promise<void> {
  const root = checkout({ 'out/electron/serve.js': '' });
  const program = new Program(NODE, [`${root}/resources/setup/serve.mjs`], root, env);
  const { code, stderr } = await program.ended;
  expect(code).toBe(2);
  expect(stderr).toContain('/nowhere/electron');
  expect(stderr).toContain(`Node ${VERSION} is too old`);
  expect(stderr).toContain('Node 22.14 or newer');
}

describe(`without Electron, Node ${VERSION}`, () => {
  it(NEW_ENOUGH ? 'serves over HTTP and stdio' : 'is refused as too old, with what to do', () =>
    NEW_ENOUGH ? serves() : refuses(),
  );
});
