/** Forwards events of the harbor to the window. */
import type { EventName } from '../contract/channels';
import type { Payload } from '../contract/contract';
import type { ListenerView } from '../contract/model';
import { historyRow } from '../history/pages';
import type { WindowServices } from './window-services';

type Forwarded = Pick<
  WindowServices,
  'sessions' | 'listeners' | 'approvals' | 'settings' | 'history' | 'needs' | 'updates'
>;

/** Interval of `history:changed` in milliseconds. */
const CHANGED_EVERY_MS = 150;

/** Forwards every event of the contract. Returns a function that stops it. */
export function forwardEvents(
  { sessions, listeners, approvals, settings, history, needs, updates }: Forwarded,
  send: <E extends EventName>(event: E, payload: Payload<E>) => void,
): () => void {
  const { events } = sessions;
  const onOpening = (doing: string) => send('session:opening', { doing });
  const onChanged = (view: Payload<'session:changed'>) => send('session:changed', view);
  const onEnded = (session: string, unread: string) => send('session:ended', { session, unread });
  const onCheckpoints = () => send('checkpoints:changed', null);
  let changed: NodeJS.Timeout | null = null;
  const onHistory = () => {
    changed ??= setTimeout(() => {
      changed = null;
      send('history:changed', null);
    }, CHANGED_EVERY_MS);
  };
  history.events.on('changed', onHistory);
  const onOpened = (row: Parameters<typeof historyRow>[0]) => {
    send('evaluation:opened', historyRow(row));
    onHistory();
  };
  const onOutput = (output: Payload<'evaluation:output'>) => send('evaluation:output', output);
  const onClosed = (row: Parameters<typeof historyRow>[0]) => {
    send('evaluation:closed', historyRow(row));
    onHistory();
  };
  const onText = (session: string, text: string) => send('listener:output', { session, text });
  events
    .on('opening', onOpening)
    .on('changed', onChanged)
    .on('checkpoints', onCheckpoints)
    .on('opened', onOpened);
  events.on('suspended', onOpened).on('wentOn', onOpened).on('output', onOutput).on('closed', onClosed);
  const onApprovals = () => send('approvals:changed', approvals.state);
  const onNeeds = () => send('needs:changed', needs.view);
  needs.on('changed', onNeeds);
  const onUpdates = (view: Payload<'updates:changed'>) => send('updates:changed', view);
  updates.on('changed', onUpdates);
  const onListener = (session: string, view: ListenerView) => send('listener:changed', { session, view });
  listeners.on('output', onText).on('changed', onListener).on('ended', onEnded);
  approvals.on('changed', onApprovals);
  const onSettings = (now: Payload<'settings:changed'>) => send('settings:changed', now);
  settings.on('changed', onSettings);
  return () => {
    events
      .off('opening', onOpening)
      .off('changed', onChanged)
      .off('checkpoints', onCheckpoints)
      .off('opened', onOpened);
    events.off('suspended', onOpened).off('wentOn', onOpened).off('output', onOutput).off('closed', onClosed);
    history.events.off('changed', onHistory);
    if (changed !== null) clearTimeout(changed);
    needs.off('changed', onNeeds);
    updates.off('changed', onUpdates);
    listeners.off('output', onText).off('changed', onListener).off('ended', onEnded);
    approvals.off('changed', onApprovals);
    settings.off('changed', onSettings);
  };
}
