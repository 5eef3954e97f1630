/**
 * Access requests of sessions: what is allowed without asking, what the user is asked, and what an answer
 * leaves behind.
 */
import { describe, expect, it } from 'vitest';
import { Approvals } from '../../electron/access/approvals';
import type { ApprovalReply, ApprovalRule, ShownPart } from '../../electron/contract/approvals';
import type { Container, FindPortOwner, ServerAddress } from '../../electron/contract/server';
import { NamedContainers, NamedServers } from '../../electron/sandbox/named-servers';

import { AccessRequests } from '../../electron/tools/sessions/access-requests';

const SWANK: ServerAddress = { kind: 'swank', host: '127.0.0.1', port: 4005 };
const PROJECT = '/home/ada/lighthouse';
const FILED: ServerAddress = {
  kind: 'nrepl',
  host: '127.0.0.1',
  port: 7888,
  portFile: `${PROJECT}/.nrepl-port`,
};
const asker = {
  client: { key: 'codex', scopes: new Set<never>() },
  tool: 'open_session',
  signal: new AbortController().signal,
};

type Listener = Awaited<ReturnType<FindPortOwner>>;

/** Requests with a user who gives each question this answer, and this listener on the ports of port files. */
function requestsAnswered(reply: ApprovalReply, listener: Listener = 'unknown') {
  const named = {
    servers: [] as ServerAddress[],
    containers: [] as Container[],
    rules: [] as ApprovalRule[],
  };
  const asked: string[] = [];
  const approvals = new Approvals({
    rules: () => named.rules,
    addRule: (rule) => named.rules.push(rule),
    isAttended: () => true,
  });
  approvals.on('changed', () => {
    const [question] = approvals.state.questions;
    if (!question) return;
    asked.push(...question.parts.map(codeOf));
    approvals.answer(question, reply);
  });
  const servers = new NamedServers({
    named: () => named.servers,
    add: (server) => named.servers.push(server),
    findListener: async () => listener,
  });
  const containers = new NamedContainers({
    named: () => named.containers,
    add: (container) => named.containers.push(container),
  });
  const hasNetwork = (project: string) => project.startsWith('/home/ada/online');
  return {
    requests: new AccessRequests({
      approver: approvals,
      servers,
      containers,
      hasNetwork,
      networkReach: () => 'all',
    }),
    servers,
    named,
    asked,
  };
}

const codeOf = (part: ShownPart) => (part.kind === 'code' ? part.code : part.kind);
const refusal = (code: string) => expect.objectContaining({ code });

describe('a server', () => {
  it('is asked about unless the user named it, once per session', async () => {
    const { requests, named, asked } = requestsAnswered('once');
    expect(await requests.server(SWANK, asker)).toBe(true);
    expect(await requests.server(SWANK, asker)).toBe(true);
    expect(asked).toEqual(['swank 127.0.0.1:4005', 'swank 127.0.0.1:4005']);
    expect(named).toEqual({ servers: [], containers: [], rules: [] });
    named.servers.push(SWANK);
    expect(await requests.server(SWANK, asker)).toBe(false);
    expect(asked).toHaveLength(2);
  });

  it('is named by "always", which creates no rule', async () => {
    const { requests, named, asked } = requestsAnswered('always');
    const server: ServerAddress = { kind: 'lisply', host: '127.0.0.1', port: 9081, prefix: 'gendl' };
    expect(await requests.server(server, asker)).toBe(true);
    expect(await requests.server(server, asker)).toBe(false);
    expect(asked).toEqual(['lisply 127.0.0.1:9081/gendl']);
    expect(named).toEqual({ servers: [server], containers: [], rules: [] });
  });

  it('on another computer is refused without asking, even if allowed', async () => {
    const { requests, servers, asked } = requestsAnswered('once');
    const elsewhere = { ...SWANK, host: '192.0.2.1' };
    await expect(requests.server(elsewhere, asker)).rejects.toThrow(/not this computer/);
    await expect(servers.locate(elsewhere, true)).rejects.toThrow(/not this computer/);
    expect(asked).toEqual([]);
    expect(await servers.locate(SWANK, true)).toEqual(SWANK);
    await expect(servers.locate(SWANK, false)).rejects.toThrow(/^The user has not named/);
  });

  it('is refused if the user denies it', async () => {
    const { requests } = requestsAnswered('no');
    await expect(requests.server(SWANK, asker)).rejects.toThrow(refusal('not_approved'));
  });

  it('is not asked about without a window, and a user rule precedes the default', async () => {
    const { requests, named, asked } = requestsAnswered('once');
    const { signal: _, ...nobody } = asker;
    await expect(requests.server(SWANK, nobody)).rejects.toThrow(refusal('not_approved'));
    expect(await requests.server(SWANK, nobody, 'allow')).toBe(true);
    named.rules.push({ client: null, class: 'attach', answer: 'deny' });
    await expect(requests.server(SWANK, asker, 'allow')).rejects.toThrow(refusal('not_approved'));
    expect(asked).toEqual([]);
  });
});

describe('the server of a port file', () => {
  it('is named if it runs in that folder', async () => {
    const { requests, servers, asked } = requestsAnswered('no', 'folder');
    expect(await requests.server(FILED, asker)).toBe(false);
    expect(await servers.locate(FILED, false)).toEqual(FILED);
    expect(asked).toEqual([]);
  });

  it('is asked about like any other if that is not proven, and named without its file', async () => {
    const { requests, servers, named, asked } = requestsAnswered('always');
    await expect(servers.locate(FILED, false)).rejects.toThrow(/in a port file, which any code may write/);
    expect(await requests.server(FILED, asker)).toBe(true);
    expect(asked).toEqual(['nrepl 127.0.0.1:7888']);
    expect(named.servers).toEqual([{ kind: 'nrepl', host: '127.0.0.1', port: 7888 }]);
  });

  it('that does not exist is reported without asking', async () => {
    const { requests, asked } = requestsAnswered('once', 'nobody');
    await expect(requests.server(FILED, asker)).rejects.toThrow(/\.nrepl-port is stale/);
    expect(asked).toEqual([]);
  });
});

describe('a container', () => {
  it('is asked about by its image and gets no folder; "always" names it so', async () => {
    const { requests, named, asked } = requestsAnswered('always');
    const plain = { image: 'genworks/gendl', mounts: [], services: [] };
    expect(await requests.container('genworks/gendl', asker)).toEqual(plain);
    expect(await requests.container('genworks/gendl', asker)).toEqual(plain);
    expect({ asked, containers: named.containers }).toEqual({
      asked: ['genworks/gendl'],
      containers: [plain],
    });
  });

  it('with an invalid name is refused without asking', async () => {
    const { requests, asked } = requestsAnswered('once');
    await expect(requests.container('--privileged', asker)).rejects.toThrow(refusal('bad_arguments'));
    expect(asked).toEqual([]);
  });
});

describe('the network', () => {
  it('is asked about with engine and project, unless the project already has it', async () => {
    const { requests, asked } = requestsAnswered('once');
    expect(await requests.network({ project: PROJECT, engine: 'sbcl' }, asker)).toBe(true);
    expect(await requests.network({ project: '/home/ada/online', engine: 'sbcl' }, asker)).toBe(false);
    expect(asked).toEqual([`engine: sbcl\nproject: ${PROJECT}`]);
  });

  it('is allowed to the client by "always"', async () => {
    const { requests, named, asked } = requestsAnswered('always');
    for (const _ of [1, 2])
      expect(await requests.network({ project: PROJECT, engine: 'sbcl' }, asker)).toBe(true);
    expect(asked).toHaveLength(1);
    expect(named.rules).toEqual([{ client: 'codex', class: 'network', answer: 'allow' }]);
  });
});
