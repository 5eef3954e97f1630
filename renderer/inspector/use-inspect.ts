/** Shows a value in the inspector of its session. */
import type { InspectFrom } from '../../electron/contract/inspection';
import type { SessionId } from '../../electron/contract/model';
import { useServices } from '../services';

export function useInspect(session: SessionId): (from: InspectFrom) => void {
  const { route, viewState } = useServices();
  return (from) => {
    viewState.setState(({ inspected }) => ({ inspected: { ...inspected, [session]: from } }));
    route.setState({ view: 'sessions', session, tab: 'inspector' });
  };
}
