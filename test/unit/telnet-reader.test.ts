/** What a telnet client sends, told apart byte by byte (RFC 854). */
import { describe, expect, it } from 'vitest';
import { type TelnetEvent, TelnetReader } from '../../electron/compat/telnet/telnet-reader';

const IAC = 255;

function events(...parts: (string | number[])[]): TelnetEvent[] {
  const bytes = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const whole = [...new TelnetReader().read(bytes)];
  const reader = new TelnetReader();
  // However it is cut.
  expect([...bytes].flatMap((byte) => [...reader.read([byte] as unknown as Uint8Array)])).toEqual(whole);
  return whole;
}

const line = (text: string): TelnetEvent => ({ kind: 'line', text });
const reply = (...bytes: number[]): TelnetEvent => ({ kind: 'reply', bytes: Buffer.from(bytes) });

describe('a telnet client', () => {
  it('ends its lines with CR LF, CR NUL or LF', () => {
    expect(events('a\r\nb\r\0c\nd\r\n\r\ne')).toEqual([line('a'), line('b'), line('c'), line('d'), line('')]);
  });

  it('sends UTF-8, and the byte 255 twice', () => {
    expect(events('(list "λ𝔘")\r\n')).toEqual([line('(list "λ𝔘")')]);
  });

  it('is refused every option that it asks for or offers, and not answered otherwise', () => {
    const asked = [[IAC, 253, 3], 'x', [IAC, 251, 24], [IAC, 252, 1], [IAC, 254, 1], '\r\n'];
    expect(events(...asked)).toEqual([reply(IAC, 252, 3), reply(IAC, 254, 24), line('x')]);
  });

  it('has its parameters passed over', () => {
    expect(events('a', [IAC, 250, 24, 0, 65, IAC, IAC, 13, 10, IAC, 240], 'b\r\n')).toEqual([line('ab')]);
  });

  it('interrupts with IP, Break and Ctrl+C, and gives up the line that it began', () => {
    expect(events('(loop', [IAC, 244], '1\r\n')).toEqual([{ kind: 'interrupt' }, line('1')]);
    expect(events([IAC, 243], [3])).toEqual([{ kind: 'interrupt' }, { kind: 'interrupt' }]);
  });

  it('goes on after the mark of an interrupt that the system took out of the stream', () => {
    expect(events([IAC, 244, IAC], '(+ 1 2)\r\n')).toEqual([{ kind: 'interrupt' }, line('(+ 1 2)')]);
    expect(events([IAC, 244, IAC, 242], '1\r\n')).toEqual([{ kind: 'interrupt' }, line('1')]);
  });

  it('ends with EOF or Ctrl+D at the beginning of a line', () => {
    expect(events([IAC, 236])).toEqual([{ kind: 'end' }]);
    expect(events([4])).toEqual([{ kind: 'end' }]);
    expect(events('a', [4], '\n')).toEqual([line('a\x04')]);
  });

  it('drops a line that is too long, for a part of it would be another one', () => {
    const reader = new TelnetReader(3);
    expect([...reader.read(Buffer.from('abc\r\nabcd\r\nc\r\n'))]).toEqual([
      line('abc'),
      { kind: 'dropped', longest: 3 },
      line('c'),
    ]);
  });

  it('hears that we are there', () => {
    expect(events([IAC, 246])).toEqual([reply(...Buffer.from('\r\n[Lisp Harbor]\r\n'))]);
  });
});
