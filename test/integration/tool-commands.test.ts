/** Tools called at the command line, as agents do at a shell: real processes, one harbor, SBCL. */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { TOOL_COMMANDS } from '../../electron/command-line/calls/tool-commands';
import { dataFolder } from '../../electron/host/data-folder';
import { RunningHarbor } from '../../electron/host/running-harbor';
import { endOf, runCommand, startCommand } from '../command-line';
import { call, withoutCost } from '../evaluation';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';
import { type Typed, typedHere } from '../typed-command';

/** The first evaluation may have to build what images start from. */
const PATIENTLY = { timeout: 120_000 };

let harbor: StartedHarbor;
let project: string;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--engine', 'sbcl'] });
  project = temporaryFolder('shell');
  mkdirSync(path.join(project, 'src'));
  mkdirSync(path.join(project, 'vendor/.git'), { recursive: true });
  writeFileSync(path.join(project, 'shop.asd'), '(asdf:defsystem "shop" :components ((:file "shop")))');
  writeFileSync(path.join(project, 'shop.lisp'), SHOP);
});
afterAll(async () => {
  await harbor.stop();
  rmSync(project, { recursive: true });
});

const SHOP = `(defpackage :shop (:use :cl) (:export #:price))
(in-package :shop)
(defun price (n) (* n 3))
`;

/** Types it in the project, or below it. */
async function typed(words: readonly string[], { folder = project, ...how }: Partial<Typed> = {}) {
  const ended = await typedHere([...words, '--data', harbor.data], { folder, ...how });
  return { ...ended, stdout: withoutCost(ended.stdout) };
}

/** What a command prints that succeeds and says nothing else. */
async function said(...words: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await typed(words);
  expect([code, stderr], stdout).toEqual([0, '']);
  return stdout;
}

describe('at a shell', PATIENTLY, () => {
  it('one session serves a project, and what does not change is told once', async () => {
    const first = await said('eval', '(defvar *n* 41)');
    expect(first).toMatch(/^=> \*N\*\n; session sbcl-\w{6} · package CL-USER\n$/);
    expect(await said('eval', '(incf *n*)')).toBe('=> 42\n');
    // Below the project it is the same one; in a repository of its own another.
    expect((await typed(['eval', '*n*'], { folder: path.join(project, 'src') })).stdout).toBe('=> 42\n');
    const other = await typed(['eval', "(boundp '*n*)"], { folder: path.join(project, 'vendor') });
    expect(other.stdout).toMatch(/^=> NIL\n; session /);
    expect(await said('eval', "(boundp '*n*)", '--session', 'second')).toBe('=> NIL\n');
    expect(await said('images')).toMatch(/"second"/);
    const mistaken = await typed(['eval', '1', '--session', 'second', '--engine', 'nbb']);
    expect(mistaken).toMatchObject({ code: 1, stderr: expect.stringMatching(/second runs sbcl/) });
    expect(await said('eval', '1', '--session', /sbcl-\w{6}/.exec(first)?.[0] ?? '')).toBe('=> 1\n');
  });

  it('agents with names of their own have sessions of their own in one folder', async () => {
    const as = (agent: string, code: string) => typed(['eval', code], { env: { LISP_HARBOR_AGENT: agent } });
    for (const agent of ['ann', 'bob']) await as(agent, `(defvar *who* "${agent}")`);
    for (const agent of ['ann', 'bob']) expect((await as(agent, '*who*')).stdout).toBe(`=> "${agent}"\n`);
    expect((await as('', "(boundp '*who*)")).stdout).toBe('=> NIL\n');
    const mistaken = await as('x'.repeat(81), '1');
    expect(mistaken).toMatchObject({ code: 2, stderr: expect.stringMatching(/LISP_HARBOR_AGENT/) });
  });

  it('errors of Lisp are answers with exit code 1; what is refused is said on stderr', async () => {
    const failed = await typed(['eval', '(error "on ~a" :purpose)']);
    expect(failed).toEqual({
      code: 1,
      stdout: expect.stringMatching(/^\[SIMPLE-ERROR\] on PURPOSE/),
      stderr: '',
    });
    const refusals = [
      [['eval', '1', '--session', 'sbcl-zzzzzz'], /no session sbcl-zzzzzz/],
      [['eval', '1', '--engine', 'cobol'], /no engine cobol.*sbcl/],
      [['job', '999999'], /no job job-999999/],
      [['call', 'nonsense'], /no tool nonsense/],
    ] as const;
    for (const [words, stderr] of refusals)
      expect(await typed(words)).toEqual({ code: 1, stdout: '', stderr: expect.stringMatching(stderr) });
    expect(await typed(['eval', '1', '--bogus'])).toMatchObject({ code: 2, stdout: '' });
    expect(await typed(['eval', '1', '--project', '/no/such'])).toMatchObject({ code: 2, stdout: '' });
  });

  it('a folder that can be no project is not worked in, whoever names it', async () => {
    const home = await typed(['eval', '*default-pathname-defaults*', '--project', '/usr']);
    expect(home.stdout).toContain('cannot be a project');
    expect(home.stdout).toMatch(/^=> #P".*scratch/);
  });

  it('code comes from files and stdin, and results as data', async () => {
    expect((await typed(['eval', '-'], { input: '(list 1)\n(list 2)' })).stdout).toBe(
      '1. (list 1)\n=> (1)\n2. (list 2)\n=> (2)\n',
    );
    writeFileSync(path.join(project, 'once.lisp'), '(defun twice (n)\n  (* 2 n))\n(twice 4)');
    expect(await said('eval', 'once.lisp')).toMatch(/=> 8\n$/);
    expect(JSON.parse(await said('eval', '(values 1 2)', '--json'))).toMatchObject({
      outcome: 'ok',
      forms: [{ values: ['1', '2'] }],
    });
  });

  it('systems are loaded, edited, tested, found, and the image begun anew', async () => {
    expect(await said('load', 'shop')).toMatch(/^loaded shop\n/);
    expect(await said('find', 'shop:price')).toMatch(/^shop\.lisp:3 function SHOP:PRICE$/m);
    expect(await said('describe', 'shop:price')).toMatch(/^function SHOP:PRICE \(N\)/);
    const edit = ['edit', 'shop.lisp', 'replace', 'defun', 'price'];
    const edited = await typed([...edit, '--dry-run'], { input: '(defun price (n) (* n 4))' });
    expect([edited.code, readFileSync(path.join(project, 'shop.lisp'), 'utf8')]).toEqual([0, SHOP]);
    await typed(edit, { input: '(defun price (n) (* n 4))' });
    expect(await said('load', 'shop.lisp')).not.toMatch(/error/);
    expect(await said('eval', '(shop:price 2)')).toBe('=> 8\n');
    expect((await typed(['edit', 'shop.lisp', 'delete', 'defun', 'none'])).code).toBe(1);
    expect(await typed(['test', 'shop', '--test', 'none'])).toMatchObject({ code: 1 });
    expect(await said('restart')).toContain('fresh');
    expect(await said('eval', '(shop:price 2)')).toBe('=> 8\n');
    expect(await said('eval', "(boundp '*n*)")).toBe('=> NIL\n');
    expect(await said('call', 'inspect', '{"code": "(list 7)"}')).toMatch(/0: 7/);
  });

  it('find takes all kinds that its tool has, and a pattern for that of a lemma', async () => {
    const { tools } = await (await harbor.client()).listTools();
    const kinds = tools.find(({ name }) => name === 'find')?.inputSchema.properties?.kind as {
      enum: string[];
    };
    const help = await said('find', '--help');
    expect(kinds.enum.filter((kind) => !help.includes(kind))).toEqual([]);
    const found = await said('find', '(car (cons ? ?))', '--engine', 'acl2', '--session', 'prover');
    expect(found).toContain('CAR-CONS');
    expect(await said('find', '(setf gethash)')).toMatch(/SETF GETHASH/);
  });

  it('--strict is exit code 1 where a result rests on what was not proved, and tests are strict by themselves', async () => {
    const prover = ['--engine', 'acl2', '--session', 'strict'];
    const code = async (...words: string[]) => (await typed([...words, ...prover])).code;
    const axiom = '(defaxiom given (equal (car x) x) :rule-classes nil)';
    expect(await code('eval', '(thm (equal x x))', '--strict')).toBe(0);
    expect(await code('eval', axiom)).toBe(0);
    expect(await code('eval', '(thm (equal x x))', '--strict')).toBe(1);
    expect(await code('eval', '(thm (equal x x))', '--strict', '--allow', 'given')).toBe(0);
    writeFileSync(path.join(project, 'given.lisp'), `(in-package "ACL2")\n${axiom}\n`);
    writeFileSync(path.join(project, 'given.acl2'), '; cert-flags: ? t :defaxioms-okp t\n');
    expect(await code('test', 'given.lisp')).toBe(1);
    expect(await code('test', 'given.lisp', '--allow', 'given')).toBe(0);
  });

  it('a red run of tests is exit code 1, a green one 0', async () => {
    const checks = (price: number) => `(defpackage :checks (:use :cl))
(in-package :checks)
(5am:test price (5am:is (= ${price} (shop:price 2))))`;
    writeFileSync(
      path.join(project, 'checks.asd'),
      '(defsystem "checks" :depends-on ("shop" "fiveam") :components ((:file "checks")))',
    );
    const run = (price: number, ...more: string[]) => {
      writeFileSync(path.join(project, 'checks.lisp'), checks(price));
      return typed(['test', 'checks', ...more]);
    };
    expect(await run(99)).toMatchObject({ code: 1, stdout: expect.stringContaining('1 failed') });
    expect(await run(99, '--json')).toMatchObject({ code: 1 });
    expect(await run(8)).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') });
  });

  it.each([
    ['a test-op that prints failures and returns nil', '(test-op (o c) (format t "3 failed~%") nil)', ''],
    ['a system without a test-op', null, ''],
    ['tests without a check', null, '(fiveam:test nothing 1)'],
  ])('%s is not green: exit code 4', async (_what, operation, code) => {
    writeFileSync(path.join(project, 'printed.lisp'), code);
    const perform = operation === null ? '' : `:perform ${operation}`;
    writeFileSync(
      path.join(project, 'printed.asd'),
      `(defsystem "printed" :depends-on ("fiveam") :components ((:file "printed")) ${perform})`,
    );
    expect(await typed(['test', 'printed'])).toMatchObject({ code: 4 });
  });

  it('a suite that does not exist is an error', async () => {
    expect(await typed(['test', 'checks', '--test', 'no-such-suite'])).toMatchObject({ code: 1 });
  });

  it('what outlives its command is a job, by exit code 3 and in words', async () => {
    const begun = await typed(['eval', LOOP_UNTIL('go'), '--wait', '0']);
    const id = /running as job-(\d+)/.exec(begun.stdout)?.[1] ?? '';
    expect(begun).toMatchObject({ code: 3, stderr: expect.stringContaining(`"lisp-harbor job ${id}"`) });
    expect((await typed(['job', 'status', id])).code).toBe(3);
    writeFileSync(path.join(project, 'go'), '');
    expect(await typed(['job', id])).toMatchObject({ code: 0, stdout: expect.stringMatching(/^=> :DONE\n/) });
    const other = await typed(['eval', '(loop (sleep 0.1))', '--wait', '0']);
    const cancelled = await typed(['job', 'cancel', /job-(\d+)/.exec(other.stdout)?.[1] ?? '']);
    expect(cancelled).toMatchObject({ code: 0, stdout: expect.stringMatching(/^; interrupted/) });
  });

  it.each([
    ['SIGINT', 130, /interrupting/, /; interrupted/],
    ['SIGKILL', null, /^$/, /^$/],
  ] as const)('%s of the command interrupts what it began', async (signal, code, stderr, stdout) => {
    const command = startCommand(['eval', LOOPING(signal), '--data', harbor.data], { cwd: project });
    const ended = endOf(command, '');
    await expect.poll(() => existsSync(path.join(project, signal)), PATIENT).toBe(true);
    command.kill(signal);
    expect(await ended).toEqual({
      code,
      stdout: expect.stringMatching(stdout),
      stderr: expect.stringMatching(stderr),
    });
    // The image is free again, with its state.
    await expect.poll(async () => (await typed(['eval', '(shop:price 2)'])).stdout, PATIENT).toBe('=> 8\n');
  });

  it('where a person watches, output comes while the code runs, and is not repeated', async () => {
    const code = `(progn (princ "begun") (finish-output) ${LOOP_UNTIL('seen')})`;
    // It goes on once its output was seen.
    const onOutput = () => writeFileSync(path.join(project, 'seen'), '');
    const { stdout } = await typed(['eval', code], { isWatched: true, onOutput });
    expect(stdout).toMatch(/^begun\n=> :DONE\n/);
  });

  it('each call is a row of client command-line, and other clients’ sessions are none of its own', async () => {
    const client = await harbor.client();
    const { structured } = await call<{ session: string }>(client, 'open_session', { name: 'theirs' });
    expect((await typed(['eval', '1', '--session', structured.session])).stderr).toContain('no session');
    expect(await said('eval', '(+ 1 2)', '--session', 'theirs')).toBe('=> 3\n');
    const rows = new Sqlite(dataFolder(harbor.data).history, { readonly: true });
    onTestFinished(() => void rows.close());
    const newest = () =>
      rows.prepare('select client, endpoint, tool, outcome from calls order by id desc limit 1').get();
    await expect
      .poll(newest, PATIENT)
      .toEqual({ client: 'command-line', endpoint: 'socket', tool: 'eval', outcome: 'ok' });
  });

  it('takes no argument that its tool does not', async () => {
    const { tools } = await (await harbor.client()).listTools();
    const command = {
      words: ['a', 'b', 'c', 'd'],
      text: () => '1',
      number: () => 1,
      isSet: () => true as const,
    };
    const given = { ...command, file: (name: string) => name, stdin: async () => '{}', isWatched: false };
    for (const [name, { toToolCall, words }] of TOOL_COMMANDS) {
      const taken = name === 'job' ? ['output', '1'] : given.words.slice(0, words[1]);
      if (name === 'call') continue;
      const { tool, arguments: args } = await toToolCall({ ...given, words: taken });
      const schema = tools.find((each) => each.name === tool)?.inputSchema.properties ?? {};
      expect(Object.keys(schema), name).toEqual(expect.arrayContaining(Object.keys(args)));
    }
  });
});

it('where no harbor runs, one is started, says so, and goes on', PATIENTLY, async () => {
  const data = temporaryFolder('data');
  onTestFinished(() => rmSync(data, { recursive: true, force: true }));
  onTestFinished(async () => void (await RunningHarbor.of(dataFolder(data))?.stop()));
  const typedThere = () =>
    runCommand(['eval', '(+ 1 2)', '--engine', 'nbb', '--data', data], '', { cwd: project, env: HIDDEN });
  expect(await typedThere()).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^=> 3\n/),
    stderr: expect.stringMatching(/starting a harbor.*lisp-harbor stop/),
  });
  expect(await typedThere()).toMatchObject({ code: 0, stdout: expect.stringMatching(/^=> 3\n/), stderr: '' });
});

/** Of a hidden start from a checkout: it runs on this very binary, and takes no port that others may want. */
const HIDDEN = { ELECTRON_BIN: process.execPath, MCP_HTTP_PORT: '0' };

/** Runs until that file is there. */
function LOOP_UNTIL(file: string): string {
  return `(loop until (probe-file "${path.join(project, file)}") do (sleep 0.01) finally (return :done))`;
}

/** Makes that file and runs for ever. */
function LOOPING(file: string): string {
  return `(progn (close (open "${path.join(project, file)}" :direction :output :if-does-not-exist :create)) (loop (sleep 0.1)))`;
}
