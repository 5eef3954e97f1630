/** Editors that speak nREPL, on the sessions of agents, over the ports that `lisp-harbor editor` opens. */

import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { runCommand } from '../command-line';
import { call, evaluate, values } from '../evaluation';
import { NreplEditor } from '../nrepl-editor';
import { PATIENT, StartedHarbor } from '../started-harbor';

const STARTING_MS = 240_000;

let harbor: StartedHarbor;
let agent: Client;

beforeAll(async () => {
  harbor = await StartedHarbor.start();
  agent = await harbor.client();
}, STARTING_MS);
afterAll(() => harbor.stop());

interface Address {
  protocol: string;
  host: string;
  port: number;
  session: string;
}

const editorCommand = (...args: string[]) =>
  runCommand(['editor', ...args, '--data', harbor.data, '--project', harbor.project]);

async function portOf(session: string, ...args: string[]): Promise<Address> {
  const { code, stdout, stderr } = await editorCommand(session, ...args);
  expect(stderr).toContain('ConjureConnect');
  expect(code).toBe(0);
  return JSON.parse(stdout) as Address;
}

async function open(engine: string): Promise<string> {
  return (await call<{ session: string }>(agent, 'open_session', { engine })).structured.session;
}

async function editorOn(port: number): Promise<NreplEditor> {
  const editor = await NreplEditor.on(port);
  onTestFinished(() => editor.close());
  return editor;
}

interface Row {
  id: number;
  client: string;
  code: string;
  outcome: string;
  values: string[];
}

async function rowsOf(session: string): Promise<Row[]> {
  const { structured } = await call<{ rows: Row[] }>(agent, 'history', { session, limit: 50 });
  return structured.rows;
}

describe('a session of Clojure', () => {
  let session: string;
  let port: number;

  beforeAll(async () => {
    session = await open('clojure');
    ({ port } = await portOf(session));
  }, STARTING_MS);

  it('is served by the nREPL of its image, without the sideloader', async () => {
    const editor = await editorOn(port);
    const { messages } = await editor.ask({ op: 'describe' });
    const { ops = {}, versions = {} } = messages.at(-1) ?? {};
    expect(Object.keys(ops)).toEqual(expect.arrayContaining(['eval', 'load-file', 'ls-middleware', 'eldoc']));
    expect(Object.keys(ops)).not.toContain('sideloader-start');
    expect(Object.keys(versions)).toEqual(expect.arrayContaining(['clojure', 'nrepl', 'lisp-harbor']));
    const refused = await editor.ask({ op: 'sideloader-start' });
    expect(refused.status).toContain('error');
  });

  it('shares the image with the agent; its evaluations are rows, and the agent is notified', async () => {
    const editor = await editorOn(port);
    const own = await editor.clone('CIDER');
    const defined = await editor.ask({ op: 'eval', session: own, code: '(def tide :low) (print 1) (* 6 7)' });
    expect(defined).toMatchObject({ values: ["#'user/tide", 'nil', '42'], out: '1', status: ['done'] });
    expect((await editor.ask({ op: 'eval', session: own, code: '*1' })).values).toEqual(['42']);
    const { structured } = await evaluate(agent, 'user/tide', { session });
    expect(structured.values).toEqual([':low']);
    expect(structured.notes.join('\n')).toMatch(/CIDER/);
    expect((await evaluate(agent, '1', { session })).structured.notes.join('\n')).not.toMatch(/CIDER/);
    const row = (await rowsOf(session)).find(({ code }) => code.startsWith('(def tide'));
    expect(row).toMatchObject({ client: 'CIDER', outcome: 'ok', values: ['42'] });
    await evaluate(agent, '(in-ns (quote user)) (def tide :high)', { session });
    expect((await editor.ask({ op: 'eval', session: own, code: 'tide' })).values).toEqual([':high']);
  });

  it('reports an error, and reads from the editor', async () => {
    const editor = await editorOn(port);
    const own = await editor.clone();
    const failed = await editor.ask({ op: 'eval', session: own, code: '(/ 1 0)' });
    expect(failed.messages).toContainEqual(
      expect.objectContaining({ ex: expect.stringContaining('Arithmetic') }),
    );
    expect(failed.status).toContain('eval-error');
    expect((await rowsOf(session))[0]).toMatchObject({ client: 'nREPL editor', outcome: 'error' });
    const { id } = (await rowsOf(session))[0] ?? {};
    const { structured } = await call<{ rows: object[] }>(agent, 'history', { id });
    expect(JSON.stringify(structured)).toContain('Divide by zero');
    const reading = editor.send({ op: 'eval', session: own, code: '(read-line)' });
    await editor.until(reading, ({ status }) => status.includes('need-input'));
    await editor.ask({ op: 'stdin', session: own, stdin: 'tide\n' });
    expect((await editor.done(reading)).values).toEqual(['"tide"']);
  });

  it('takes its turn after the agent, and is interrupted', async () => {
    const editor = await editorOn(port);
    const own = await editor.clone('CIDER');
    const waiting = await evaluate(agent, '(def gate (promise)) @gate', { session, wait_ms: 200 });
    expect(waiting.structured.outcome).toBe('running');
    const queued = editor.send({ op: 'eval', session: own, code: '(+ 1 2)' });
    const sleeping = editor.send({ op: 'eval', session: own, code: '(Thread/sleep 600000)' });
    expect((await editor.ask({ op: 'completions', session: own, prefix: 'println' })).status).toContain(
      'done',
    );
    expect(editor.replyTo(queued).messages).toEqual([]);
    await call(agent, 'job', { job: waiting.structured.job, action: 'cancel' });
    expect((await editor.done(queued)).values).toEqual(['3']);
    await expect.poll(async () => (await rowsOf(session))[0]?.outcome, PATIENT).toBe('running');
    expect((await editor.ask({ op: 'interrupt', session: own, 'interrupt-id': sleeping })).status).toEqual([
      'done',
    ]);
    expect((await editor.done(sleeping)).status).toContain('interrupted');
    expect((await rowsOf(session))[0]).toMatchObject({ client: 'CIDER', outcome: 'interrupted' });
    expect((await editor.ask({ op: 'interrupt', session: own })).status).toContain('session-idle');
    expect(await values(agent, 'user/tide', { session })).toEqual([':high']);
  });

  it('loads a file, and knows its names', async () => {
    const editor = await editorOn(port);
    const own = await editor.clone('Calva');
    const file = '(ns harbor.wall)\n(defn moor "Ties up." [ship rope] [ship rope])\n';
    const loaded = await editor.ask({
      ...{ op: 'load-file', session: own, file },
      ...{ 'file-name': 'wall.clj', 'file-path': 'harbor/wall.clj' },
    });
    expect(loaded.status).toEqual(['done']);
    expect((await rowsOf(session))[0]).toMatchObject({ client: 'Calva', code: file, outcome: 'ok' });
    const asked = { session: own, ns: 'harbor.wall' };
    const { messages } = await editor.ask({ op: 'completions', prefix: 'moo', ...asked });
    expect(JSON.stringify(messages)).toContain('"candidate":"moor"');
    expect(JSON.stringify((await editor.ask({ op: 'lookup', sym: 'moor', ...asked })).messages)).toContain(
      'Ties up.',
    );
    const [eldoc] = (await editor.ask({ op: 'eldoc', sym: 'moor', ...asked })).messages;
    expect(eldoc?.eldoc).toEqual([['ship', 'rope']]);
    expect((await rowsOf(session))[0]?.code).toBe(file);
  });

  it('requests no file of the editor, whatever its code sends', async () => {
    const editor = await editorOn(port);
    const own = await editor.clone();
    const forged = (status: string) =>
      `(let [message nrepl.middleware.interruptible-eval/*msg*]
         (nrepl.transport/send (:transport message)
           (nrepl.misc/response-for message {:status ["${status}"] :type "resource" :name "a"})) :sent)`;
    const id = editor.send({ op: 'eval', session: own, code: forged('sideloader-lookup') });
    expect((await editor.done(id)).values).toEqual([':sent']);
    const passed = await editor.ask({ op: 'eval', session: own, code: forged('harmless') });
    expect(JSON.stringify(passed.messages)).toContain('harmless');
    expect(JSON.stringify(editor.received)).not.toContain('sideloader-lookup');
    expect(JSON.stringify(editor.received)).toContain('Lisp Harbor');
  });

  it('counts the definitions of editors as unsaved', async () => {
    const other = await open('clojure');
    const editor = await editorOn((await portOf(other)).port);
    const own = await editor.clone('CIDER');
    await editor.ask({ op: 'eval', session: own, code: '(defn berth [ship] ship)' });
    await evaluate(agent, '1', { session: other });
    const { text } = await call(agent, 'close_session', { session: other });
    expect(text).toContain('berth');
    await expect.poll(() => editor.socket.destroyed, PATIENT).toBe(true);
  });

  it('stays as it is when an editor leaves, and serves no other session of the image', async () => {
    const editor = await editorOn(port);
    const own = await editor.clone();
    await editor.ask({ op: 'eval', session: own, code: '(def left 1)' });
    const running = editor.send({ op: 'eval', session: own, code: '(do (Thread/sleep 300) (def left 2))' });
    await expect.poll(async () => (await rowsOf(session))[0]?.outcome, PATIENT).toBe('running');
    expect(editor.replyTo(running).messages).toEqual([]);
    editor.close();
    await expect.poll(async () => values(agent, 'user/left', { session }), PATIENT).toEqual(['2']);
    const other = await editorOn(port);
    expect((await other.ask({ op: 'eval', session: own, code: '1' })).status).toContain('unknown-session');
    expect((await other.ask({ op: 'ls-sessions' })).messages.at(-1)).toMatchObject({ sessions: [] });
  });
});

describe.each(['sbcl', 'nbb', 'acl2'])('a session of %s', (engine) => {
  let session: string;
  let port: number;

  beforeAll(async () => {
    session = await open(engine);
    ({ port } = await portOf(session, '--protocol', 'nrepl'));
  }, STARTING_MS);

  const DEFINE: Record<string, string> = {
    sbcl: '(defun moor (ship rope) "Ties up." (list ship rope)) (moor 1 2)',
    nbb: '(defn moor "Ties up." [ship rope] (list ship rope)) (moor 1 2)',
    acl2: '(defun moor (ship rope) (list ship rope)) (moor 1 2)',
  };

  it('evaluates, completes, looks up and reports errors', async () => {
    const editor = await editorOn(port);
    const own = await editor.clone('Conjure');
    const defined = await editor.ask({ op: 'eval', session: own, code: DEFINE[engine] ?? '' });
    expect(defined.values.at(-1)).toBe('(1 2)');
    expect(defined.status).toEqual(['done']);
    expect((await rowsOf(session))[0]).toMatchObject({ client: 'Conjure', outcome: 'ok' });
    const completed = await editor.ask({ op: 'completions', session: own, prefix: 'moo' });
    expect(JSON.stringify(completed.messages).toLowerCase()).toContain('"candidate":"moor"');
    const { messages } = await editor.ask({ op: 'lookup', session: own, sym: 'moor' });
    expect(JSON.stringify(messages).toLowerCase()).toContain('ship rope');
    const [eldoc] = (await editor.ask({ op: 'eldoc', session: own, sym: 'moor' })).messages;
    expect(JSON.stringify(eldoc?.eldoc).toLowerCase()).toBe('[["ship","rope"]]');
    const failed = await editor.ask({ op: 'eval', session: own, code: '(moor-badly 1)' });
    expect(failed.status).toContain('eval-error');
    expect(failed.err).toMatch(/moor-badly/i);
    expect(await values(agent, '(moor 3 4)', { session })).toEqual(['(3 4)']);
  });

  it('knows one session from another, and answers unknown ops', async () => {
    const editor = await editorOn(port);
    expect((await editor.ask({ op: 'eval', code: '(+ 1 2)' })).values).toEqual(['3']);
    expect((await editor.ask({ op: 'eval', session: 'none', code: '1' })).status).toContain(
      'unknown-session',
    );
    expect((await editor.ask({ op: 'cider/nonsense' })).status).toContain('unknown-op');
    expect((await editor.ask({ op: 'interrupt' })).status).toContain('session-idle');
    expect((await editor.ask({ op: 'stdin', stdin: 'early\n' })).status).toContain('done');
    const own = await editor.clone();
    expect((await editor.ask({ op: 'close', session: own })).status).toContain('session-closed');
    expect((await editor.ask({ op: 'close', session: own })).status).toContain('unknown-session');
  });
});

it('SBCL reads from the editor, prints while it runs, and is interrupted', async () => {
  const session = await open('sbcl');
  const editor = await editorOn((await portOf(session, '--protocol', 'nrepl')).port);
  const own = await editor.clone();
  const reading = editor.send({ op: 'eval', session: own, code: '(list (read-line) (read-line))' });
  await editor.until(reading, ({ status }) => status.includes('need-input'));
  await editor.ask({ op: 'stdin', session: own, stdin: 'low\nhigh\n' });
  expect((await editor.done(reading)).values).toEqual(['("low" "high")']);
  const looping = editor.send({
    op: 'eval',
    session: own,
    code: '(progn (print :begun) (finish-output) (loop))',
  });
  await editor.until(looping, ({ out }) => out.includes(':BEGUN'));
  await editor.ask({ op: 'interrupt', session: own });
  expect((await editor.done(looping)).status).toContain('interrupted');
  expect((await editor.ask({ op: 'eval', session: own, code: '(+ 1 2)' })).values).toEqual(['3']);
});

describe('the port', () => {
  it('is written into a file of the project, never over another, and removed when it closes', async () => {
    const session = await open('nbb');
    const file = path.join(harbor.project, '.nrepl-port');
    writeFileSync(file, '4711');
    const refused = await editorCommand(session, '--port-file');
    expect(refused.code).toBe(2);
    expect(readFileSync(file, 'utf8')).toBe('4711');
    expect((await editorCommand(session, '--close')).code).toBe(2);
    rmSync(file);
    const { port, protocol } = await portOf(session, '--port-file');
    expect(protocol).toBe('nrepl');
    expect(readFileSync(file, 'utf8')).toBe(String(port));
    expect(await portOf(session)).toMatchObject({ port });
    const editor = await editorOn(port);
    await editor.clone();
    const left = once(editor.socket, 'close');
    expect(await editorCommand(session, '--close')).toMatchObject({ code: 0, stdout: 'Closed: nrepl\n' });
    await left;
    expect(existsSync(file)).toBe(false);
  });

  it('is closed to web pages, and to what is no request', async () => {
    const session = await open('nbb');
    const { port } = await portOf(session);
    for (const bytes of ['GET / HTTP/1.1\r\n\r\n', '\x16\x03\x01', 'le', 'i1e', 'd2:op4:eval']) {
      const editor = await editorOn(port);
      editor.socket.write(bytes, 'latin1');
      if (bytes.startsWith('d')) continue;
      await once(editor.socket, 'close');
      expect(editor.received).toEqual([]);
    }
  });

  it('takes a request in single bytes, and several at once', async () => {
    const session = await open('nbb');
    const editor = await editorOn((await portOf(session)).port);
    for (const byte of 'd4:code7:(+ 1 2)2:id1:x2:op4:evale') editor.socket.write(byte);
    expect((await editor.done('x')).values).toEqual(['3']);
    const ids = [1, 2, 3].map((number) => editor.send({ op: 'eval', code: `(* 2 ${number})` }));
    const answers = await Promise.all(ids.map((id) => editor.done(id)));
    expect(answers.flatMap((answer) => answer.values)).toEqual(['2', '4', '6']);
  });

  it('of another protocol is refused with what the session offers', async () => {
    const session = await open('nbb');
    const { code, stderr } = await editorCommand(session, '--protocol', 'swank');
    expect(code).toBe(1);
    expect(stderr).toContain('--protocol nrepl');
    expect((await editorCommand(session, '--protocol', 'telnet')).code).toBe(2);
    expect((await editorCommand('nobody-1')).code).toBe(1);
  });
});

it('a person who denies evaluation denies it to editors, and leaves them what evaluates nothing', async () => {
  const session = await open('nbb');
  const editor = await editorOn((await portOf(session)).port);
  const own = await editor.clone('Calva');
  const settings = path.join(harbor.data, 'settings.json');
  const before = readFileSync(settings, 'utf8');
  onTestFinished(() => writeFileSync(settings, before));
  const rules = [{ client: 'Calva', class: 'evaluate', answer: 'deny' }];
  writeFileSync(settings, JSON.stringify({ ...JSON.parse(before), approvals: rules }));
  const evaluated = () => editor.ask({ op: 'eval', session: own, code: '(def denied 1)' });
  await expect.poll(async () => (await evaluated()).err, PATIENT).toContain('denies');
  expect((await evaluated()).status).toEqual(
    expect.arrayContaining(['done', 'error', 'lisp-harbor/refused']),
  );
  expect((await editor.ask({ op: 'completions', session: own, prefix: 'prin' })).status).toEqual(['done']);
});
