/** The command palette. */
import { useMemo } from 'react';
import {
  Autocomplete,
  Dialog,
  Input,
  Menu,
  MenuItem,
  Modal,
  ModalOverlay,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { useStore } from 'zustand';
import styles from './palette.module.css';
import { Shortcut } from './parts/button';
import { useLive, useRoute, useServices, useWords } from './services';
import { paneShortcut } from './session/panes';
import { SESSION_TABS } from './session/session-tabs';

interface Entry {
  id: string;
  title: string;
  group: string;
  shortcut: string | undefined;
  run: () => void;
}

export function Palette() {
  const words = useWords();
  const { palette } = useServices();
  const isOpen = useStore(palette);
  const close = () => palette.setState(false, true);
  return (
    <ModalOverlay
      isOpen={isOpen}
      isDismissable
      onOpenChange={(open) => !open && close()}
      className={styles.veil ?? ''}
    >
      <Modal className={styles.modal ?? ''}>
        <Dialog aria-label={words.commands.palette} className={styles.dialog ?? ''}>
          <Entries onChosen={close} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Entries({ onChosen }: { onChosen: () => void }) {
  const words = useWords();
  const { contains } = useFilter({ sensitivity: 'base' });
  const entries = useEntries();
  return (
    <Autocomplete filter={contains}>
      <SearchField aria-label={words.commands.command} autoFocus className={styles.search ?? ''}>
        <Input placeholder={words.commands.ask} />
      </SearchField>
      <Menu
        aria-label={words.commands.palette}
        items={entries}
        className={styles.menu ?? ''}
        renderEmptyState={() => <p className={styles.none}>{words.commands.noneFits}</p>}
        onAction={(key) => {
          onChosen();
          entries.find(({ id }) => id === key)?.run();
        }}
      >
        {({ id, title, group, shortcut }) => (
          <MenuItem id={id} textValue={`${title} ${group}`} className={styles.item ?? ''}>
            <span>{title}</span>
            <span className={styles.group}>{group}</span>
            {shortcut ? <Shortcut keys={shortcut} /> : <span />}
          </MenuItem>
        )}
      </Menu>
    </Autocomplete>
  );
}

/** The enabled commands, the tabs of the shown session and the open sessions. */
function useEntries(): Entry[] {
  const words = useWords();
  const { actions, commands, route, mac } = useServices();
  const sessions = useLive((state) => state.sessions);
  const shown = useRoute(({ view, session }) =>
    view === 'sessions' && session ? sessions.get(session) : null,
  );
  return useMemo(
    () => [
      ...commands
        .filter(({ id, enabled }) => id !== 'palette:open' && enabled())
        .map(({ id, title, group, shortcut, run }) => ({
          ...{ id, title, shortcut, run },
          group: words.commands.groups[group],
        })),
      ...SESSION_TABS.filter((tab) => shown && tab.offered(shown)).map(({ id }, place) => ({
        ...{
          id: `tab ${id}`,
          title: words.session.tabs[id],
          group: words.commands.groups.Tab,
          shortcut: paneShortcut(place, mac),
        },
        run: () => shown && actions.openTab(shown.id, id),
      })),
      ...[...sessions.values()]
        .filter(({ state }) => state !== 'ended')
        .map(({ id, name }) => ({
          ...{
            id: `go ${id}`,
            title: words.commands.session(name),
            group: words.commands.groups.Go,
            shortcut: undefined,
          },
          run: () => route.setState({ view: 'sessions', session: id, typing: true }),
        })),
    ],
    [actions, commands, sessions, shown, route, words, mac],
  );
}
