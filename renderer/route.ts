/** The route: the view and its selection, mirrored in `location.hash`. */
import type { StoreApi } from 'zustand';

/** The views, in the order of the navigation and of their shortcuts. */
export const VIEWS = [
  'home',
  'sessions',
  'source',
  'tests',
  'history',
  'sandbox',
  'clients',
  'settings',
] as const;
export type ViewId = (typeof VIEWS)[number];

/** The selections of all views. A view keeps its selection while another is shown. */
export interface Route {
  view: ViewId;
  session: string | null;
  /** The open tab next to the session's REPL, by its id in session/session-tabs.tsx; null for none. */
  tab: string | null;
  /** The open source file: its path in the project, or absolute. */
  file: string | null;
  /** The selection in the history: an evaluation, or a call that evaluated nothing. At most one is set. */
  evaluation: number | null;
  call: number | null;
  /**
   * Whether the REPL takes the focus: after the user opened the session, but not during keyboard navigation
   * of the list.
   */
  typing: boolean;
}

export const START_ROUTE: Route = {
  view: 'home',
  session: null,
  tab: null,
  file: null,
  evaluation: null,
  call: null,
  typing: false,
};

/**
 * Returns `#/sessions/<session>/<tab>`, `#/sessions/<session>` if no tab is open, `#/source/<file>`,
 * `#/history/<evaluation>`, `#/history/call/<call>` or `#/<view>`.
 */
export function formatRoute({ view, session, tab, file, evaluation, call }: Route): string {
  if (view === 'sessions' && session !== null)
    return tab === null ? `#/sessions/${session}` : `#/sessions/${session}/${tab}`;
  if (view === 'source' && file !== null) return `#/source/${encodeURIComponent(file)}`;
  if (view === 'history' && evaluation !== null) return `#/history/${evaluation}`;
  if (view === 'history' && call !== null) return `#/history/call/${call}`;
  return `#/${view}`;
}

/** Parses a hash. Missing parts are taken from `from`; a hash with an unknown view returns `from`. */
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
  if (known === 'source' && first) return { ...from, view: known, file: decoded(first) };
  if (known === 'history' && first && /^\d+$/.test(first)) {
    return { ...from, view: known, evaluation: Number(first), call: null };
  }
  if (known === 'history' && first === 'call' && second && /^\d+$/.test(second)) {
    return { ...from, view: known, evaluation: null, call: Number(second) };
  }
  return { ...from, view: known };
}

/** Returns null for text that is not encoded. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

/** Navigates to a hash. */
export function goTo(hash: string): void {
  location.hash = hash;
}

/** Synchronizes the store with `location.hash`. Returns the function that stops it. */
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
