/** What a started harbor answers to arguments that a tool does not have, and which tools its errors name in each profile. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { sharedHarbor } from '../shared-harbor';
import type { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await sharedHarbor();
});
afterAll(() => harbor.stop());

const clientOf = (profile: string): Promise<Client> => harbor.client('legacy', { profile });

const PROFILES = ['default', 'cl-mcp-server', 'lisp-mcp-server', 'acl2', 'nrepl', 'lisply'];

describe.each(PROFILES)('the profile %s', (profile) => {
  it('names tools of its own alone where a job is unknown, and lets a call say more than a schema names', async () => {
    const client = await clientOf(profile);
    const { tools } = await client.listTools();
    const { text, isError } = await call(client, 'job', { job: 'job-99', action: 'status' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^unknown_evaluation: You have no job job-99\. There are none\./);
    const names = [...text.matchAll(/`([\w-]+)`/g)].map(([, name]) => name);
    for (const name of names) expect(tools.map((tool) => tool.name)).toContain(name);
    expect(text.includes('`history`')).toBe(profile === 'default');
    for (const { inputSchema } of tools) expect(inputSchema).not.toHaveProperty('additionalProperties');
  });
});

it.each([
  ['lisp-mcp-server', 'fs-list-directory', { path: '.' }],
  ['nrepl', 'nrepl-status', {}],
])('%s: %s passes over what it does not know, beside its own text', async (profile, tool, args) => {
  const client = await clientOf(profile);
  const usual = await client.callTool({ name: tool, arguments: args });
  const { content, isError } = await client.callTool({ name: tool, arguments: { ...args, force: true } });
  expect(isError).toBe(false);
  expect(content[0]).toEqual(usual.content[0]);
  expect(content[1]).toEqual({
    type: 'text',
    text: expect.stringMatching(/^note: Ignored: \S+ has no argument force\. There are/),
  });
});

describe('our own profile', () => {
  it('refuses what would do something else than was meant, and names the nearest argument', async () => {
    const client = await clientOf('default');
    const { text, isError } = await call(client, 'eval', { code: '(def x 1)', pacakge: 'a.b' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^bad_arguments: eval has no argument pacakge\. There are: package, /);
  });

  it('reads all the same', async () => {
    const client = await clientOf('default');
    const { text, isError } = await call(client, 'read_file', { path: '.', force: true });
    expect(isError).toBe(false);
    expect(text).toContain('Ignored: read_file has no argument force.');
  });
});
