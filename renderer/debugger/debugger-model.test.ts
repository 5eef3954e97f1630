/** Keys of the debugger. */

import { describe, expect, it } from 'vitest';
import type { ListedFrame } from '../../electron/contract/debugger';
import { adjacentFrame, debuggerAction, firstFrame, frameGroups } from './debugger-model';

const press = (key: string, modifiers: Partial<Record<'ctrlKey' | 'metaKey' | 'altKey', boolean>> = {}) =>
  debuggerAction({ key, ctrlKey: false, metaKey: false, altKey: false, ...modifiers });

it('digits choose restarts, letters and arrows act as in SLIME', () => {
  expect(press('3')).toEqual({ do: 'restart', index: 3 });
  expect(press('ArrowDown')).toEqual({ do: 'frame', by: 1 });
  expect(press('R')).toEqual({ do: 'returnFrom' });
  expect(press('r')).toEqual({ do: 'restartFrame' });
  expect(press('x')).toEqual({ do: 'step', way: 'over' });
});

it('other keys and shortcuts do nothing', () => {
  expect(press('z')).toBeNull();
  expect(press('Enter')).toBeNull();
  expect(press('1', { ctrlKey: true })).toBeNull();
  expect(press('a', { altKey: true })).toBeNull();
});

// Folded frames, and how the arrow keys move between frames.

/** Makes a stack; `o` is a frame of the user's own code, `i` an internal one. */
function frames(kinds: string): ListedFrame[] {
  return [...kinds].map((kind, index) => ({ index, call: `(F ${index})`, inner: kind === 'i' }));
}

function drawn(kinds: string): string {
  return frameGroups(frames(kinds))
    .map((group) => (group.is === 'frame' ? String(group.frame.index) : `[${group.frames.length}]`))
    .join(' ');
}

describe('frames', () => {
  it("fold the engine's own, except for the innermost", () => {
    expect(drawn('ioiioi')).toBe('0 1 [2] 4 [1]');
    expect(drawn('ooo')).toBe('0 1 2');
    expect(drawn('')).toBe('');
  });

  it("start at the innermost frame of the user's own code", () => {
    expect(firstFrame(frames('iiooi'))).toBe(2);
    expect(firstFrame(frames('ii'))).toBe(0);
    expect(firstFrame([])).toBe(0);
  });

  it('are passed over if folded; movement stops at both ends', () => {
    const groups = frameGroups(frames('ioiio'));
    expect(adjacentFrame(groups, 1, 1)).toBe(4);
    expect(adjacentFrame(groups, 4, -1)).toBe(1);
    expect(adjacentFrame(groups, 4, 1)).toBe(4);
    expect(adjacentFrame(groups, 0, -1)).toBe(0);
    expect(adjacentFrame(groups, 2, 1)).toBe(4);
    expect(adjacentFrame(groups, 3, -1)).toBe(0);
  });
});
