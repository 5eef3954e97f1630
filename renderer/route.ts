/** Where the window is: its view and what is selected there, mirrored in `location.hash`. */
import type { StoreApi } from 'zustand';

/** The views, in the order of the navigation and of their shortcuts. */
export const VIEWS = ['home', 'sessions', 'history', 'sandbox', 'clients', 'settings'] as const;
export type ViewId = (typeof VIEWS)[number];

/** Each view keeps its selection while another is shown. */
export interface Route {
  view: ViewId;
  session: string | null;
  /** The tab beside the session's REPL, by its id in session/session-tabs.tsx; null while none is open there. */
  tab: string | null;
  /** What is selected in the history: an evaluation, or a call that evaluated nothing. At most one of them. */
  evaluation: number | null;
  call: number | null;
  /** Whether the REPL takes the keyboard: after a person opened it, not while they walk through the list. */
  typing: boolean;
}

export const START_ROUTE: Route = {
  view: 'home',
  session: null,
  tab: 'debugger',
  evaluation: null,
  call: null,
  typing: false,
};

/**
 * `#/sessions/<session>/<tab>`, `#/sessions/<session>` where no tab is open, `#/history/<evaluation>`,
 * `#/history/call/<call>`, `#/<view>`.
 */
export function formatRoute({ view, session, tab, evaluation, call }: Route): string {
  if (view === 'sessions' && session !== null)
    return tab === null ? `#/sessions/${session}` : `#/sessions/${session}/${tab}`;
  if (view === 'history' && evaluation !== null) return `#/history/${evaluation}`;
  if (view === 'history' && call !== null) return `#/history/call/${call}`;
  return `#/${view}`;
}

/** Reads a hash. What it does not name stays as it is in `from`; a hash that names no view changes nothing. */
export function parseRoute(hash: string, from: Route): Route {
  const [view, first, second] = hash.replace(/^#\//, '').split('/');
  const known = VIEWS.find((name) => name === view);
  if (!known) return from;
  if (known === 'sessions' && first) {
    return {
      ...from,
      view: known,
      session: first,
      tab: second || from.tab,
    };
  }
  if (known === 'history' && first && /^\d+$/.test(first)) {
    return { ...from, view: known, evaluation: Number(first), call: null };
  }
  if (known === 'history' && first === 'call' && second && /^\d+$/.test(second)) {
    return { ...from, view: known, evaluation: null, call: Number(second) };
  }
  return { ...from, view: known };
}

/** Goes where a hash says, from outside of the page. */
export function goTo(hash: string): void {
  location.hash = hash;
}

/** Ties the store to `location.hash` in both directions; answers the function that unties them. */
export function followHash(store: StoreApi<Route>): () => void {
  const read = () => store.setState(parseRoute(location.hash, store.getState()));
  const write = (route: Route) => {
    const hash = formatRoute(route);
    if (location.hash !== hash) history.replaceState(null, '', hash);
  };
  read();
  write(store.getState());
  addEventListener('hashchange', read);
  const stop = store.subscribe(write);
  return () => {
    removeEventListener('hashchange', read);
    stop();
  };
}
