/** Whoever asks for what does not exist is told what does: of sessions, checkpoints and the rest those of this client only. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { StartedHarbor, temporaryFolder } from '../started-harbor';
import { writeFiles } from './loading-fixture';

let harbor: StartedHarbor;
let client: Client;
let other: Client;
let session: string;

beforeAll(async () => {
  const project = temporaryFolder('project');
  writeFiles(project, {
    'src/shapes.lisp': '(defun area () 1)',
    'src/.hidden.lisp': '',
    'shop.asd': '(defsystem "shop")',
  });
  harbor = await StartedHarbor.start({ project, args: ['--engine', 'sbcl'] });
  [client, other] = [await harbor.client(), await harbor.otherClient('other')];
  const opened = await call<{ session: string }>(client, 'open_session', { name: 'mine' });
  session = opened.structured.session;
  await call(client, 'checkpoint', { action: 'save', name: 'before', session });
});
afterAll(() => harbor.stop());

const said = async (tool: string, args: Record<string, unknown>, by = client) =>
  (await call(by, tool, args)).text;

describe('a name that nobody has', () => {
  it.each<[string, string, Record<string, unknown>, () => RegExp]>([
    ['a session', 'eval', { code: '1', session: 'sbcl-none' }, () => RegExp(`There are: ${session}\\.`)],
    ['a checkpoint', 'checkpoint', { action: 'restore', name: 'befor' }, () => /There are: before\./],
    ['a file', 'read_file', { path: 'src/shape.lisp' }, () => /\/src has shapes\.lisp\./],
    ['a file in no folder', 'read_file', { path: 'sources/a.lisp' }, () => / has (?=.*src)(?=.*shop\.asd)/],
    ['a file to load', 'load', { path: 'src/shape.lisp' }, () => /\/src has shapes\.lisp\./],
    [
      'a file to edit',
      'edit_form',
      { path: 'src/a.lisp', operation: 'delete', form_type: 'defun', form_name: 'f' },
      () => /src has shapes\.lisp\./,
    ],
    ['a system', 'load', { system: 'shopp' }, () => /In the project there are: shop\./],
    ['a framework', 'run_tests', { framework: 'five' }, () => /There are: .*fiveam/],
    ['an engine', 'open_session', { engine: 'sblc' }, () => /"sbcl"/],
  ])('that of %s, is answered with those that there are', async (_, tool, args, expected) => {
    expect(await said(tool, args)).toMatch(expected());
  });

  it('that of a job or an evaluation, is answered with the latest', async () => {
    const { id } = (await evaluate(client, '(+ 1 2)', { session })).structured;
    expect(await said('job', { job: 'job-999999', action: 'status' })).toContain(`job-${id}`);
    expect(await said('history', { id: 999_999 })).toMatch(RegExp(`The latest: .*\\b${id}\\b`));
  });

  it('that of a tool, a prompt, a resource or a profile, is answered with those that there are', async () => {
    await expect(client.callTool({ name: 'evaluate', arguments: {} })).rejects.toThrow(
      /For this client: eval, /,
    );
    await expect(client.getPrompt({ name: 'prove' })).rejects.toThrow(/There are: prove_theorem, /);
    await expect(client.readResource({ uri: 'lisp://guide/sbc' })).rejects.toThrow(
      /There are: lisp:\/\/guide/,
    );
    const headers = { authorization: `Bearer ${harbor.ready.token}` };
    const refused = await fetch(`${harbor.ready.mcp}/pascal`, { method: 'POST', headers });
    expect(await refused.text()).toMatch(/default/);
  });

  it('tells nothing of what is another client’s', async () => {
    expect(await said('eval', { code: '1', session: 'sbcl-none' }, other)).toMatch(/There are none\./);
    expect(await said('checkpoint', { action: 'restore', name: 'befor' }, other)).toMatch(/There are none\./);
    expect(await said('read_file', { path: '../none' })).toMatch(/^path_not_allowed/);
  });
});
