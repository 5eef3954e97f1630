/** Saves the state of a session under a name, or under one that is made up. */
import { useState } from 'react';
import { FieldError, Form, Input, Label, Text, TextField } from 'react-aria-components';
import type { CheckpointView } from '../../electron/contract/checkpoints';
import type { SessionView } from '../../electron/contract/model';
import { useSaveCheckpoint } from '../bridge-queries';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import fields from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { useWords } from '../services';
import styles from './checkpoints-tab.module.css';

const FORM = 'save-checkpoint';

interface SaveCheckpointProps {
  session: SessionView;
  /** Those of the session's project and engine. */
  others: readonly CheckpointView[];
  onClose: () => void;
}

/** Closes when saving begins: the list shows that it goes on. */
export function SaveCheckpoint({ session, others, onClose }: SaveCheckpointProps) {
  const words = useWords();
  const { mutate: save } = useSaveCheckpoint(session.id);
  const [name, setName] = useState('');
  const taken = (asked: string) =>
    others.some((other) => other.client === session.client && other.name === asked.trim());
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
          validate={(asked) => (taken(asked) ? words.checkpoints.taken : null)}
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
