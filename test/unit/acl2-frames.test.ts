/** Frames among what ACL2 prints: found by their nonce whatever surrounds them, however the bytes arrive. */
import { describe, expect, it } from 'vitest';
import { recordIn } from '../../electron/images/acl2/records';
import { FrameReader, type WirePiece } from '../../electron/images/acl2/wire';

const NONCE = 'a'.repeat(32);

const frame = (text: string, nonce = NONCE) => `\x1e${nonce} ${Buffer.byteLength(text)}\n${text}\n`;

/** What a reader makes of `text` that arrives in pieces of `size` bytes. */
function read(text: string | Buffer, size = Number.POSITIVE_INFINITY): { frames: string[]; text: string } {
  const result = { frames: [] as string[], text: '' };
  const reader = new FrameReader();
  const take = (said: WirePiece): void => {
    if ('text' in said) result.text += said.text;
    else result.frames.push(said.frame);
  };
  reader.expect(NONCE);
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size)
    for (const said of reader.read(bytes.subarray(at, at + size))) take(said);
  for (const said of reader.end()) take(said);
  return result;
}

describe('frames', () => {
  const printed = `hello λ\x1e\x1eaaaa ${frame('{"one":"λ"}')}more\x1e${frame('')}\x1eaa`;

  it.each([1, 2, 3, 5, 7, 1_000])('are found among text that arrives %i bytes at a time', (size) => {
    expect(read(printed, size)).toEqual({
      frames: ['{"one":"λ"}', ''],
      text: 'hello λ\x1e\x1eaaaa more\x1e\x1eaa',
    });
  });

  it('carry the nonce that is expected, or are text', () => {
    const forged = frame('{"record":"done"}', 'b'.repeat(32));
    expect(read(forged)).toEqual({ frames: [], text: forged });
  });

  it('may hold what looks like a frame', () => {
    const inner = frame('inner');
    expect(read(frame(inner))).toEqual({ frames: [inner], text: '' });
  });

  it.each([`\x1e${NONCE} x\n`, `\x1e${NONCE} -1\n`, `\x1e${NONCE} 99999999999999\n`, `\x1e${NONCE} 1.5\n`])(
    'have a length that can be: %j has none',
    (text) => {
      expect(read(`${text}after${frame('whole')}`)).toEqual({ frames: ['whole'], text: `${text}after` });
    },
  );

  it('end where the stream ends', () => {
    expect(read(frame('cut off').slice(0, -3))).toEqual({ frames: [], text: '' });
  });

  it('turn bytes that are no UTF-8 into replacement characters', () => {
    expect(read(Buffer.from([0x61, 0xff, 0x62])).text).toBe('a\ufffdb');
  });

  it('may come under a new nonce after each', () => {
    const other = 'c'.repeat(32);
    const frames: string[] = [];
    const reader = new FrameReader();
    reader.expect(NONCE);
    for (const said of reader.read(Buffer.from(frame('1') + frame('late') + frame('2', other)))) {
      if ('text' in said) continue;
      frames.push(said.frame);
      reader.expect(other);
    }
    expect(frames).toEqual(['1', '2']);
  });
});

describe('records', () => {
  it('keep control characters in their strings', () => {
    expect(recordIn('{"record":"read-error","position":1,"message":"a\nb\t\x01\x7f\\"λ"}')).toEqual({
      record: 'read-error',
      position: 1,
      message: 'a\nb\t\x01\x7f"λ',
    });
  });

  it.each(['', '{', '[]', '{"record":"other"}', '{"record":"read-error"}'])('%j is none', (text) => {
    expect(recordIn(text)).toBeNull();
  });
});
