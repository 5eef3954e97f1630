/** Which frames are folded, and where the arrow keys go between them. */
import { describe, expect, it } from 'vitest';
import type { ListedFrame } from '../../electron/contract/debugger';
import { firstFrame, frameBeside, frameGroups } from './frame-groups';

/** `o`: a frame of the person's own, `i`: an inner one. */
function frames(kinds: string): ListedFrame[] {
  return [...kinds].map((kind, index) => ({ index, call: `(F ${index})`, inner: kind === 'i' }));
}

function drawn(kinds: string): string {
  return frameGroups(frames(kinds))
    .map((group) => (group.is === 'frame' ? String(group.frame.index) : `[${group.frames.length}]`))
    .join(' ');
}

describe('frames', () => {
  it('fold the engine’s own, but for the innermost', () => {
    expect(drawn('ioiioi')).toBe('0 1 [2] 4 [1]');
    expect(drawn('ooo')).toBe('0 1 2');
    expect(drawn('')).toBe('');
  });

  it('begin with the innermost of the person’s own code', () => {
    expect(firstFrame(frames('iiooi'))).toBe(2);
    expect(firstFrame(frames('ii'))).toBe(0);
    expect(firstFrame([])).toBe(0);
  });

  it('are walked past what is folded, to the ends and no further', () => {
    const groups = frameGroups(frames('ioiio'));
    expect(frameBeside(groups, 1, 1)).toBe(4);
    expect(frameBeside(groups, 4, -1)).toBe(1);
    expect(frameBeside(groups, 4, 1)).toBe(4);
    expect(frameBeside(groups, 0, -1)).toBe(0);
    expect(frameBeside(groups, 2, 1)).toBe(4);
    expect(frameBeside(groups, 3, -1)).toBe(0);
  });
});
