import { describe, expect, it } from 'vitest';
import { SessionEvents } from '../../electron/endpoints/mcp/session-events';

const replayed = (events: SessionEvents, id: string) => events.after(id)?.events.map(({ json }) => json);

describe('SessionEvents', () => {
  it('tells what came later on the same stream, in order', () => {
    const events = new SessionEvents();
    const first = events.keep('a', '1');
    events.keep('b', '2');
    events.keep('a', '3');
    const last = events.keep('a', '4');
    expect(events.after(first)?.stream).toBe('a');
    expect(replayed(events, first)).toEqual(['3', '4']);
    expect(replayed(events, last)).toEqual([]);
  });

  it('knows a place without a message', () => {
    const events = new SessionEvents();
    const begun = events.mark('a');
    events.keep('a', '1');
    expect(replayed(events, begun)).toEqual(['1']);
  });

  it('keeps streams whose names hold the separator, and knows what is no id', () => {
    const events = new SessionEvents();
    const id = events.keep('_GET_stream', '1');
    events.keep('_GET_stream', '2');
    expect(replayed(events, id)).toEqual(['2']);
    expect(events.after('nonsense')).toBeUndefined();
  });

  it('forgets the oldest beyond its bounds, and still tells the newest', () => {
    const events = new SessionEvents();
    const first = events.keep('a', 'first');
    for (let count = 0; count < 1000; count += 1) events.keep('a', 'x');
    expect(replayed(events, first)).toHaveLength(128);
    const big = 'y'.repeat(3 * 1024 * 1024);
    events.keep('a', big);
    expect(replayed(events, first)).toEqual([big]);
  });
});
