/**
 * `npm run clients:real`: runs the client programs of `test/clients` that are in npm with a scripted model.
 * They are installed into the folder in CLIENT_PROGRAMS, or into a cache folder, and kept. Arguments select
 * some of them.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { root } from './checkout.mjs';
import { handOver } from './child-process.mjs';
import { endWith, SetupError } from './console.mjs';
import { readyElectron } from './electron.mjs';
import { ensureBuild, ensureDependencies } from './prepare.mjs';

/**
 * Packages by folder name. Without `latest`, npm chooses older versions for an older Node.
 * @type {Record<string, string[]>}
 */
const PACKAGES = {
  'claude-code': ['@anthropic-ai/claude-code'],
  codex: ['@openai/codex'],
  'gemini-cli': ['@google/gemini-cli'],
  'qwen-code': ['@qwen-code/qwen-code'],
  opencode: ['opencode-ai'],
  copilot: ['@github/copilot'],
  continue: ['@continuedev/cli'],
  cline: ['cline'],
  // The package that `@ampcode/cli` downloads for this system.
  amp: [`@ampcode/cli-${process.platform}-${process.arch}`],
  'ai-sdk': ['ai', '@ai-sdk/mcp', '@ai-sdk/openai-compatible'],
};

/**
 * Runs one program at a time, because they give a server only a few seconds to start. On the first start some
 * download parts from npm.
 */
const PATIENTLY = ['--no-file-parallelism', '--testTimeout=600000'];

await endWith(async () => {
  const requested = process.argv.slice(2);
  const unknown = requested.find((name) => PACKAGES[name] === undefined);
  if (unknown) throw new SetupError(`${unknown} is not one of ${Object.keys(PACKAGES).join(', ')}.`);
  await ensureDependencies(root, 'all');
  await ensureBuild(root);
  const electron = await readyElectron(root);
  const folder = process.env.CLIENT_PROGRAMS ?? path.join(os.homedir(), '.cache/lisp-harbor-clients');
  const wanted = requested.length === 0 ? Object.keys(PACKAGES) : requested;
  for (const name of wanted) install(path.join(folder, name), PACKAGES[name] ?? []);
  const tests = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
  const chosen = requested.length === 0 ? [] : ['-t', `^(${requested.join('|')}) `];
  return handOver(electron, [...tests, ...PATIENTLY, 'test/clients', ...chosen], {
    cwd: root,
    env: { ...process.env, CLIENT_PROGRAMS: folder, ELECTRON_RUN_AS_NODE: '1' },
  });
});

/**
 * @param {string} folder
 * @param {readonly string[]} packages
 */
function install(folder, packages) {
  if (existsSync(path.join(folder, 'node_modules'))) return;
  const latest = packages.map((name) => `${name}@latest`);
  // Some packages install their program with a script.
  const options = ['--no-audit', '--no-fund', '--ignore-scripts=false'];
  const words = ['install', '--prefix', folder, ...options, ...latest];
  const { status } = spawnSync('npm', words, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new SetupError(`npm could not install ${latest.join(' ')}.`);
}
