/** One command of a world: its form, what it brought, the ways to undo it or what follows it, and the final check of a theorem. */
import { ShieldCheck, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import type { WorldCommand, WorldEvent } from '../../electron/contract/world';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { keyed } from '../parts/keyed';
import { LispBlock } from '../parts/lisp';
import { ScrollArea } from '../parts/scroll-area';
import { useServices, useWords } from '../services';
import styles from './command-detail.module.css';
import { marksOf, titleOf } from './command-title';
import { UndoDialog, type UndoKind } from './undo-dialog';

interface CommandDetailProps {
  session: SessionView;
  command: WorldCommand;
  /** Those on top of it, oldest first. */
  later: readonly WorldCommand[];
}

export function CommandDetail({ session, command, later }: CommandDetailProps) {
  const words = useWords();
  const [asking, setAsking] = useState<UndoKind | null>(null);
  const { number, text, file, embeddable } = command;
  const busy = session.state !== 'idle';
  const { actions, route } = useServices();
  const theorem = theoremOf(command);
  const check = async (name: string) => {
    if (await actions.finalCheck(session.id, name)) route.setState({ tab: 'proof' });
  };
  return (
    <section className={styles.detail} aria-label={words.world.command(number)}>
      <header className={styles.head}>
        <h3>{words.world.command(number)}</h3>
        <Button icon={Undo2} isDisabled={busy || later.length === 0} onPress={() => setAsking('to')}>
          {words.world.undoTo}
        </Button>
        <Button isDisabled={busy} onPress={() => setAsking('alone')}>
          {words.world.takeOut}
        </Button>
        {theorem !== undefined && (
          <Button icon={ShieldCheck} isDisabled={busy} onPress={() => void check(theorem)}>
            {words.world.finalCheck}
          </Button>
        )}
        <CopyButton text={text} what={words.copying.form} />
      </header>
      <ScrollArea label={words.world.form} className={styles.body}>
        <LispBlock code={text} engine={session.engine} />
        {file !== null && <p className={styles.note}>{words.world.loadedFrom(file)}</p>}
        {!embeddable && <p className={styles.note}>{words.world.notEmbeddable}</p>}
        <Brought command={command} />
      </ScrollArea>
      {asking && (
        <UndoDialog
          session={session}
          command={command}
          later={later}
          kind={asking}
          onClose={() => setAsking(null)}
        />
      )}
    </section>
  );
}

/** The name of the theorem that the command is, if it is one. */
function theoremOf({ events }: WorldCommand): string | undefined {
  const own = events.filter(({ depth }) => depth === 0);
  return own.length === 1 && own[0]?.kind === 'DEFTHM' ? own[0].names[0] : undefined;
}

/** The events of a command that brought several, each with its marks; of a single event only the marks. */
function Brought({ command }: { command: WorldCommand }) {
  const words = useWords();
  const { events, eventCount } = command;
  const marks = marksOf(command, words);
  if (eventCount < 2)
    return marks.length > 0 && <p className={styles.note}>{marks.join(words.common.comma)}</p>;
  return (
    <ul className={styles.events} aria-label={words.world.eventsOf}>
      {eventCount > events.length && <li>{words.world.eventsBefore(eventCount - events.length)}</li>}
      {keyed(events).map(({ key, item }) => (
        <Event key={key} event={item} />
      ))}
    </ul>
  );
}

function Event({ event }: { event: WorldEvent }) {
  const words = useWords();
  const marks = marksOf({ events: [event] }, words);
  return (
    <li style={{ paddingLeft: 12 * event.depth }}>
      <code>{titleOf({ events: [{ ...event, depth: 0 }], text: event.kind }, words)}</code>
      {marks.length > 0 && <span> {marks.join(words.common.comma)}</span>}
    </li>
  );
}
