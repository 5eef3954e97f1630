/** Reading what somebody writes in small pieces: together where there is time, at once where somebody waits. */
import { once } from 'node:events';
import { connect, createServer, type Server, type Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { WireReader } from '../../electron/host/wire-reader';

let server: Server;
let writer: Socket;
let pieces: string[];

beforeEach(async () => {
  server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  pieces = [];
});

afterEach(() => {
  writer.destroy();
  server.close();
});

/** Reads with pauses that no test outlasts. */
async function reading(hasTime: () => boolean): Promise<WireReader<string>> {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  writer = connect(address.port, '127.0.0.1').setNoDelay();
  const [stream] = await accepted;
  const message = (piece: string) => pieces.push(piece);
  const framing = { read: (chunk: Buffer) => [chunk.toString()].values() };
  const listener = { message, lost: (reason: string) => expect.fail(reason) };
  return new WireReader(stream, framing, listener, { milliseconds: 3_600_000, hasTime });
}

const write = (text: string) => new Promise((written) => writer.write(text, written));

async function writeSinglyAfterOne(): Promise<void> {
  await write('a');
  await expect.poll(() => pieces).toEqual(['a']);
  for (const letter of 'bcdefgh') await write(letter);
}

it('small pieces gather until somebody is in a hurry', async () => {
  const reader = await reading(() => true);
  await writeSinglyAfterOne();
  expect(pieces).toEqual(['a']);
  reader.hurry();
  await expect.poll(() => pieces).toEqual(['a', 'bcdefgh']);
});

it('nothing gathers while somebody waits', async () => {
  await reading(() => false);
  await writeSinglyAfterOne();
  await expect.poll(() => pieces.join('')).toBe('abcdefgh');
});

it('what follows a large piece is read at once', async () => {
  await reading(() => true);
  await write('a'.repeat(5_000));
  await expect.poll(() => pieces.join('').length).toBe(5_000);
  await write('b');
  await expect.poll(() => pieces.join('').at(-1)).toBe('b');
});

it('what has gathered is read by who catches up', async () => {
  const reader = await reading(() => true);
  await writeSinglyAfterOne();
  await reader.caughtUp();
  expect(pieces.join('')).toBe('abcdefgh');
});
