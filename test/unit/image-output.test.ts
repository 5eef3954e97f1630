import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { Stream } from '../../electron/contract/model';
import { noteTexts } from '../../electron/contract/note';
import { ImageOutput } from '../../electron/images/image-output';

describe('ImageOutput', () => {
  it('holds what comes between evaluations for the next one, and says so', () => {
    const output = new ImageOutput();
    const seen: string[] = [];
    const sink = (stream: Stream, text: string) => seen.push(`${stream} ${text}`);
    expect(output.attach(sink)).toEqual([]);
    output.write('stdout', 'a');
    output.detach();
    output.write('stdout', 'b');
    output.write('stderr', 'c');
    expect(seen).toEqual(['stdout a']);
    expect(noteTexts(output.attach(sink))).toEqual([
      'The output starts with text that was printed after the previous evaluation.',
    ]);
    expect(seen).toEqual(['stdout a', 'stdout b', 'stderr c']);
    output.detach();
    expect(output.attach(sink)).toEqual([]);
  });

  it('passes on how much is missing before a text, and counts it where nobody listens', () => {
    const output = new ImageOutput();
    const seen: unknown[] = [];
    output.write('stdout', 'a', null, 10);
    const [note] = noteTexts(output.attach((_stream, text, dropped) => seen.push([text, dropped])));
    expect(note).toContain('10 more characters were dropped');
    output.write('stdout', 'b', undefined, 7);
    expect(seen).toEqual([
      ['a', undefined],
      ['b', 7],
    ]);
  });

  it.each([[['12345678', '123', '9']], [['123456781239']], [['1', '234567812', '39']]])(
    'passes on so many raw bytes and counts the rest, anew for each evaluation, in whatever pieces they come: %j',
    async (pieces) => {
      const output = new ImageOutput();
      const descriptor = new PassThrough();
      output.follow('stdout', descriptor);
      for (const round of [1, 2]) {
        let text = '';
        output.attach((_stream, piece) => {
          text += piece;
        });
        output.allowRaw(10);
        for (const piece of pieces) {
          descriptor.write(piece);
          await output.caughtUp();
        }
        expect(text, `round ${round}`).toBe('1234567812');
        expect(noteTexts(output.drainRawNotes())).toEqual([
          '2 characters of foreign code and child processes exceeded the output limit and were dropped.',
        ]);
        expect(output.drainRawNotes()).toEqual([]);
      }
    },
  );

  it('holds so much and counts the rest', () => {
    const output = new ImageOutput();
    let length = 0;
    output.write('stdout', 'x'.repeat(65_000));
    output.write('stdout', 'y'.repeat(1000));
    const [note] = output.attach((_stream, text) => {
      length += text.length;
    });
    expect(length).toBe(65_000);
    expect(note?.text).toContain('1000 more characters were dropped');
  });
});
