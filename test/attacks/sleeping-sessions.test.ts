/** A session that sleeps after a restart of the harbor: another client reaches it by no tool, and wakes it by none. */
import { rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import type { Lines, Message } from '../integration/endpoint-lines';
import { linesOver } from '../line-ways';
import { StartedHarbor, temporaryFolder } from '../started-harbor';

const [data, project] = [temporaryFolder('data'), temporaryFolder('project')];
const decoy = path.join(project, 'decoy');
let harbor: StartedHarbor;
let lines: Lines;
let end: () => Promise<unknown>;
let session: string;
let id = 0;

async function ask(method: string, params: object): Promise<Message> {
  id += 1;
  lines.send({ jsonrpc: '2.0', id, method, params });
  return lines.answer(id);
}

beforeAll(async () => {
  const before = await StartedHarbor.start({ data, project });
  const owner = await before.client();
  session = (await call<{ session: string }>(owner, 'open_session', { name: 'mine' })).structured.session;
  await evaluate(owner, '(defparameter cl-user::*secret* "sesame-in-the-image")', { session });
  await before.stop();
  harbor = await StartedHarbor.start({ data, project, args: ['--tcp-port', '0'] });
  ({ lines, end } = linesOver('TCP', harbor));
  const clientInfo = { name: 'test', version: '1' };
  await ask('initialize', { protocolVersion: '2025-06-18', capabilities: {}, clientInfo });
}, 120_000);

afterAll(async () => {
  await end();
  await harbor.stop();
  for (const folder of [data, project]) rmSync(folder, { recursive: true });
});

/** Values that make each tool look into the session, as far as it needs any. */
const GIVEN: Readonly<Record<string, unknown>> = {
  ...{ code: 'cl-user::*secret*', symbol: 'cl-user::*secret*', query: '*secret*', kind: 'definition' },
  ...{ path: decoy, content: '1', action: 'save', job: 'job-1', operation: 'create', definitions: true },
};

it('is not reached by any tool of another client, by its handle or its name', async () => {
  const { result } = await ask('tools/list', {});
  const tools = (result?.tools ?? []) as {
    name: string;
    inputSchema: { properties?: object; required?: string[] };
  }[];
  // The history of a project is common to its clients, unless the user restricts it.
  const taking = tools.filter(
    ({ name, inputSchema }) => name !== 'history' && 'session' in (inputSchema.properties ?? {}),
  );
  expect(taking.length).toBeGreaterThan(8);
  for (const { name, inputSchema } of taking) {
    const needed = Object.fromEntries((inputSchema.required ?? []).map((each) => [each, GIVEN[each] ?? 'x']));
    for (const handle of [session, 'mine']) {
      const args = { ...needed, ...(name === 'debug' && { action: 'show' }), session: handle };
      const answer = JSON.stringify(await ask('tools/call', { name, arguments: args }));
      expect(answer, name).not.toContain('sesame');
      expect(answer, name).toMatch(/unknown_session|bad_arguments/);
    }
  }
  const { structured } = await call<{ sessions: object[] }>(await harbor.client(), 'images');
  expect(structured.sessions).toMatchObject([{ session, state: 'asleep' }]);
});

it('is there for its own client', async () => {
  const owner = await harbor.client();
  const { text } = await call(owner, 'eval', { code: 'cl-user::*secret*', session });
  expect(text).toContain('sesame-in-the-image');
});
