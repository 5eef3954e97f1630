/** How the window is laid out, kept for its next start: sizes of panes, the tabs beside the REPL, the order of lists. */
import type { StoreApi } from 'zustand';
import { type Route, START_ROUTE } from './route';
import { INITIAL_VIEW_STATE, type ViewState } from './view-state';

const KEY = 'layout';
const KEPT = [
  'splits',
  'secondTab',
  'lastTab',
  'sessionSort',
  'plainTerminal',
] as const satisfies readonly (keyof ViewState)[];

type Kept = Pick<ViewState, (typeof KEPT)[number]> & Pick<Route, 'tab'>;

/** The layout as it was kept; what cannot be read is as at the first start. */
export function keptLayout(storage: Pick<Storage, 'getItem'>): { route: Route; viewState: ViewState } {
  const { tab, ...kept } = readLayout(storage.getItem(KEY));
  return { route: { ...START_ROUTE, tab }, viewState: { ...INITIAL_VIEW_STATE, ...kept } };
}

/** Keeps the layout whenever it changes; answers the function that stops it. */
export function keepLayout(
  storage: Pick<Storage, 'setItem'>,
  route: StoreApi<Route>,
  viewState: StoreApi<ViewState>,
): () => void {
  let written = '';
  const write = () => {
    const state = viewState.getState();
    const kept = { ...Object.fromEntries(KEPT.map((key) => [key, state[key]])), tab: route.getState().tab };
    const text = JSON.stringify(kept);
    if (text === written) return;
    written = text;
    storage.setItem(KEY, text);
  };
  const stops = [route.subscribe(write), viewState.subscribe(write)];
  return () => {
    for (const stop of stops) stop();
  };
}

function readLayout(text: string | null): Kept {
  const kept = asRecord(parsed(text));
  const { splits, secondTab, lastTab, sessionSort } = INITIAL_VIEW_STATE;
  return {
    splits: isSplits(kept.splits) ? kept.splits : splits,
    secondTab: isTab(kept.secondTab) ? kept.secondTab : secondTab,
    lastTab: typeof kept.lastTab === 'string' ? kept.lastTab : lastTab,
    sessionSort: isSort(kept.sessionSort) ? kept.sessionSort : sessionSort,
    plainTerminal: kept.plainTerminal === true,
    tab: isTab(kept.tab) ? kept.tab : START_ROUTE.tab,
  };
}

function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return null;
  }
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function isTab(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function isSplits(value: unknown): value is ViewState['splits'] {
  const isShare = (share: unknown) => typeof share === 'number' && share > 0 && share < 1;
  return value !== undefined && Object.values(asRecord(value)).every(isShare);
}

function isSort(value: unknown): value is ViewState['sessionSort'] {
  const { column, direction } = asRecord(value);
  const columns: readonly unknown[] = ['state', 'name', 'engine', 'client', 'trust', 'memory', 'idle', 'age'];
  return columns.includes(column) && (direction === 'ascending' || direction === 'descending');
}
