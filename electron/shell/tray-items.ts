/** What the tray's menu says, from the harbor's state. Pure; tray.ts draws it. */
import { countSessions, whatEnds } from './sentences';

/** `address` is null while the endpoint does not listen. `running` counts the sessions that evaluate now. */
export interface TrayState {
  address: string | null;
  sessions: number;
  running: number;
}

export type TrayAction = 'show' | 'copy-address' | 'quit';

/** A line of the menu; one without an action only tells something. */
export type TrayItem = { label: string; action: TrayAction | null } | 'separator';

/** The menu's lines, from top to bottom. */
export function trayItems(state: TrayState): TrayItem[] {
  const ends = whatEnds(state);
  return [
    { label: 'Show window', action: 'show' },
    'separator',
    { label: tell(state), action: null },
    state.address === null
      ? { label: 'Endpoint not listening', action: null }
      : { label: `Copy ${state.address}`, action: 'copy-address' },
    'separator',
    { label: ends === '' ? 'Quit' : `Quit (${ends})`, action: 'quit' },
  ];
}

function tell({ sessions, running }: TrayState): string {
  const count = countSessions(sessions);
  const counted = count.charAt(0).toUpperCase() + count.slice(1);
  return running === 0 ? counted : `${counted}, ${running} running`;
}
