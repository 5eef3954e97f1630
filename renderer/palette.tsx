/** Every command by its name: typed, or chosen from the list. */
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
import { useLive, useRoute, useServices } from './services';
import { SESSION_TABS } from './session/session-tabs';

interface Entry {
  id: string;
  title: string;
  group: string;
  shortcut: string | undefined;
  run: () => void;
}

export function Palette() {
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
        <Dialog aria-label="Commands" className={styles.dialog ?? ''}>
          <Entries onChosen={close} />
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

function Entries({ onChosen }: { onChosen: () => void }) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const entries = useEntries();
  return (
    <Autocomplete filter={contains}>
      <SearchField aria-label="Command" autoFocus className={styles.search ?? ''}>
        <Input placeholder="What do you want to do?" />
      </SearchField>
      <Menu
        aria-label="Commands"
        items={entries}
        className={styles.menu ?? ''}
        renderEmptyState={() => <p className={styles.none}>No command is called so.</p>}
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

/** The commands that can be run now, the tabs of the session that is shown, and the sessions that can be gone to. */
function useEntries(): Entry[] {
  const { actions, commands, route } = useServices();
  const sessions = useLive((state) => state.sessions);
  const shown = useRoute(({ view, session }) =>
    view === 'sessions' && session ? sessions.get(session) : null,
  );
  return useMemo(
    () => [
      ...commands
        .filter(({ id, enabled }) => id !== 'palette:open' && enabled())
        .map(({ id, title, group, shortcut, run }) => ({ id, title, group, shortcut, run })),
      ...SESSION_TABS.filter((tab) => shown && tab.offered(shown)).map(({ id, title }) => ({
        ...{ id: `tab ${id}`, title, group: 'Tab', shortcut: undefined },
        run: () => shown && actions.openTab(shown.id, id),
      })),
      ...[...sessions.values()]
        .filter(({ state }) => state !== 'ended')
        .map(({ id, name }) => ({
          ...{ id: `go ${id}`, title: `Session ${name}`, group: 'Go', shortcut: undefined },
          run: () => route.setState({ view: 'sessions', session: id, typing: true }),
        })),
    ],
    [actions, commands, sessions, shown, route],
  );
}
