/** Resources of a started harbor, by each way in: listed, read, completed, watched, and seen by nobody else. */
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type Client, ProtocolError } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, evaluate } from '../evaluation';
import { sampled } from '../rounds';
import { sharedHarbor } from '../shared-harbor';
import { PATIENT, type StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await sharedHarbor();
});

afterAll(() => harbor.stop());

const WAYS: [string, () => Promise<Client>][] = [
  ['HTTP in the 2025 era', () => harbor.client('legacy')],
  ['HTTP in the 2026 era', () => harbor.client('modern')],
  ['stdio in the 2025 era', () => harbor.stdioClient()],
  ['stdio in the 2026 era', () => harbor.stdioClient({ era: 'modern' })],
];

async function open(client: Client): Promise<string> {
  return (await call<{ session: string }>(client, 'open_session', { engine: 'sbcl' })).structured.session;
}

async function read(client: Client, uri: string): Promise<string> {
  const { contents } = await client.readResource({ uri });
  expect(contents).toMatchObject([{ uri }]);
  const [content] = contents;
  return content && 'text' in content ? content.text : '';
}

async function uris(client: Client): Promise<string[]> {
  return (await client.listResources()).resources.map(({ uri }) => uri);
}

describe.each(sampled('ways to resources', WAYS, 2))('resources over %s', (_, connect) => {
  it('show what a session did and defined', async () => {
    const client = await connect();
    const session = await open(client);
    const { structured } = await evaluate(client, '(defun twice (x) (* 2 x)) (print (twice 21))', {
      session,
    });
    expect(await uris(client)).toEqual(
      expect.arrayContaining([
        'lisp://guide/acl2',
        `lisp://session/${session}/transcript`,
        `lisp://session/${session}/definitions`,
      ]),
    );
    const transcript = await read(client, `lisp://session/${session}/transcript`);
    expect(transcript).toContain('(print (twice 21))\n[output]\n\n42 \n=> 42');
    expect(await read(client, `lisp://session/${session}/definitions`)).toContain(
      '(defun twice (x) (* 2 x))',
    );
    const row = await read(client, `lisp://history/${structured.id}`);
    expect(row).toContain(`${structured.id} · client `);
    expect(row).toContain('=> TWICE');
    expect(await read(client, 'lisp://guide/acl2')).toMatch(/^# Working with ACL2/);
  });

  it('that there are not, or are somebody else’s, are not found', async () => {
    const client = await connect();
    const other = await harbor.otherClient(`other-${Math.random().toString(36).slice(2)}`);
    const theirs = await open(other);
    for (const uri of [
      'lisp://history/999999',
      'lisp://history/x',
      'lisp://guide/pascal',
      'lisp://session/none/transcript',
      `lisp://session/${theirs}/definitions`,
      `lisp://session/${theirs}/transcript`,
      'file:///etc/passwd',
    ]) {
      const failed = await client.readResource({ uri }).catch((error: unknown) => error);
      expect(failed).toBeInstanceOf(ProtocolError);
      expect(failed).toMatchObject({ code: -32602, data: { uri } });
    }
    expect(await uris(client)).not.toContain(`lisp://session/${theirs}/transcript`);
    // What is evaluated in the same project is history, which others see as well.
    await evaluate(other, '(+ 40 2)', { session: theirs });
    expect(await read(client, `lisp://session/${theirs}/transcript`)).toContain('=> 42');
  });

  it('show files of the project, and none that may not be read', async () => {
    const client = await connect();
    mkdirSync(path.join(harbor.project, 'src'), { recursive: true });
    writeFileSync(path.join(harbor.project, 'src/shown.lisp'), '(defun shown () "λ")\r\n');
    expect(await read(client, 'lisp://source/src%2Fshown.lisp')).toBe('(defun shown () "λ")\r\n');
    await expect(client.readResource({ uri: 'lisp://source/src%2Fnone.lisp' })).rejects.toThrow(/not found/i);
    await expect(client.readResource({ uri: 'lisp://source/%2Fetc%2Fshadow' })).rejects.toThrow(
      /not_allowed|secret/,
    );
    await expect(client.readResource({ uri: 'lisp://source/..%2Fx.lisp' })).rejects.toThrow(
      'path_not_allowed',
    );
  });

  it('have templates, whose variables complete', async () => {
    const client = await connect();
    const session = await open(client);
    const { id } = (await evaluate(client, '(1+ 1)', { session })).structured;
    const { resourceTemplates } = await client.listResourceTemplates();
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toEqual([
      'lisp://guide/{engine}',
      'lisp://session/{id}/transcript',
      'lisp://session/{id}/definitions',
      'lisp://history/{id}',
      'lisp://source/{path}',
    ]);
    const complete = async (uri: string, name: string, value: string) =>
      (await client.complete({ ref: { type: 'ref/resource', uri }, argument: { name, value } })).completion;
    expect((await complete('lisp://session/{id}/transcript', 'id', session)).values[0]).toBe(session);
    expect((await complete('lisp://history/{id}', 'id', String(id))).values).toContain(String(id));
    expect(await complete('lisp://guide/{engine}', 'engine', 'ac')).toEqual({
      values: ['acl2'],
      total: 1,
      hasMore: false,
    });
    await expect(complete('lisp://nothing/{id}', 'id', '')).rejects.toThrow(
      'No template lisp://nothing/{id}',
    );
  });
});

interface Heard {
  lists: number;
  updated: string[];
}

/** What the client is told from now on. */
function hear(client: Client): Heard {
  const heard: Heard = { lists: 0, updated: [] };
  client.setNotificationHandler('notifications/resources/list_changed', () => {
    heard.lists += 1;
  });
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.updated.push(params.uri);
  });
  return heard;
}

describe.each(WAYS)('changes over %s', (way, connect) => {
  it('reach a client that wants to hear of them, and only that', async () => {
    const client = await connect();
    const heard = hear(client);
    const session = await open(client);
    // What nobody has asked for has not changed for anybody.
    expect(heard.lists).toBe(0);
    expect(await uris(client)).toContain(`lisp://session/${session}/transcript`);
    const [transcript, definitions] = ['transcript', 'definitions'].map(
      (name) => `lisp://session/${session}/${name}`,
    );
    if (!transcript || !definitions) throw new Error('two addresses');
    if (way.includes('2026'))
      await client.listen({ resourcesListChanged: true, resourceSubscriptions: [transcript, definitions] });
    else {
      await client.subscribeResource({ uri: transcript });
      await client.subscribeResource({ uri: definitions });
    }
    const before = heard.lists;
    const other = await open(client);
    await expect.poll(() => heard.lists, PATIENT).toBe(before + 1);
    await evaluate(client, '(defvar secret 1)', { session: other });
    await evaluate(client, '(defvar a 1)', { session });
    await expect.poll(() => heard.updated, PATIENT).toEqual([transcript, transcript, definitions]);
    if (way.includes('2025')) {
      await client.unsubscribeResource({ uri: transcript });
      await evaluate(client, '(defvar b 1)', { session });
      await expect.poll(() => heard.updated.slice(3), PATIENT).toEqual([definitions]);
      await expect(client.subscribeResource({ uri: 'lisp://session/none/transcript' })).rejects.toThrow(
        'not found',
      );
    }
    await call(client, 'close_session', { session: other });
    await expect.poll(() => heard.lists, PATIENT).toBe(before + 2);
  });
});
