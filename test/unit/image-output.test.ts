import { describe, expect, it } from 'vitest';
import type { Stream } from '../../electron/contract/model';
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
    expect(output.attach(sink)).toEqual([
      'The output begins with what was printed after the evaluation before.',
    ]);
    expect(seen).toEqual(['stdout a', 'stdout b', 'stderr c']);
    output.detach();
    expect(output.attach(sink)).toEqual([]);
  });

  it('holds so much and counts the rest', () => {
    const output = new ImageOutput();
    let length = 0;
    output.write('stdout', 'x'.repeat(65_000));
    output.write('stdout', 'y'.repeat(1000));
    const [note] = output.attach((_stream, text) => {
      length += text.length;
    });
    expect(length).toBe(65_000);
    expect(note).toContain('1000 more characters of it were dropped');
  });
});
