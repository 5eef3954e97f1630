/** The events tab: the commands of a session's world, newest last, and the selected command. */

import { Layers } from 'lucide-react';
import { useState } from 'react';
import { ListBox, ListBoxItem } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import type { WorldCommand, WorldCommands } from '../../electron/contract/world';
import { useWorld } from '../image-queries';
import { Button } from '../parts/button';
import { engineTitle } from '../parts/format';
import { useFollowedEnd } from '../parts/scroll-area';
import { SplitPane } from '../parts/split-pane';
import { Empty, Problem } from '../parts/view';
import { useServices, useViewState, useWords } from '../services';
import { Asleep } from '../session/asleep';
import { CommandDetail } from './command-detail';
import { marksOf, titleOf } from './command-title';
import styles from './events-tab.module.css';

/** Number of commands per request. An image needs half a millisecond for each. */
const PAGE = 200;

export function EventsTab({ session }: { session: SessionView }) {
  const words = useWords();
  const [last, setLast] = useState(PAGE);
  const { data, error } = useWorld(session, last);
  const { state, engine } = session;
  if (state === 'ended') return <Unavailable>{words.world.ended}</Unavailable>;
  if (state === 'asleep') return <Asleep session={session} />;
  if (state === 'lost') return <Unavailable>{words.world.lost}</Unavailable>;
  if (error) return <Problem>{error.message}</Problem>;
  if (!data) return state === 'running' ? <Unavailable>{words.world.running}</Unavailable> : null;
  if (data.total === 0) {
    return (
      <Empty icon={Layers} title={words.world.none}>
        {words.world.noneAbout(engineTitle(engine))}
      </Empty>
    );
  }
  return <Stack session={session} world={data} onOlder={() => setLast(last + PAGE)} />;
}

function Unavailable({ children }: { children: string }) {
  return <p className={styles.unavailable}>{children}</p>;
}

interface StackProps {
  session: SessionView;
  world: WorldCommands;
  onOlder: () => void;
}

function Stack({ session, world: { commands, total }, onOlder }: StackProps) {
  const words = useWords();
  const { viewState } = useServices();
  const chosen = useViewState((state) => state.commands[session.id]);
  const choose = (number: number) =>
    viewState.setState((state) => ({ commands: { ...state.commands, [session.id]: number } }));
  const busy = session.state !== 'idle';
  const shown = commands.find(({ number }) => number === chosen);
  const later = commands.filter(({ number }) => shown !== undefined && number > shown.number);
  return (
    <div className={styles.whole} aria-busy={busy}>
      {busy && (
        <p className={styles.busy} role="note">
          {words.world.busy}
        </p>
      )}
      <SplitPane
        name="world"
        columnsFrom={620}
        initial={0.45}
        list={
          <CommandList
            commands={commands}
            older={total - commands.length}
            chosen={shown ? shown.number : null}
            onOlder={onOlder}
            onChoose={choose}
          />
        }
        detail={shown ? <CommandDetail session={session} command={shown} later={later} /> : null}
      />
    </div>
  );
}

// The list of commands: number, title and marks.

interface CommandListProps {
  commands: readonly WorldCommand[];
  /** Number of older commands that are not listed. */
  older: number;
  chosen: number | null;
  onOlder: () => void;
  onChoose: (number: number) => void;
}

function CommandList({ commands, older, chosen, onOlder, onChoose }: CommandListProps) {
  const words = useWords();
  const area = useFollowedEnd();
  return (
    <div ref={area} className={styles.area}>
      {older > 0 && <Button onPress={onOlder}>{words.world.loadOlder(words.formats.number(older))}</Button>}
      <ListBox
        aria-label={words.world.events}
        className={styles.list ?? ''}
        items={commands}
        selectionMode="single"
        selectionBehavior="replace"
        disallowEmptySelection
        // Escape closes the detail of the session. By default the list would consume the key.
        escapeKeyBehavior="none"
        selectedKeys={chosen === null ? [] : [chosen]}
        onSelectionChange={(keys) => {
          const [key] = keys === 'all' ? [] : keys;
          if (typeof key === 'number') onChoose(key);
        }}
      >
        {(command) => (
          <ListBoxItem
            id={command.number}
            textValue={titleOf(command, words)}
            className={styles.command ?? ''}
          >
            <Command command={command} />
          </ListBoxItem>
        )}
      </ListBox>
    </div>
  );
}

function Command({ command }: { command: WorldCommand }) {
  const words = useWords();
  const title = titleOf(command, words);
  return (
    <>
      <span className={styles.number}>{command.number}</span>
      <span className={styles.title} title={title}>
        {title}
      </span>
      <span className={styles.marks}>{marksOf(command, words).join(words.common.comma)}</span>
    </>
  );
}
