import { describe, expect, it } from 'vitest';
import { SessionEvents } from '../../electron/endpoints/mcp/event-stream';

const replayed = (events: SessionEvents, id: string) => events.after(id)?.events.map(({ json }) => json);

describe('SessionEvents', () => {
  it('tells what came later on the same stream, in order', () => {
    const events = new SessionEvents();
    const first = events.store('a', '1');
    events.store('b', '2');
    events.store('a', '3');
    const last = events.store('a', '4');
    expect(events.after(first)?.stream).toBe('a');
    expect(replayed(events, first)).toEqual(['3', '4']);
    expect(replayed(events, last)).toEqual([]);
  });

  it('knows a place without a message', () => {
    const events = new SessionEvents();
    const begun = events.mark('a');
    events.store('a', '1');
    expect(replayed(events, begun)).toEqual(['1']);
  });

  it('keeps streams whose names hold the separator, and knows what is no id', () => {
    const events = new SessionEvents();
    const id = events.store('_GET_stream', '1');
    events.store('_GET_stream', '2');
    expect(replayed(events, id)).toEqual(['2']);
    expect(events.after('nonsense')).toBeUndefined();
  });

  it('forgets the oldest beyond its bounds, and still tells the newest', () => {
    const events = new SessionEvents();
    const first = events.store('a', 'first');
    for (let count = 0; count < 1000; count += 1) events.store('a', 'x');
    expect(replayed(events, first)).toHaveLength(128);
    const big = 'y'.repeat(3 * 1024 * 1024);
    events.store('a', big);
    expect(replayed(events, first)).toEqual([big]);
  });
});
