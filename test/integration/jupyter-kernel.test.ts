/** The Jupyter kernel as Jupyter starts it, with a client of ours, on SBCL, ACL2 and nbb. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { runCommand, startCommand } from '../command-line';
import { connectionFile, JupyterClient } from '../jupyter-client';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

const PATIENTLY = { timeout: 120_000 };

let harbor: StartedHarbor;
let folder: string;
const kernels: { client: JupyterClient; child: ReturnType<typeof startCommand> }[] = [];

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--engine', 'sbcl'] });
  folder = temporaryFolder('jupyter');
});
afterAll(async () => {
  await harbor.stop();
  rmSync(folder, { recursive: true });
});
afterEach(async () => {
  for (const { client, child } of kernels.splice(0)) {
    const ended = new Promise((resolve) => child.once('exit', resolve));
    if (child.exitCode === null) {
      child.kill('SIGTERM');
      await ended;
    }
    client.close();
  }
});

async function kernel(engine: string) {
  const name = path.join(folder, `${engine}-${kernels.length}.json`);
  const file = await connectionFile(name);
  const child = startCommand(['kernel', '--data', harbor.data, '--engine', engine, name], {
    cwd: harbor.project,
  });
  child.stderr.on('data', (chunk: Buffer) => process.stderr.write(chunk));
  const client = await JupyterClient.open(file);
  kernels.push({ client, child });
  return { client, child };
}

const outputs = (published: readonly { type: string; content: Record<string, unknown> }[]) =>
  published.filter(({ type }) => type !== 'status' && type !== 'execute_input').map(({ content }) => content);

describe('on SBCL', PATIENTLY, () => {
  it('tells what it is, and its heart beats', async () => {
    const { client } = await kernel('sbcl');
    expect(await client.request('shell', 'kernel_info_request')).toMatchObject({
      ...{
        status: 'ok',
        protocol_version: '5.3',
        language_info: { name: 'common-lisp', file_extension: '.lisp' },
      },
    });
    expect(await client.beat()).toBe('ping');
  });

  it('cells run in one session, in order, under the name jupyter; output is streamed', async () => {
    const { client } = await kernel('sbcl');
    await client.run('(defvar *n* 41)');
    const { reply, published } = await client.run('(format t "hello~%") (incf *n*)');
    expect(reply).toMatchObject({ status: 'ok', execution_count: 2 });
    expect(outputs(published)).toMatchObject([
      { name: 'stdout', text: 'hello\n' },
      { execution_count: 2, data: { 'text/plain': '42' } },
    ]);
    const agent = await harbor.client();
    const { structuredContent } = await agent.callTool({
      name: 'history',
      arguments: { query: 'hello', limit: 1 },
    });
    expect(structuredContent).toMatchObject({ rows: [{ client: 'jupyter', outcome: 'ok' }] });
  });

  it('results are text, so no code in the image writes HTML into the notebook', async () => {
    const { client } = await kernel('sbcl');
    const { published } = await client.run('(format t "<b>1</b>") "<script>2</script>"');
    expect(outputs(published)).toEqual([
      { name: 'stdout', text: '<b>1</b>' },
      { execution_count: 1, data: { 'text/plain': '"<script>2</script>"' }, metadata: {} },
    ]);
  });

  it('an error has its frames, and what was queued behind it is not run', async () => {
    const { client } = await kernel('sbcl');
    const failing = client.run('(error "on ~a" :purpose)');
    const queued = client.run('(print :never)');
    const { reply, published } = await failing;
    expect(reply).toMatchObject({ status: 'error', ename: 'SIMPLE-ERROR', evalue: 'on PURPOSE' });
    expect(outputs(published).at(-1)?.traceback).toEqual(
      expect.arrayContaining([expect.stringMatching(/^0: /)]),
    );
    expect((await queued).reply.status).toBe('aborted');
    expect((await client.run('(+ 1 2)')).reply.status).toBe('ok');
  });

  it('code that reads a line gets it from the notebook', async () => {
    const { client } = await kernel('sbcl');
    const reading = client.run('(list (read-line))');
    await client.next(({ type }) => type === 'input_request');
    client.send('stdin', 'input_reply', { value: 'typed' });
    expect(outputs((await reading).published).at(-1)).toMatchObject({ data: { 'text/plain': '("typed")' } });
    const { published } = await client.run('(list (read-line nil nil))', { allow_stdin: false });
    expect(outputs(published).at(-1)).toMatchObject({ data: { 'text/plain': '(NIL)' } });
  });

  it('an interrupt stops the cell and keeps the state; questions are answered meanwhile', async () => {
    const { client } = await kernel('sbcl');
    await client.run('(defun answer-of-life (x) "About it." (* 42 x))');
    const looping = client.run('(progn (print :began) (finish-output) (loop))');
    await client.next(({ type, content }) => type === 'stream' && /BEGAN/.test(String(content.text)));
    const completed = await client.request('shell', 'complete_request', {
      ...{ code: '(list "😀" (answer-o))', cursor_pos: 19 },
    });
    expect(completed).toMatchObject({ matches: ['answer-of-life'], cursor_start: 11, cursor_end: 19 });
    const inspected = await client.request('shell', 'inspect_request', {
      code: 'answer-of-life',
      cursor_pos: 3,
    });
    expect(inspected).toMatchObject({
      found: true,
      data: { 'text/plain': expect.stringMatching(/About it/) },
    });
    await client.request('control', 'interrupt_request');
    expect((await looping).reply).toMatchObject({ status: 'error', ename: 'interrupted' });
    expect(outputs((await client.run('(answer-of-life 1)')).published).at(-1)).toMatchObject({
      data: { 'text/plain': '42' },
    });
  });

  it.each([
    ['(list 1', 'incomplete'],
    ['(list 1)', 'complete'],
    ['"text', 'incomplete'],
  ])('%s is %s', async (code, status) => {
    const { client } = await kernel('sbcl');
    expect((await client.request('shell', 'is_complete_request', { code })).status).toBe(status);
  });

  it('a message with a wrong signature is not executed, nor one that comes again', async () => {
    const { client } = await kernel('sbcl');
    await client.run('(defvar *runs* 0)');
    await client.run('(incf *runs*)');
    client.sendAgain();
    client.send('shell', 'execute_request', { code: '(defvar *forged* 1)' }, 'another key');
    const { published } = await client.run("(list *runs* (boundp '*forged*))");
    expect(outputs(published)).toMatchObject([{ execution_count: 3, data: { 'text/plain': '(1 NIL)' } }]);
  });

  it('its end closes its session', async () => {
    const { client, child } = await kernel('sbcl');
    await client.run('1');
    const ended = new Promise((resolve) => child.once('exit', resolve));
    expect(await client.request('control', 'shutdown_request', { restart: false })).toMatchObject({
      ...{ status: 'ok', restart: false },
    });
    expect(await ended).toBe(0);
  });
});

it('ACL2 proves in a cell, and a failed proof is an error', PATIENTLY, async () => {
  const { client } = await kernel('acl2');
  const { reply } = await client.run('(defthm car-of-cons (equal (car (cons x y)) x) :rule-classes nil)');
  expect(reply.status).toBe('ok');
  expect((await client.run('(defthm wrong (equal (car x) x) :rule-classes nil)')).reply.status).toBe('error');
});

it('ClojureScript on nbb', PATIENTLY, async () => {
  const { client } = await kernel('nbb');
  expect(outputs((await client.run('(map inc [1 2])')).published).at(-1)).toMatchObject({
    data: { 'text/plain': '(2 3)' },
  });
});

it('a connection file for other computers, or without a key, is refused', async () => {
  const name = path.join(folder, 'open.json');
  for (const [change, why] of [
    [{ ip: '0.0.0.0' }, /loopback/],
    [{ key: '' }, /key/],
  ] as const) {
    const file = await connectionFile(name);
    writeFileSync(name, JSON.stringify({ ...file, ...change }));
    const ended = await runCommand(['kernel', '--data', harbor.data, '--engine', 'sbcl', name]);
    expect([ended.code, ended.stderr]).toEqual([2, expect.stringMatching(why)]);
  }
});
