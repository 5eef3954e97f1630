/** The tab with the checkpoints of the project and engine of a session. */

import { Bookmark, BookmarkPlus, CircleDashed } from 'lucide-react';
import { type Ref, useEffect, useRef, useState } from 'react';
import { FieldError, Form, Input, Label, Text, TextField, VisuallyHidden } from 'react-aria-components';
import type { CheckpointView } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { useCheckpoints, useCheckpointsBeingSaved, useSaveCheckpoint } from '../bridge-queries';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import fields from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { engineTitle } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { StateMark } from '../parts/state-mark';
import tables from '../parts/table.module.css';
import { useNow } from '../parts/text';
import { Empty, Problem } from '../parts/view';
import { useWords } from '../services';
import { CheckpointRow, COLUMNS } from './checkpoint-row';
import styles from './checkpoints-tab.module.css';

export function CheckpointsTab({ session }: { session: SessionView }) {
  const { data, error } = useCheckpoints();
  if (!session.checkpoints) return <Unsupported session={session} />;
  if (error) return <Problem>{error.message}</Problem>;
  if (!data) return null;
  const { project, engine } = session;
  const found = data.filter((checkpoint) => checkpoint.project === project && checkpoint.engine === engine);
  return <Found session={session} checkpoints={found} />;
}

interface FoundProps {
  session: SessionView;
  checkpoints: readonly CheckpointView[];
}

function Found({ session, checkpoints }: FoundProps) {
  const words = useWords();
  const saving = useCheckpointsBeingSaved(session.id);
  const [naming, setNaming] = useState(false);
  const rows = checkpoints.length + saving.length;
  const whole = useFallbackFocus(rows);
  const save = session.state !== 'ended' && (
    <Button icon={BookmarkPlus} onPress={() => setNaming(true)}>
      {words.checkpoints.save}
    </Button>
  );
  return (
    <div ref={whole} tabIndex={-1} className={styles.whole}>
      {rows === 0 ? (
        <Empty icon={Bookmark} title={words.checkpoints.none} action={save}>
          {words.checkpoints.noneAbout(session.world)}
        </Empty>
      ) : (
        <>
          <header className={styles.head}>
            <p title={session.project}>{words.checkpoints.allOf(engineTitle(session.engine))}</p>
            {save}
          </header>
          <List session={session} checkpoints={checkpoints} saving={saving} />
        </>
      )}
      {naming && <SaveCheckpoint session={session} others={checkpoints} onClose={() => setNaming(false)} />}
    </div>
  );
}

function Unsupported({ session: { engine } }: { session: SessionView }) {
  const words = useWords();
  return (
    <Empty icon={Bookmark} title={words.checkpoints.unsupported(engineTitle(engine))}>
      {words.checkpoints.unsupportedAbout}
    </Empty>
  );
}

interface ListProps extends FoundProps {
  /** Names of checkpoints that are being saved. */
  saving: readonly string[];
}

function List({ session, checkpoints, saving }: ListProps) {
  const words = useWords();
  const now = useNow(10_000);
  return (
    <ScrollArea
      label={words.checkpoints.title}
      className={styles.area}
      rememberAs={`checkpoints of ${session.id}`}
    >
      <table className={`${tables.table} ${styles.table}`} aria-label={words.checkpoints.title}>
        <thead>
          <tr>
            <th>{words.checkpoints.name}</th>
            <th className={styles.when}>{words.checkpoints.saved}</th>
            <th className={styles.from}>{words.checkpoints.from}</th>
            <th className={styles.package}>{words.checkpoints.package}</th>
            <th className={`${styles.size} ${tables.figure}`}>{words.checkpoints.size}</th>
            <th className={styles.actions}>
              <VisuallyHidden>{words.checkpoints.actions}</VisuallyHidden>
            </th>
          </tr>
        </thead>
        {saving.map((name) => (
          <Saving key={name} name={name} />
        ))}
        {checkpoints.map((checkpoint) => (
          <CheckpointRow key={checkpoint.id} session={session} checkpoint={checkpoint} now={now} />
        ))}
      </table>
    </ScrollArea>
  );
}

function Saving({ name }: { name: string }) {
  const words = useWords();
  return (
    <tbody className={styles.checkpoint} role="status">
      <tr>
        <td colSpan={COLUMNS}>
          <StateMark icon={CircleDashed} tone="active" word={words.checkpoints.saving(name)} />
          {words.checkpoints.savingMeanwhile}
        </td>
      </tr>
    </tbody>
  );
}

/** Returns a ref for an element that gets the focus when the focused button disappears. */
function useFallbackFocus(rows: number): Ref<HTMLDivElement> {
  const element = useRef<HTMLDivElement>(null);
  const before = useRef(rows);
  useEffect(() => {
    if (before.current === rows) return;
    before.current = rows;
    if (document.activeElement === document.body) element.current?.focus();
  }, [rows]);
  return element;
}

const FORM = 'save-checkpoint';

interface SaveCheckpointProps {
  session: SessionView;
  /** Checkpoints of the project and engine. */
  others: readonly CheckpointView[];
  onClose: () => void;
}

/**
 * Saves a checkpoint, under a generated name if none is given. Closes when saving begins; the list shows the
 * progress.
 */
function SaveCheckpoint({ session, others, onClose }: SaveCheckpointProps) {
  const words = useWords();
  const { mutate: save } = useSaveCheckpoint(session.id);
  const [name, setName] = useState('');
  const taken = (typed: string) =>
    others.some((other) => other.client === session.client && other.name === typed.trim());
  const buttons = (
    <>
      <Button onPress={onClose}>{words.common.cancel}</Button>
      <Button kind="primary" type="submit" form={FORM}>
        {words.checkpoints.saveNow}
      </Button>
    </>
  );
  return (
    <Dialog title={words.checkpoints.saveOf(session.name)} onClose={onClose} buttons={buttons}>
      <Form
        id={FORM}
        onSubmit={(event) => {
          event.preventDefault();
          save(name.trim());
          onClose();
        }}
      >
        <TextField
          autoFocus
          maxLength={80}
          value={name}
          onChange={setName}
          className={form.field ?? ''}
          validate={(typed) => (taken(typed) ? words.checkpoints.taken : null)}
        >
          <Label className={form.label ?? ''}>{words.checkpoints.name}</Label>
          <Input className={fields.text ?? ''} placeholder={`${session.name}-…`} />
          <Text slot="description" className={form.hint ?? ''}>
            {words.checkpoints.nameAbout}
          </Text>
          <FieldError className={styles.error ?? ''} />
        </TextField>
      </Form>
    </Dialog>
  );
}
