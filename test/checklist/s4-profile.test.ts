/** The profile of MCP-nREPL, against real servers of two kinds: connection, evaluation, sessions, status, health. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { NREPL_SERVERS, NreplServer, STARTING_MS } from '../nrepl-server';
import { sampled } from '../rounds';
import { PATIENT, StartedHarbor, temporaryFolder } from '../started-harbor';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

let server: NreplServer;
let harbor: StartedHarbor;
let client: Client;

interface Status {
  connected: boolean;
  host: string | null;
  port: number | null;
  workspace: string;
  sessions: number;
  'recent-commands': number;
  health: Record<string, unknown>;
}

async function status(from = client): Promise<Status> {
  return JSON.parse((await call(from, 'nrepl-status')).first) as Status;
}

async function evaluated(code: string, args: Record<string, unknown> = {}, from = client): Promise<string> {
  const { content } = await from.callTool({ name: 'nrepl-eval', arguments: { code, ...args } });
  return content[0]?.type === 'text' ? content[0].text : '';
}

/**
 * nbb's server has one namespace and one `*1` for all its sessions, and makes a namespace that it is asked for: it cannot
 * keep what S4-40 and S4-57 promise of Clojure's, and is shown as it is.
 */
const IN_NO_NAMESPACE = {
  Java: [true, expect.stringMatching(/no such namespace/)],
  nbb: [false, expect.stringMatching(/^1/)],
};
const SEEN_BESIDE_A_SESSION = { Java: '["user" nil]', nbb: '["only.one" 7]' };

/** What the server tells of its classpath. */
const LIBRARIES = {
  Java: /^nrepl .*\.jar$/m,
  nbb: /^not_supported: This server does not report its classpath/,
};

/** What a person chooses at the start. */
const CHOSEN = ['--profile', 'nrepl'];

const TRIED = sampled('s4-profile', NREPL_SERVERS, 1);

describe.each(TRIED)('MCP-nREPL, its server on $host', ({ host, start }) => {
  beforeAll(async () => {
    const project = temporaryFolder('project');
    server = await start(project);
    harbor = await StartedHarbor.start({ project, args: CHOSEN });
    client = await harbor.client('legacy', { profile: 'nrepl' });
  }, STARTING_MS);
  afterAll(async () => {
    await harbor.stop();
    await server.stop();
  });

  describe('a server that runs', () => {
    it('S4-29 S4-33 is connected to without any call that asks for it', async () => {
      expect(await status()).toMatchObject({ connected: true, port: server.port });
    });

    it('S4-21 tells its status in the document’s record', async () => {
      const told = await status();
      expect(told).toEqual({
        connected: true,
        host: 'localhost',
        port: server.port,
        workspace: harbor.project,
        sessions: expect.any(Number),
        'recent-commands': expect.any(Number),
        health: {
          'heartbeat-connected': true,
          'last-heartbeat': expect.any(Number),
          'heartbeat-failures': 0,
          'last-test-passed': expect.any(Boolean),
          'last-test-timestamp': expect.any(Number),
        },
      });
      await expect.poll(async () => (await status()).health['last-heartbeat'], PATIENT).toBeGreaterThan(0);
    });

    it('S4-1 S4-2 S4-20 S4-30 S4-57 evaluates code, in a namespace when one is named', async () => {
      expect(await evaluated('(+ 1 2 3)')).toBe('6');
      expect(await evaluated('(str *ns*)', { ns: 'user' })).toBe('"user"');
      const { isError, text } = await call(client, 'nrepl-eval', { code: '1', ns: 'no.such.ns' });
      expect([isError, text]).toEqual(IN_NO_NAMESPACE[host]);
    });

    it('S4-24 S4-62 joins what was printed, and takes the last value', async () => {
      expect(await evaluated('(println "test-output")')).toBe('test-output\nnil');
      expect(await evaluated('(print 1) (print 2) 3')).toBe('12\n3');
    });

    it('S4-49 S4-46 names session and namespace beside the content', async () => {
      const result = await client.callTool({ name: 'nrepl-eval', arguments: { code: '(ns beside) 1' } });
      expect(result).toMatchObject({ session: expect.stringMatching(UUID), namespace: 'beside' });
      await evaluated("(in-ns 'user)");
    });

    it('S4-22 S4-36 opens sessions, each under a name of its own', async () => {
      const names = [await newSession(), await newSession()];
      expect(names[0]).toMatch(UUID);
      expect(names[0]).not.toBe(names[1]);
    });

    it('S4-3 S4-37 S4-38 S4-39 S4-71 keeps state in a session', async () => {
      const session = await newSession();
      await evaluated('(def my-data [1 2 3 4 5])', { session });
      expect(await evaluated('(map inc my-data)', { session })).toBe('(2 3 4 5 6)');
      await evaluated('(ns foo)', { session });
      expect(await evaluated('(str *ns*)', { session })).toBe('"foo"');
    });

    it('S4-40 isolates bindings and shares vars, and says so', async () => {
      const [one, other] = [await newSession(), await newSession()];
      await evaluated('(ns only.one) 7', { session: one });
      expect(await evaluated('[(str *ns*) *1]', { session: other })).toBe(SEEN_BESIDE_A_SESSION[host]);
      await evaluated('(def seen 1)', { session: one });
      expect(await evaluated('only.one/seen', { session: other })).toBe('1');
      expect(client.getInstructions()).toMatch(/Vars are shared by all sessions/);
    });

    it('S4-43 advises sessions for isolation', () => {
      expect(client.getInstructions()).toMatch(/nrepl-new-session/);
    });

    it('S4-75 counts its sessions', async () => {
      const { sessions: before } = await status();
      await newSession();
      expect((await status()).sessions).toBe(before + 1);
    });

    it('S4-23 S4-4 S4-56 S4-72 S4-78 tests the server by five questions', async () => {
      const { first, isError } = await call(client, 'nrepl-test');
      expect(isError).toBe(false);
      const [header, ...lines] = first.split('\n');
      expect(header).toMatch(/^Health Test Results: 5\/5 tests passed \(took \d+ms\)$/);
      expect(lines).toHaveLength(5);
      expect(lines[0]).toMatch(/Server Description: \d+ operations/);
      expect(lines[1]).toMatch(/Basic Arithmetic: \(\+ 2 3\) -> 5/);
      expect(lines[2]).toMatch(/String Operations: .*"hello world"/);
      expect(lines[3]).toMatch(/Data Structures: .*-> 5/);
      expect(lines[4]).toMatch(/Output Handling: .*test-output/);
      expect((await status()).health).toMatchObject({
        'last-test-passed': true,
        'last-test-timestamp': expect.any(Number),
      });
    });

    it('shows libraries and servers under the names that users of clojure-mcp know', async () => {
      const { text: values } = await call(client, 'clojure_eval', { code: '(println "a") (+ 1 2) [:b]' });
      expect(values).toMatch(/^a\n(?:=> nil\n)?=> 3\n=> \[:b\]/);
      const { text: servers } = await call(client, 'list_nrepl_ports', { explanation: 'which' });
      expect(servers).toMatch(
        new RegExp(`^localhost:${server.port} connected\\n127\\.0\\.0\\.1:${server.port} named by`),
      );
      const libraries = await call(client, 'deps_list', { pattern: '^nrepl' });
      expect(libraries.text).toMatch(LIBRARIES[host]);
      if (libraries.isError) return;
      const grep = { library: 'nrepl', pattern: 'defn .*start-server', type: 'clj' };
      const found = await call(client, 'deps_grep', { ...grep, glob: 'nrepl/server.clj' });
      const [file = '', line = ''] =
        /^(\S+\.jar!\/nrepl\/server\.clj):(\d+): \(defn /.exec(found.text)?.slice(1) ?? [];
      const lines = { file_path: file.replace('!/', ':'), offset: Number(line) - 1, limit: 1 };
      expect((await call(client, 'deps_read', lines)).text).toMatch(/^\(defn .*start-server/);
      const counted = await call(client, 'deps_grep', { ...grep, output_mode: 'count' });
      expect(counted.text).toMatch(/^\S+nrepl\/server\.clj: 1$/m);
      const unknown = await call(client, 'deps_grep', { ...grep, library: 'nrepk' });
      expect(unknown.text).toMatch(/There is no library nrepk on the classpath\. There are: nrepl, /);
    });

    it('S4-48 echoes ids that are strings', async () => {
      const response = await fetch(`${harbor.ready.mcp}/nrepl`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${harbor.ready.token}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          'mcp-session-id': sessionIdOf(client),
        },
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 'unique-id',
          method: 'tools/call',
          params: { name: 'nrepl-status', arguments: {} },
        }),
      });
      expect(await response.text()).toContain('"id":"unique-id"');
    });
  });

  describe('connecting', () => {
    it('S4-19 goes to the port that is given, and says when nothing is there', async () => {
      const { client: other, harbor: alone } = await elsewhere();
      const wrong = await call(other, 'nrepl-connect', { port: 1 });
      expect(wrong.isError).toBe(true);
      expect(wrong.text).toContain('localhost:1');
      const there = await call(other, 'clojure_eval', { code: '(* 6 7)', port: server.port });
      expect(there.first).toBe('=> 42');
      expect((await status(other)).connected).toBe(false);
      const right = await call(other, 'nrepl-connect', { host: 'localhost', port: server.port });
      expect(right.isError).toBe(false);
      expect(await evaluated('(+ 1 1)', {}, other)).toBe('2');
      await alone.stop();
    });

    it('S4-32 S4-74 says what to do before there is a connection', async () => {
      const { client: other, harbor: alone } = await elsewhere();
      expect(await status(other)).toMatchObject({ connected: false, host: null, port: null, sessions: 0 });
      const refused = await call(other, 'nrepl-eval', { code: '1' });
      expect(refused.isError).toBe(true);
      expect(refused.text).toMatch(/not connected.*nrepl-connect/s);
      const test = await call(other, 'nrepl-test');
      expect(test.isError).toBe(true);
      expect(test.text).toMatch(/^Health Test Results: 0\/5/);
      await alone.stop();
    });

    it('S4-15 takes the port of the environment before that of the file', async () => {
      const project = temporaryFolder('project');
      writeFileSync(path.join(project, '.nrepl-port'), '1');
      const { client: other, harbor: alone } = await elsewhere({ NREPL_PORT: String(server.port) }, project);
      expect(await status(other)).toMatchObject({ connected: true, port: server.port });
      await alone.stop();
    });

    it('S4-14 S4-28 looks for the port file where the environment says', async () => {
      const workspace = temporaryFolder('workspace');
      writeFileSync(path.join(workspace, '.nrepl-port'), ` ${server.port}\n`);
      const { client: other, harbor: alone } = await elsewhere({ JOYRIDE_WORKSPACE: workspace });
      expect(await status(other)).toMatchObject({ connected: true, port: server.port, workspace });
      await alone.stop();
    });
  });
});

describe('MCP-nREPL: a server that is killed', () => {
  it('S4-34 S4-35 S4-45 is Failed, and connected again when it is back, with new sessions', async () => {
    const project = temporaryFolder('project');
    const first = await NreplServer.onNbb(project);
    const { client: other, harbor: alone } = await elsewhere({}, project);
    const session = JSON.parse((await call(other, 'nrepl-new-session')).first)['new-session'] as string;
    await evaluated('(def kept 1)', { session }, other);
    await first.stop();
    await expect.poll(async () => (await status(other)).connected, PATIENT).toBe(false);
    const second = await NreplServer.onNbb(project);
    await expect.poll(async () => (await status(other)).connected, PATIENT).toBe(true);
    expect(second.port).not.toBe(first.port);
    expect(await status(other)).toMatchObject({ host: 'localhost', port: second.port });
    const lost = await call(other, 'nrepl-eval', { code: 'kept', session });
    expect(lost.isError).toBe(true);
    expect(lost.text).toMatch(/unknown session/);
    expect(await evaluated('(+ 1 2)', {}, other)).toContain('3');
    await alone.stop();
    await second.stop();
  });
});

async function newSession(): Promise<string> {
  return JSON.parse((await call(client, 'nrepl-new-session')).first)['new-session'] as string;
}

function sessionIdOf({ transport }: Client): string {
  return transport?.sessionId ?? '';
}

/** A harbor of its own, whose project has no server unless one is put there. */
async function elsewhere(env: NodeJS.ProcessEnv = {}, project?: string) {
  const alone = await StartedHarbor.start({ env, args: CHOSEN, ...(project ? { project } : {}) });
  return { harbor: alone, client: await alone.client('legacy', { profile: 'nrepl' }) };
}
