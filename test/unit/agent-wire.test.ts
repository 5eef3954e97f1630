/** The wire to an image with our agent: framing of what comes in pieces, and refusal of what is no event. */
import { Duplex } from 'node:stream';
import { beforeEach, describe, expect, it } from 'vitest';
import { Wire, type WireEvent } from '../../electron/images/agent/wire';

let stream: Duplex;
let sent: string;
let events: WireEvent[];
let problems: string[];
let wire: Wire;

beforeEach(() => {
  sent = '';
  events = [];
  problems = [];
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
  });
});

/** Feeds the pieces and waits until they are read. */
async function feed(...pieces: (string | Buffer)[]): Promise<void> {
  for (const piece of pieces) stream.push(Buffer.from(piece));
  stream.push(null);
  await new Promise((resolve) => stream.once('end', resolve));
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

  it('goes on after a line beyond all measure, without keeping it', async () => {
    const megabyte = 'x'.repeat(1024 * 1024);
    await feed(...Array.from({ length: 65 }, () => megabyte), `\n${JSON.stringify(output('after'))}\n`);
    expect(events).toEqual([output('after')]);
    expect(problems).toEqual([expect.stringContaining('more than')]);
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
  });
});
