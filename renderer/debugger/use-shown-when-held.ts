/** Brings the debugger forward when something is held in the session that is looked at, unless its tabs were closed. */
import { useEffect } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { useServices } from '../services';

export function useShownWhenHeld({ id, level }: SessionView): void {
  const { actions, route, viewState } = useServices();
  useEffect(() => {
    const { tab, typing } = route.getState();
    if (level === undefined || tab === null || viewState.getState().secondTab === 'debugger') return;
    actions.openTab(id, 'debugger');
    // Who types in the REPL goes on there.
    route.setState({ typing });
  }, [id, level, actions, route, viewState]);
}
