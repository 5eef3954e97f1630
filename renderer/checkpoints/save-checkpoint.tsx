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
  const { mutate: save } = useSaveCheckpoint(session.id);
  const [name, setName] = useState('');
  const taken = (asked: string) =>
    others.some((other) => other.client === session.client && other.name === asked.trim());
  const buttons = (
    <>
      <Button onPress={onClose}>Cancel</Button>
      <Button kind="primary" type="submit" form={FORM}>
        Save
      </Button>
    </>
  );
  return (
    <Dialog title={`Save checkpoint of “${session.name}”`} onClose={onClose} buttons={buttons}>
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
          validate={(asked) => (taken(asked) ? 'There is a checkpoint of that name.' : null)}
        >
          <Label className={form.label ?? ''}>Name</Label>
          <Input className={fields.text ?? ''} placeholder={`${session.name}-…`} />
          <Text slot="description" className={form.hint ?? ''}>
            Without one it is named after the session. The session goes on while its state is saved.
          </Text>
          <FieldError className={styles.error ?? ''} />
        </TextField>
      </Form>
    </Dialog>
  );
}
