/** Frames of the ACL2 Bridge: commands as clients send them, whole and in pieces, and what is none. */
import { describe, expect, it } from 'vitest';
import { CommandReader, frame, MAX_CONTENT_BYTES } from '../../electron/compat/acl2-bridge/bridge-frames';

function read(...chunks: (string | Buffer)[]) {
  const reader = new CommandReader();
  return chunks.flatMap((chunk) => reader.read(Buffer.from(chunk)));
}

const command = (type: string, content: string) => ({ kind: 'command', type, content });
const invalid = (problem: RegExp) => ({ kind: 'invalid', problem: expect.stringMatching(problem) });

describe('a message', () => {
  it('tells the length in bytes', () => {
    expect(frame('RETURN', '"λ→\n"').toString()).toBe('RETURN 8\n"λ→\n"\n');
    expect(frame('READY', '').toString()).toBe('READY 0\n\n');
  });
});

describe('commands', () => {
  const texts = ['LISP 7\n(+ 1 2)\n', 'JSON_MV 11\n(list\n"\n"\n)\n', 'LISP 7\n"λ→"\n', 'LISP 0\n\n'];
  const all = [
    command('LISP', '(+ 1 2)'),
    command('JSON_MV', '(list\n"\n"\n)'),
    command('LISP', '"λ→"'),
    command('LISP', ''),
  ];

  it('are read one after another', () => {
    expect(read(texts.join(''))).toEqual(all);
  });

  it('are read in pieces of any size', () => {
    const bytes = Buffer.from(texts.join(''));
    for (const size of [1, 2, 3, 5, 8])
      expect(
        read(
          ...Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
            bytes.subarray(at * size, (at + 1) * size),
          ),
        ),
        `pieces of ${size}`,
      ).toEqual(all);
  });

  it('are read whose length counts characters', () => {
    const texts = ['LISP 4\n"λ→"\n', 'LISP 3\n"😀"\n', 'LISP 7\n(+ 1 2)\n'];
    const all = [command('LISP', '"λ→"'), command('LISP', '"😀"'), command('LISP', '(+ 1 2)')];
    expect(read(texts.join(''))).toEqual(all);
    expect(read(...[...Buffer.from(texts.join(''))].map((byte) => Buffer.from([byte])))).toEqual(all);
  });

  it('of the greatest length are read, and longer ones refused and passed over', () => {
    const longest = 'x'.repeat(MAX_CONTENT_BYTES);
    expect(read(`LISP ${longest.length}\n${longest}\n`)).toEqual([command('LISP', longest)]);
    const over = `LISP ${longest.length + 1}\n${longest}`;
    const reader = new CommandReader();
    expect(reader.read(Buffer.from(over))).toEqual([invalid(/4194305 bytes/)]);
    expect(reader.read(Buffer.from('x\nLISP 1\n1\n'))).toEqual([command('LISP', '1')]);
  });
});

describe('what is no command', () => {
  it.each([
    ['LISP seven\n(+ 1 2)\n', /no header/],
    ['lisp 7\n(+ 1 2)\n', /no header/],
    ['LISP 7 \n(+ 1 2)\n', /no header/],
    [`LISP ${'0'.repeat(100)}`, /no header/],
    ['LISP 6\n(+ 1 2)\n', /no newline after 6 bytes/],
    ['LISP 2\n"λ→"\n', /no newline after 2 bytes/],
  ])('%j is told, and what follows later is read', (text, problem) => {
    const reader = new CommandReader();
    expect(reader.read(Buffer.from('LISP 1\n1\n'))).toEqual([command('LISP', '1')]);
    expect(reader.read(Buffer.from(text))).toEqual([invalid(problem)]);
    expect(reader.read(Buffer.from('LISP 1\n2\n'))).toEqual([command('LISP', '2')]);
  });

  it('is told once there are more bytes than so many characters can have', () => {
    const reader = new CommandReader();
    const parts = (count: number) => Buffer.alloc(count, 0x80);
    expect(reader.read(Buffer.concat([Buffer.from('LISP 3\n'), parts(12)]))).toEqual([]);
    expect(reader.read(parts(1))).toEqual([invalid(/no newline after 3 bytes/)]);
  });

  it('is told where it is no text, and what follows is read', () => {
    const bytes = Buffer.concat([
      Buffer.from('LISP 3\n"'),
      Buffer.from([0xff]),
      Buffer.from('"\nLISP 1\n1\n'),
    ]);
    expect(read(bytes)).toEqual([invalid(/not UTF-8/), command('LISP', '1')]);
  });

  it.each([
    ['HTTP', 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n'],
    ['HTTP with a command in its body', 'POST / HTTP/1.1\r\nContent-Length: 15\r\n\r\nLISP 7\n(+ 1 2)\n'],
    ['a method that is a command', 'LISP 7 HTTP/1.1\r\n\r\n'],
    ['TLS', '\x16\x03\x01'],
    ['a long line', 'X'.repeat(64)],
  ])('is foreign at the beginning: %s', (_name, text) => {
    expect(read(text)[0]).toEqual({ kind: 'foreign' });
  });
});
