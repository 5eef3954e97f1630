import { describe, expect, it } from 'vitest';
import { SessionEvents } from '../../electron/endpoints/mcp/session-events';

const note = (text: string) => ({
  jsonrpc: '2.0' as const,
  method: 'notifications/message',
  params: { text },
});

async function replayed(events: SessionEvents, after: string): Promise<string[]> {
  const texts: string[] = [];
  await events.replayEventsAfter(after, {
    send: async (_id, message) => void texts.push(JSON.stringify(message)),
  });
  return texts;
}

describe('SessionEvents', () => {
  it('replays what came later on the same stream, in order', async () => {
    const events = new SessionEvents();
    const first = await events.storeEvent('a', note('1'));
    await events.storeEvent('b', note('2'));
    await events.storeEvent('a', note('3'));
    await events.storeEvent('a', note('4'));
    expect(await events.getStreamIdForEventId(first)).toBe('a');
    expect(await replayed(events, first)).toEqual([JSON.stringify(note('3')), JSON.stringify(note('4'))]);
  });

  it('keeps streams whose names hold the separator, and refuses what is no id', async () => {
    const events = new SessionEvents();
    const id = await events.storeEvent('_GET_stream', note('1'));
    await events.storeEvent('_GET_stream', note('2'));
    expect(await replayed(events, id)).toHaveLength(1);
    expect(await events.getStreamIdForEventId('nonsense')).toBeUndefined();
    await expect(replayed(events, 'nonsense')).rejects.toThrow('Not an event id');
  });

  it('forgets the oldest beyond its bounds, and still replays the newest', async () => {
    const events = new SessionEvents();
    const first = await events.storeEvent('a', note('first'));
    for (let count = 0; count < 1000; count += 1) await events.storeEvent('a', note('x'));
    expect((await replayed(events, first)).length).toBe(128);
    const big = note('y'.repeat(3 * 1024 * 1024));
    await events.storeEvent('a', big);
    expect(await replayed(events, first)).toEqual([JSON.stringify(big)]);
  });
});
