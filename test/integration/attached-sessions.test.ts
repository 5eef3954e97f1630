/** Sessions attached to a Swank server, as an agent has them: a started harbor, over HTTP and over stdio. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { call, evaluate, values } from '../evaluation';
import { freePort } from '../free-port';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';
import { StdioLines } from '../stdio-client';
import { COMPILING_MS, SwankServer } from '../swank-server';
import { DebuggedSession } from './debugger-fixture';

let server: SwankServer;
let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  server = await SwankServer.start();
  harbor = await harborNaming(server.port, 1);
  client = await harbor.client();
}, COMPILING_MS);
afterAll(async () => {
  await harbor.stop();
  await server.stop();
});

/** A harbor whose person has named these ports in the settings file. */
async function harborNaming(...ports: number[]): Promise<StartedHarbor> {
  return harborWith({ servers: ports.map((port) => ({ kind: 'swank', host: 'localhost', port })) });
}

async function harborWith(settings: Record<string, unknown>): Promise<StartedHarbor> {
  const data = temporaryFolder('data');
  writeFileSync(path.join(data, 'settings.json'), JSON.stringify({ version: 1, ...settings }));
  return StartedHarbor.start({ data });
}

interface Opened {
  session: string;
  engine: string;
  package: string;
  sandbox: string;
  server: string;
  notes: string[];
}

async function attached(port = server.port, by = client): Promise<Opened> {
  const opened = await call<Opened>(by, 'open_session', { attach: { kind: 'swank', port } });
  expect(opened.text).toMatch(/^Opened swank-/);
  return opened.structured;
}

describe('open_session attach', () => {
  it('answers a session of the server, and says that it is shared and not sandboxed', async () => {
    const opened = await attached();
    expect(opened).toMatchObject({
      engine: 'swank',
      package: 'CL-USER',
      server: `127.0.0.1:${server.port}`,
      sandbox: 'not sandboxed: this server was started by somebody else',
      notes: [expect.stringMatching(/attached to SBCL .*started by someone else.*shared with all clients/)],
    });
    const { session } = opened;
    const first = await evaluate(client, '(defvar *mine* 1) (list *mine* (lisp-implementation-type))', {
      session,
    });
    expect(first.structured).toMatchObject({ engine: 'swank', outcome: 'ok', values: ['(1 "SBCL")'] });
    expect(first.structured.notes).toEqual([
      opened.notes[0],
      expect.stringMatching(/^not sandboxed: this server/),
    ]);
    expect((await evaluate(client, '1', { session })).structured.notes).toHaveLength(1);
    const other = await attached();
    expect(await values(client, '*mine*', { session: other.session })).toEqual(['1']);
  });

  it('says nothing of the sandbox in results once a person has accepted that servers have none', async () => {
    const servers = [{ kind: 'swank', host: 'localhost', port: server.port }];
    const acceptedUnsandboxed = ['this server was started by somebody else'];
    const accepting = await harborWith({ servers, acceptedUnsandboxed });
    onTestFinished(async () => void (await accepting.stop()));
    const by = await accepting.client();
    const { session, sandbox, notes } = await attached(server.port, by);
    expect(sandbox).toMatch(/^not sandboxed: /);
    expect((await evaluate(by, '1', { session })).structured.notes).toEqual(notes);
  });

  it('refuses what no person named, and other hosts, with how to allow it', async () => {
    const attach = (server: Record<string, unknown>) =>
      call(client, 'open_session', { attach: { kind: 'swank', ...server } });
    const unnamed = await attach({ port: 4005 });
    expect(unnamed.isError).toBe(true);
    expect(unnamed.text).toMatch(
      /^not_approved: The user has not named the swank server at 127\.0\.0\.1:4005.*Sessions, Attach….*"servers" in settings\.json/,
    );
    expect((await attach({ port: server.port, host: '192.0.2.1' })).text).toMatch(
      /^not_approved: 192\.0\.2\.1 is not this computer/,
    );
    expect((await attach({ port: server.port, host: 'LOCALHOST' })).isError).toBe(false);
    expect((await attach({ port: server.port, host: '::1' })).text).toMatch(/^not_approved/);
    expect((await attach({ port: 0 })).text).toMatch(/^bad_arguments/);
    expect((await attach({ kind: 'telnet', port: 1 })).text).toMatch(/^bad_arguments/);
  });

  it('says when nothing answers, and leaves nothing behind', async () => {
    const sessions = async () =>
      (await call<{ sessions: unknown[] }>(client, 'images')).structured.sessions.length;
    const before = await sessions();
    const { text } = await call(client, 'open_session', { attach: { kind: 'swank', port: 1 } });
    expect(text).toMatch(/^engine_unavailable: No server answers at 127\.0\.0\.1:1/);
    expect(await sessions()).toBe(before);
  });

  it('is how Swank is had: it is not started', async () => {
    expect((await call(client, 'open_session', { engine: 'swank' })).text).toMatch(
      /Not started but attached to/,
    );
    const both = await call(client, 'open_session', {
      engine: 'sbcl',
      attach: { kind: 'swank', port: server.port },
    });
    expect(both.text).toMatch(/^bad_arguments: A swank server is not sbcl/);
  });
});

describe('images', () => {
  it('shows the named servers and whether they listen, and what is not ours as unknown', async () => {
    const { session } = await attached();
    const { structured, text } = await call<{
      engines: { engine: string }[];
      default_engine: string;
      sessions: { session: string; pid: unknown; memory_bytes: unknown; server?: string }[];
    }>(client, 'images');
    expect(structured.engines.find(({ engine }) => engine === 'swank')).toMatchObject({
      available: false,
      servers: [
        { kind: 'swank', host: '127.0.0.1', port: server.port, listens: true },
        { kind: 'swank', host: '127.0.0.1', port: 1, listens: false },
      ],
    });
    expect(structured.default_engine).toBe('sbcl');
    const own = structured.sessions.find((each) => each.session === session);
    expect(own).toMatchObject({ pid: null, memory_bytes: null, server: `127.0.0.1:${server.port}` });
    expect(text).toContain(`127.0.0.1:${server.port} (listens)`);
    expect(text).toMatch(/swank-\w+ .*attached to 127\.0\.0\.1/);
  });
});

describe('the tools', () => {
  it('debug, inspect, describe, find and history work on it', async () => {
    const { session } = await attached();
    const debugged = new DebuggedSession(client, session);
    await debugged.evaluate(
      '(defun keeps (local) (declare (optimize (debug 3))) (restart-case (error "held ~D" local) (go-on () 7)))',
    );
    const held = await debugged.hold('(keeps 41)');
    expect(held).toMatchObject({ outcome: 'debugger', condition: { message: 'held 41' } });
    const shown = await debugged.debug('show');
    expect(shown.structured.debugger.levels).toHaveLength(1);
    const inFrame = await debugged.debug('eval', { code: '(1+ local)' });
    expect(inFrame.structured.evaluation.values).toEqual(['42']);
    const gone = await debugged.debug('restart', { restart: 'go-on' });
    expect(gone.structured.evaluation).toMatchObject({ id: held.id, outcome: 'ok', values: ['7'] });
    const inspected = await call<{ handle: string; parts: { name: string; text: string }[] }>(
      client,
      'inspect',
      {
        session,
        code: '(list :a (list :b))',
      },
    );
    expect(inspected.structured.parts.map(({ text }) => text)).toEqual([':A', '(:B)']);
    const part = await call<{ parts: { text: string }[] }>(client, 'inspect', {
      session,
      handle: inspected.structured.handle,
      path: [1],
    });
    expect(part.structured.parts.map(({ text }) => text)).toEqual([':B']);
    const described = await call(client, 'describe', { session, symbol: 'mapcar' });
    expect(described.text).toMatch(/function/);
    const found = await call<{ total: number }>(client, 'find', {
      session,
      kind: 'apropos',
      query: 'with-open',
      package: 'CL',
    });
    expect(found.structured.total).toBeGreaterThan(0);
    expect((await call(client, 'find', { session, kind: 'unsaved', query: '' })).text).toMatch(
      /^not_supported/,
    );
    expect((await call(client, 'load', { session, system: 'x' })).text).toMatch(
      /^not_supported: A session of swank does not offer `load`/,
    );
    const rows = await call<{ rows: { code: string; engine: string }[] }>(client, 'history', { session });
    expect(rows.structured.rows.at(-1)).toMatchObject({ engine: 'swank' });
  });

  it('close_session leaves the server running', async () => {
    const { session } = await attached();
    await evaluate(client, '(defvar *stays* 5)', { session });
    expect((await call(client, 'close_session', { session })).text).toMatch(/127\.0\.0\.1:\d+ continues/);
    expect(server.running).toBe(true);
    const again = await attached();
    expect(await values(client, '*stays*', { session: again.session })).toEqual(['5']);
  });

  it('job cancels what runs there', async () => {
    const { session } = await attached();
    const { structured } = await evaluate(client, '(loop (sleep 0.1))', { session, wait_ms: 100 });
    const cancelled = await call<{ outcome: string }>(client, 'job', {
      job: structured.job,
      action: 'cancel',
    });
    expect(cancelled.structured.outcome).toBe('interrupted');
    expect(await values(client, '(+ 1 2)', { session })).toEqual(['3']);
  });
});

describe('a server that crashes', () => {
  it('loses its sessions, which connect again when it is back', async () => {
    const fragile = await SwankServer.start({ port: await freePort() });
    const own = await harborNaming(fragile.port);
    const agent = await own.client();
    const { session } = await attached(fragile.port, agent);
    await evaluate(agent, '(defvar *lost* 1)', { session });
    const running = evaluate(agent, '(loop (sleep 0.01))', { session });
    const state = async () =>
      (await call<{ sessions: { state: string }[] }>(agent, 'images')).structured.sessions[0]?.state;
    await expect.poll(state, PATIENT).toBe('running');
    await fragile.stop();
    const crashed = (await running).structured;
    expect(crashed.outcome).toBe('crashed');
    expect(crashed.notes.join(' ')).toMatch(
      /is lost: .* nothing listens there any more.*reconnects if the server is available/,
    );
    expect(await state()).toBe('lost');
    const gone = await evaluate(agent, '1', { session });
    expect(gone.structured).toMatchObject({
      outcome: 'crashed',
      notes: [expect.stringMatching(/No server answers/), expect.stringMatching(/^not sandboxed: this/)],
    });
    const back = await SwankServer.start({ port: fragile.port });
    const again = (await evaluate(agent, '(boundp (quote *lost*))', { session })).structured;
    expect(again).toMatchObject({ outcome: 'ok', values: ['NIL'] });
    expect(again.notes.join(' ')).toMatch(/reconnected \(generation 2\).*If the server was restarted/);
    await back.stop();
    await expect.poll(state, PATIENT).toBe('lost');
    // It does not say that a server goes on which has ended.
    expect((await call(agent, 'close_session', { session })).text).toBe(`Closed ${session}.`);
    await own.stop();
  });

  it('is still there when only the connection was lost, with its definitions', async () => {
    const { session } = await attached();
    await evaluate(client, '(defvar *survives* 9)', { session });
    const cut = await evaluate(
      client,
      '(close (swank::connection.socket-io swank::*emacs-connection*) :abort t)',
      { session },
    );
    expect(cut.structured.outcome).toBe('crashed');
    expect(cut.structured.notes.join()).not.toMatch(/nothing listens/);
    expect(await values(client, '*survives*', { session })).toEqual(['9']);
  });
});

describe('over stdio', () => {
  it('a client attaches as well', async () => {
    const lines = new StdioLines(harbor);
    await lines.initialize();
    const tool = (id: number, name: string, args: Record<string, unknown>) =>
      lines.ask({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });
    const opened = await tool(1, 'open_session', { attach: { kind: 'swank', port: server.port } });
    expect(opened.result?.structuredContent).toMatchObject({ engine: 'swank' });
    const { session } = Object(opened.result?.structuredContent);
    const { result } = await tool(2, 'eval', { session, code: '(* 6 7)' });
    expect(result?.structuredContent).toMatchObject({ engine: 'swank', forms: [{ values: ['42'] }] });
    expect(await lines.end()).toBe(0);
  });
});
