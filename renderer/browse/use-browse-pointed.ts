/** Browses the name that is clicked on with Alt held, wherever it stands. */
import { useEffect } from 'react';
import { useServices } from '../services';
import { hasImage } from '../session/session-acts';
import { codeOf, nameAtPoint } from './symbol-at';

export function useBrowsePointed(): void {
  const { actions, live, route } = useServices();
  useEffect(() => {
    const click = (event: MouseEvent) => {
      if (!event.altKey || !(event.target instanceof Node)) return;
      const { view, session: shown } = route.getState();
      const id = codeOf(event.target) ?? (view === 'sessions' ? shown : null);
      const session = id === null ? undefined : live.getState().sessions.get(id);
      const name = nameAtPoint(event.clientX, event.clientY);
      if (!session || !hasImage(session) || name === null) return;
      event.preventDefault();
      event.stopPropagation();
      actions.browse(session.id, name);
    };
    // Before what stands there takes the click.
    addEventListener('click', click, { capture: true });
    return () => removeEventListener('click', click, { capture: true });
  }, [actions, live, route]);
}
