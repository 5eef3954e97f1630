/** The trace of a client: in the history, and as spans at a collector of the test. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { call } from '../evaluation';
import { StartedHarbor } from '../started-harbor';

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  traceState?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: string } }[];
  status: { code: number };
}

let harbor: StartedHarbor;
let client: Client;
let collector: Server;
let answer = 200;
const bodies: string[] = [];

beforeAll(async () => {
  collector = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk) => chunks.push(chunk));
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks).toString());
      response.writeHead(answer).end('{}');
    });
  });
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  harbor = await StartedHarbor.start({ settings: { spansTo: `http://127.0.0.1:${port}/v1/traces` } });
  client = await harbor.client();
});
afterAll(async () => {
  await harbor.stop();
  collector.close();
});

const traceOf = (digit: string, flags = '01') => `00-${digit.repeat(32)}-${'b'.repeat(16)}-${flags}`;

async function evaluated(code: string, meta: Record<string, unknown>): Promise<number> {
  const result = await client.callTool({ name: 'eval', arguments: { code }, _meta: meta });
  return Number((result.structuredContent as { id: number }).id);
}

const recorded = async (id: number) =>
  (await call<{ evaluation: { trace?: object } }>(client, 'history', { id })).structured.evaluation.trace;

const spans = (): Span[] =>
  bodies.flatMap((body) => JSON.parse(body).resourceSpans[0].scopeSpans[0].spans as Span[]);

const spanOf = (evaluation: number) =>
  vi.waitFor(
    () => {
      const found = spans().find(({ attributes }) =>
        attributes.some(({ key, value }) => key === 'lisp.evaluation' && value.intValue === `${evaluation}`),
      );
      if (!found) throw new Error(`no span of evaluation ${evaluation} among ${spans().length}`);
      return found;
    },
    { timeout: 30_000, interval: 50 },
  );

it('S5-10 keeps the trace of a call with its evaluation, and nothing that is none', async () => {
  const trace = { traceparent: traceOf('a'), tracestate: 'vendor=1' };
  expect(await recorded(await evaluated('1', trace))).toEqual(trace);
  for (const traceparent of ['', 'x', traceOf('0'), `ff${traceOf('a').slice(2)}`, 7, null])
    expect([traceparent, await recorded(await evaluated('1', { traceparent }))]).toEqual([
      traceparent,
      undefined,
    ]);
  const { traceparent } = trace;
  expect(await recorded(await evaluated('1', { traceparent, tracestate: 'x'.repeat(600) }))).toEqual({
    traceparent,
  });
});

it('S5-11 sends each evaluation as a span without its code, values or output', async () => {
  const code = '(progn (print "out-of-it") (error "secret-~A" 12345))';
  const trace = { traceparent: traceOf('c'), tracestate: 'vendor=1' };
  const span = await spanOf(await evaluated(code, trace));
  expect(span).toMatchObject({
    ...{ traceId: 'c'.repeat(32), parentSpanId: 'b'.repeat(16), traceState: 'vendor=1', status: { code: 2 } },
  });
  expect(BigInt(span.endTimeUnixNano) >= BigInt(span.startTimeUnixNano)).toBe(true);
  const type = span.attributes.find(({ key }) => key === 'error.type');
  expect(type?.value.stringValue).toBe('SIMPLE-ERROR');
  expect(bodies.join()).not.toMatch(/secret|12345|out-of-it|progn/);
  const own = await spanOf(await evaluated('(+ 1 2)', {}));
  expect([own.parentSpanId, own.status.code]).toEqual([undefined, 0]);
  expect(own.traceId).toMatch(/^[\da-f]{32}$/);
});

it('S5-11 sends no trace that its caller does not sample, and goes on while the collector fails', async () => {
  const silent = await evaluated('1', { traceparent: traceOf('d', '00') });
  answer = 500;
  const before = bodies.length;
  await evaluated('2', {});
  await vi.waitFor(() => expect(bodies.length).toBeGreaterThan(before), { timeout: 30_000, interval: 50 });
  answer = 200;
  await spanOf(await evaluated('3', {}));
  expect(spans().some(({ traceId }) => traceId === 'd'.repeat(32))).toBe(false);
  expect(silent).toBeGreaterThan(0);
});
