/** What views remember while another is shown: filters, sorting, pane sizes, scroll positions, lines that were begun. */
import type { EntryKind } from '../electron/contract/history';
import type { InspectFrom } from '../electron/contract/inspection';
import type { EngineName, Outcome, SessionId } from '../electron/contract/model';
import type { Crumb, Visits } from './inspector/visits';
import type { Line } from './repl/line-editor';
import type { Build } from './world/build';

/** What sessions can be sorted by. */
export type SessionColumn = 'state' | 'name' | 'engine' | 'client' | 'trust' | 'memory' | 'idle' | 'age';

export interface SessionSort {
  column: SessionColumn;
  direction: 'ascending' | 'descending';
}

/** How far back a list of the history goes. */
export type Since = 'hour' | 'day' | 'week' | 'month';

/** What the history shows; null and '' ask for all. */
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

export const WHOLE_HISTORY: HistoryFilter = {
  query: '',
  ...{ engine: null, session: null, client: null, outcome: null, kind: null, tool: null, since: null },
};

export interface ViewState {
  sessionFilter: string;
  sessionSort: SessionSort;
  /** Sessions selected together; a single one is in the route. */
  selectedSessions: readonly SessionId[];
  historyFilter: HistoryFilter;
  /** Whether the history shows its timeline. */
  timeline: boolean;
  /** The tab in the second pane beside a session's REPL, by its id; null while there is none. */
  secondTab: string | null;
  /** The tab that was shown last in the first pane, for when it is opened again. */
  lastTab: string;
  /** What the inspector of each session looks at, or is to look at next. */
  inspected: Readonly<Record<SessionId, InspectFrom>>;
  /** Names that were browsed in each session, the one that is shown last. */
  browsed: Readonly<Record<SessionId, readonly string[]>>;
  /** Where the inspector of each session has been. */
  visits: Readonly<Record<SessionId, Visits>>;
  /** The value that the inspector of each session is to compare with. */
  pinned: Readonly<Record<SessionId, Crumb>>;
  /** Share of the first pane, between 0 and 1, by the pane's name. */
  splits: Readonly<Record<string, number>>;
  /** Whether the REPL is the plain terminal with the engine's own prompt. */
  plainTerminal: boolean;
  /** The line of each session's terminal, its history included. */
  lines: Readonly<Record<SessionId, Line>>;
  /** The command of its world that is chosen, by session. */
  commands: Readonly<Record<SessionId, number>>;
  /** The proof that is being built in each session. */
  builds: Readonly<Record<SessionId, Build>>;
  /** Since when the changes of each session are shown, as changes/since.ts writes it. */
  changesSince: Readonly<Record<SessionId, string>>;
  /** Distance from the top in pixels, by the name of the scrolled area. */
  scrolls: Readonly<Record<string, number>>;
}

export const INITIAL_VIEW_STATE: ViewState = {
  sessionFilter: '',
  sessionSort: { column: 'age', direction: 'ascending' },
  selectedSessions: [],
  historyFilter: WHOLE_HISTORY,
  timeline: false,
  secondTab: null,
  lastTab: 'debugger',
  inspected: {},
  browsed: {},
  visits: {},
  pinned: {},
  splits: {},
  plainTerminal: false,
  lines: {},
  commands: {},
  builds: {},
  changesSince: {},
  scrolls: {},
};
