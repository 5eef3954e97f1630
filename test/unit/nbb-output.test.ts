import { describe, expect, it } from 'vitest';
import type { Stream } from '../../electron/contract/model';
import { NbbOutput } from '../../electron/images/nbb/output';

describe('NbbOutput', () => {
  it('holds what comes between evaluations for the next one, and says so', () => {
    const output = new NbbOutput();
    const seen: string[] = [];
    const sink = (stream: Stream, text: string) => seen.push(`${stream} ${text}`);
    expect(output.attach(sink)).toBeNull();
    output.write('stdout', 'a');
    output.detach();
    output.write('stdout', 'b');
    output.write('stderr', 'c');
    expect(seen).toEqual(['stdout a']);
    expect(output.attach(sink)).toBe('The output begins with what was printed after the evaluation before.');
    expect(seen).toEqual(['stdout a', 'stdout b', 'stderr c']);
    output.detach();
    expect(output.attach(sink)).toBeNull();
  });

  it('holds so much and counts the rest', () => {
    const output = new NbbOutput();
    let length = 0;
    output.write('stdout', 'x'.repeat(65_000));
    output.write('stdout', 'y'.repeat(1000));
    const note = output.attach((_stream, text) => {
      length += text.length;
    });
    expect(length).toBe(65_000);
    expect(note).toContain('1000 more characters of it were dropped');
  });
});
