/**
 * Keys and frames of the debugger. Single keys act as in SLIME and SLY while no input field has the focus.
 * Pure.
 */

import type { ListedFrame } from '../../electron/contract/debugger';

export type DebuggerAction =
  | { do: 'restart'; index: number }
  | { do: 'frame'; by: 1 | -1 }
  | { do: 'evaluate' | 'returnFrom' | 'restartFrame' | 'abort' | 'topLevel' }
  | { do: 'step'; way: 'into' | 'over' | 'out' };

/** The key table for the help text. */
export const DEBUGGER_KEYS: readonly (readonly [keys: string, does: DebuggerAction['do']])[] = [
  ['0 – 9', 'restart'],
  ['↑ ↓', 'frame'],
  ['e', 'evaluate'],
  ['r', 'restartFrame'],
  ['Shift R', 'returnFrom'],
  ['s x o', 'step'],
  ['a', 'abort'],
  ['q', 'topLevel'],
];

const ACTIONS: Readonly<Record<string, DebuggerAction>> = {
  ArrowDown: { do: 'frame', by: 1 },
  ArrowUp: { do: 'frame', by: -1 },
  e: { do: 'evaluate' },
  r: { do: 'restartFrame' },
  R: { do: 'returnFrom' },
  s: { do: 'step', way: 'into' },
  x: { do: 'step', way: 'over' },
  o: { do: 'step', way: 'out' },
  a: { do: 'abort' },
  q: { do: 'topLevel' },
};

interface Pressed {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
}

export function debuggerAction({ key, ctrlKey, metaKey, altKey }: Pressed): DebuggerAction | null {
  if (ctrlKey || metaKey || altKey) return null;
  return /^\d$/.test(key) ? { do: 'restart', index: Number(key) } : (ACTIONS[key] ?? null);
}

/** A frame, or consecutive frames of the engine that are folded into one line. */
export type FrameGroup =
  | { is: 'frame'; frame: ListedFrame }
  | { is: 'inner'; frames: readonly ListedFrame[] };

/** Groups frames. The innermost frame is always shown, because it is where the error occurred. */
export function frameGroups(frames: readonly ListedFrame[]): FrameGroup[] {
  const groups: FrameGroup[] = [];
  let folded: ListedFrame[] = [];
  frames.forEach((frame, place) => {
    if (frame.inner && place > 0) {
      if (folded.length === 0) groups.push({ is: 'inner', frames: folded });
      folded.push(frame);
      return;
    }
    folded = [];
    groups.push({ is: 'frame', frame });
  });
  return groups;
}

/**
 * Returns the index of the initial frame: the innermost one of the user's own code, or else the innermost.
 */
export function firstFrame(frames: readonly ListedFrame[]): number {
  return (frames.find(({ inner }) => !inner) ?? frames[0])?.index ?? 0;
}

/** Returns the index of the frame `by` steps away among the shown frames; the same index at either end. */
export function adjacentFrame(groups: readonly FrameGroup[], index: number, by: 1 | -1): number {
  const shown = groups.flatMap((group) => (group.is === 'frame' ? [group.frame.index] : []));
  const place = shown.indexOf(index);
  // A folded frame lies between two shown ones.
  if (place < 0) return shown.find((each) => (by > 0 ? each > index : each < index)) ?? index;
  return shown[place + by] ?? index;
}
