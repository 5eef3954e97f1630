/** The wire to an image with our agent: framing of split input, and handling of invalid events. */
import { Duplex } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { Wire, type WireEvent } from '../../electron/images/agent/wire';

let stream: Duplex;
let sent: string;
let events: WireEvent[];
let problems: string[];
let losses: string[];
let wire: Wire;

beforeEach(() => {
  sent = '';
  events = [];
  problems = [];
  losses = [];
  stream = new Duplex({
    read: () => undefined,
    write: (chunk: Buffer, _encoding, done) => {
      sent += chunk.toString();
      done();
    },
  });
  wire = new Wire(stream, {
    event: (event) => events.push(event),
    malformed: (problem) => problems.push(problem),
    lost: (reason) => losses.push(reason),
  });
});

/** Feeds the pieces and waits until they are read. */
async function feed(...pieces: (string | Buffer)[]): Promise<void> {
  for (const piece of pieces) stream.push(Buffer.from(piece));
  stream.push(null);
  await new Promise((resolve) => stream.once('end', resolve));
  await wire.caughtUp();
}

const output = (text: string): WireEvent => ({ event: 'output', id: 1, stream: 'stdout', text });

describe('framing', () => {
  it('joins an event from pieces, even within a character', async () => {
    const line = Buffer.from(`${JSON.stringify(output('é😀'))}\n`);
    await feed(...Array.from(line, (byte) => Buffer.of(byte)));
    expect(events).toEqual([output('é😀')]);
  });

  it('reads several events from one piece', async () => {
    await feed(`${JSON.stringify(output('a'))}\n${JSON.stringify(output('b'))}\n{"event":`);
    expect(events).toEqual([output('a'), output('b')]);
  });

  it('accepts the longest line that the agent writes', async () => {
    const text = '\0'.repeat(6_000_000);
    await feed(`${JSON.stringify(output(text))}\n`);
    expect(events).toEqual([output(text)]);
    expect(losses).toEqual([]);
  });

  it('sends a request as one line, with lone surrogates and newlines', () => {
    wire.send({ op: 'evaluate', id: 1, code: '"a\nb\ud800"' });
    expect(sent).toBe('{"op":"evaluate","id":1,"code":"\\"a\\nb\\ud800\\""}\n');
  });
});

describe('an invalid event', () => {
  it.each([
    ['not JSON', 'hello'],
    ['no object', '[1]'],
    ['an unknown event', '{"event":"unknown"}'],
    ['a protocol without a number', '{"event":"hello","protocol":"1","version":"1","package":"CL-USER"}'],
    ['an id of another type', '{"event":"output","id":"1","stream":"stdout","text":""}'],
    ['an unknown stream', '{"event":"output","id":1,"stream":"stdin","text":""}'],
    [
      'an outcome that only the app may report',
      '{"event":"done","id":1,"outcome":"crashed","package":"P","condition":null,"notes":[]}',
    ],
  ])('%s is logged and ignored', async (_what, line) => {
    await feed(`${line}\n${JSON.stringify(output('after'))}\n`);
    expect(events).toEqual([output('after')]);
    expect(problems).toEqual([line]);
    expect(losses).toEqual([]);
  });

  const large = 1024 * 1024;

  it.each<[string, () => (string | Buffer)[], string]>([
    ['longer than any event', () => Array.from({ length: 41 }, () => Buffer.alloc(large, 'x')), 'bytes'],
    ['nested too deeply', () => ['['.repeat(large)], 'nests more than 100'],
    ['with too many values', () => [`[${'[],'.repeat(large)}1]`], 'more than 200000 values'],
    ['with too many members', () => [`{${'"":1,'.repeat(large)}"":1}`], 'more than 200000 values'],
  ])('a line %s ends the wire', async (_what, line, reason) => {
    await feed(...line(), `\n${JSON.stringify(output('after'))}\n`);
    expect(events).toEqual([]);
    expect(losses).toEqual([expect.stringContaining(reason)]);
  });

  it('too many of them end the wire; most are neither read nor reported', async () => {
    await feed('abc\n'.repeat(large / 2), `${JSON.stringify(output('after'))}\n`);
    expect(events).toEqual([]);
    expect(losses).toEqual(['it sent 101 invalid messages']);
    expect(problems).toHaveLength(101);
  });
});

it('a flood of events does not block the event loop, and everything before the end is read', async () => {
  const flood = `${JSON.stringify(output('x'))}\n`.repeat(50_000);
  let longest = 0;
  let last = performance.now();
  const watch = setInterval(() => {
    longest = Math.max(longest, performance.now() - last);
    last = performance.now();
  });
  await feed(flood);
  clearInterval(watch);
  expect(events).toHaveLength(50_000);
  expect(longest).toBeGreaterThan(0);
});
