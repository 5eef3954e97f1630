/** The commands of the document's script, as `lisp-harbor …` has them. */
import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand, startCommand } from '../command-line';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

/** The first evaluation may have to build what images start from. */
const PATIENTLY = { timeout: 120_000 };

let harbor: StartedHarbor;
let data: string[];

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--telnet-port', '0'] });
  data = ['--data', harbor.data];
});
afterAll(() => harbor.stop());

function emptyFolder(): string {
  const folder = temporaryFolder('data');
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

describe('lisp-harbor', PATIENTLY, () => {
  it('S4-79 S4-80 S4-16 starts with serve, and stops that harbor alone by its socket, which frees its port', async () => {
    const folder = emptyFolder();
    const serving = startCommand(['serve', '--data', folder, '--project', emptyFolder(), '--port', '0']);
    const exited = once(serving, 'exit');
    const [line] = await once(createInterface(serving.stdout), 'line');
    const { mcp, pid } = JSON.parse(line) as { mcp: string; pid: number };
    const stopped = await runCommand(['stop', '--data', folder]);
    expect(stopped).toEqual({ code: 0, stdout: expect.stringContaining(`process ${pid}`), stderr: '' });
    expect((await exited)[0]).toBe(0);
    expect(existsSync(`/proc/${pid}`)).toBe(false);
    const freed = createServer();
    freed.listen(Number(new URL(mcp).port), '127.0.0.1');
    await once(freed, 'listening');
    freed.close();
    expect((await runCommand(['health-check', ...data])).code).toBe(0);
    const again = await runCommand(['stop', '--data', folder]);
    expect([again.code, again.stdout]).toEqual([0, `No harbor runs on ${folder}.\n`]);
  });

  it('S4-18 S4-81 tells by its exit code whether the harbor answers', async () => {
    const healthy = await runCommand(['health-check', ...data]);
    expect(healthy.code).toBe(0);
    expect(healthy.stdout).toMatch(/^ok: http:\/\/127\.0\.0\.1:\d+\/mcp, .* 0 sessions\n$/);
    expect(healthy.stdout).toContain(harbor.ready.mcp);
    const none = await runCommand(['health-check', '--data', emptyFolder()]);
    expect(none).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('lisp-harbor serve') });
  });

  it('S4-82 evaluates through MCP', async () => {
    expect(await runCommand(['test-eval', ...data])).toEqual({ code: 0, stdout: '3\n', stderr: '' });
    expect((await runCommand(['test-eval', '(values 1 (list 2))', ...data])).stdout).toBe('1\n(2)\n');
    const failed = await runCommand(['test-eval', '(error "on purpose")', ...data]);
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('on purpose') });
    expect((await runCommand(['test-eval', ...data, '--engine', 'nbb'])).stdout).toBe('3\n');
  });

  it('S4-83 lists the tools of a profile', async () => {
    const names = async (...args: string[]) =>
      (await runCommand(['list-tools', ...data, ...args])).stdout.match(/^\S+/gm);
    const { tools } = await (await harbor.client()).listTools();
    expect(await names()).toEqual(tools.map(({ name }) => name));
    expect(await names('--profile', 'nrepl')).toContain('nrepl-eval');
    const unknown = await runCommand(['list-tools', ...data, '--profile', 'none']);
    expect(unknown).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('There is no profile none. There are:'),
    });
  });

  it('prints the code for telnet', async () => {
    expect((await runCommand(['telnet-code', ...data])).stdout).toBe(`${harbor.ready.telnetCode}\n`);
  });

  it('says how it is used', async () => {
    for (const args of [['--help'], ['serve', '--help'], ['clients', '--help']])
      expect(await runCommand(args)).toMatchObject({
        code: 0,
        stdout: expect.stringMatching(/^Usage:[\s\S]*--data/),
      });
    const one = await runCommand(['repl', '--help']);
    expect(one.stdout).toMatch(/^Usage: lisp-harbor repl .*--session NAME/);
    for (const args of [['nonsense'], ['stop', 'it'], ['stop', '--prot']])
      expect(await runCommand(args)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringMatching(/\w/),
      });
  });
});

it('reaches a folder that has a name of its own', async () => {
  const folder = path.join(emptyFolder(), 'with spaces');
  const none = await runCommand(['health-check', '--data', folder]);
  expect(none).toMatchObject({ code: 1, stderr: expect.stringContaining(folder) });
  expect(existsSync(folder)).toBe(false);
});
