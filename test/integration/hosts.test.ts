/** Images on another machine over a real ssh: a real sshd on loopback stands for it, and its project lies in another folder. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate, values, type WholeRecord } from '../evaluation';
import { Sshd } from '../sshd';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';

let sshd: Sshd;
let harbor: StartedHarbor;
let client: Client;
let there: string;

beforeAll(async () => {
  sshd = await Sshd.start();
  const project = temporaryFolder('project');
  there = temporaryFolder('there');
  const map = { [project]: there };
  const host = (name: string, more: object = {}) => ({
    ...{ name, launcher: 'ssh', address: 'farm', project: { map } },
    ...more,
  });
  harbor = await StartedHarbor.start({
    project,
    args: ['--engine', 'sbcl'],
    env: { PATH: `${sshd.programs}:${process.env.PATH}` },
    settings: {
      hosts: [
        host('farm'),
        host('stranger', { address: 'stranger' }),
        host('bare', { engines: { sbcl: '/nowhere/sbcl' } }),
        host('elsewhere', { project: { map: { '/nowhere': '/nowhere' } } }),
      ],
    },
  });
  client = await harbor.client();
}, 180_000);
afterAll(async () => {
  await harbor?.stop();
  sshd?.stop();
});

async function opened(host = 'farm'): Promise<string> {
  return (await call<{ session: string }>(client, 'open_session', { engine: 'sbcl', host })).structured
    .session;
}

describe('a session on a host', () => {
  let session: string;
  const on = (code: string, args: object = {}) => evaluate(client, code, { session, ...args });

  beforeAll(async () => {
    session = await opened();
  }, 180_000);

  it('is one there: the same paths have the files of the host', async () => {
    expect((await on('(+ 1 2)')).structured).toMatchObject({ values: ['3'], stderr: '', notes: [] });
    writeFileSync(path.join(there, 'a.lisp'), '(in-package :cl-user) (defun there () 42)');
    expect(await values(client, '(uiop:getcwd)', { session })).toEqual([`#P"${harbor.project}/"`]);
    const loaded = await on('(load "a.lisp")');
    expect(loaded.structured.outcome).toBe('ok');
    expect(await values(client, '(there)', { session })).toEqual(['42']);
    await on('(with-open-file (out "b.txt" :direction :output) (write-string "written" out))');
    expect(readFileSync(path.join(there, 'b.txt'), 'utf8')).toBe('written');
    expect(existsSync(path.join(harbor.project, 'b.txt'))).toBe(false);
    const listed = await call<{
      sessions: { session: string; host?: string }[];
      hosts: { name: string; sessions: number }[];
    }>(client, 'images');
    expect(listed.structured.sessions.find((each) => each.session === session)?.host).toBe('farm');
    expect(listed.structured.hosts.find(({ name }) => name === 'farm')?.sessions).toBe(1);
  });

  it('is confined there', async () => {
    for (const file of [
      path.join(harbor.data, 'settings.json'),
      path.join(sshd.cache, '../user'),
      '/etc/shadow',
    ])
      expect(
        (await on(`(with-open-file (in ${JSON.stringify(file)}) (read-line in))`)).structured.outcome,
      ).toBe('error');
    expect((await on('(require :sb-bsd-sockets)')).structured.outcome).toBe('ok');
    const reached = await on(`(sb-bsd-sockets:socket-connect
      (make-instance 'sb-bsd-sockets:inet-socket :type :stream :protocol :tcp) #(127 0 0 1) ${new URL(harbor.ready.mcp).port})`);
    expect(reached.structured.outcome).toBe('error');
  });

  it('has output, the debugger, the inspector and an interrupt that keeps its state', async () => {
    const printed = await on('(progn (princ "out") (princ "err" *error-output*) (values 1 2))');
    expect(printed.structured).toMatchObject({ stdout: 'out', stderr: 'err', values: ['1', '2'] });
    const held = await on('(let ((x 5)) (+ x (error "held")))', { on_error: 'debug' });
    expect(held.structured.outcome).toBe('debugger');
    await call(client, 'debug', { session, action: 'abort' });
    const parts = await call<{ parts: unknown[] }>(client, 'inspect', { session, code: "'(1 2 3)" });
    expect(parts.text).toContain('3');
    await on('(defvar *kept* 7)');
    const begun = await on('(loop)', { wait_ms: 0 });
    await call(client, 'job', { job: begun.structured.job, action: 'cancel' });
    expect(await values(client, '*kept*', { session })).toEqual(['7']);
  });

  it('comes back with its definitions after a crash', async () => {
    await on('(defun again () :again)');
    expect((await on('(sb-ext:exit :code 4 :abort t)')).structured.outcome).toBe('crashed');
    expect(await values(client, '(again)', { session })).toEqual([':AGAIN']);
  }, 60_000);

  it.each([
    ['cut', 'SIGKILL'],
    ['silent', 'SIGSTOP'],
  ] as const)(
    'says that its link was lost when it is %s, and runs nothing again',
    async (name, signal) => {
      await on('(defun after () :after)');
      const file = `ran-${name}`;
      const begun = await on(
        `(progn (with-open-file (out "${file}" :direction :output :if-exists :append :if-does-not-exist :create)
         (write-line "once" out)) (loop (sleep 1)))`,
        { wait_ms: 0 },
      );
      await expect.poll(() => existsSync(path.join(there, file)), PATIENT).toBe(true);
      const connections = sshd.connections;
      for (const pid of connections) process.kill(pid, signal);
      const cutAt = Date.now();
      const ended = await call<WholeRecord>(client, 'job', {
        job: begun.structured.job,
        action: 'wait',
        wait_ms: 60_000,
      });
      expect(ended.structured.outcome).toBe('crashed');
      expect(ended.structured.notes.join()).toMatch(/link to farm was lost/);
      expect(Date.now() - cutAt).toBeLessThan(30_000);
      if (signal === 'SIGSTOP') for (const pid of connections) process.kill(pid, 'SIGKILL');
      expect(await values(client, '(after)', { session })).toEqual([':AFTER']);
      expect(readFileSync(path.join(there, file), 'utf8')).toBe('once\n');
    },
    90_000,
  );
});

it('leaves nothing of a closed session there, and starts again although its core was deleted', async () => {
  const cache = path.join(sshd.cache, 'lisp-harbor');
  const session = await opened();
  const folder = path.join(cache, 'sessions', session);
  expect(existsSync(folder)).toBe(true);
  await call(client, 'close_session', { session });
  await expect.poll(() => existsSync(folder), PATIENT).toBe(false);
  for (const name of readdirSync(cache)) if (name.endsWith('.core')) rmSync(path.join(cache, name));
  const failed = await call(client, 'open_session', { engine: 'sbcl', host: 'farm' });
  expect(failed.isError).toBe(true);
  expect(await values(client, '(+ 1 2)', { session: await opened() })).toEqual(['3']);
}, 120_000);

it('a map runs on the copies of the hosts that it names', async () => {
  await values(client, '(defun square (x) (* x x))');
  const { structured } = await evaluate(client, '(list (square n) (and (probe-file "b.txt") t))', {
    map: { as: 'n', count: 3, most: 2, on: 'farm' },
  });
  expect(structured.items?.map((item) => item.values)).toEqual([['(0 T)'], ['(1 T)'], ['(4 T)']]);
}, 90_000);

it('a map leaves the items of a host that cannot be reached to the others, and names no unknown host', async () => {
  const { structured } = await evaluate(client, 'n', {
    map: { as: 'n', count: 4, on: ['stranger', 'farm'] },
  });
  expect(structured.items?.map((item) => item.values)).toEqual([['0'], ['1'], ['2'], ['3']]);
  expect(structured.notes.join()).toMatch(/Permission denied/);
  const unknown = await evaluate(client, 'n', { map: { as: 'n', count: 1, on: 'nobody' } });
  expect(unknown).toMatchObject({ isError: true, text: expect.stringMatching(/no host nobody/) });
}, 90_000);

it.each([
  ['nobody', /no host nobody/],
  ['stranger', /Permission denied/],
  ['bare', /SBCL is not installed there/],
  ['elsewhere', /no folder for the project/],
  ['-oProxyCommand=touch', /no host/],
])(
  'a session on %s is refused with the reason',
  async (host, reason) => {
    const result = await call(client, 'open_session', { engine: 'sbcl', host });
    expect(result).toMatchObject({ isError: true, text: expect.stringMatching(reason) });
  },
  60_000,
);

it('only SBCL runs on hosts', async () => {
  const result = await call(client, 'open_session', { engine: 'nbb', host: 'farm' });
  expect(result).toMatchObject({ isError: true, text: expect.stringMatching(/SBCL does/) });
});
