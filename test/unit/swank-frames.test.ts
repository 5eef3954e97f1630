/** Framing of Swank messages, however they are split. */
import { Buffer } from 'node:buffer';
import { describe, expect, it } from 'vitest';
import { FrameDecoder, frame, LONGEST_FRAME } from '../../electron/host/swank-framing';

function decode(bytes: Buffer, chunk: number): string[] {
  const messages: string[] = [];
  const decoder = new FrameDecoder();
  for (let at = 0; at < bytes.length; at += chunk)
    messages.push(...decoder.read(bytes.subarray(at, at + chunk)));
  return messages;
}

describe('a frame', () => {
  it('counts UTF-8 bytes', () => {
    expect(frame('(λ)').toString()).toBe('000004(λ)');
    expect(frame('').toString()).toBe('000000');
  });

  it('is refused if its length needs more than six digits', () => {
    expect(frame('x'.repeat(LONGEST_FRAME)).subarray(0, 6).toString()).toBe('ffffff');
    expect(() => frame('x'.repeat(LONGEST_FRAME + 1))).toThrow(RangeError);
  });

  it.each([1, 2, 5, 7, 1000])('is reassembled from chunks of %i bytes', (chunk) => {
    const messages = ['(:return (:ok "λ😀") 1)', '', 'x'.repeat(2500), 'end'];
    expect(decode(Buffer.concat(messages.map(frame)), chunk)).toEqual(messages);
  });

  it('of maximum length is reassembled without copying twice', () => {
    const [message] = decode(frame('y'.repeat(LONGEST_FRAME)), 65_536);
    expect(message).toHaveLength(LONGEST_FRAME);
  });

  it.each(['HTTP/1.1 400', '00000g(x)', '-00001x', '0x0001x'])('does not begin with %s', (text) => {
    expect(() => decode(Buffer.from(text), 4)).toThrow(/length/);
  });
});
