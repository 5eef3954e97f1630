/** The wire of nREPL, spoken by a started harbor to a server that answers byte by byte as each test says. */
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { call } from '../evaluation';
import { answering, MockNrepl, type Serve } from '../nrepl-mock';
import { PATIENT, StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;
let client: Client;
let mock: MockNrepl | null = null;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--profile', 'nrepl'] });
  client = await harbor.client();
});
afterEach(async () => {
  await mock?.stop();
  mock = null;
});
afterAll(() => harbor.stop());

/** A server that serves so, connected to. */
async function connected(serve: Serve, takes?: readonly string[]): Promise<MockNrepl> {
  mock = await MockNrepl.start(serve, takes);
  expect((await call(client, 'nrepl-connect', { port: mock.port })).isError).toBe(false);
  return mock;
}

/** The first text of the answer; what the caller must know beside it comes in others. */
async function text(code: string): Promise<string> {
  const { content } = await client.callTool({ name: 'nrepl-eval', arguments: { code } });
  return content[0]?.type === 'text' ? content[0].text : '';
}

const DONE = '6:statusl4:doneee';

describe('MCP-nREPL: the wire', () => {
  it('S4-5 S4-50 S4-51 S4-60 S4-63 merges the messages of one request by its id', async () => {
    await connected((request, respond) => {
      const begin = answering(request);
      respond(`${begin}3:out6:hello\n2:ns4:usere${begin}2:ns4:user5:value1:3e${begin}${DONE}`);
    });
    expect(await text('(+ 1 2)')).toBe('hello\n3');
  });

  it('S4-52 counts bytes, also when a character is split between two packets', async () => {
    const { received } = await connected((request, respond) => {
      const bytes = Buffer.from(`${answering(request)}5:value2:λe${answering(request)}${DONE}`);
      const middle = bytes.indexOf('λ') + 1;
      respond(bytes.subarray(0, middle));
      setImmediate(() => respond(bytes.subarray(middle)));
    });
    expect(await text('λ')).toBe('λ');
    expect(Buffer.from(received.join(''), 'latin1').toString()).toContain('4:code2:λ');
  });

  it('S4-53 S4-54 S4-55 reads integers, nested lists and unsorted dictionaries, and sorts the keys it writes', async () => {
    const { received } = await connected((request, respond) => {
      const odd = '4:zerod1:ai-42e1:bi0e1:clli7eel0:eee';
      respond(`d${odd}5:value1:76:statusl4:donee2:id${String(request.id).length}:${request.id}e`);
    });
    expect(await text('7')).toBe('7');
    const evaluation = /d4:code1:76:column.*?e(?=d|$)/.exec(received.join(''))?.[0] ?? '';
    const keys = [...evaluation.matchAll(/\d+:(code|column|id|line|ns|op|session)(?=\d|i)/g)].map(
      ([, key]) => key,
    );
    expect(keys.slice(0, 7)).toEqual(['code', 'column', 'id', 'line', 'ns', 'op', 'session']);
  });

  it('S4-61 waits for done, however late, and finds it beside other words', async () => {
    const late = Promise.withResolvers<void>();
    await connected((request, respond) => {
      respond(`${answering(request)}5:value1:1e`);
      void late.promise.then(() => respond(`${answering(request)}6:statusl4:done5:otheree`));
    });
    const answered = text('1');
    let settled = false;
    void answered.finally(() => {
      settled = true;
    });
    await expect.poll(() => mock?.requests.some(({ op }) => op === 'eval'), PATIENT).toBe(true);
    expect(settled).toBe(false);
    late.resolve();
    expect(await answered).toBe('1');
  });

  it('S4-61 answers a question for input at once', async () => {
    await connected(
      (request, respond) => {
        if (request.op === 'eval') {
          respond(`${answering(request)}6:statusl10:need-inputee`);
          return;
        }
        const evaluation = mock?.requests.findLast(({ op }) => op === 'eval') ?? {};
        expect(request.stdin).toBe('');
        respond(`${answering(request)}${DONE}${answering(evaluation)}5:value3:nil6:statusl4:doneee`);
      },
      ['eval', 'stdin'],
    );
    expect(await text('(read-line)')).toBe('nil');
  });

  it('S4-58 S4-59 S4-41 opens sessions with clone and closes them', async () => {
    const { requests } = await connected((request, respond) => respond(`${answering(request)}${DONE}`));
    expect(requests.filter(({ op }) => op === 'clone')).toHaveLength(1);
    await call(client, 'nrepl-new-session');
    expect(requests.filter(({ op }) => op === 'clone')).toHaveLength(2);
  });

  it('S4-66 answers fifty evaluations at once, each with its own', async () => {
    await connected((request, respond) => {
      const code = String(request.code);
      const answer = `${answering(request)}5:value${code.length}:${code}e${answering(request)}${DONE}`;
      setImmediate(() => respond(answer));
    });
    const asked = Array.from({ length: 50 }, (_, index) => `:n${index}`);
    const told = await Promise.all(asked.map((code) => text(code)));
    expect(told).toEqual(asked);
  });

  it('S4-77 uses one connection for all evaluations of a session, and one for its heartbeat', async () => {
    const server = await connected((request, respond) => respond(`${answering(request)}5:value1:1${DONE}`));
    await expect.poll(() => server.connections, PATIENT).toBe(2);
    for (let asked = 0; asked < 5; asked += 1) await call(client, 'nrepl-eval', { code: '1' });
    expect(server.connections).toBe(2);
  });

  it('a connection that is cut in the middle of a message is told, and made again', async () => {
    let cut = true;
    await connected((request, respond, socket) => {
      if (!cut) return respond(`${answering(request)}5:value1:2${DONE}`);
      cut = false;
      respond(`${answering(request)}5:value100:`);
      setImmediate(() => socket.destroy());
    });
    const lost = await call(client, 'nrepl-eval', { code: '1' });
    expect(lost.isError).toBe(true);
    expect(lost.text).toMatch(/is lost/);
    await expect.poll(() => text('2'), PATIENT).toBe('2');
  });

  it('a value of ten megabytes arrives', async () => {
    const value = 'x'.repeat(10 * 1024 * 1024);
    await connected((request, respond) =>
      respond(`${answering(request)}5:value${value.length}:${value}${DONE}`),
    );
    const { text } = await call(client, 'nrepl-eval', { code: 'big' });
    expect(text).toMatch(/^x{1000}/);
  });

  it('what is no nREPL is told for what it is', async () => {
    const stranger = await MockNrepl.start(
      (_, respond) => respond('HTTP/1.1 400 Bad Request\r\n'),
      ['describe'],
    );
    const refused = await call(client, 'nrepl-connect', { port: stranger.port });
    expect(refused.isError).toBe(true);
    expect(refused.text).toMatch(/does not respond like an nREPL server/);
    await stranger.stop();
  });
});
