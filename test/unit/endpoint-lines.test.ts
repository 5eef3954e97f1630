import { describe, expect, it } from 'vitest';
import { type Line, LineReader } from '../../electron/host/line-reader';

function read(chunks: readonly (string | Buffer)[], maxBytes = 1000): Line[] {
  const reader = new LineReader(maxBytes);
  const lines = chunks.flatMap((chunk) => [...reader.read(Buffer.from(chunk))]);
  return [...lines, ...reader.rest()];
}

describe('LineReader', () => {
  it('cuts at LF and CRLF, keeps empty lines and a last one without end', () => {
    expect(read(['a\nb\r\n\n', 'c'])).toEqual([{ text: 'a' }, { text: 'b' }, { text: '' }, { text: 'c' }]);
    expect(read(['a\r', '\nb\rc\n'])).toEqual([{ text: 'a' }, { text: 'b\rc' }]);
  });

  it('gives the same lines wherever the stream is cut', () => {
    const bytes = Buffer.from('λ𝔘→\r\n{"x":"é"}\n\nlast');
    const whole = read([bytes]);
    for (let cut = 0; cut <= bytes.length; cut += 1) {
      expect(read([bytes.subarray(0, cut), bytes.subarray(cut)])).toEqual(whole);
    }
    expect(read([...bytes].map((byte) => Buffer.of(byte)))).toEqual(whole);
  });

  it('drops a line that is too long, says so once, and goes on', () => {
    expect(read(['123', '4567', '89\nok\n'], 5)).toEqual([{ tooLong: true }, { text: 'ok' }]);
    expect(read(['12345\n123456\n1'], 5)).toEqual([{ text: '12345' }, { tooLong: true }, { text: '1' }]);
    expect(read(['1234567'], 5)).toEqual([{ tooLong: true }]);
  });
});
