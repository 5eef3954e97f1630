/** The pane next to a session's REPL, split in two on request, and the rail that opens it. */
import {
  Activity,
  Bug,
  ChartPie,
  ChevronDown,
  FileClock,
  FileDiff,
  FileText,
  GitBranch,
  Hammer,
  ListTree,
  type LucideIcon,
  Pickaxe,
  Rows2,
  ScanSearch,
  ScrollText,
  Sigma,
  X,
} from 'lucide-react';
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { MenuTrigger } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { IconButton, Menu, MenuItem } from '../parts/button';
import { RailButton } from '../parts/rail';
import { SplitPane } from '../parts/split-pane';
import { useRoute, useServices, useViewState, useWords } from '../services';
import { WithImage } from './asleep';
import styles from './panes.module.css';
import { SESSION_TABS, type SessionTab } from './session-tabs';

const ICONS: Readonly<Record<SessionTab['id'], LucideIcon>> = {
  debugger: Bug,
  inspector: ScanSearch,
  browse: ListTree,
  changes: FileDiff,
  definitions: FileText,
  proof: Sigma,
  builder: Hammer,
  events: ScrollText,
  taps: Pickaxe,
  checkpoints: GitBranch,
  run: Activity,
  memory: ChartPie,
  log: FileClock,
};

/**
 * The shortcut of the pane at this place in the rail; the keys end at 9. On macOS Option types characters, such as
 * brackets on a German keyboard.
 */
export function paneShortcut(place: number, mac: boolean): string | undefined {
  return place < 9 ? `${mac ? 'Control' : 'Alt'}+${place + 1}` : undefined;
}

/** The id that connects a tab of the rail with its panel. */
const panelId = (id: string) => `pane-${id}`;

/** One icon with its name for each pane. The icon of the open pane closes it. */
export function PaneRail({ session }: { session: SessionView }) {
  const words = useWords();
  const { actions, mac } = useServices();
  const tab = useRoute((state) => state.tab);
  const rail = useRef<HTMLDivElement>(null);
  const close = useClosePane();
  const offered = SESSION_TABS.filter((each) => each.offered(session));
  const shown = shownTab(tab, offered);
  const toggle = (id: string) => (id === shown?.id ? close() : actions.openTab(session.id, id));
  usePaneKeys(mac, (place) => {
    const chosen = offered[place];
    if (chosen) toggle(chosen.id);
  });
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const all = [...event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')];
    const next = nextPlace(event.key, all.indexOf(event.target as HTMLElement), all.length);
    const chosen = next === null ? undefined : offered[next];
    if (next === null || !chosen) return;
    event.preventDefault();
    all[next]?.focus();
    actions.openTab(session.id, chosen.id);
  };
  useScrolledIntoView(rail, shown?.id);
  return (
    <div ref={rail} role="tablist" aria-label={words.session.panes} className={styles.rail} onKeyDown={press}>
      {offered.map(({ id }, place) => {
        const isShown = id === shown?.id;
        return (
          <RailButton
            key={id}
            icon={ICONS[id]}
            name={words.session.tabs[id]}
            shortcut={paneShortcut(place, mac)}
            role="tab"
            aria-selected={isShown}
            aria-controls={isShown ? panelId(id) : undefined}
            // Only one tab is a tab stop; the arrow keys move between them.
            tabIndex={isShown || (!shown && place === 0) ? 0 : -1}
            onClick={({ detail }) => {
              // By the keyboard, the open pane gets the focus.
              if (detail === 0 && isShown) focusFirst(panelId(id));
              else toggle(id);
            }}
          />
        );
      })}
    </div>
  );
}

function focusFirst(id: string): void {
  document.getElementById(id)?.querySelector<HTMLElement>('button, input, a, [tabindex="0"]')?.focus();
}

/** Calls `choose` with the place of a pane when its shortcut is pressed. */
function usePaneKeys(mac: boolean, choose: (place: number) => void): void {
  const latest = useRef(choose);
  latest.current = choose;
  useEffect(() => {
    const press = (event: globalThis.KeyboardEvent) => {
      const [, digit] = /^Digit([1-9])$/.exec(event.code) ?? [];
      const [modifier, other] = mac ? [event.ctrlKey, event.altKey] : [event.altKey, event.ctrlKey];
      const isOther = !modifier || other || event.metaKey || event.shiftKey;
      if (digit === undefined || isOther || document.querySelector('[role=dialog], [role=menu]')) return;
      event.preventDefault();
      event.stopPropagation();
      latest.current(Number(digit) - 1);
    };
    // Runs before the editor and the terminal.
    addEventListener('keydown', press, { capture: true });
    return () => removeEventListener('keydown', press, { capture: true });
  }, [mac]);
}

function nextPlace(key: string, place: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
    case 'ArrowRight':
      return (place + 1) % count;
    case 'ArrowUp':
    case 'ArrowLeft':
      return (place + count - 1) % count;
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return null;
  }
}

/** Returns the function that closes the first pane. The second one gets its space. */
function useClosePane(): () => void {
  const { route, viewState } = useServices();
  return () => {
    const { secondTab } = viewState.getState();
    if (secondTab === null) viewState.setState({ opensDebugger: false });
    else viewState.setState({ secondTab: null });
    route.setState({ tab: secondTab });
  };
}

/** The open pane: the first that the session has in place of one that it lacks. */
function shownTab(tab: string | null, offered: readonly SessionTab[]): SessionTab | undefined {
  return tab === null ? undefined : (offered.find(({ id }) => id === tab) ?? offered[0]);
}

export function Panes({ session }: { session: SessionView }) {
  const words = useWords();
  const { viewState } = useServices();
  const tab = useRoute((state) => state.tab);
  const second = useViewState(({ secondTab }) => secondTab);
  const close = useClosePane();
  const offered = SESSION_TABS.filter((each) => each.offered(session));
  const shown = shownTab(tab, offered);
  const shownSecond = shownTab(second, offered);
  const chooseSecond = (id: string | null) => viewState.setState({ secondTab: id });
  if (!shown) return null;
  const closeFirst = shownSecond ? words.session.closeTab(words.session.tabs[shown.id]) : words.session.close;
  return (
    <SplitPane
      name="tabs"
      columnsFrom={620}
      initial={0.5}
      line={words.session.resizeSecond}
      list={
        <Pane session={session} tab={shown} id={panelId(shown.id)}>
          {!shownSecond && (
            <IconButton
              icon={Rows2}
              label={words.session.split}
              onPress={() => chooseSecond(offered.find(({ id }) => id !== shown.id)?.id ?? null)}
            />
          )}
          <IconButton icon={X} label={closeFirst} onPress={close} />
        </Pane>
      }
      detail={
        shownSecond ? (
          <Pane session={session} tab={shownSecond} id="second-pane">
            <MenuTrigger>
              <IconButton icon={ChevronDown} label={words.session.chooseSecond} />
              <Menu label={words.session.chooseSecond}>
                {offered.map(({ id }) => (
                  <MenuItem
                    key={id}
                    title={words.session.tabs[id]}
                    about=""
                    onChoose={() => chooseSecond(id)}
                  />
                ))}
              </Menu>
            </MenuTrigger>
            <IconButton
              icon={X}
              label={words.session.closeTab(words.session.tabs[shownSecond.id])}
              onPress={() => chooseSecond(null)}
            />
          </Pane>
        ) : null
      }
    />
  );
}

interface PaneProps {
  session: SessionView;
  tab: SessionTab;
  id: string;
  /** The buttons at the end of its title. */
  children: ReactNode;
}

function Pane({ session, tab: { id: name, needsImage, Panel }, id, children }: PaneProps) {
  const words = useWords();
  const panel = <Panel key={name} session={session} />;
  return (
    <section id={id} role="tabpanel" aria-label={words.session.tabs[name]} className={styles.pane}>
      <header className={styles.head}>
        <h3>{words.session.tabs[name]}</h3>
        <div className={styles.tools}>{children}</div>
      </header>
      {needsImage ? <WithImage session={session}>{panel}</WithImage> : panel}
    </section>
  );
}

/** Scrolls the open pane's tab into view when another opens or the rail gets another size. */
function useScrolledIntoView(rail: RefObject<HTMLElement | null>, shown: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again for another tab.
  useEffect(() => {
    const element = rail.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      element.querySelector('[aria-selected=true]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [rail, shown]);
}
