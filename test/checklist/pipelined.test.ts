/** Many requests at once, of mixed kinds, over each way: every one is answered, and once. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { initialize } from '../integration/endpoint-messages';
import { linesOver } from '../line-ways';
import { StartedHarbor } from '../started-harbor';

let harbor: StartedHarbor;

beforeAll(async () => {
  harbor = await StartedHarbor.start({ args: ['--tcp-port', '0'] });
});
afterAll(() => harbor.stop());

const COUNT = 200;

interface Answer {
  id?: unknown;
  result?: Record<string, unknown>;
  error?: { code: number };
}

/** Sends all messages without waiting and answers everything that came back. */
type Pipeline = (messages: readonly object[]) => Promise<Answer[]>;

const WAYS: Record<string, Pipeline> = {
  HTTP: overHttp,
  stdio: (messages) => overLines('stdio', messages),
  TCP: (messages) => overLines('TCP', messages),
};

/** A request, and what its answer must be like. */
type Kind = (id: number) => { method: string; params?: object; answer: object };

const evaluation = (id: number, code: string, answer: object) => ({
  method: 'tools/call',
  params: { name: 'eval', arguments: { code } },
  answer: { id, result: answer },
});

const KINDS: readonly Kind[] = [
  (id) => evaluation(id, `(+ ${id} 1)`, { structuredContent: { forms: [{ values: [String(id + 1)] }] } }),
  (id) => evaluation(id, '(error "on purpose")', { isError: true }),
  (id) => evaluation(id, '(list 1', { isError: true }),
  (id) => ({ method: 'ping', answer: { id, result: {} } }),
  (id) => ({ method: 'tools/list', answer: { id, result: { tools: expect.any(Array) } } }),
  (id) => ({ method: 'prompts/list', answer: { id, result: { prompts: expect.any(Array) } } }),
  (id) => ({ method: 'resources/list', answer: { id, result: { resources: expect.any(Array) } } }),
  (id) => ({ method: 'no/such', answer: { id, error: { code: -32601 } } }),
  (id) => ({ method: 'tools/call', params: { name: 'nope' }, answer: { id, error: { code: -32602 } } }),
  (id) => ({
    method: 'tools/call',
    params: { name: 'job', arguments: { job: 'job-0', action: 'status' } },
    answer: { id, result: { isError: true } },
  }),
];

describe.each(Object.entries(WAYS))('over %s', (_way, pipeline) => {
  it('S1-42 S1-65 answers each of 200 pipelined requests of mixed kinds exactly once', async () => {
    const asked = Array.from({ length: COUNT }, (_, id) => kindOf(id));
    const answers = await pipeline(
      asked.map(({ method, params = {} }, id) => ({ jsonrpc: '2.0', id, method, params })),
    );
    const byId = answers.toSorted((one, other) => Number(one.id) - Number(other.id));
    expect(byId.map(({ id }) => id)).toEqual(asked.map((_, id) => id));
    for (const [id, { answer }] of asked.entries()) expect(byId[id]).toMatchObject(answer);
  }, 60_000);
});

function kindOf(id: number): ReturnType<Kind> {
  const kind = KINDS[id % KINDS.length];
  if (!kind) throw new Error('there are no kinds of requests');
  return kind(id);
}

/** An answer to a last ping is the sign that nothing else will come. */
async function overLines(way: 'stdio' | 'TCP', messages: readonly object[]): Promise<Answer[]> {
  const { lines, end } = linesOver(way, harbor);
  lines.send(`${initialize('init')}\n`);
  await lines.answer('init');
  lines.send(messages.map((message) => `${JSON.stringify(message)}\n`).join(''));
  const answers: Answer[] = [];
  while (answers.length < messages.length) answers.push(await lines.next(({ id }) => id !== undefined));
  lines.send({ jsonrpc: '2.0', id: 'last', method: 'ping' });
  await lines.answer('last');
  await end();
  const unasked = (await lines.rest()).filter(({ id }) => id !== undefined);
  return [...answers, ...unasked];
}

async function overHttp(messages: readonly object[]): Promise<Answer[]> {
  const begun = await post(initialize('init'));
  const session = begun.headers.get('mcp-session-id') ?? '';
  await begun.text();
  const bodies = await Promise.all(
    messages.map(async (message) => (await post(JSON.stringify(message), session)).text()),
  );
  return bodies.flatMap(answersIn);
}

function post(body: string, session?: string): Promise<Response> {
  const headers = {
    authorization: `Bearer ${harbor.ready.token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
  };
  return fetch(harbor.ready.mcp, { method: 'POST', headers, body });
}

/** The messages of an event stream that answer something, or the one of a body. */
function answersIn(text: string): Answer[] {
  const events = text.split('\n').filter((line) => line.startsWith('data: {'));
  const messages = events.length > 0 ? events.map((line) => line.slice('data: '.length)) : [text];
  return messages.map((message) => JSON.parse(message) as Answer).filter(({ id }) => id !== undefined);
}
