/** What is read without a tool, on the wire: its scope, its place in the record of calls, its errors. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Prompt } from '../../electron/tools/prompts/prompt';
import type { ResourceFamily } from '../../electron/tools/resources/resource';
import { type HttpFixture, httpFixture } from './endpoint-fixture';
import { ask, JSON_HEADERS, legacy, openSession } from './endpoint-messages';

const ABOUT = { name: 'note', title: 'A note', description: 'A note.', mimeType: 'text/plain' };
const NOTE = { uri: 'test://note/1' };

const NOTES: ResourceFamily = {
  template: { ...ABOUT, uriTemplate: 'test://note/{id}' },
  list: () => [{ ...ABOUT, ...NOTE }],
  exists: ({ id }) => id === '1',
  read: async () => 'noted',
  values: () => ['1'],
};

const GREETING: Prompt = {
  name: 'greet',
  title: 'Greet',
  description: 'Greets.',
  arguments: [{ name: 'whom', description: 'Whom to greet', required: false }],
  text: ({ whom = 'all' }) => `Greet ${whom}.`,
};

let harbor: HttpFixture;

beforeEach(async () => {
  harbor = await httpFixture();
  harbor.toolbox.families = [NOTES];
  harbor.toolbox.prompts = [GREETING];
});

afterEach(() => harbor.close());

/** Asks in a conversation of the 2025 era, with that token. */
async function conversation(token: string) {
  const authorized = { ...JSON_HEADERS, authorization: `Bearer ${token}` };
  const headers = await openSession(harbor.port, authorized);
  return async (method: string, params: unknown = {}) =>
    (await ask(harbor.port, { headers, body: legacy(method, method, params) })).json;
}

const COMPLETING = {
  ref: { type: 'ref/resource', uri: 'test://note/{id}' },
  argument: { name: 'id', value: '' },
};

describe('reading without a tool', () => {
  it('answers a client with the scope, and is recorded as a call', async () => {
    const asking = await conversation('token-reader');
    expect((await asking('resources/list')).result).toMatchObject({ resources: [NOTE] });
    expect((await asking('resources/read', NOTE)).result).toEqual({
      contents: [{ ...NOTE, mimeType: 'text/plain', text: 'noted' }],
    });
    const greeted = await asking('prompts/get', { name: 'greet', arguments: { whom: 'you' } });
    expect(greeted.result).toMatchObject({ messages: [{ content: { text: 'Greet you.' } }] });
    expect((await asking('completion/complete', COMPLETING)).result).toEqual({
      completion: { values: ['1'], total: 1, hasMore: false },
    });
    expect(harbor.gate.calls.map(({ tool, args }) => [tool, args])).toEqual([
      ['resources/read', NOTE],
      ['prompts/get', { name: 'greet', arguments: { whom: 'you' } }],
    ]);
  });

  it('shows a client without the scope nothing, and refuses what it asks for', async () => {
    const asking = await conversation('token-evaluator');
    expect((await asking('resources/list')).result).toEqual({ resources: [] });
    expect((await asking('resources/templates/list')).result).toEqual({ resourceTemplates: [] });
    expect((await asking('prompts/list')).result).toEqual({ prompts: [] });
    const completed = (await asking('completion/complete', COMPLETING)).result;
    expect(completed).toMatchObject({ completion: { values: [] } });
    for (const [method, params] of [
      ['resources/read', NOTE],
      ['resources/subscribe', NOTE],
      ['prompts/get', { name: 'greet' }],
    ] as const)
      expect((await asking(method, params)).error).toMatchObject({
        code: -32602,
        message: expect.stringContaining('scope_missing'),
      });
    expect(harbor.gate.calls).toEqual([]);
  });

  it('has the protocol’s errors', async () => {
    const asking = await conversation('token-a');
    expect((await asking('resources/read', { uri: 'test://note/2' })).error).toMatchObject({
      code: -32602,
      data: { uri: 'test://note/2' },
    });
    expect((await asking('resources/list', { cursor: 'gone' })).error).toMatchObject({ code: -32602 });
    expect((await asking('prompts/get', { name: 'nothing' })).error).toMatchObject({ code: -32602 });
  });
});
