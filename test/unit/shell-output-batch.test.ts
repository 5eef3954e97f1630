/** Joining of output on its way to the page: nothing lost below the limit, order kept, floods cut. */
import { describe, expect, it } from 'vitest';
import { BATCH_LIMIT, OutputBatch, type WindowEvent } from '../../electron/shell/output-batch';

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

const ended: WindowEvent = { event: 'session:ended', payload: { session: 's1' } };

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
    batch.push(ended);
    expect(sent).toEqual([typed('last words'), ended]);
    batch.flush();
    expect(sent).toHaveLength(2);
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
