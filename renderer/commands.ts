/**
 * The commands: each action once, with its title and shortcut. The palette, the application menu, buttons, tooltips and the
 * keyboard all read this table.
 */
import type { StoreApi } from 'zustand';
import type { MenuCommand } from '../electron/contract/commands';
import type { SessionId, SessionView } from '../electron/contract/model';
import type { Words } from '../electron/words/words';
import type { Actions } from './actions';
import { selectedCodeOf, selectedName } from './browse/symbol-at';
import type { LiveState } from './live';
import { type Route, VIEWS, type ViewId } from './route';
import { hasImage, type SessionAct, type SessionActId } from './session/session-acts';
import { isLineEditing, matchesShortcut, type Stroke } from './shortcuts';
import type { Toasts } from './toasts';
import type { ViewState } from './view-state';

export type CommandId =
  | `view:${ViewId}`
  | 'palette:open'
  | 'messages:open'
  | 'session:open'
  | 'session:wake'
  | SessionActId
  | 'repl:terminal'
  | 'browse:symbol'
  | 'agents:pause'
  | 'agents:go-on'
  | 'search:focus'
  | 'detail:close'
  | 'endpoint:copy'
  | 'project:choose'
  | 'theme:system'
  | 'theme:light'
  | 'theme:dark';

export interface Command {
  id: CommandId;
  /** In the language of the moment. */
  readonly title: string;
  group: MenuCommand['group'];
  /** What starts it unless a person chose otherwise, as shortcuts.ts writes it. */
  standard?: string;
  /** What starts it; absent when nothing does. */
  readonly shortcut?: string | undefined;
  /** Whether it can be run now; its shortcut does nothing when it cannot. */
  enabled: () => boolean;
  run: () => void;
}

export interface CommandDependencies {
  actions: Actions;
  acts: readonly SessionAct[];
  toasts: Toasts;
  live: StoreApi<LiveState>;
  route: StoreApi<Route>;
  viewState: StoreApi<ViewState>;
  words: () => Words;
  /** Shortcuts that a person chose, by command. */
  chosen: () => Readonly<Record<string, string>>;
  openPalette: () => void;
}

type Plain = Omit<Command, 'title' | 'shortcut'> & { id: Exclude<CommandId, SessionActId> };

/** An action of the session that is shown, which names itself. */
type Act = Omit<Command, 'title' | 'shortcut'> & { titleIn: (words: Words) => string };

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
    ...actCommands(dependencies),
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

/** The session that is in front of a person. */
function shownIn({ route, live }: CommandDependencies): SessionView | undefined {
  const { view, session } = route.getState();
  return view === 'sessions' && session !== null ? live.getState().sessions.get(session) : undefined;
}

/** The session whose code is selected, also in the history, or else the one that is shown. */
function meantIn(dependencies: CommandDependencies): SessionView | undefined {
  const id = selectedCodeOf();
  return id === null ? shownIn(dependencies) : dependencies.live.getState().sessions.get(id);
}

function actCommands(dependencies: CommandDependencies): readonly Act[] {
  const shown = () => shownIn(dependencies);
  const acts = dependencies.acts.filter(({ showsTab }) => !showsTab);
  return acts.map(({ id, standard, title, offered = always, enabled, run }) => ({
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
  /** Of the session that is shown, where its state lets it. */
  const ofShown = (
    id: Plain['id'],
    fits: (session: SessionView) => boolean,
    run: (session: SessionId) => unknown,
    standard?: string,
  ): Plain => ({
    ...{ id, group: 'Session' },
    ...(standard === undefined ? {} : { standard }),
    enabled: () => {
      const session = shownIn(dependencies);
      return session !== undefined && fits(session);
    },
    run: () => {
      const session = shownIn(dependencies);
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
        const session = meantIn(dependencies);
        return session !== undefined && hasImage(session) && selectedName() !== null;
      },
      run: () => {
        const session = meantIn(dependencies);
        if (session) actions.browse(session.id, selectedName() ?? '');
      },
    },
    ofShown(
      'session:wake',
      ({ state }) => state === 'asleep',
      (id) => actions.wake(id),
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
      run: () => void actions.sandbox.pauseAll(true),
    },
    {
      id: 'agents:go-on',
      group: 'Agents',
      enabled: isPaused,
      run: () => void actions.sandbox.pauseAll(false),
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

function windowCommands({ actions, toasts, route, openPalette }: CommandDependencies): readonly Plain[] {
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

/** What opens the palette where Ctrl+K erases to the end of the line, and everywhere else as well. */
const PALETTE_EVERYWHERE = 'Mod+Shift+P';

/** The command whose shortcut was pressed, if it can be run now.
 * @param typing whether a person types Lisp there, and has the keys of line editing to themselves */
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

/** The table as the application menu shows it. */
export function menuCommands(commands: readonly Command[]): MenuCommand[] {
  return commands.map(({ id, title, group, shortcut }) => ({ id, title, group, shortcut: shortcut ?? null }));
}
