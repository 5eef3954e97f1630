/** What the tray's menu and the dialogs say of sessions, from the harbor's state. Pure; tray.ts draws it. */
import { visibleLine } from '../contract/visible-text';

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
export function trayItems(state: TrayState): TrayItem[] {
  const ends = whatEnds(state);
  return [
    { label: 'Show window', action: 'show' },
    ...needsItem(state),
    'separator',
    { label: tell(state), action: null },
    state.paused
      ? { label: 'Let agents go on', action: 'go-on' }
      : { label: 'Pause all agents', action: 'pause' },
    state.address === null
      ? { label: 'Endpoint not listening', action: null }
      : { label: `Copy ${state.address}`, action: 'copy-address' },
    'separator',
    { label: ends === '' ? 'Quit' : `Quit (${ends})`, action: 'quit' },
  ];
}

/** What the icon says when a pointer rests on it. */
export function trayTip({ needs, paused }: TrayState): string {
  const parts = [
    'Lisp Harbor',
    ...(needs > 0 ? [needsText(needs)] : []),
    ...(paused ? ['agents are paused'] : []),
  ];
  return parts.join(' – ');
}

function needsItem({ needs }: TrayState): TrayItem[] {
  return needs === 0 ? [] : [{ label: `Show what ${needsText(needs)}`, action: 'show-needs' }];
}

function needsText(needs: number): string {
  return needs === 1 ? 'needs you (1)' : `needs you (${needs})`;
}

function tell({ sessions, running }: TrayState): string {
  const count = countSessions(sessions);
  const counted = count.charAt(0).toUpperCase() + count.slice(1);
  return running === 0 ? counted : `${counted}, ${running} running`;
}

/** `no sessions`, `1 session`, `3 sessions`. */
export function countSessions(count: number): string {
  if (count === 0) return 'no sessions';
  return count === 1 ? '1 session' : `${count} sessions`;
}

/** What ends with the app: `ends 3 sessions, 1 of them running`; empty when nothing does. */
export function whatEnds({ sessions, running }: { sessions: number; running: number }): string {
  if (sessions === 0) return '';
  const busy = running === 0 ? '' : sessions === 1 ? ', which is running' : `, ${running} of them running`;
  return `ends ${countSessions(sessions)}${busy}`;
}

/** Names in a row as a sentence has them, whatever is in them: `a`, `a and b`, `a, b and c`. */
export function listed(given: readonly string[]): string {
  const names = given.map(visibleLine);
  const last = names.at(-1) ?? '';
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`;
}
