/** Joining of output on its way to the page: nothing lost below the limit, order kept, floods cut, and a page that is slow not pressed. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  BATCH_LIMIT,
  MAX_IN_TRANSIT,
  OutputBatch,
  type WindowEvent,
} from '../../electron/shell/window-events';
import { isWhole } from '../../renderer/live';
import { historyRow } from '../../renderer/test-rows';

function recorder() {
  const sent: WindowEvent[] = [];
  return { sent, batch: new OutputBatch((item) => sent.push(item)) };
}

function output(text: string, stream: 'stdout' | 'stderr' = 'stdout', evaluation = 1): WindowEvent {
  return { event: 'evaluation:output', payload: { evaluation, session: 's1', stream, text } };
}

function typed(text: string, session = 's1'): WindowEvent {
  return { event: 'listener:output', payload: { session, text } };
}

const ended: WindowEvent = { event: 'session:ended', payload: { session: 's1', unread: '' } };

describe('OutputBatch', () => {
  it('joins what one stream says and keeps streams apart', () => {
    const { sent, batch } = recorder();
    for (const item of [output('a'), output('!', 'stderr'), output('b'), output('c', 'stdout', 2)]) {
      batch.push(item);
    }
    expect(sent).toEqual([]);
    batch.flush();
    expect(sent).toEqual([output('ab'), output('!', 'stderr'), output('c', 'stdout', 2)]);
  });

  it('sends by itself, once', async () => {
    const sent: WindowEvent[] = [];
    await new Promise<void>((resolve) => {
      const batch = new OutputBatch((item) => {
        sent.push(item);
        resolve();
      });
      batch.push(typed('one '));
      batch.push(typed('two'));
    });
    expect(sent).toEqual([typed('one two')]);
  });

  it('sends other events at once, after the output that came before them', () => {
    const { sent, batch } = recorder();
    batch.push(typed('last words'));
    batch.push(typed('of another', 's2'));
    batch.push(ended);
    expect(sent).toEqual([typed('last words'), ended]);
    batch.flush();
    expect(sent).toEqual([typed('last words'), ended, typed('of another', 's2')]);
  });

  it('keeps the end of a flood, from the start of a line, and counts the rest', () => {
    const { sent, batch } = recorder();
    const line = `${'x'.repeat(99)}\n`;
    const lines = 20_000;
    for (let i = 0; i < lines; i++) batch.push(typed(line));
    batch.flush();
    const [only, ...others] = sent;
    expect(others).toEqual([]);
    const text = only?.event === 'listener:output' ? only.payload.text : '';
    const kept = text.replace(/^\[(\d+) characters of output not shown\]\n/, '');
    const dropped = Number(/^\[(\d+) /.exec(text)?.[1]);
    expect(kept.length).toBeLessThanOrEqual(BATCH_LIMIT);
    // A page takes for whole what is shorter.
    expect(isWhole([{ stream: 'stdout', text: 'x'.repeat(BATCH_LIMIT) }])).toBe(false);
    expect(kept.length + dropped).toBe(lines * line.length);
    expect(new Set(kept.split('\n'))).toEqual(new Set([line.trimEnd(), '']));
  });

  it('does not cut a character in two where there is no line to start at', () => {
    const { sent, batch } = recorder();
    batch.push(typed(`a${'𝛌'.repeat(BATCH_LIMIT)}`));
    batch.push(typed('b'));
    batch.flush();
    const text = sent[0]?.event === 'listener:output' ? sent[0].payload.text : '';
    expect(text.isWellFormed()).toBe(true);
    expect(text.endsWith('𝛌b')).toBe(true);
  });
});

describe('a page that tells what it has shown', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const line = `${'x'.repeat(1023)}\n`;
  const textOf = (item: WindowEvent) =>
    item.event === 'evaluation:output' || item.event === 'listener:output' ? item.payload.text : '';
  const characters = (sent: readonly WindowEvent[]) =>
    sent.reduce((sum, item) => sum + textOf(item).length, 0);

  /** A megabyte a frame, for as long as a minute has frames. */
  const flood = (batch: OutputBatch, evaluation = 1) => {
    for (let frame = 0; frame < 3_600; frame += 1) {
      batch.push(output(line.repeat(64), 'stdout', evaluation));
      vi.advanceTimersByTime(16);
    }
  };

  it('is sent no more than it can hold while it tells nothing, and the end of all once it does', () => {
    const { sent, batch } = recorder();
    flood(batch);
    expect(characters(sent)).toBeLessThan(MAX_IN_TRANSIT + 2 * BATCH_LIMIT);
    const before = sent.length;
    batch.push(output('the end\n'));
    batch.taken(characters(sent));
    vi.advanceTimersByTime(16);
    expect(sent.slice(before)).toHaveLength(1);
    const [last] = sent.slice(before).map(textOf);
    expect(last).toMatch(/^\[\d+ characters of output not shown\]\nx/);
    expect(last?.endsWith('x\nthe end\n')).toBe(true);
  });

  it('gets everything, in order, if it keeps up', () => {
    const { sent, batch } = recorder();
    const pieces = Array.from({ length: 500 }, (_, number) => `${number}\n`.repeat(100));
    for (const piece of pieces) {
      batch.push(output(piece));
      const before = sent.length;
      vi.advanceTimersByTime(16);
      batch.taken(characters(sent.slice(before)));
    }
    expect(sent.map(textOf).join('')).toBe(pieces.join(''));
  });

  it('sees the end of an evaluation after its output, however much is on its way', () => {
    const { sent, batch } = recorder();
    flood(batch);
    batch.push(output('the end\n'));
    const closed: WindowEvent = { event: 'evaluation:closed', payload: historyRow(1, { session: 's1' }) };
    batch.push(closed);
    expect(sent.at(-1)).toEqual(closed);
    expect(textOf(sent.at(-2) ?? closed).endsWith('the end\n')).toBe(true);
  });

  it('has the streams take turns', () => {
    const { sent, batch } = recorder();
    flood(batch, 1);
    flood(batch, 2);
    for (let turn = 0; turn < 4; turn += 1) {
      const before = sent.length;
      batch.taken(MAX_IN_TRANSIT);
      for (const evaluation of [1, 2, 3]) batch.push(output(line.repeat(128), 'stdout', evaluation));
      vi.advanceTimersByTime(16);
      batch.taken(characters(sent.slice(before)));
    }
    const said = (evaluation: number) =>
      sent.filter((item) => item.event === 'evaluation:output' && item.payload.evaluation === evaluation)
        .length;
    expect(Math.min(said(1), said(2), said(3))).toBeGreaterThan(1);
  });

  it('is another one after a reload, which owes nothing for the one before', () => {
    const { sent, batch } = recorder();
    flood(batch);
    const before = sent.length;
    batch.begin();
    vi.advanceTimersByTime(16);
    batch.push(output('after it\n'));
    vi.advanceTimersByTime(16);
    expect(sent.slice(before).map(textOf).join('')).toMatch(/after it\n$/);
    // What the page before tells late gives nothing away for good.
    batch.taken(10 * MAX_IN_TRANSIT);
    const late = sent.length;
    flood(batch);
    expect(characters(sent.slice(late))).toBeLessThan(MAX_IN_TRANSIT + 2 * BATCH_LIMIT);
  });
});
