/** Forwards events of the harbor to the window. */
import type { EventName } from '../contract/channels';
import type { Payload } from '../contract/contract';
import type { Evaluation } from '../contract/model';
import { historyRow } from '../history/pages';
import { addListeners } from '../host/listeners';
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
  let changed: NodeJS.Timeout | null = null;
  const onHistory = () => {
    changed ??= setTimeout(() => {
      changed = null;
      send('history:changed', null);
    }, CHANGED_EVERY_MS);
  };
  const onOpened = (row: Evaluation) => {
    send('evaluation:opened', historyRow(row));
    onHistory();
  };
  const removers = [
    addListeners(sessions.events, (on) => {
      on('opening', (doing) => send('session:opening', { doing }));
      on('changed', (view) => send('session:changed', view));
      on('checkpoints', () => send('checkpoints:changed', null));
      on('opened', onOpened);
      on('suspended', onOpened);
      on('wentOn', onOpened);
      on('output', (output) => send('evaluation:output', output));
      on('closed', (row) => {
        send('evaluation:closed', historyRow(row));
        onHistory();
      });
    }),
    addListeners(history.events, (on) => on('changed', onHistory)),
    addListeners(needs, (on) => on('changed', () => send('needs:changed', needs.view))),
    addListeners(updates, (on) => on('changed', (view) => send('updates:changed', view))),
    addListeners(listeners, (on) => {
      on('output', (session, text) => send('listener:output', { session, text }));
      on('changed', (session, view) => send('listener:changed', { session, view }));
      on('ended', (session, unread) => send('session:ended', { session, unread }));
    }),
    addListeners(approvals, (on) => on('changed', () => send('approvals:changed', approvals.state))),
    addListeners(settings, (on) => on('changed', (now) => send('settings:changed', now))),
  ];
  return () => {
    for (const remove of removers) remove();
    if (changed !== null) clearTimeout(changed);
  };
}
