/** Asks for what a session is called, and for a note of it. */
import { useState } from 'react';
import { FieldError, Form, Input, Label, TextArea, TextField } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import fields from '../parts/field.module.css';
import { useServices } from '../services';
import styles from './name-session.module.css';

const FORM = 'name-session';

export function NameSession({ session, onClose }: { session: SessionView; onClose: () => void }) {
  const { actions } = useServices();
  const [name, setName] = useState(session.name);
  const [note, setNote] = useState(session.note);
  const save = async () => {
    if (await actions.nameSession(session.id, name.trim(), note)) onClose();
  };
  const buttons = (
    <>
      <Button onPress={onClose}>Cancel</Button>
      <Button kind="primary" type="submit" form={FORM}>
        Save
      </Button>
    </>
  );
  return (
    <Dialog title={`Name and note of ${session.name}`} onClose={onClose} buttons={buttons}>
      <Form
        id={FORM}
        className={styles.form ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <TextField
          autoFocus
          isRequired
          maxLength={80}
          value={name}
          onChange={setName}
          validate={(text) => (text.trim() === '' ? 'A session has a name.' : null)}
        >
          <Label>Name</Label>
          <Input className={fields.text ?? ''} />
          <FieldError className={styles.error ?? ''} />
        </TextField>
        <TextField maxLength={2_000} value={note} onChange={setNote}>
          <Label>Note</Label>
          <TextArea className={`${fields.text} ${styles.note}`} rows={4} />
        </TextField>
      </Form>
    </Dialog>
  );
}
