/** `serve`, `stdio` and `clients` from a checkout: what they run on, what reaches stdout, how they end. */
import { chmodSync, existsSync, readFileSync, utimesSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkout, Program, ROOT, runEntry, writeFiles } from './setup-checkout';

/**
 * Stands for the built harbor: it says what it was started with and takes a moment to end, like the real one, once it has
 * got as many signals as were sent. One that comes while Node ends, and nobody hears signals any more, would kill it.
 */
const HARBOR = `
let heard = 0;
for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, () => {
  heard += 1;
  if (heard === 1) process.stderr.write('ending\\n');
  // Two that wait together are one.
  setTimeout(() => process.exit(0), heard >= Number(process.env.SIGNALS ?? 1) ? 200 : 3000);
});
setInterval(() => {}, 1000);
process.stdout.write(JSON.stringify({ ready: true, options: process.argv.slice(2) }) + '\\n');`;

const built = () => checkout({ 'out/electron/serve.js': HARBOR, 'out/package.json': '{"type":"module"}' });
const electron = { ELECTRON_BIN: process.execPath };

describe('serve', () => {
  it('passes options on and leaves stdout to the harbor', async () => {
    const serve = runEntry(built(), 'serve', ['--port', '0', '--project', 'a b'], electron);
    await serve.says('\n');
    serve.child.kill('SIGTERM');
    const { code, stdout } = await serve.ended;
    expect(JSON.parse(stdout)).toMatchObject({ ready: true, options: ['--port', '0', '--project', 'a b'] });
    expect(code).toBe(0);
  });

  it.each(['SIGTERM', 'SIGINT'] as const)(
    'ends once and with 0 when %s comes to the whole group',
    async (signal) => {
      // Its own, and the one that is passed on.
      const serve = runEntry(built(), 'serve', [], { ...electron, SIGNALS: '2' });
      await serve.says('ready');
      process.kill(-Number(serve.child.pid), signal);
      const { code, stderr } = await serve.ended;
      expect({ code, stderr }).toEqual({ code: 0, stderr: 'ending\n' });
    },
  );

  it.each(['SIGTERM', 'SIGINT'] as const)('ends with 0 when %s comes to the npm script', async (signal) => {
    const npm = new Program('npm', ['run', '--silent', 'serve'], built(), {
      ...electron,
      ELECTRON_RUN_AS_NODE: undefined,
    });
    await npm.says('ready');
    npm.child.kill(signal);
    expect(await npm.exited).toBe(0);
    const { stderr } = await npm.ended;
    expect(stderr).toContain('ending');
  });

  it('passes the exit code of a harbor that refuses to start', async () => {
    const root = checkout({ 'out/electron/serve.js': 'process.exit(7)' });
    expect((await runEntry(root, 'serve', [], electron).ended).code).toBe(7);
  });

  it('runs on a plain Node that is new enough where there is no Electron, and says so', async () => {
    const serve = runEntry(built(), 'serve', [], { ELECTRON_BIN: '/nowhere/electron' });
    await serve.says('ready');
    serve.child.kill('SIGTERM');
    const { code, stderr } = await serve.ended;
    expect(code).toBe(0);
    expect(stderr).toContain('/nowhere/electron');
    expect(stderr).toContain(`serving on Node ${process.versions.node}`);
  });
});

describe('an entry that was not built', () => {
  it.each(['serve', 'stdio', 'clients'])('%s says what to run, on stderr, and ends with 2', async (entry) => {
    const { code, stdout, stderr } = await runEntry(checkout(), entry, [], electron).ended;
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('npm ci && npm run build');
  });
});

describe.each<[string, string, string[]]>([
  ['stdio', 'stdio.js', []],
  ['clients', 'command-line.js', ['clients']],
])('%s', (entry, bundled, words) => {
  it('runs in the very process, with its stdin, its arguments and its exit code', async () => {
    const bundle = `
      process.stdout.write(JSON.stringify([process.pid, ...process.argv.slice(2)]) + '\\n');
      process.stdin.pipe(process.stdout).on('unpipe', () => { process.exitCode = 3; });`;
    const root = checkout({ [`out/electron/${bundled}`]: bundle, 'out/package.json': '{"type":"module"}' });
    const program = runEntry(root, entry, ['list', '--data', 'x']);
    program.child.stdin?.end('{"jsonrpc":"2.0"}\n');
    const { code, stdout } = await program.ended;
    const told = JSON.stringify([program.child.pid, ...words, 'list', '--data', 'x']);
    expect(stdout).toBe(`${told}\n{"jsonrpc":"2.0"}\n`);
    expect(code).toBe(3);
  });
});

it('has what cmd.exe needs for npm scripts that begin with "exec"', () => {
  const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const begun = Object.values(scripts).filter((script) => script.startsWith('exec '));
  expect(begun.length).toBeGreaterThan(0);
  expect(readFileSync(path.join(ROOT, 'exec.cmd'), 'utf8')).toMatch(/^@%\*\r$/m);
});

describe('start', () => {
  it('checks the project before it installs anything', async () => {
    const root = checkout();
    const { code, stderr } = await runEntry(root, 'start', ['--project', '/nowhere'], electron).ended;
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('--project /nowhere') });
    expect(existsSync(path.join(root, 'node_modules'))).toBe(false);
  });

  it('says how to pass options to it before it installs anything', async () => {
    const root = checkout();
    const { code, stderr } = await runEntry(root, 'start', ['/some/data'], electron).ended;
    expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('npm start -- ') });
    expect(existsSync(path.join(root, 'node_modules'))).toBe(false);
  });

  it('says of a clone that cannot be written what its owner can do', async () => {
    const root = checkout();
    chmodSync(root, 0o555);
    const isRoot = process.getuid?.() === 0;
    const become = isRoot ? ['setpriv', '--reuid', '47110', '--regid', '47110', '--clear-groups'] : [];
    const [program = '', ...args] = [...become, process.execPath, `${root}/resources/setup/start.mjs`];
    const { code, stderr } = await new Program(program, args, root, { ELECTRON_RUN_AS_NODE: '1' }).ended;
    expect(code).toBe(2);
    expect(stderr).toContain('cannot be written');
    chmodSync(root, 0o755);
  });

  it('serves without a window after a crash of Electron, and not after a signal that ends it', async () => {
    const crash = '#!/bin/sh\n[ -z "$ELECTRON_RUN_AS_NODE" ] || exec "$NODE" "$@"\necho opened; ';
    const cloneWith = (how: string): string => {
      const root = checkout({
        'out/electron/serve.js': HARBOR,
        'out/electron/options.js': 'export const parseOptions = () => ({});',
        'out/package.json': '{"type":"module"}',
        'standin-electron': `${crash}${how}\n`,
      });
      chmodSync(path.join(root, 'standin-electron'), 0o755);
      ready(root);
      return root;
    };
    const crashed = cloneWith('kill -SEGV $$');
    const program = runEntry(crashed, 'start', [], window(crashed));
    await program.says('ready');
    program.child.kill('SIGTERM');
    expect((await program.ended).stderr).toContain('SIGSEGV');

    const ended = cloneWith('trap "kill -ABRT $$" TERM; while :; do sleep 0.1; done');
    const asked = runEntry(ended, 'start', [], window(ended));
    await asked.says('opened');
    asked.child.kill('SIGTERM');
    expect((await asked.ended).stdout).not.toContain('ready');
  });
});

/** A clone whose packages and build count as present. */
function ready(root: string): void {
  const lock = JSON.stringify({ packages: {} });
  writeFiles(root, {
    'package-lock.json': lock,
    'node_modules/.package-lock.json': lock,
    'out/electron/main.js': '',
    'out/preload/preload.cjs': '',
    'out/renderer/index.html': '',
  });
  const future = Date.now() / 1000 + 60;
  for (const file of ['electron/main.js', 'electron/serve.js', 'preload/preload.cjs', 'renderer/index.html'])
    utimesSync(path.join(root, 'out', file), future, future);
}

/** A display, and an Electron that is a script. */
const window = (root: string) => ({
  ELECTRON_BIN: path.join(root, 'standin-electron'),
  NODE: process.execPath,
  DISPLAY: ':0',
});
