/** The listener of a session as the page sees it: what it takes next, and what was typed and waits to be read. */
import { useEffect, useState } from 'react';
import type { ListenerView } from '../../electron/contract/listener';
import type { SessionId } from '../../electron/contract/model';
import { call, subscribe } from '../bridge';

/** null until the listener has answered, and where there is none. */
export function useListener(session: SessionId): ListenerView | null {
  const [view, setView] = useState<ListenerView | null>(null);
  useEffect(() => {
    // Whoever listens first misses nothing that happens while the question is under way.
    let heard = false;
    const stop = subscribe('listener:changed', (changed) => {
      if (changed.session !== session) return;
      heard = true;
      setView(changed.view);
    });
    call('listener:open', { session }).then(
      (opened) => {
        if (!heard) setView(opened.view);
      },
      () => undefined,
    );
    return stop;
  }, [session]);
  return view;
}
