/** Sessions attached to real nREPL servers, over HTTP. */
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findListenerOwner } from '../../electron/images/attachable-servers';
import { NamedServers } from '../../electron/sandbox/named-servers';
import { call, evaluate, values } from '../evaluation';
import { missingFacts } from '../facts';
import { MockNrepl } from '../nrepl-mock';
import { NreplServer, STARTING_MS } from '../nrepl-server';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';
import { writeFiles } from './loading-fixture';

let project: string;
let server: NreplServer;
let harbor: StartedHarbor;
let client: Client;

beforeAll(async () => {
  project = temporaryFolder('project');
  server = await NreplServer.onJava(project);
  harbor = await StartedHarbor.start({ project });
  client = await harbor.client();
}, STARTING_MS);
afterAll(async () => {
  await harbor.stop();
  await server.stop();
});

const ATTACH_DENIED = { client: null, class: 'attach', answer: 'deny' };

interface Described {
  definitions: { source?: object; code?: string }[];
}

interface Opened {
  session: string;
  server: string;
  notes: string[];
}

async function attached(attach: Record<string, unknown> = {}): Promise<Opened> {
  const opened = await call<Opened>(client, 'open_session', { attach: { kind: 'nrepl', ...attach } });
  expect(opened.text).toMatch(/^Opened nrepl-/);
  return opened.structured;
}

describe('a session of an nREPL server', () => {
  it('is found by the port file of the project, and says what it is', async () => {
    const { session, server: address, notes } = await attached();
    expect(address).toBe(`127.0.0.1:${server.port}`);
    expect(notes[0]).toMatch(/^attached to nREPL 1\.0\.0, Clojure 1\.\d+\.\d+, Java .*Vars are shared/);
    expect(await values(client, '(def x 5) (* 2 x)', { session })).toEqual(['10']);
  });

  it('shares vars with others, and nothing else', async () => {
    const [one, other] = [await attached(), await attached()];
    await evaluate(client, '(def shared 1) (ns only.one) 7', { session: one.session });
    expect(await values(client, '[user/shared (str *ns*) *1]', { session: other.session })).toEqual([
      '[1 "user" nil]',
    ]);
    expect(await values(client, '[(str *ns*) *1]', { session: one.session })).toEqual(['["only.one" 7]']);
  });

  it('tells exceptions as data, and is interrupted', async () => {
    const { session } = await attached();
    const failed = await evaluate(client, '(throw (ex-info "bad" {:n 1}))', { session });
    expect(failed.structured.condition).toMatchObject({
      type: 'clojure.lang.ExceptionInfo',
      message: 'bad {:n 1}',
    });
    const running = await evaluate(client, '(Thread/sleep 100000)', { session, wait_ms: 200 });
    const { job } = running.structured;
    const cancelled = await call<{ outcome: string }>(client, 'job', { job, action: 'cancel' });
    expect(cancelled.structured.outcome).toBe('interrupted');
    expect(await values(client, '(+ 1 2)', { session })).toEqual(['3']);
  });

  it('refuses reader evaluation where that is asked for', async () => {
    const { session } = await attached();
    const code = '(def first-form 1) [1 #=(+ 1 2)]';
    expect(await values(client, code, { session })).toEqual(['[1 3]']);
    const renamed = code.replace('first', 'second');
    const refused = await evaluate(client, renamed, { session, safe_read: true });
    expect(refused.isError).toBe(true);
    expect(refused.structured.condition?.message).toContain('(#=) is not allowed');
    expect(await values(client, "(resolve 'second-form)", { session })).toEqual(['nil']);
  });

  it('loads, tests and describes what the project has, and does not begin anew', async () => {
    const { session } = await attached();
    writeFiles(project, {
      'cart.clj': '(ns cart)\n(defn total "Adds." [prices] (reduce + prices))',
      'cart_test.clj':
        '(ns cart-test (:require [clojure.test :refer :all] cart))\n(deftest adds\n  (is (= 4 (cart/total [1 2]))))',
    });
    const loaded = await call(client, 'load', { session, path: 'cart.clj' });
    expect(loaded.text).toContain('"cart"');
    const described = await call<Described>(client, 'describe', { session, symbol: 'cart/total' });
    expect(described.structured.definitions[0]).toMatchObject({
      source: { path: 'cart.clj', line: 2 },
      code: '(defn total "Adds." [prices] (reduce + prices))',
    });
    expect(missingFacts(described.structured, described.text, {})).toEqual([]);
    const tested = await call(client, 'run_tests', { session, path: 'cart_test.clj' });
    expect(tested.text).toContain('clojure.test: 0 passed, 1 failed in 1 test\nFAILED cart-test/adds at ');
    const anew = await call(client, 'load', { session });
    expect(anew.text).toMatch(/^not_supported: This session cannot be reset/);
    await evaluate(client, '(defn typed [x] x)', { session });
    const unsaved = await call<Described>(client, 'find', { session, kind: 'unsaved', query: 'typed' });
    expect(unsaved.text).toMatch(/^evaluation \d+, line 1 function user\/typed \(\[x\]\)(?:\n|$)/);
  });

  it('tells what a file has lost, and leaves it in a server that is somebody else’s', async () => {
    const { session } = await attached();
    writeFiles(project, { 'lost.clj': '(ns lost)\n(defn one [] 1)\n(defn two [] 2)' });
    await call(client, 'load', { session, path: 'lost.clj' });
    writeFiles(project, { 'lost.clj': '(ns lost)\n(defn two [] 2)' });
    const { text } = await call(client, 'load', { session, path: 'lost.clj' });
    expect(text).toMatch(/lost\/one is still defined in this server, but \S+lost\.clj no longer defines it/);
    expect(await values(client, '(lost/one)', { session })).toEqual(['1']);
  });

  it('leaves the server running when it is closed', async () => {
    const { session } = await attached();
    await call(client, 'close_session', { session });
    expect(server.running).toBe(true);
    expect(await values(client, '(+ 1 2)', { session: (await attached()).session })).toEqual(['3']);
  });

  it('is refused at a port that nobody named', async () => {
    const refused = await call(client, 'open_session', { attach: { kind: 'nrepl', port: server.port } });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/^not_approved: The user has not named the nrepl server/);
  });

  it(
    'speaks to nbb as well, which shares more',
    async () => {
      const project = temporaryFolder('project');
      const nbb = await NreplServer.onNbb(project);
      const other = await StartedHarbor.start({ project });
      try {
        const asking = await other.client();
        const opened = await call<Opened>(asking, 'open_session', { attach: { kind: 'nrepl' } });
        expect(opened.structured.notes[0]).toMatch(/^attached to nbb nREPL,? .*share everything/);
        const { session } = opened.structured;
        expect(await values(asking, '(def λ "λλ") λ', { session })).toEqual(['"λλ"']);
        const failed = await evaluate(asking, '(throw (ex-info "bad" {}))', { session });
        expect(failed.structured.condition?.message).toContain('bad');
      } finally {
        await other.stop();
        await nbb.stop();
      }
    },
    STARTING_MS,
  );
});

describe('a server that comes back on another port', () => {
  it('is found again without anybody doing anything, and the loss is told', {
    timeout: STARTING_MS,
  }, async () => {
    const project = temporaryFolder('project');
    const first = await NreplServer.onNbb(project);
    const other = await StartedHarbor.start({ project });
    const asking = await other.client();
    const opened = await call<Opened>(asking, 'open_session', { attach: { kind: 'nrepl' } });
    const { session } = opened.structured;
    await evaluate(asking, '(def kept 1)', { session });
    const foreign = await MockNrepl.start(() => undefined);
    onTestFinished(() => foreign.stop());
    writeFileSync(path.join(project, '.nrepl-port'), String(foreign.port));
    await first.stop();
    const state = async () => {
      const { structured } = await call<{ sessions: { session: string; state: string }[] }>(asking, 'images');
      return structured.sessions.find((each) => each.session === session)?.state;
    };
    await expect.poll(state, PATIENT).toBe('lost');
    // The port file now names a server of another folder.
    const { text } = await evaluate(asking, '1', { session });
    expect(text).toContain('no new one could be started: No server listens at');
    expect(foreign.connections).toBe(0);
    const second = await NreplServer.onNbb(project);
    expect(second.port).not.toBe(first.port);
    await expect.poll(state, PATIENT).toBe('idle');
    const { structured } = await evaluate(asking, '(resolve (quote kept))', { session });
    expect(structured.values).toEqual(['nil']);
    expect(structured.notes.join()).toMatch(/is lost/);
    await other.stop();
    await second.stop();
  });
});

describe('a port file that code may write', () => {
  it('names no server that works elsewhere, whoever wrote it', { timeout: STARTING_MS }, async () => {
    const foreign = await MockNrepl.start(() => undefined);
    const other = await StartedHarbor.start({ settings: { approvals: [ATTACH_DENIED] } });
    onTestFinished(async () => void (await Promise.all([other.stop(), foreign.stop()])));
    const asking = await other.client();
    const attach = () => call<Opened>(asking, 'open_session', { attach: { kind: 'nrepl' } });
    const content = String(foreign.port);
    const written = await call(asking, 'write_file', { path: '.nrepl-port', content });
    expect(written.isError, written.text).toBe(false);
    const refusal = /^not_approved: The user has not named the nrepl server .* in a port file/;
    expect((await attach()).text).toMatch(refusal);
    const inImage = `(with-open-file (s ".nrepl-port" :direction :output :if-exists :supersede) (princ ${content} s))`;
    expect(await values(asking, inImage)).toEqual([content]);
    expect((await attach()).text).toMatch(refusal);
    expect(foreign.connections).toBe(0);
  });

  it('is not followed to a server that works elsewhere', { timeout: STARTING_MS }, async () => {
    const [project, elsewhere] = [temporaryFolder('project'), temporaryFolder('elsewhere')];
    const portFile = path.join(project, '.nrepl-port');
    const [own, others] = [await NreplServer.onNbb(project), await NreplServer.onNbb(elsewhere)];
    onTestFinished(async () => void (await Promise.all([own.stop(), others.stop()])));
    const servers = new NamedServers({
      named: () => [],
      add: () => undefined,
      findListener: findListenerOwner,
    });
    const attached = { kind: 'nrepl', host: '127.0.0.1', port: own.port, portFile } as const;
    // Here the test process is the app: processes that it starts, as it starts images, do not count as
    // started by the user.
    await expect(servers.locate(attached, false)).rejects.toMatchObject({ code: 'not_approved' });
    writeFileSync(portFile, String(others.port));
    expect(await servers.current(attached)).toEqual(attached);
    await own.stop();
    expect(await servers.current(attached)).toEqual(attached);
    await expect(servers.locate(attached, false)).rejects.toMatchObject({ code: 'engine_unavailable' });
  });
});

describe('a port file', () => {
  it('that leads to a secret is not read, and the secret not told', async () => {
    const project = temporaryFolder('project');
    const other = await StartedHarbor.start({ project });
    const secret = path.join(other.data, 'bridge.secret');
    symlinkSync(secret, path.join(project, '.nrepl-port'));
    const refused = await call(await other.client(), 'open_session', { attach: { kind: 'nrepl' } });
    expect(refused.text).toMatch(/^path_not_allowed: /);
    expect(refused.text).not.toContain(readFileSync(secret, 'utf8').trim().slice(0, 20));
    await other.stop();
  });

  it.each([
    ['7888x', /does not contain a port: its 5 bytes/],
    ['1\n', /^engine_unavailable: No server listens at 127\.0\.0\.1:1: .* is stale/],
  ])('with %j is told for what it is', async (text, problem) => {
    const project = temporaryFolder('project');
    writeFileSync(path.join(project, '.nrepl-port'), text);
    const other = await StartedHarbor.start({ project });
    const refused = await call(await other.client(), 'open_session', { attach: { kind: 'nrepl' } });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(problem);
    await other.stop();
  });

  it('that is not there says where it was looked for', async () => {
    const other = await StartedHarbor.start();
    const refused = await call(await other.client(), 'open_session', { attach: { kind: 'nrepl' } });
    expect(refused.text).toMatch(/No nREPL server found: .*\.nrepl-port, \.joyride\/\.nrepl-port/);
    await other.stop();
  });
});

describe('the engine clojure', () => {
  it(
    'evaluates confined, in a JVM of the session’s own',
    async () => {
      const { structured } = await call<Opened>(client, 'open_session', { engine: 'clojure' });
      const { session } = structured;
      expect(await values(client, '(clojure-version)', { session })).toEqual([
        expect.stringMatching(/^"1\./),
      ]);
      const reach =
        '(try (.close (java.net.Socket. "127.0.0.1" (int ' +
        server.port +
        '))) :reached (catch Exception e :refused))';
      expect(await values(client, reach, { session })).toEqual([':refused']);
      expect(await values(client, '(resolve (quote shared))', { session })).toEqual(['nil']);
    },
    STARTING_MS,
  );
});
