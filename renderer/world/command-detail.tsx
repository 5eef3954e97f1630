/** One command of a world: its form, its events, undo, and the final check of a theorem. */

import { ShieldCheck, Undo2 } from 'lucide-react';
import { useState } from 'react';
import type { SessionView } from '../../electron/contract/model';
import type { WorldCommand, WorldEvent } from '../../electron/contract/world';
import { Button, CopyButton } from '../parts/button';
import { LispBlock } from '../parts/code';
import { ConfirmDialog } from '../parts/dialog';
import { ScrollArea } from '../parts/scroll-area';
import { keyed } from '../parts/view';
import { useServices, useWords } from '../services';
import styles from './command-detail.module.css';
import { marksOf, titleOf } from './command-title';

interface CommandDetailProps {
  session: SessionView;
  command: WorldCommand;
  /** The commands after it, oldest first. */
  later: readonly WorldCommand[];
}

export function CommandDetail({ session, command, later }: CommandDetailProps) {
  const words = useWords();
  const [undoKind, setUndoKind] = useState<UndoKind | null>(null);
  const { number, text, file, embeddable } = command;
  const busy = session.state !== 'idle';
  const { actions, route } = useServices();
  const theorem = theoremOf(command);
  const check = async (name: string) => {
    if (await actions.harbor.world.check({ session: session.id, claim: name }))
      route.setState({ tab: 'proof' });
  };
  return (
    <section className={styles.detail} aria-label={words.world.command(number)}>
      <header className={styles.head}>
        <h3>{words.world.command(number)}</h3>
        <Button icon={Undo2} isDisabled={busy || later.length === 0} onPress={() => setUndoKind('to')}>
          {words.world.undoTo}
        </Button>
        <Button isDisabled={busy} onPress={() => setUndoKind('alone')}>
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
      {undoKind && (
        <UndoDialog
          session={session}
          command={command}
          later={later}
          kind={undoKind}
          onClose={() => setUndoKind(null)}
        />
      )}
    </section>
  );
}

/** Returns the name of the theorem that the command proved; undefined for other commands. */
function theoremOf({ events }: WorldCommand): string | undefined {
  const own = events.filter(({ depth }) => depth === 0);
  return own.length === 1 && own[0]?.kind === 'DEFTHM' ? own[0].names[0] : undefined;
}

/** The events of a command with their marks. For a single event, only the marks. */
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

// Confirms an undo, and lists the commands that it affects.

/** `to` undoes all commands after this one. `alone` removes this one and submits the later ones again. */
type UndoKind = 'to' | 'alone';

interface UndoDialogProps {
  session: SessionView;
  command: WorldCommand;
  later: readonly WorldCommand[];
  kind: UndoKind;
  onClose: () => void;
}

function UndoDialog(props: UndoDialogProps) {
  return props.kind === 'to' ? <UndoTo {...props} /> : <TakeOut {...props} />;
}

function UndoTo({ session, command, later, onClose }: UndoDialogProps) {
  const words = useWords();
  const { actions } = useServices();
  const { number } = command;
  return (
    <ConfirmDialog
      title={words.world.undoToQuestion(number)}
      confirm={words.world.undoNow(later.length)}
      onConfirm={() => void actions.undoTo(session, number, later.length)}
      onClose={onClose}
      details={<Commands label={words.world.wouldBeUndone} commands={later} />}
    >
      {words.world.undoToAbout(session.name, titleOf(command, words))}
    </ConfirmDialog>
  );
}

function TakeOut({ session, command, later, onClose }: UndoDialogProps) {
  const words = useWords();
  const { actions } = useServices();
  const { number } = command;
  return (
    <ConfirmDialog
      title={words.world.removeCommandQuestion(number)}
      confirm={words.world.takeOutNow(number)}
      onConfirm={() => void actions.takeOut(session, number)}
      onClose={onClose}
      details={later.length > 0 && <Commands label={words.world.wouldBeProved} commands={later} />}
    >
      {words.world.takeOutAbout(titleOf(command, words), session.name)}
      {later.length > 0 && words.world.takeOutFollows}
    </ConfirmDialog>
  );
}

function Commands({ label, commands }: { label: string; commands: readonly WorldCommand[] }) {
  const words = useWords();
  return (
    <ol className={styles.commands} aria-label={label}>
      {commands.map((command) => (
        <li key={command.number}>
          <span>{command.number}</span> <code>{titleOf(command, words)}</code>
        </li>
      ))}
    </ol>
  );
}
