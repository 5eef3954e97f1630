/** What single keys do in the debugger while nobody types there: those of SLIME and SLY. Pure. */

export type DebuggerAction =
  | { do: 'restart'; index: number }
  | { do: 'frame'; by: 1 | -1 }
  | { do: 'evaluate' | 'returnFrom' | 'restartFrame' | 'abort' | 'topLevel' }
  | { do: 'step'; way: 'into' | 'over' | 'out' };

/** As they are written down for people. */
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
