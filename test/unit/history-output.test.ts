import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Stream } from '../../electron/contract/model';
import { openDatabase } from '../../electron/history/database';
import { Evaluations } from '../../electron/history/evaluations';
import { RETAINED_AT_EACH_END } from '../../electron/history/output';
import { Writer } from '../../electron/history/writer';
import { fillDisk, temporaryFolder } from './history-folder';
import { closed, opened } from './history-rows';

function newHistory() {
  const { database } = openDatabase(path.join(temporaryFolder(), 'history.db'));
  onTestFinished(() => void database.close());
  const writer = new Writer(database);
  const evaluations = new Evaluations(writer);
  const fullDisk = () => fillDisk(writer);
  return { database, evaluations, id: evaluations.open(opened()), fullDisk };
}

/** All pages of an evaluation's output, put together; a gap is told in brackets. */
function read(evaluations: Evaluations, id: number, limit: number): string {
  let text = '';
  for (let offset = 0, more = true; more; ) {
    const page = evaluations.output(id, offset, limit);
    expect(page.text.length).toBeLessThanOrEqual(limit);
    text += (page.skipped > 0 ? `[${page.skipped}]` : '') + page.text;
    ({ next: offset, more } = page);
  }
  return text;
}

describe('output of an evaluation', () => {
  it('is paged without notes of the compiler, which are counted once, wherever a page ends', () => {
    const { evaluations, id } = newHistory();
    evaluations.appendOutput(id, 'stdout', '; NOTE: printed by the code\n');
    evaluations.appendOutput(
      id,
      'warnings',
      '; NOTE: slow\n; in this form\n; WARNING: wrong\n; really\n; NOTE: slow\n',
    );
    evaluations.appendOutput(id, 'stdout', 'end');
    const shown = '; NOTE: printed by the code\n; WARNING: wrong\n; really\nend';
    for (const limit of [1_000, 40, 7, 2]) {
      let [text, notes, offset, more] = ['', 0, 0, true];
      while (more) {
        const page = evaluations.output(id, offset, limit);
        text += page.text;
        notes += page.compilerNotes;
        [offset, more] = [page.next, page.more];
      }
      expect([limit, text, notes]).toEqual([limit, shown, 2]);
    }
  });

  it('can be read while the evaluation runs', () => {
    const { evaluations, id } = newHistory();
    evaluations.appendOutput(id, 'stdout', 'one ');
    evaluations.appendOutput(id, 'stderr', 'oops ');
    evaluations.appendOutput(id, 'stdout', 'two');
    expect(evaluations.find(id)).toMatchObject({ outcome: 'running', stdout: 'one two', stderr: 'oops ' });
    expect(evaluations.output(id, 0, 100)).toEqual({
      text: 'one oops two',
      skipped: 0,
      next: 12,
      more: false,
      compilerNotes: 0,
    });
    evaluations.appendOutput(id, 'stdout', ' three');
    expect(evaluations.output(id, 12, 100).text).toBe(' three');
    evaluations.close(id, closed());
    expect(evaluations.find(id)).toMatchObject({
      stdout: 'one two three',
      stderr: 'oops ',
      outputDropped: 0,
    });
  });

  it.each([0, 1])('has what code was given to read in its place, as at a terminal (%i)', (written) => {
    const { evaluations, id } = newHistory();
    evaluations.appendOutput(id, 'stdout', 'Name? ');
    evaluations.appendOutput(id, 'input', 'Ada\n');
    if (written) evaluations.find(id);
    evaluations.appendOutput(id, 'stdout', 'Hello');
    expect(evaluations.find(id)).toMatchObject({ stdout: 'Name? Ada\nHello', stderr: '' });
    expect(evaluations.output(id, 0, 100).text).toBe('Name? Ada\nHello');
  });

  it.each([0, 1])('has an end, in the order of both streams, with no character torn (%i)', (written) => {
    const { evaluations, id } = newHistory();
    const long = '𝛌'.repeat(100_000);
    evaluations.appendOutput(id, 'stdout', long);
    if (written) evaluations.find(id);
    evaluations.appendOutput(id, 'stderr', 'oops ');
    evaluations.appendOutput(id, 'stdout', 'end');
    const end = (limit: number) => {
      const pieces = evaluations.outputEnd(id, limit);
      return { streams: pieces.map(({ stream }) => stream), text: pieces.map(({ text }) => text).join('') };
    };
    expect(evaluations.outputEnd(id, 5)).toEqual([
      { stream: 'stderr', text: 's ' },
      { stream: 'stdout', text: 'end' },
    ]);
    expect(end(11).text).toBe('𝛌oops end');
    expect(end(10_000).streams.slice(-2)).toEqual(['stderr', 'stdout']);
    expect(end(1_000_000).text).toBe(`${long}oops end`);
    expect(evaluations.outputEnd(id + 1, 100)).toEqual([]);
  });

  it.each([0, 1])('of which some never came stands where it was printed (%i)', (written) => {
    const { evaluations, id } = newHistory();
    evaluations.appendOutput(id, 'stdout', 'begin ');
    // Whether it was written before makes no difference.
    if (written) evaluations.find(id);
    evaluations.appendOutput(id, 'stderr', 'oops ', 1_000);
    evaluations.appendOutput(id, 'stdout', 'go on ');
    if (written) evaluations.find(id);
    evaluations.appendOutput(id, 'stdout', 'end', 50_000);
    expect(read(evaluations, id, 100)).toBe('begin [1000]oops go on [50000]end');
    expect(evaluations.output(id, 1_006, 5).text).toBe('oops ');
    expect(evaluations.output(id, 51_017, 100)).toEqual({
      text: 'end',
      skipped: 0,
      next: 51_020,
      more: false,
      compilerNotes: 0,
    });
    evaluations.close(id, closed());
    expect(evaluations.find(id)).toMatchObject({
      stdout: 'begin go on end',
      stderr: 'oops ',
      outputDropped: 51_000,
    });
  });

  it('pages through both streams in the order they came', () => {
    const { evaluations, id } = newHistory();
    let all = '';
    for (let i = 0; i < 5_000; i += 1) {
      const stream: Stream = i % 3 === 0 ? 'stderr' : 'stdout';
      evaluations.appendOutput(id, stream, `line ${i}\n`);
      all += `line ${i}\n`;
    }
    expect(read(evaluations, id, 777)).toBe(all);
    expect(evaluations.output(id, 12_345, 10).text).toBe(all.slice(12_345, 12_355));
    expect(evaluations.output(id, all.length, 10)).toEqual({
      text: '',
      skipped: 0,
      next: all.length,
      more: false,
      compilerNotes: 0,
    });
  });

  it('keeps characters whole that take two units, and NUL characters', () => {
    const { evaluations, id } = newHistory();
    const text = `a${'😀'.repeat(40_000)}\0${'λ'.repeat(10)}`;
    evaluations.appendOutput(id, 'stdout', 'b');
    evaluations.appendOutput(id, 'stdout', text);
    evaluations.close(id, closed());
    expect(evaluations.find(id)?.stdout).toBe(`b${text}`);
    expect(read(evaluations, id, 1_001)).toBe(`b${text}`);
  });

  it('keeps the first and the last of long output, counts the rest, and keeps offsets valid', () => {
    const { database, evaluations, id } = newHistory();
    const line = (i: number) => `${String(i).padStart(9, '0')}\n`;
    const lines = 900_000;
    for (let i = 0; i < lines; i += 100) {
      evaluations.appendOutput(id, 'stdout', Array.from({ length: 100 }, (_, k) => line(i + k)).join(''));
    }
    evaluations.close(id, closed());
    const evaluation = evaluations.find(id);
    const kept = evaluation?.stdout ?? '';
    const dropped = evaluation?.outputDropped ?? 0;
    expect(kept.length + dropped).toBe(lines * 10);
    expect(kept.length).toBeGreaterThanOrEqual(2 * RETAINED_AT_EACH_END);
    expect(kept.length).toBeLessThan(2 * RETAINED_AT_EACH_END + 64 * 1024);
    expect(kept.startsWith(line(0) + line(1))).toBe(true);
    expect(kept.endsWith(line(lines - 2) + line(lines - 1))).toBe(true);
    const place = lines * 10 - RETAINED_AT_EACH_END;
    const around = line(Math.floor(place / 10)) + line(Math.floor(place / 10) + 1);
    expect(evaluations.output(id, place, 10).text).toBe(around.slice(place % 10, (place % 10) + 10));
    expect(read(evaluations, id, 1_000_000).match(/\[\d+\]/g)).toEqual([`[${dropped}]`]);
    const inTable = database.prepare('select sum(length(text)) from output').pluck().get();
    expect(inTable).toBe(kept.length);
  });

  it('gathers many small pieces in few chunks', () => {
    const { database, evaluations, id } = newHistory();
    for (let i = 0; i < 20_000; i += 1) {
      evaluations.appendOutput(id, 'stdout', '.');
      if (i % 1_000 === 0) evaluations.flush();
    }
    evaluations.close(id, closed());
    expect(evaluations.find(id)?.stdout).toBe('.'.repeat(20_000));
    expect(database.prepare('select count(*) from output').pluck().get()).toBe(2);
  });

  it('is kept when it comes after the row was closed', () => {
    const { evaluations, id } = newHistory();
    evaluations.close(id, closed());
    evaluations.appendOutput(id, 'stdout', 'from a thread');
    expect(evaluations.find(id)).toMatchObject({ outcome: 'ok', stdout: 'from a thread' });
  });

  it('waits while the disk is full, is read as if it were written, and is written then', () => {
    const { database, evaluations, id, fullDisk } = newHistory();
    evaluations.appendOutput(id, 'stdout', 'before ');
    evaluations.flush();
    const room = fullDisk();
    const long = 'x'.repeat(500_000);
    evaluations.appendOutput(id, 'stdout', long, 10);
    evaluations.appendOutput(id, 'stderr', ' oops');
    const waiting = { stdout: `before ${long}`, stderr: ' oops', outputDropped: 10 };
    expect(evaluations.close(id, closed())).toMatchObject({ ...waiting, outcome: 'ok' });
    expect(read(evaluations, id, 200_000)).toBe(`before [10]${long} oops`);
    expect(database.prepare('select sum(length(text)) from output').pluck().get()).toBe(7);
    room();
    expect(read(evaluations, id, 200_000)).toBe(`before [10]${long} oops`);
    expect(evaluations.find(id)).toMatchObject({ ...waiting, notes: [] });
    expect(database.prepare('select sum(length(text)) from output').pluck().get()).toBe(500_012);
  });

  it('keeps the first and the last in memory too, of each evaluation, while the disk is full', () => {
    const { evaluations, id, fullDisk } = newHistory();
    const room = fullDisk();
    const line = (i: number) => `${String(i).padStart(9, '0')}\n`;
    const lines = 900_000;
    for (let i = 0; i < lines; i += 100)
      evaluations.appendOutput(id, 'stdout', Array.from({ length: 100 }, (_, k) => line(i + k)).join(''));
    const { stdout, outputDropped } = evaluations.close(id, closed());
    expect(stdout.length + outputDropped).toBe(lines * 10);
    expect(stdout.length).toBeLessThan(2 * RETAINED_AT_EACH_END + 64 * 1024);
    expect(
      stdout.startsWith(Array.from({ length: RETAINED_AT_EACH_END / 10 }, (_, i) => line(i)).join('')),
    ).toBe(true);
    expect(stdout.endsWith(line(lines - 2) + line(lines - 1))).toBe(true);
    expect(evaluations.output(id, lines * 10 - 20, 100).text).toBe(line(lines - 2) + line(lines - 1));
    room();
    expect(evaluations.find(id)?.stdout.slice(-RETAINED_AT_EACH_END)).toBe(
      stdout.slice(-RETAINED_AT_EACH_END),
    );
    expect(read(evaluations, id, 1_000_000).match(/\[\d+\]/g)).toHaveLength(1);
  });
});
