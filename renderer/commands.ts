/**
 * The table of commands with title and shortcut. The palette, the application menu, buttons, tooltips and the
 * keyboard use it.
 */
import type { StoreApi } from 'zustand';
import type { MenuCommand } from '../electron/contract/harbor-calls';
import type { SessionId, SessionView } from '../electron/contract/model';
import type { Words } from '../electron/words/words';
import type { Actions } from './actions';
import { selectedCodeOf, selectedName } from './browse/symbol-at';
import type { LiveState } from './live';
import { type Route, VIEWS, type ViewId } from './route';
import { hasImage, type SessionAction, type SessionActionId } from './session/session-actions';
import { isLineEditing, matchesShortcut, type Stroke } from './shortcuts';
import type { Toasts } from './toasts';
import type { ViewState } from './view-state';

export type CommandId =
  | `view:${ViewId}`
  | 'palette:open'
  | 'messages:open'
  | 'session:open'
  | 'session:wake'
  | SessionActionId
  | 'repl:terminal'
  | 'browse:symbol'
  | 'agents:pause'
  | 'agents:go-on'
  | 'search:focus'
  | 'detail:close'
  | 'navigation:widen'
  | 'sessions:widen'
  | 'endpoint:copy'
  | 'project:choose'
  | 'theme:system'
  | 'theme:light'
  | 'theme:dark';

export interface Command {
  id: CommandId;
  /** The title in the current language. */
  readonly title: string;
  group: MenuCommand['group'];
  /** The default shortcut, in the syntax of shortcuts.ts. */
  standard?: string;
  /** The current shortcut, if any. */
  readonly shortcut?: string | undefined;
  /** Reports whether the command can run now. If not, its shortcut does nothing. */
  enabled: () => boolean;
  run: () => void;
}

export interface CommandDependencies {
  actions: Actions;
  sessionActions: readonly SessionAction[];
  toasts: Toasts;
  live: StoreApi<LiveState>;
  route: StoreApi<Route>;
  viewState: StoreApi<ViewState>;
  words: () => Words;
  /** Shortcuts that the user chose, by command. */
  chosen: () => Readonly<Record<string, string>>;
  openPalette: () => void;
}

type Plain = Omit<Command, 'title' | 'shortcut'> & { id: Exclude<CommandId, SessionActionId> };

/** A command for the shown session that computes its own title. */
type SelfTitledCommand = Omit<Command, 'title' | 'shortcut'> & { titleIn: (words: Words) => string };

const always = () => true;

export function createCommands(dependencies: CommandDependencies): readonly Command[] {
  const { route, chosen, words } = dependencies;
  const view = (id: ViewId, key: number): Plain => ({
    id: `view:${id}`,

    group: 'Go',
    standard: `Mod+${key}`,
    enabled: always,
    run: () => route.setState({ view: id }),
  });
  const commands = [
    ...VIEWS.map((id, index) => view(id, index + 1)),
    ...sessionCommands(dependencies),
    ...sessionActionCommands(dependencies),
    ...agentCommands(dependencies),
    ...windowCommands(dependencies),
  ];
  return commands.map((command) => ({
    ...command,
    get title() {
      return 'titleIn' in command ? command.titleIn(words()) : words().commands.titles[command.id];
    },
    get shortcut() {
      return (chosen()[command.id] ?? command.standard) || undefined;
    },
  }));
}

/** The session that is shown. */
function shownSession({ route, live }: CommandDependencies): SessionView | undefined {
  const { view, session } = route.getState();
  return view === 'sessions' && session !== null ? live.getState().sessions.get(session) : undefined;
}

/** The session that the selected code belongs to, or else the shown session. */
function targetSession(dependencies: CommandDependencies): SessionView | undefined {
  const id = selectedCodeOf();
  return id === null ? shownSession(dependencies) : dependencies.live.getState().sessions.get(id);
}

function sessionActionCommands(dependencies: CommandDependencies): readonly SelfTitledCommand[] {
  const shown = () => shownSession(dependencies);
  const sessionActions = dependencies.sessionActions.filter(({ showsTab }) => !showsTab);
  return sessionActions.map(({ id, standard, title, offered = always, enabled, run }) => ({
    ...{ id, group: 'Session' },
    ...(standard === undefined ? {} : { standard }),
    titleIn: (words) => title(words, shown()),
    enabled: () => {
      const session = shown();
      return session !== undefined && offered(session) && enabled(session);
    },
    run: () => {
      const session = shown();
      if (session) void run(session);
    },
  }));
}

function sessionCommands(dependencies: CommandDependencies): readonly Plain[] {
  const { actions, live, viewState } = dependencies;
  /** A command for the shown session that is enabled in certain states. */
  const ofShown = (
    id: Plain['id'],
    fits: (session: SessionView) => boolean,
    run: (session: SessionId) => unknown,
    standard?: string,
  ): Plain => ({
    ...{ id, group: 'Session' },
    ...(standard === undefined ? {} : { standard }),
    enabled: () => {
      const session = shownSession(dependencies);
      return session !== undefined && fits(session);
    },
    run: () => {
      const session = shownSession(dependencies);
      if (session) run(session.id);
    },
  });
  return [
    {
      id: 'session:open',
      group: 'Session',
      standard: 'Mod+N',
      enabled: () => live.getState().opening === null,
      run: () => void actions.opener.open(),
    },
    ofShown(
      'repl:terminal',
      always,
      () => viewState.setState(({ plainTerminal }) => ({ plainTerminal: !plainTerminal })),
      'Mod+Shift+X',
    ),
    {
      id: 'browse:symbol',
      group: 'Session',
      standard: 'Alt+.',
      enabled: () => {
        const session = targetSession(dependencies);
        return session !== undefined && hasImage(session) && selectedName() !== null;
      },
      run: () => {
        const session = targetSession(dependencies);
        if (session) void actions.sources.showDefinition(session.id, selectedName() ?? '');
      },
    },
    ofShown(
      'session:wake',
      ({ state }) => state === 'asleep',
      (id) => actions.harbor.sessions.wake({ session: id }),
    ),
  ];
}

function agentCommands({ actions, live, words }: CommandDependencies): readonly Plain[] {
  const address = () => live.getState().status?.endpoint.url ?? null;
  const isPaused = () => live.getState().approvals.paused;
  return [
    {
      id: 'agents:pause',
      group: 'Agents',
      enabled: () => !isPaused(),
      run: () => void actions.harbor.approvals.pause({ paused: true }),
    },
    {
      id: 'agents:go-on',
      group: 'Agents',
      enabled: isPaused,
      run: () => void actions.harbor.approvals.pause({ paused: false }),
    },
    {
      id: 'endpoint:copy',
      group: 'Agents',
      enabled: () => address() !== null,
      run: () => void actions.copy(address() ?? '', words().copying.endpoint),
    },
    {
      id: 'project:choose',
      group: 'Agents',
      enabled: always,
      run: () => void actions.chooseProject(),
    },
  ];
}

function windowCommands({
  actions,
  toasts,
  route,
  viewState,
  openPalette,
}: CommandDependencies): readonly Plain[] {
  const theme = (id: 'system' | 'light' | 'dark'): Plain => ({
    id: `theme:${id}`,
    group: 'Window',
    enabled: always,
    run: () => void actions.changeSettings({ theme: id }),
  });
  return [
    {
      id: 'palette:open',
      group: 'Window',
      standard: 'Mod+K',
      enabled: always,
      run: openPalette,
    },
    {
      id: 'messages:open',
      group: 'Window',
      enabled: always,
      run: () => toasts.showAll(true),
    },
    {
      id: 'search:focus',
      group: 'Window',
      standard: 'Mod+F',
      enabled: hasSearch,
      run: focusSearch,
    },
    {
      id: 'detail:close',
      group: 'Window',
      standard: 'Escape',
      enabled: () => hasDetail(route.getState()),
      run: () => route.setState({ evaluation: null, call: null }),
    },
    {
      id: 'navigation:widen',
      group: 'Window',
      standard: 'Mod+B',
      enabled: always,
      run: () => viewState.setState(({ wideNavigation }) => ({ wideNavigation: !wideNavigation })),
    },
    {
      id: 'sessions:widen',
      group: 'Window',
      standard: 'Mod+Shift+B',
      enabled: () => route.getState().view === 'sessions',
      run: () => actions.widenSessions(),
    },
    theme('system'),
    theme('light'),
    theme('dark'),
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

/** Opens the palette where Ctrl+K is a line-editing key. Works everywhere. */
const PALETTE_EVERYWHERE = 'Mod+Shift+P';

/**
 * Returns the enabled command for a key press.
 * @param typing whether the focus is in a Lisp editor or terminal, where line-editing keys are not shortcuts
 */
export function commandFor(
  commands: readonly Command[],
  stroke: Stroke,
  mac: boolean,
  typing = false,
): Command | undefined {
  if (matchesShortcut(PALETTE_EVERYWHERE, stroke, mac))
    return commands.find(({ id }) => id === 'palette:open');
  if (typing && isLineEditing(stroke)) return undefined;
  return commands.find(
    ({ shortcut, enabled }) => shortcut !== undefined && matchesShortcut(shortcut, stroke, mac) && enabled(),
  );
}

/** The commands in the form that the application menu needs. */
export function menuCommands(commands: readonly Command[]): MenuCommand[] {
  return commands.map(({ id, title, group, shortcut }) => ({ id, title, group, shortcut: shortcut ?? null }));
}
