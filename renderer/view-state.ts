/**
 * The state that views keep while another is shown: filters, sorting, pane sizes, scroll positions and
 * unfinished input.
 */

import type { StoreApi } from 'zustand';
import type { EntryKind } from '../electron/contract/history';
import type { InspectFrom } from '../electron/contract/inspection';
import type { EngineName, Outcome, SessionId } from '../electron/contract/model';
import type { BuilderGoal } from '../electron/contract/proof';
import type { TestChoice } from '../electron/contract/tests';
import type { Crumb, Visits } from './inspector/visits';
import type { Line } from './repl/line-editor';
import { type Route, START_ROUTE } from './route';

/** Columns by which sessions can be sorted. */
export type SessionColumn = 'state' | 'name' | 'engine' | 'client' | 'trust' | 'memory' | 'idle' | 'age';

export interface SessionSort {
  column: SessionColumn;
  direction: 'ascending' | 'descending';
}

/** The time range of a history list. */
export type Since = 'hour' | 'day' | 'week' | 'month';

/** The filter of the history; null and '' match everything. */
export interface HistoryFilter {
  query: string;
  engine: EngineName | null;
  session: SessionId | null;
  client: string | null;
  outcome: Outcome | null;
  kind: EntryKind | null;
  tool: string | null;
  since: Since | null;
}

/** The arrangement of source files in their tree. */
export type SourceGrouping = 'files' | 'systems' | 'packages';

export const WHOLE_HISTORY: HistoryFilter = {
  query: '',
  ...{ engine: null, session: null, client: null, outcome: null, kind: null, tool: null, since: null },
};

/** An evaluation that was profiled or traced. */
export interface Measured {
  evaluation: number;
  how: 'profile' | 'trace';
  /** The initial filter of its calls; absent for none. */
  filter?: string;
}

export interface TestsState {
  /** The session that runs the tests; null for the selected one. */
  session: SessionId | null;
  /** The selected part of the tree, by its key. */
  selected: string | null;
  /** Parts that the user expanded or collapsed, by key. */
  opened: Readonly<Record<string, boolean>>;
  /** Whether the last tests run again after each change. */
  watch: boolean;
  /** The tests that ran last; null for none. */
  last: readonly TestChoice[] | null;
}

export interface ViewState {
  sessionFilter: string;
  sessionSort: SessionSort;
  /** Sessions in a multiple selection. A single selected session is in the route. */
  selectedSessions: readonly SessionId[];
  historyFilter: HistoryFilter;
  /** Whether the history shows its timeline. */
  timeline: boolean;
  /** Whether the navigation has its names next to its icons, not below them. */
  wideNavigation: boolean;
  /** Whether the user made the list of sessions a rail. Without space for a wide list it is one anyway. */
  sessionRail: boolean;
  /** Whether the debugger opens when an evaluation is suspended. False after the user closed the panes. */
  opensDebugger: boolean;
  /** The tab in the second pane next to a session's REPL, by its id; null for none. */
  secondTab: string | null;
  /** The value that each session's inspector is to show next. */
  inspected: Readonly<Record<SessionId, InspectFrom>>;
  /** Browsed names by session; the shown one is last. */
  browsed: Readonly<Record<SessionId, readonly string[]>>;
  /** The session whose project the source view shows; null for the one shown in Sessions. */
  sourceSession: SessionId | null;
  /**
   * The panes of the source view that the user wants next to the text. In a narrow window, where they take the place
   * of the text, the ones that the user did not open.
   */
  sourcePanes: { files: boolean; detail: boolean };
  sourceGrouping: SourceGrouping;
  /** Open folders and groups of the source view. */
  openFolders: readonly string[];
  /** A place of a source file that is to be shown: a line, from 1, or an offset of the text. */
  sourceTarget: ({ path: string } & ({ line: number } | { offset: number })) | null;
  /** Offset of the cursor in the open source file. */
  sourceCursor: number;
  /** Places of source files from which others were opened; the last one is the newest. */
  sourceVisits: readonly { path: string; offset: number }[];
  /** The navigation history of each session's inspector. */
  visits: Readonly<Record<SessionId, Visits>>;
  /** The value that each session's inspector compares with. */
  pinned: Readonly<Record<SessionId, Crumb>>;
  /** Share of the first pane, between 0 and 1, by the name of the split. */
  splits: Readonly<Record<string, number>>;
  /** Whether the REPL is the plain terminal with the engine's own prompt. */
  plainTerminal: boolean;
  /** The input line of each session's terminal, with its history. */
  lines: Readonly<Record<SessionId, Line>>;
  /** The selected command of each session's world. */
  commands: Readonly<Record<SessionId, number>>;
  /** The proof under construction in each session. */
  builds: Readonly<Record<SessionId, Build>>;
  /** The start of each session's shown changes, in the syntax of changes/changes.ts. */
  changesSince: Readonly<Record<SessionId, string>>;
  /** The evaluation that each session's pane Run shows. */
  measured: Readonly<Record<SessionId, Measured>>;
  /** The view of tests. */
  tests: TestsState;
  /** Scroll offset in pixels, by the name of the scroll area. */
  scrolls: Readonly<Record<string, number>>;
}

export const INITIAL_VIEW_STATE: ViewState = {
  sessionFilter: '',
  sessionSort: { column: 'age', direction: 'ascending' },
  selectedSessions: [],
  historyFilter: WHOLE_HISTORY,
  timeline: false,
  wideNavigation: false,
  sessionRail: false,
  opensDebugger: true,
  secondTab: null,
  inspected: {},
  browsed: {},
  sourceSession: null,
  sourcePanes: { files: true, detail: true },
  sourceGrouping: 'files',
  openFolders: [],
  sourceTarget: null,
  sourceCursor: 0,
  sourceVisits: [],
  visits: {},
  pinned: {},
  splits: {},
  plainTerminal: false,
  lines: {},
  commands: {},
  builds: {},
  changesSince: {},
  measured: {},
  tests: { session: null, selected: null, opened: {}, watch: false, last: null },
  scrolls: {},
};

/** Reports whether a window fits a wide list of sessions, 80 columns of code and an open pane. */
export function fitsListAndPane(windowWidth: number, wideNavigation: boolean): boolean {
  return windowWidth >= (wideNavigation ? 1560 : 1440);
}

// The layout that is saved for the next start: pane sizes, open panes, the selected session and the order of
// lists.

const KEY = 'layout';
const SAVED_KEYS = [
  'splits',
  'secondTab',
  'sessionSort',
  'plainTerminal',
  'wideNavigation',
  'sessionRail',
  'opensDebugger',
] as const satisfies readonly (keyof ViewState)[];

type SavedLayout = Pick<ViewState, (typeof SAVED_KEYS)[number]> & Pick<Route, 'tab' | 'session'>;

/** Loads the saved layout. Unreadable values are replaced by defaults. */
export function loadLayout(storage: Pick<Storage, 'getItem'>): { route: Route; viewState: ViewState } {
  const { tab, session, ...saved } = readLayout(storage.getItem(KEY));
  return { route: { ...START_ROUTE, tab, session }, viewState: { ...INITIAL_VIEW_STATE, ...saved } };
}

/** Saves the layout whenever it changes. Returns the function that stops it. */
export function saveLayout(
  storage: Pick<Storage, 'setItem'>,
  route: StoreApi<Route>,
  viewState: StoreApi<ViewState>,
): () => void {
  let written = '';
  const write = () => {
    const state = viewState.getState();
    const saved = {
      ...Object.fromEntries(SAVED_KEYS.map((key) => [key, state[key]])),
      tab: route.getState().tab,
      session: route.getState().session,
    };
    const text = JSON.stringify(saved);
    if (text === written) return;
    written = text;
    storage.setItem(KEY, text);
  };
  const stops = [route.subscribe(write), viewState.subscribe(write)];
  return () => {
    for (const stop of stops) stop();
  };
}

function readLayout(text: string | null): SavedLayout {
  const saved = asRecord(parsed(text));
  const { splits, secondTab, sessionSort } = INITIAL_VIEW_STATE;
  return {
    splits: isSplits(saved.splits) ? saved.splits : splits,
    secondTab: isNullableText(saved.secondTab) ? saved.secondTab : secondTab,
    sessionSort: isSort(saved.sessionSort) ? saved.sessionSort : sessionSort,
    plainTerminal: saved.plainTerminal === true,
    wideNavigation: saved.wideNavigation === true,
    sessionRail: saved.sessionRail === true,
    opensDebugger: saved.opensDebugger !== false,
    tab: isNullableText(saved.tab) ? saved.tab : START_ROUTE.tab,
    session: isNullableText(saved.session) ? saved.session : START_ROUTE.session,
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

function isNullableText(value: unknown): value is string | null {
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

/** A proof under construction. */
export interface Build {
  /** The text of the input field. */
  conjecture: string;
  /** The term to prove; '' before the proof has started. */
  term: string;
  instructions: readonly string[];
  /** The instruction in the input field. */
  next: string;
  goals: readonly BuilderGoal[];
  /** The error of the last attempt, and the field that caused it. */
  problem: { text: string; with: 'conjecture' | 'instruction' } | null;
}

export const NO_BUILD: Build = {
  conjecture: '',
  term: '',
  instructions: [],
  next: '',
  goals: [],
  problem: null,
};
