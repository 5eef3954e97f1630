/** Lisply's stdio mode: a REPL in the foreground of the process, on its stdin and stdout. */
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand, startCommand } from '../command-line';
import { call } from '../evaluation';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

/** The first evaluation may have to build what images start from. */
const PATIENTLY = { timeout: 120_000 };

let harbor: StartedHarbor;
let data: string[];

beforeAll(async () => {
  harbor = await StartedHarbor.start();
  data = ['--data', harbor.data, '--project', harbor.project];
});
afterAll(() => harbor.stop());

const repl = (input: string, ...args: string[]) => runCommand(['repl', ...data, ...args], input);

/** Waits until a stream has said `expected`; answers all that it said so far. */
function hearing(stream: Readable): (expected: string) => Promise<string> {
  let heard = '';
  let stirred = Promise.withResolvers<void>();
  stream.on('data', (chunk: Buffer) => {
    heard += chunk.toString();
    stirred.resolve();
    stirred = Promise.withResolvers();
  });
  return async (expected) => {
    while (!heard.includes(expected)) await stirred.promise;
    return heard;
  };
}

describe('lisp-harbor repl', PATIENTLY, () => {
  it('S0-25 reads forms from stdin and prints values and prompts on stdout', async () => {
    expect(await repl('(+ 1 2)\n')).toEqual({ code: 0, stdout: '* 3\n* ', stderr: '' });
    const { stdout } = await repl('(defun twice (x)\n  (* 2 x))\n(princ "out")\n(twice\n 21)\n');
    expect(stdout).toBe('* TWICE\n* out\n"out"\n* 42\n* ');
  });

  it.each([
    ['acl2', '(+ 1 2)\n', /ACL2 !>3\nACL2 !>$/],
    ['nbb', '(+ 1 2)\n', /user=> 3\nuser=> $/],
  ])('S0-25 shows the prompt of %s', async (engine, input, shown) => {
    expect((await repl(input, '--engine', engine)).stdout).toMatch(shown);
  });

  it('S0-25 gives lines to code that reads, and ends when there are no more', async () => {
    expect((await repl('(list (read-line))\none\n')).stdout).toBe('* ("one")\n* ');
    expect(await repl('(read-line)\n')).toMatchObject({ code: 0, stderr: '' });
  });

  it('S0-25 holds an error as the engine does, and goes on by a restart or at the top level', async () => {
    const { code, stdout } = await repl('(error "on purpose")\n(+ 1 1)\n0\n(+ 2 2)\n');
    expect(code).toBe(0);
    expect(stdout).toMatch(/debugger invoked on a SIMPLE-ERROR[\s\S]*\n0\] 2\n0\] \* 4\n\* $/);
  });

  it('S0-25 interrupts what runs when it is interrupted itself, and goes on', async () => {
    const child = startCommand(['repl', ...data]);
    const heard = hearing(child.stdout);
    const exited = once(child, 'exit');
    child.stdin.write('(progn (print :begun) (finish-output) (loop))\n');
    await heard(':BEGUN');
    child.kill('SIGINT');
    // The signal may come while FINISH-OUTPUT returns.
    await heard('; Evaluation interrupted.\n; It was interrupted in ');
    await heard('(PROGN (PRINT :BEGUN) (FINISH-OUTPUT) (LOOP)).\n* ');
    child.stdin.write('(list 4 2)\n');
    await heard('(4 2)\n* ');
    child.stdin.end();
    expect((await exited)[0]).toBe(0);
  });

  it('S0-25 has a session of its own, or one with a name that stays; both are in the history', async () => {
    await repl('(defvar *kept* :kept)\n', '--session', 'desk');
    expect((await repl('*kept*\n', '--session', 'desk')).stdout).toBe('* :KEPT\n* ');
    expect((await repl("(boundp '*kept*)\n")).stdout).toBe('* NIL\n* ');
    const found = await call<{ rows: { client: string }[] }>(await harbor.client(), 'history', {
      query: 'kept',
    });
    expect(found.structured.rows.map(({ client }) => client)).toContain('command-line');
  });

  it('S0-25 starts a harbor where none runs', async () => {
    const folder = temporaryFolder('data');
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const args = ['repl', '--data', folder, '--project', harbor.project, '--engine', 'nbb'];
    expect((await runCommand(args, '(+ 1 2)\n')).stdout).toMatch(/3\n/);
    expect((await runCommand(['stop', '--data', folder])).code).toBe(0);
  });

  it('says why there is no session', async () => {
    const none = await repl('1\n', '--engine', 'ccl');
    expect(none).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/ccl/i) });
  });
});
