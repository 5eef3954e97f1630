/** The words of the tray and the dialogs. */
import { describe, expect, it } from 'vitest';
import { endingSessionsText, joinNames, trayItems, trayTip } from '../../electron/shell/tray-items';
import { wordsOf } from '../../electron/words/words';

const WORDS = wordsOf('en');

const labels = (state: Parameters<typeof trayItems>[0]) =>
  trayItems(state, WORDS).map((item) => (item === 'separator' ? '-' : item.label));

const STATE = { address: null, sessions: 0, running: 0, needs: 0, paused: false };

describe('trayItems', () => {
  it('tells the sessions, the address and what quitting ends', () => {
    expect(labels({ ...STATE, address: 'http://127.0.0.1:4617/mcp', sessions: 3, running: 1 })).toEqual([
      'Show window',
      '-',
      '3 sessions, 1 running',
      'Pause all agents',
      'Copy http://127.0.0.1:4617/mcp',
      '-',
      'Quit (ends 3 sessions, 1 of them running)',
    ]);
  });

  it('has nothing to copy while the endpoint does not listen', () => {
    const items = trayItems(STATE, WORDS);
    expect(items).toContainEqual({ label: 'Endpoint not listening', action: null });
    expect(items).toContainEqual({ label: 'No sessions', action: null });
    expect(items.at(-1)).toEqual({ label: 'Quit', action: 'quit' });
  });
});

describe('what needs a person', () => {
  it('comes first in the menu, and in what the icon says', () => {
    const state = { ...STATE, needs: 2 };
    expect(labels(state).slice(0, 2)).toEqual(['Show window', 'Show what needs you (2)']);
    expect(trayTip(state, WORDS)).toBe('Lisp Harbor – needs you (2)');
  });

  it('is let go on where agents are paused', () => {
    const state = { ...STATE, paused: true };
    expect(trayItems(state, WORDS)).toContainEqual({ label: 'Resume agents', action: 'go-on' });
    expect(trayTip(state, WORDS)).toBe('Lisp Harbor – agents are paused');
  });
});

describe('sentences', () => {
  it('says what ends', () => {
    expect(endingSessionsText({ sessions: 0, running: 0 }, WORDS)).toBe('');
    expect(endingSessionsText({ sessions: 1, running: 0 }, WORDS)).toBe('ends 1 session');
    expect(endingSessionsText({ sessions: 1, running: 1 }, WORDS)).toBe('ends 1 session, which is running');
    expect(endingSessionsText({ sessions: 4, running: 2 }, WORDS)).toBe('ends 4 sessions, 2 of them running');
  });

  it('lists names', () => {
    expect(joinNames([], WORDS)).toBe('');
    expect(joinNames(['a'], WORDS)).toBe('a');
    expect(joinNames(['a', 'b'], WORDS)).toBe('a and b');
    expect(joinNames(['a', 'b', 'c'], WORDS)).toBe('a, b and c');
  });
});
