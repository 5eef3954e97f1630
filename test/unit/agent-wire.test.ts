/** The wire to an image with our agent: framing of what comes in pieces, and refusal of what is no event. */
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
  it('joins an event that comes in pieces, within a character too', async () => {
    const line = Buffer.from(`${JSON.stringify(output('é😀'))}\n`);
    await feed(...Array.from(line, (byte) => Buffer.of(byte)));
    expect(events).toEqual([output('é😀')]);
  });

  it('takes several events from one piece', async () => {
    await feed(`${JSON.stringify(output('a'))}\n${JSON.stringify(output('b'))}\n{"event":`);
    expect(events).toEqual([output('a'), output('b')]);
  });

  it('takes the longest line that the agent writes', async () => {
    const text = '\0'.repeat(6_000_000);
    await feed(`${JSON.stringify(output(text))}\n`);
    expect(events).toEqual([output(text)]);
    expect(losses).toEqual([]);
  });

  it('sends a request as one line, lone surrogates and newlines included', () => {
    wire.send({ op: 'evaluate', id: 1, code: '"a\nb\ud800"' });
    expect(sent).toBe('{"op":"evaluate","id":1,"code":"\\"a\\nb\\ud800\\""}\n');
  });
});

describe('what is no event', () => {
  it.each([
    ['not JSON', 'hello'],
    ['no object', '[1]'],
    ['an unknown event', '{"event":"unknown"}'],
    ['a protocol without a number', '{"event":"hello","protocol":"1","version":"1","package":"CL-USER"}'],
    ['an id of another type', '{"event":"output","id":"1","stream":"stdout","text":""}'],
    ['an unknown stream', '{"event":"output","id":1,"stream":"stdin","text":""}'],
    [
      'an outcome that only the harbor may tell',
      '{"event":"done","id":1,"outcome":"crashed","package":"P","condition":null,"notes":[]}',
    ],
  ])('%s is told to the log and ignored', async (_what, line) => {
    await feed(`${line}\n${JSON.stringify(output('after'))}\n`);
    expect(events).toEqual([output('after')]);
    expect(problems).toEqual([line]);
    expect(losses).toEqual([]);
  });

  const large = 1024 * 1024;

  it.each<[string, () => (string | Buffer)[], string]>([
    ['longer than any event', () => Array.from({ length: 41 }, () => Buffer.alloc(large, 'x')), 'bytes'],
    ['nested beyond measure', () => ['['.repeat(large)], 'nests more than 100'],
    ['of countless values', () => [`[${'[],'.repeat(large)}1]`], 'more than 200000 values'],
    ['of countless members', () => [`{${'"":1,'.repeat(large)}"":1}`], 'more than 200000 values'],
  ])('a line %s ends the wire', async (_what, line, reason) => {
    await feed(...line(), `\n${JSON.stringify(output('after'))}\n`);
    expect(events).toEqual([]);
    expect(losses).toEqual([expect.stringContaining(reason)]);
  });

  it('a stream of it ends the wire, and most of it is neither read nor told', async () => {
    await feed('abc\n'.repeat(large / 2), `${JSON.stringify(output('after'))}\n`);
    expect(events).toEqual([]);
    expect(losses).toEqual(['it said 101 times what is no message']);
    expect(problems).toHaveLength(101);
  });
});

it('a flood of events leaves the event loop to others, and what came before the end is read', async () => {
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
