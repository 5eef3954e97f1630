/** What the tray's menu and the dialogs say of sessions, from the harbor's state. Pure; tray.ts draws it. */
import { visibleLine } from '../contract/visible-text';
import type { Words } from '../words/words';

/** `address` is null while the endpoint does not listen. `running` counts the sessions that evaluate now. */
export interface TrayState {
  address: string | null;
  sessions: number;
  running: number;
  /** How many things wait for a person. */
  needs: number;
  /** Whether nothing of any client begins. */
  paused: boolean;
}

export type TrayAction = 'show' | 'show-needs' | 'pause' | 'go-on' | 'copy-address' | 'quit';

/** A line of the menu; one without an action only tells something. */
export type TrayItem = { label: string; action: TrayAction | null } | 'separator';

/** The menu's lines, from top to bottom. */
export function trayItems(state: TrayState, words: Words): TrayItem[] {
  const { tray } = words;
  const ends = whatEnds(state, words);
  return [
    { label: tray.showWindow, action: 'show' },
    ...needsItem(state, words),
    'separator',
    { label: tell(state, words), action: null },
    state.paused ? { label: tray.goOn, action: 'go-on' } : { label: tray.pause, action: 'pause' },
    state.address === null
      ? { label: tray.notListening, action: null }
      : { label: tray.copy(state.address), action: 'copy-address' },
    'separator',
    { label: ends === '' ? tray.quit : tray.quitEnding(ends), action: 'quit' },
  ];
}

/** What the icon says when a pointer rests on it. */
export function trayTip({ needs, paused }: TrayState, { tray }: Words): string {
  const parts = ['Lisp Harbor', ...(needs > 0 ? [tray.needs(needs)] : []), ...(paused ? [tray.paused] : [])];
  return parts.join(' – ');
}

function needsItem({ needs }: TrayState, { tray }: Words): TrayItem[] {
  return needs === 0 ? [] : [{ label: tray.showNeeds(needs), action: 'show-needs' }];
}

function tell({ sessions, running }: TrayState, { tray }: Words): string {
  const count = tray.sessions(sessions);
  const counted = count.charAt(0).toUpperCase() + count.slice(1);
  return running === 0 ? counted : tray.running(counted, running);
}

/** What ends with the app: `ends 3 sessions, 1 of them running`; empty when nothing does. */
export function whatEnds(
  { sessions, running }: { sessions: number; running: number },
  { tray }: Words,
): string {
  if (sessions === 0) return '';
  const counted = tray.sessions(sessions);
  if (running === 0) return tray.ends(counted);
  return sessions === 1 ? tray.endsRunning(counted) : tray.endsSomeRunning(counted, running);
}

/** Names in a row as a sentence has them, whatever is in them: `a`, `a and b`, `a, b and c`. */
export function listed(given: readonly string[], { formats }: Words): string {
  return formats.list(given.map(visibleLine));
}
