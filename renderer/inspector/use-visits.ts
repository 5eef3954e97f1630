/** Where the inspector of a session is, and what moves it. None of it throws: the person is told of a failure. */
import { useCallback, useEffect } from 'react';
import type { InspectFrom } from '../../electron/contract/inspection';
import type { SessionId } from '../../electron/contract/model';
import { tryCall } from '../bridge';
import { useServices, useViewState } from '../services';
import { canMove, intoPart, moved, shownWay, upTo, type Visits, visited, type Way } from './visits';

export interface Moves {
  way: Way | null;
  canGoBack: boolean;
  canGoForward: boolean;
  /** Looks at a value of its own. Answers why there is none, or null. */
  begin: (from: InspectFrom) => Promise<string | null>;
  /** Looks at a part of what is shown. */
  enter: (path: (number | string)[], label: string) => Promise<void>;
  /** Looks at a value on the way again. */
  goUp: (place: number) => void;
  move: (by: 1 | -1) => void;
}

export function useVisits(session: SessionId): Moves {
  const { viewState, toasts } = useServices();
  const visits = useViewState((state) => state.visits[session]);
  const asked = useViewState((state) => state.inspected[session]);
  const put = useCallback(
    (change: (visits: Visits | undefined) => Visits) =>
      viewState.setState((state) => ({
        visits: { ...state.visits, [session]: change(state.visits[session]) },
      })),
    [viewState, session],
  );
  const begin = useCallback(
    async (from: InspectFrom) => {
      const begun = await tryCall(toasts, 'inspector:begin', { session, from });
      if (begun === undefined) return null;
      if ('problem' in begun) return begun.problem;
      put((before) => visited(before, [{ handle: begun.handle, label: rootLabel(from, begun.text) }]));
      return null;
    },
    [toasts, session, put],
  );
  useEffect(() => {
    if (asked === undefined) return;
    viewState.setState(({ inspected: { [session]: _, ...others } }) => ({ inspected: others }));
    void begin(asked).then((problem) => problem !== null && toasts.failed(problem));
  }, [asked, session, viewState, toasts, begin]);
  const way = visits ? shownWay(visits) : null;
  return {
    way,
    canGoBack: visits !== undefined && canMove(visits, -1),
    canGoForward: visits !== undefined && canMove(visits, 1),
    begin,
    enter: async (path, label) => {
      const holder = way?.at(-1);
      if (!way || !holder) return;
      const from = { handle: holder.handle, path };
      const begun = await tryCall(toasts, 'inspector:begin', { session, from });
      if (begun === undefined || 'problem' in begun) return;
      put((before) => visited(before, intoPart(way, { handle: begun.handle, label })));
    },
    goUp: (place) => way && put((before) => visited(before, upTo(way, place))),
    move: (by) => put((before) => moved(before ?? { ways: [], at: 0 }, by)),
  };
}

/** Code says best what was meant; of the rest how it prints. */
function rootLabel(from: InspectFrom, text: string): string {
  return 'code' in from ? from.code : text;
}
