/** The tab with the events of a session's world: its commands, the newest last, and the chosen one beside them. */
import { Layers } from 'lucide-react';
import { useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import type { WorldCommands } from '../../electron/contract/world';
import { useWorld } from '../image-queries';
import { Empty, Problem } from '../parts/feedback';
import { engineTitle } from '../parts/format';
import { SplitPane } from '../parts/split-pane';
import { useServices, useViewState, useWords } from '../services';
import { Asleep } from '../session/asleep';
import { CommandDetail } from './command-detail';
import { CommandList } from './command-list';
import styles from './events-tab.module.css';

/** How many commands are asked for at a time: an image takes half a millisecond to tell one. */
const PAGE = 200;

export function EventsTab({ session }: { session: SessionView }) {
  const words = useWords();
  const [last, setLast] = useState(PAGE);
  const { data, error } = useWorld(session, last);
  const { state, engine } = session;
  if (state === 'ended') return <Gone>{words.world.ended}</Gone>;
  if (state === 'asleep') return <Asleep session={session} />;
  if (state === 'lost') return <Gone>{words.world.lost}</Gone>;
  if (error) return <Problem>{error.message}</Problem>;
  if (!data) return state === 'running' ? <Gone>{words.world.running}</Gone> : null;
  if (data.total === 0) {
    return (
      <Empty icon={Layers} title={words.world.none}>
        {words.world.noneAbout(engineTitle(engine))}
      </Empty>
    );
  }
  return <Stack session={session} world={data} onOlder={() => setLast(last + PAGE)} />;
}

function Gone({ children }: { children: string }) {
  return <p className={styles.gone}>{children}</p>;
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
        besideFrom={620}
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
