/** Browses the name that is clicked on with Alt held, wherever it stands. */
import { useEffect } from 'react';
import { useServices } from '../services';
import { nameAtPoint } from './symbol-at';

export function useBrowsePointed(): void {
  const { actions, route } = useServices();
  useEffect(() => {
    const click = (event: MouseEvent) => {
      const { view, session } = route.getState();
      if (!event.altKey || view !== 'sessions' || session === null) return;
      const name = nameAtPoint(event.clientX, event.clientY);
      if (name === null) return;
      event.preventDefault();
      event.stopPropagation();
      actions.browse(session, name);
    };
    // Before what stands there takes the click.
    addEventListener('click', click, { capture: true });
    return () => removeEventListener('click', click, { capture: true });
  }, [actions, route]);
}
