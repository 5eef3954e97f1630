/** The tabs next to a session's REPL, in one pane or in two panes side by side. */
import { ChevronDown, Columns2, X } from 'lucide-react';
import { type RefObject, useEffect, useRef } from 'react';
import { MenuTrigger, Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { IconButton, Menu, MenuItem } from '../parts/button';

import { SplitPane } from '../parts/split-pane';
import { useRoute, useServices, useViewState, useWords } from '../services';
import { WithImage } from './asleep';
import { SESSION_TABS, type SessionTab } from './session-tabs';
import styles from './tab-panes.module.css';

export function TabPanes({ session }: { session: SessionView }) {
  const words = useWords();
  const { route, viewState, actions } = useServices();
  const tab = useRoute((state) => state.tab);
  const second = useViewState(({ secondTab }) => secondTab);
  const offered = SESSION_TABS.filter((each) => each.offered(session));
  const chooseSecond = (id: string | null) => viewState.setState({ secondTab: id });
  const closeFirst = () => {
    if (second === null) return route.setState({ tab: null });
    // The other pane gets all the space.
    chooseSecond(null);
    actions.openTab(session.id, second);
  };
  const first = (
    <TabPane
      label={words.session.nextToRepl}
      session={session}
      offered={offered}
      chosen={tab}
      onChoose={(id) => actions.openTab(session.id, id)}
      onSplit={second === null ? () => chooseSecond(otherThan(tab, offered)) : null}
      isOneOfTwo={second !== null}
      onClose={closeFirst}
    />
  );
  return (
    <SplitPane
      name="tabs"
      columnsFrom={620}
      initial={0.5}
      line={words.session.resizeSecond}
      list={first}
      detail={
        second && (
          <TabPane
            label={words.session.second}
            session={session}
            offered={offered}
            chosen={second}
            onChoose={chooseSecond}
            onSplit={null}
            isOneOfTwo
            onClose={() => chooseSecond(null)}
          />
        )
      }
    />
  );
}

interface TabPaneProps {
  label: string;
  session: SessionView;
  offered: readonly SessionTab[];
  /** The id of a tab. The first tab replaces an unavailable one. */
  chosen: string | null;
  onChoose: (id: string) => void;
  /** Opens a second pane; null if there is one. */
  onSplit: (() => void) | null;
  isOneOfTwo: boolean;
  onClose: () => void;
}

function TabPane({ label, session, offered, chosen, onChoose, onSplit, isOneOfTwo, onClose }: TabPaneProps) {
  const words = useWords();
  const shown = offered.find(({ id }) => id === chosen) ?? offered[0];
  const close =
    shown && isOneOfTwo ? words.session.closeTab(words.session.tabs[shown.id]) : words.session.closeTabs;
  const strip = useRef<HTMLDivElement>(null);
  useScrolledIntoView(strip, shown?.id);
  return (
    <Tabs
      className={styles.tabs ?? ''}
      selectedKey={shown?.id ?? ''}
      onSelectionChange={(key) => {
        // A tab that replaces an unavailable one was not chosen by the user.
        if (key !== shown?.id) onChoose(String(key));
      }}
    >
      <div className={styles.bar}>
        <TabList ref={strip} aria-label={label} className={styles.tablist ?? ''}>
          {offered.map(({ id }) => (
            <Tab key={id} id={id} className={styles.tab ?? ''}>
              {words.session.tabs[id]}
            </Tab>
          ))}
        </TabList>
        <div className={styles.tools}>
          <MenuTrigger>
            <IconButton icon={ChevronDown} label={words.session.allTabs} />
            <Menu label={words.session.allTabs}>
              {offered.map(({ id }) => (
                <MenuItem key={id} title={words.session.tabs[id]} about="" onChoose={() => onChoose(id)} />
              ))}
            </Menu>
          </MenuTrigger>
          {onSplit && <IconButton icon={Columns2} label={words.session.showSecond} onPress={onSplit} />}
          <IconButton icon={X} label={close} onPress={onClose} />
        </div>
      </div>
      {offered.map((tab) => (
        <TabPanel key={tab.id} id={tab.id} className={styles.panel ?? ''}>
          <Shown tab={tab} session={session} />
        </TabPanel>
      ))}
    </Tabs>
  );
}

/** Scrolls the selected tab into view when the selection or the width of the strip changes. */
function useScrolledIntoView(strip: RefObject<HTMLElement | null>, shown: string | undefined): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls again for another tab.
  useEffect(() => {
    const element = strip.current;
    if (!element) return;
    const observer = new ResizeObserver(() =>
      element.querySelector('[aria-selected=true]')?.scrollIntoView({ inline: 'nearest', block: 'nearest' }),
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, [strip, shown]);
}

function Shown({ tab: { Panel, needsImage }, session }: { tab: SessionTab; session: SessionView }) {
  if (!needsImage) return <Panel session={session} />;
  return (
    <WithImage session={session}>
      <Panel session={session} />
    </WithImage>
  );
}

function otherThan(tab: string | null, offered: readonly SessionTab[]): string | null {
  return offered.find(({ id }) => id !== tab)?.id ?? null;
}
