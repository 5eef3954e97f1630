/** `--help` of every entry: each option there is, on stdout, at once, and nothing is begun. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { TOOL_COMMANDS } from '../../electron/command-line/calls/tool-commands';
import { SUBCOMMANDS } from '../../electron/command-line/run-command';
import { OPTIONS } from '../../electron/host/options';
import { sampled } from '../rounds';
import { ROOT, temporaryFolder } from '../started-harbor';
import { checkout, Program } from '../unit/setup-checkout';

const bundle = (name: string) => [process.execPath, path.join(ROOT, `out/electron/${name}.js`)];
const setup = (name: string) => [process.execPath, path.join(ROOT, `resources/setup/${name}.mjs`)];
const npm = (...words: string[]) => ['npm', 'run', '-s', ...words, '--'];
const lispHarbor = setup('lisp-harbor');

const ENTRIES: readonly [name: string, command: readonly string[]][] = [
  ['the built serve', bundle('serve')],
  ['the built stdio', bundle('stdio')],
  ['the built command line', bundle('command-line')],
  ['lisp-harbor', lispHarbor],
  ['lisp-harbor serve', [...lispHarbor, 'serve']],
  ['lisp-harbor stdio', [...lispHarbor, 'stdio']],
  ['lisp-harbor --mcp-stdio', [...lispHarbor, '--mcp-stdio']],
  ['npm start', npm('start')],
  ['npm run serve', npm('serve')],
  ['npm run stdio', npm('stdio')],
  ['npm run lisp-harbor', npm('lisp-harbor')],
];

/** How a program ends that gets no input. */
async function run([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv = {}) {
  const child = spawn(program, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ELECTRON_RUN_AS_NODE: '1', ...env },
  });
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ]);
  return { code, stdout, stderr };
}

describe.each(sampled('entries', ENTRIES, 3))('%s', (_name, command) => {
  it.each(['--help', '-h'])('tells with %s how it is used, and begins nothing', async (asked) => {
    const data = path.join(temporaryFolder('help'), 'data');
    const { code, stdout } = await run([...command, '--data', data, asked]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Usage:/);
    for (const option of Object.keys(OPTIONS)) expect(stdout).toContain(`--${option}`);
    expect(existsSync(data)).toBe(false);
  });
});

it('npm run clients tells what its command does', async () => {
  const [ofScript, ofCommand] = await Promise.all([
    run([...npm('clients'), '--help']),
    run([...lispHarbor, 'clients', '--help']),
  ]);
  expect(ofScript).toEqual(ofCommand);
});

/** Those that need no harbor say their own. */
const COMMANDS = Object.entries(SUBCOMMANDS).flatMap(([word, command]) =>
  'run' in command ? [[word, [...command.takes, ...Object.keys(command.own ?? {})]] as const] : [],
);

describe.each(sampled('commands', COMMANDS, 4))('lisp-harbor %s', (word, options) => {
  it('tells the options that it takes, and refuses all others', async () => {
    const data = path.join(temporaryFolder('help'), 'data');
    const { code, stdout } = await run([...lispHarbor, word, '--data', data, '--help']);
    expect(code).toBe(0);
    expect(
      stdout
        .match(/^ {2}--[\w-]+/gm)
        ?.map((line) => line.trim().slice(2))
        .toSorted(),
    ).toEqual([...options].toSorted());
    const other = Object.keys(OPTIONS).find((name) => !options.includes(name) && name !== 'help');
    if (other === undefined) return;
    const refused = await run([...lispHarbor, word, '--data', data, `--${other}`, '1']);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(`--${other}`)]);
    expect(existsSync(data)).toBe(false);
  });
});

it('the app tells it too, without a window', async () => {
  const data = path.join(temporaryFolder('help'), 'data');
  const command = [process.execPath, '--no-sandbox', ROOT, '--data', data, '--help'];
  const { code, stdout } = await run(command, { ELECTRON_RUN_AS_NODE: undefined });
  expect([code, stdout]).toEqual([0, expect.stringMatching(/^Usage:[\s\S]*--project/)]);
  expect(existsSync(data)).toBe(false);
});

it('the command tells its version, and help by that name as well', async () => {
  const { version } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  expect((await run([...lispHarbor, '--version'])).stdout).toBe(`lisp-harbor ${version}\n`);
  expect((await run([...lispHarbor, 'help'])).stdout).toBe((await run([...lispHarbor, '--help'])).stdout);
  const [asWord, asOption] = [
    await run([...lispHarbor, 'help', 'eval']),
    await run([...lispHarbor, 'eval', '-h']),
  ];
  expect(asWord.stdout).toBe(asOption.stdout);
});

it('each command tells its own first', async () => {
  for (const [word, { about }] of sampled('help of commands', Object.entries(SUBCOMMANDS), 5)) {
    const { stdout } = await run([...lispHarbor, word, '--help']);
    expect(stdout).toContain(`Usage: lisp-harbor ${word}`);
    expect(stdout).toContain(about);
  }
});

it('commands that call tools tell what they take, and are told with the others', async () => {
  const all = (await run([...lispHarbor, '--help'])).stdout;
  for (const [word, { takes, about }] of TOOL_COMMANDS)
    expect(all).toContain(`  lisp-harbor ${[word, takes].filter(Boolean).join(' ')}\n      ${about}\n`);
  for (const asked of ['--help', '-h']) {
    const { code, stdout } = await run([...lispHarbor, 'eval', asked]);
    expect([code, stdout]).toEqual([
      0,
      expect.stringMatching(/^Usage: lisp-harbor eval FORM[\s\S]*--wait SECONDS/),
    ]);
  }
});

it('commands that call tools load next to nothing: agents wait for the start of each', () => {
  const bundles = path.join(ROOT, 'out/electron');
  const loaded = new Map<string, string>();
  const load = (file: string): void => {
    if (loaded.has(file)) return;
    const source = readFileSync(path.join(bundles, file), 'utf8');
    loaded.set(file, source);
    for (const [, chunk = ''] of source.matchAll(/^import .*"\.\/([^"]+)";$/gm)) load(chunk);
  };
  load('command-line.js');
  const size = [...loaded.values()].join('').length;
  // A file more costs as much as its reading, ten thousand characters of code less than that.
  expect(loaded.size).toBeLessThan(7);
  expect(size, [...loaded.keys()].join(', ')).toBeLessThan(90_000);
});

it('a clone that was never built installs and builds nothing for it', async () => {
  const clone = checkout();
  const program = new Program('npm', ['start', '-s', '--', '--help'], clone);
  expect(await program.ended).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: npm start/) });
  for (const made of ['node_modules', 'out']) expect(existsSync(path.join(clone, made))).toBe(false);
});
