/** What sessions want to reach: what nobody is asked about, what a person is asked, and what their answer leaves behind. */
import { describe, expect, it } from 'vitest';
import { Approvals } from '../../electron/access/approvals';
import type { ApprovalReply, ApprovalRule } from '../../electron/contract/approvals';
import type { Container, ServerAddress } from '../../electron/contract/server';
import { NamedContainers } from '../../electron/sandbox/named-containers';
import { NamedServers } from '../../electron/sandbox/named-servers';
import { AccessRequests } from '../../electron/tools/sessions/access-requests';

const SWANK: ServerAddress = { kind: 'swank', host: '127.0.0.1', port: 4005 };
const PROJECT = '/home/ada/lighthouse';
const asker = { client: { key: 'codex', scopes: new Set<never>() }, signal: new AbortController().signal };

/** With a person who answers each question so. */
function requestsAnswered(reply: ApprovalReply) {
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
    asked.push(question.code);
    approvals.answer(question.id, reply);
  });
  const servers = new NamedServers({
    named: () => named.servers,
    add: (server) => named.servers.push(server),
  });
  const containers = new NamedContainers({
    named: () => named.containers,
    add: (container) => named.containers.push(container),
  });
  const hasNetwork = (project: string) => project.startsWith('/home/ada/online');
  return {
    requests: new AccessRequests({ approver: approvals, servers, containers, hasNetwork }),
    servers,
    named,
    asked,
  };
}

const refusal = (code: string) => expect.objectContaining({ code });

describe('a server', () => {
  it('is asked about unless it is named, once for each session', async () => {
    const { requests, named, asked } = requestsAnswered('once');
    const wanted = { server: SWANK, project: PROJECT };
    expect(await requests.server(wanted, asker)).toBe(true);
    expect(await requests.server(wanted, asker)).toBe(true);
    expect(asked).toEqual(['swank 127.0.0.1:4005', 'swank 127.0.0.1:4005']);
    expect(named).toEqual({ servers: [], containers: [], rules: [] });
    named.servers.push(SWANK);
    expect(await requests.server(wanted, asker)).toBe(false);
    expect(asked).toHaveLength(2);
  });

  it('is named by "always", and no rule is made', async () => {
    const { requests, named, asked } = requestsAnswered('always');
    const server: ServerAddress = { kind: 'lisply', host: '127.0.0.1', port: 9081, prefix: 'gendl' };
    expect(await requests.server({ server, project: PROJECT }, asker)).toBe(true);
    expect(await requests.server({ server, project: PROJECT }, asker)).toBe(false);
    expect(asked).toEqual(['lisply 127.0.0.1:9081/gendl']);
    expect(named).toEqual({ servers: [server], containers: [], rules: [] });
  });

  it('of another computer is refused before anybody is asked, whoever allowed it', async () => {
    const { requests, servers, asked } = requestsAnswered('once');
    const wanted = { server: { ...SWANK, host: '192.0.2.1' }, project: PROJECT };
    await expect(requests.server(wanted, asker)).rejects.toThrow(/not this computer/);
    expect(() => servers.check({ ...wanted, isAllowed: true })).toThrow(/not this computer/);
    expect(asked).toEqual([]);
    expect(() => servers.check({ server: SWANK, project: PROJECT, isAllowed: true })).not.toThrow();
    expect(() => servers.check({ server: SWANK, project: PROJECT, isAllowed: false })).toThrow(
      /^No person has named/,
    );
  });

  it('is refused by a person’s no', async () => {
    const { requests } = requestsAnswered('no');
    const refused = requests.server({ server: SWANK, project: PROJECT }, asker);
    await expect(refused).rejects.toThrow(refusal('not_approved'));
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

  it('whose name is none is refused before anybody is asked', async () => {
    const { requests, asked } = requestsAnswered('once');
    await expect(requests.container('--privileged', asker)).rejects.toThrow(refusal('bad_arguments'));
    expect(asked).toEqual([]);
  });
});

describe('the network', () => {
  it('is asked about with engine and project, unless the project has it', async () => {
    const { requests, asked } = requestsAnswered('once');
    expect(await requests.network({ project: PROJECT, engine: 'sbcl' }, asker)).toBe(true);
    expect(await requests.network({ project: '/home/ada/online', engine: 'sbcl' }, asker)).toBe(false);
    expect(asked).toEqual([`engine: sbcl\nproject: ${PROJECT}`]);
  });

  it('is allowed to the client from now on by "always"', async () => {
    const { requests, named, asked } = requestsAnswered('always');
    for (const _ of [1, 2])
      expect(await requests.network({ project: PROJECT, engine: 'sbcl' }, asker)).toBe(true);
    expect(asked).toHaveLength(1);
    expect(named.rules).toEqual([{ client: 'codex', class: 'network', answer: 'allow' }]);
  });
});
