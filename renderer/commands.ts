/** The commands, each with its title and shortcut. Buttons, tooltips and the keyboard all read this table. */
import type { StoreApi } from 'zustand';
import type { Actions } from './actions';
import { selectedName } from './browse/symbol-at';
import type { LiveState } from './live';
import { type Route, VIEWS, type ViewId } from './route';
import { matchesShortcut, type Stroke } from './shortcuts';
import type { ViewState } from './view-state';

export type CommandId =
  | `view:${ViewId}`
  | 'session:open'
  | 'session:interrupt'
  | 'repl:terminal'
  | 'browse:symbol'
  | 'search:focus'
  | 'detail:close'
  | 'endpoint:copy'
  | 'project:choose'
  | 'theme:system'
  | 'theme:light'
  | 'theme:dark';

export interface Command {
  id: CommandId;
  title: string;
  /** As shortcuts.ts writes it; absent when the command has none. */
  shortcut?: string;
  /** Whether it can be run now; its shortcut does nothing when it cannot. */
  enabled: () => boolean;
  run: () => void;
}

export interface CommandDependencies {
  actions: Actions;
  live: StoreApi<LiveState>;
  route: StoreApi<Route>;
  viewState: StoreApi<ViewState>;
}

const TITLES: Readonly<Record<ViewId, string>> = {
  home: 'Home',
  sessions: 'Sessions',
  history: 'History',
  sandbox: 'Sandbox',
  clients: 'Clients',
  settings: 'Settings',
};

const always = () => true;

export function createCommands({ actions, live, route, viewState }: CommandDependencies): readonly Command[] {
  const view = (id: ViewId, key: number): Command => ({
    id: `view:${id}`,
    title: TITLES[id],
    shortcut: `Mod+${key}`,
    enabled: always,
    run: () => route.setState({ view: id }),
  });
  return [
    ...VIEWS.map((id, index) => view(id, index + 1)),
    ...sessionCommands(actions, live, route),
    ...windowCommands(actions, live, route, viewState),
  ];
}

function sessionCommands(
  actions: Actions,
  live: StoreApi<LiveState>,
  route: StoreApi<Route>,
): readonly Command[] {
  const running = () => {
    const { view, session } = route.getState();
    const shown = view === 'sessions' && session !== null ? live.getState().sessions.get(session) : undefined;
    return shown?.state === 'running' ? shown.id : null;
  };
  return [
    {
      id: 'session:open',
      title: 'New session',
      shortcut: 'Mod+N',
      enabled: () => live.getState().opening === null,
      run: () => void actions.opener.open(),
    },
    {
      id: 'session:interrupt',
      title: 'Interrupt',
      shortcut: 'Mod+.',
      enabled: () => running() !== null,
      run: () => {
        const session = running();
        if (session !== null) void actions.interrupt(session);
      },
    },
  ];
}

function windowCommands(
  actions: Actions,
  live: StoreApi<LiveState>,
  route: StoreApi<Route>,
  viewState: StoreApi<ViewState>,
): readonly Command[] {
  const address = () => live.getState().status?.endpoint.url ?? null;
  const theme = (id: 'system' | 'light' | 'dark', title: string): Command => ({
    id: `theme:${id}`,
    title,
    enabled: always,
    run: () => void actions.changeSettings({ theme: id }),
  });
  return [
    {
      id: 'repl:terminal',
      title: 'Plain terminal',
      shortcut: 'Mod+Shift+X',
      enabled: () => route.getState().view === 'sessions' && route.getState().session !== null,
      run: () => viewState.setState(({ plainTerminal }) => ({ plainTerminal: !plainTerminal })),
    },
    {
      id: 'browse:symbol',
      title: 'Browse the symbol here',
      shortcut: 'Alt+.',
      enabled: () => route.getState().view === 'sessions' && selectedName() !== null,
      run: () => {
        const [{ session }, name] = [route.getState(), selectedName()];
        if (session !== null && name !== null) actions.browse(session, name);
      },
    },
    { id: 'search:focus', title: 'Search', shortcut: 'Mod+F', enabled: hasSearch, run: focusSearch },
    {
      id: 'detail:close',
      title: 'Close detail',
      shortcut: 'Escape',
      enabled: () => hasDetail(route.getState()),
      run: () => route.setState({ evaluation: null, call: null }),
    },
    {
      id: 'endpoint:copy',
      title: 'Copy endpoint address',
      enabled: () => address() !== null,
      run: () => void actions.copy(address() ?? '', 'endpoint address'),
    },
    {
      id: 'project:choose',
      title: 'Choose project…',
      enabled: always,
      run: () => void actions.chooseProject(),
    },
    theme('system', 'Use the system’s theme'),
    theme('light', 'Use the light theme'),
    theme('dark', 'Use the dark theme'),
  ];
}

function hasDetail({ view, evaluation, call }: Route): boolean {
  return view === 'history' && (evaluation !== null || call !== null);
}

function searchField(): HTMLInputElement | null {
  return document.querySelector<HTMLInputElement>('main input[type=search]');
}

function hasSearch(): boolean {
  return searchField() !== null;
}

function focusSearch(): void {
  searchField()?.focus();
  searchField()?.select();
}

/** The command whose shortcut was pressed, if it can be run now. */
export function commandFor(commands: readonly Command[], stroke: Stroke, mac: boolean): Command | undefined {
  return commands.find(
    ({ shortcut, enabled }) => shortcut !== undefined && matchesShortcut(shortcut, stroke, mac) && enabled(),
  );
}
