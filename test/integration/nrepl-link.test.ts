/** The profile `nrepl` and its server: connected in advance, checked for health, and located again. */
import { writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { NreplEngine } from '../../electron/images/nrepl/engine';
import { call } from '../evaluation';
import { answering, MockNrepl } from '../nrepl-mock';
import { NreplServer } from '../nrepl-server';
import { PATIENT, StartedHarbor, type StartOptions, temporaryFolder } from '../started-harbor';

const value = (text: string) => `5:value${text.length}:${text}6:statusl4:doneee`;

async function mock(answer = value('6')): Promise<MockNrepl> {
  const server = await MockNrepl.start((request, respond) => respond(answering(request) + answer));
  onTestFinished(() => server.stop());
  return server;
}

async function started(options: StartOptions): Promise<StartedHarbor> {
  const harbor = await StartedHarbor.start(options);
  onTestFinished(async () => void (await harbor.stop()));
  return harbor;
}

const portFile = (project: string, { port }: { port: number }) =>
  writeFileSync(path.join(project, '.nrepl-port'), String(port));

const NREPL = { profile: 'nrepl' };

/** The user's choices at startup. */
const CHOSEN = ['--profile', 'nrepl'];

interface Status {
  connected: boolean;
  host: string | null;
  port: number | null;
  health: Record<string, number | boolean>;
}

const status = async (client: Client): Promise<Status> =>
  JSON.parse((await call(client, 'nrepl-status')).first);

/** The connection for evaluations, and the one for the heartbeat. */
const CONNECTIONS = 2;

describe('the connection is made', () => {
  it('when a client of the profile begins, from the port file that is there', async () => {
    const [server, project] = [await mock(), temporaryFolder('project')];
    portFile(project, server);
    await (await started({ project, args: CHOSEN })).client('legacy', NREPL);
    await expect.poll(() => server.connections, PATIENT).toBe(CONNECTIONS);
  });

  it('when the port file appears, or names another server than the one that was not there', async () => {
    const project = temporaryFolder('project');
    const [first, second] = [await mock(), await mock()];
    const client = await (await started({ project, args: CHOSEN })).client('legacy', NREPL);
    portFile(project, { port: 1 });
    await expect.poll(async () => (await status(client)).connected, PATIENT).toBe(false);
    portFile(project, first);
    await expect.poll(() => first.connections, PATIENT).toBe(CONNECTIONS);
    expect(await status(client)).toMatchObject({ connected: true, host: 'localhost', port: first.port });
    // Existing connections stay open.
    portFile(project, second);
    expect((await call(client, 'nrepl-eval', { code: '(+ 1 2 3)' })).text).toMatch(/^6\b/);
    expect(second.connections).toBe(0);
  });

  it('at the start of a harbor of the profile, before there is a client', async () => {
    const server = await mock();
    const env = { NREPL_PORT: String(server.port) };
    await started({ env, args: CHOSEN });
    await expect.poll(() => server.connections, PATIENT).toBe(CONNECTIONS);
  });

  it('by none of another profile, and given up when the last client has left', async () => {
    const [server, project] = [await mock(), temporaryFolder('project')];
    portFile(project, server);
    const harbor = await started({ project });
    await call(await harbor.client(), 'images');
    expect(server.connections).toBe(0);
    const client = await harbor.stdioClient(NREPL);
    await expect.poll(() => server.open, PATIENT).toBe(CONNECTIONS);
    await client.close();
    await expect.poll(() => server.open, PATIENT).toBe(0);
  });
});

describe('a client for which no person chose the profile', () => {
  it('connects to no server that nobody named, by whatever it says', async () => {
    const [server, project] = [await mock(), temporaryFolder('project')];
    portFile(project, server);
    const client = await (await started({ project })).client('legacy', NREPL);
    for (const [tool, args] of [
      ['nrepl-connect', { port: server.port }],
      ['nrepl-connect', { host: '127.0.0.1', port: server.port }],
      ['nrepl-connect', {}],
      ['nrepl-eval', { code: '1' }],
      ['nrepl-new-session', {}],
    ] as const) {
      const { text } = await call(client, tool, args);
      expect(text, tool).toMatch(/^not_approved: The user has not named the nrepl server/);
    }
    expect(await status(client)).toMatchObject({ connected: false });
    expect(server.connections).toBe(0);
  });

  it('connects to one that a person named, in the settings or in NREPL_PORT', async () => {
    const [one, other] = [await mock(), await mock()];
    const settings = { servers: [{ kind: 'nrepl', port: one.port }] };
    const harbor = await started({ settings, env: { NREPL_PORT: String(other.port) } });
    const client = await harbor.client('legacy', NREPL);
    await expect.poll(() => other.connections, PATIENT).toBe(CONNECTIONS);
    expect((await call(client, 'nrepl-connect', { port: one.port })).text).toMatch(/^Connected/);
  });

  it('is refused where a rule of a person denies it, the profile chosen or not', async () => {
    const server = await mock();
    const settings = { approvals: [{ client: null, class: 'attach', answer: 'deny' }] };
    const harbor = await started({ settings, args: CHOSEN });
    const { text } = await call(await harbor.client(), 'nrepl-connect', { port: server.port });
    expect(text).toMatch(/^not_approved: .*A user rule denies .* for serve/);
    expect(server.connections).toBe(0);
  });
});

it('a session of before is unknown already while the connection to the server is made again', async () => {
  const project = temporaryFolder('project');
  const sockets: net.Socket[] = [];
  const waiting: (() => void)[] = [];
  let isBack = false;
  const server = await MockNrepl.start(
    (request, respond, socket) => {
      if (request.op === 'eval') return respond(answering(request) + value('6'));
      const introduced = () => respond(`${answering(request)}11:new-session4:mock6:statusl4:doneee`);
      if (isBack) return void waiting.push(introduced);
      sockets.push(socket);
      introduced();
    },
    ['eval', 'clone'],
  );
  onTestFinished(() => server.stop());
  portFile(project, server);
  const client = await (await started({ project, args: CHOSEN })).client('legacy', NREPL);
  const session = JSON.parse((await call(client, 'nrepl-new-session')).first)['new-session'] as string;
  expect((await call(client, 'nrepl-eval', { code: '6', session })).text).toMatch(/^6\b/);
  isBack = true;
  for (const socket of sockets) socket.destroy();
  await expect.poll(() => waiting.length, PATIENT).toBeGreaterThanOrEqual(2);
  expect((await call(client, 'nrepl-eval', { code: 'kept', session })).text).toMatch(/unknown session/);
  isBack = false;
  for (const introduced of waiting) introduced();
  await expect.poll(async () => (await status(client)).connected, PATIENT).toBe(true);
  expect((await call(client, 'nrepl-eval', { code: '6' })).text).toMatch(/^6\b/);
});

it('the heartbeat goes out while nobody asks anything, and the status tells when', async () => {
  const [server, project] = [await mock(), temporaryFolder('project')];
  portFile(project, server);
  const client = await (await started({ project, args: CHOSEN, settings: { heartbeatMs: 1000 } })).client(
    'legacy',
    NREPL,
  );
  const asked = () => server.requests.filter(({ op }) => op === 'describe').length;
  const before = Date.now();
  await expect.poll(asked, PATIENT).toBeGreaterThan(3);
  const { health } = await status(client);
  expect(health).toMatchObject({ 'heartbeat-connected': true, 'heartbeat-failures': 0 });
  expect(health['last-heartbeat']).toBeGreaterThan(before);
});

describe('a server', () => {
  it('that is writing when its client leaves hears no error: nbb’s would end of one', async () => {
    const project = temporaryFolder('project');
    const server = await NreplServer.onNbb(project);
    onTestFinished(() => server.stop());
    const harbor = await started({ project });
    for (let count = 0; count < 5; count += 1) {
      const client = await harbor.stdioClient({ ...NREPL, key: `client-${count}` });
      await expect.poll(async () => (await status(client)).connected, PATIENT).toBe(true);
      void call(client, 'nrepl-eval', { code: '(dotimes [i 20000] (println i))' }).catch(() => undefined);
      await client.close();
    }
    expect(server.running).toBe(true);
  });

  it('that takes the connection and says nothing is told as such, in time', async () => {
    const silent = net.createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close());
    const { port } = silent.address() as net.AddressInfo;
    const engine = new NreplEngine({
      questions: '',
      named: () => [],
      heartbeatMs: () => 45_000,
      silenceMs: 200,
    });
    const attach = engine.attach({ server: { kind: 'nrepl', host: '127.0.0.1', port } });
    await expect(attach).rejects.toMatchObject({
      code: 'engine_failed',
      message: expect.stringContaining(
        `127.0.0.1:${port} accepted the connection and sent nothing for 0.2 s`,
      ),
    });
  });

  it('is told under the name that was given', async () => {
    const server = await mock();
    const client = await (await started({ args: CHOSEN })).client('legacy', NREPL);
    for (const host of ['localhost', '127.0.0.1']) {
      const connected = await call(client, 'nrepl-connect', { host, port: server.port });
      expect(connected.text).toContain(`${host}:${server.port}`);
      expect(connected.structured).toMatchObject({ connected: true, host, port: server.port });
      expect(await status(client)).toMatchObject({ host, port: server.port });
    }
  });

  it.each(['l5:error4:donee', 'l10:some-error5:error4:donee'])(
    'that answers with an error has failed, whatever else it says: %s',
    async (said) => {
      const server = await mock(`6:status${said}e`);
      const client = await (await started({ args: CHOSEN })).client('legacy', NREPL);
      await call(client, 'nrepl-connect', { port: server.port });
      const { isError, text } = await call(client, 'nrepl-eval', { code: '1' });
      expect(isError).toBe(true);
      expect(text).toMatch(said.includes('some') ? /some-error/ : /error/);
    },
  );
});
