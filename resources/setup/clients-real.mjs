/**
 * `npm run clients:real`: the programs of `test/clients` that npm has, each run for real with a scripted model. They are
 * installed into the folder of CLIENT_PROGRAMS, or one of this computer's, and stay there; names after it choose some.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ensureBuild } from './build.mjs';
import { handOver } from './child.mjs';
import { ensureDependencies } from './dependencies.mjs';
import { readyElectron } from './electron-ready.mjs';
import { root } from './places.mjs';
import { endWith, SetupError } from './setup-error.mjs';

/**
 * By the name of its folder. Without `latest` npm takes an older one where it runs on an older Node than the tests do.
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
  // `@ampcode/cli` fetches this one for its system.
  amp: [`@ampcode/cli-${process.platform}-${process.arch}`],
  'ai-sdk': ['ai', '@ai-sdk/mcp', '@ai-sdk/openai-compatible'],
};

/**
 * One program at a time, because they give a server few seconds to start. At their first start in a home some fetch parts of
 * theirs from npm, which takes what it takes.
 */
const PATIENTLY = ['--no-file-parallelism', '--testTimeout=600000'];

await endWith(async () => {
  const asked = process.argv.slice(2);
  const unknown = asked.find((name) => PACKAGES[name] === undefined);
  if (unknown) throw new SetupError(`${unknown} is none of ${Object.keys(PACKAGES).join(', ')}.`);
  await ensureDependencies(root);
  await ensureBuild(root);
  const electron = await readyElectron(root);
  const folder = process.env.CLIENT_PROGRAMS ?? path.join(os.homedir(), '.cache/lisp-harbor-clients');
  const wanted = asked.length === 0 ? Object.keys(PACKAGES) : asked;
  for (const name of wanted) install(path.join(folder, name), PACKAGES[name] ?? []);
  const tests = ['node_modules/vitest/vitest.mjs', 'run', '--config', 'test/vitest.config.ts'];
  const chosen = asked.length === 0 ? [] : ['-t', `^(${asked.join('|')}) `];
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
  // Some put their program in its place by a script: whoever runs the program may run that too, whatever npm is told of others.
  const options = ['--no-audit', '--no-fund', '--ignore-scripts=false'];
  const words = ['install', '--prefix', folder, ...options, ...latest];
  const { status } = spawnSync('npm', words, { stdio: 'inherit', shell: process.platform === 'win32' });
  if (status !== 0) throw new SetupError(`npm could not install ${latest.join(' ')}.`);
}
