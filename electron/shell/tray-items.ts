/** Texts about sessions in the tray menu and dialogs. Pure; tray.ts shows them. */
import { visibleLine } from '../contract/visible-text';
import type { Words } from '../words/words';

/**
 * State of the tray. `address` is null while the endpoint does not listen. `running` counts sessions with a
 * running evaluation.
 */
export interface TrayState {
  address: string | null;
  sessions: number;
  running: number;
  /** Number of things that wait for the user. */
  needs: number;
  /** Whether all clients are paused. */
  paused: boolean;
}

export type TrayAction = 'show' | 'show-needs' | 'pause' | 'go-on' | 'copy-address' | 'quit';

/** A menu item. One without an action is only information. */
export type TrayItem = { label: string; action: TrayAction | null } | 'separator';

/** Returns the menu items from top to bottom. */
export function trayItems(state: TrayState, words: Words): TrayItem[] {
  const { tray } = words;
  const ends = endingSessionsText(state, words);
  return [
    { label: tray.showWindow, action: 'show' },
    ...needsItem(state, words),
    'separator',
    { label: statusText(state, words), action: null },
    state.paused ? { label: tray.goOn, action: 'go-on' } : { label: tray.pause, action: 'pause' },
    state.address === null
      ? { label: tray.notListening, action: null }
      : { label: tray.copy(state.address), action: 'copy-address' },
    'separator',
    { label: ends === '' ? tray.quit : tray.quitEnding(ends), action: 'quit' },
  ];
}

/** Returns the tooltip of the icon. */
export function trayTip({ needs, paused }: TrayState, { tray }: Words): string {
  const parts = ['Lisp Harbor', ...(needs > 0 ? [tray.needs(needs)] : []), ...(paused ? [tray.paused] : [])];
  return parts.join(' – ');
}

function needsItem({ needs }: TrayState, { tray }: Words): TrayItem[] {
  return needs === 0 ? [] : [{ label: tray.showNeeds(needs), action: 'show-needs' }];
}

function statusText({ sessions, running }: TrayState, { tray }: Words): string {
  const count = tray.sessions(sessions);
  const counted = count.charAt(0).toUpperCase() + count.slice(1);
  return running === 0 ? counted : tray.running(counted, running);
}

/** Describes what ends with the app: `ends 3 sessions, 1 of them running`; empty for nothing. */
export function endingSessionsText(
  { sessions, running }: { sessions: number; running: number },
  { tray }: Words,
): string {
  if (sessions === 0) return '';
  const counted = tray.sessions(sessions);
  if (running === 0) return tray.ends(counted);
  return sessions === 1 ? tray.endsRunning(counted) : tray.endsSomeRunning(counted, running);
}

/** Joins names as in a sentence: `a`, `a and b`, `a, b and c`. */
export function joinNames(given: readonly string[], { formats }: Words): string {
  return formats.list(given.map(visibleLine));
}
