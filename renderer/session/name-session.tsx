/** Asks for what a session is called, and for a note of it. */
import { useState } from 'react';
import { FieldError, Form, Input, Label, TextArea, TextField } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import fields from '../parts/field.module.css';
import { useServices, useWords } from '../services';
import styles from './name-session.module.css';

const FORM = 'name-session';

export function NameSession({ session, onClose }: { session: SessionView; onClose: () => void }) {
  const words = useWords();
  const { actions } = useServices();
  const [name, setName] = useState(session.name);
  const [note, setNote] = useState(session.note);
  const save = async () => {
    if (await actions.nameSession(session.id, name.trim(), note)) onClose();
  };
  const buttons = (
    <>
      <Button onPress={onClose}>{words.common.cancel}</Button>
      <Button kind="primary" type="submit" form={FORM}>
        {words.session.save}
      </Button>
    </>
  );
  return (
    <Dialog title={words.session.nameAndNoteOf(session.name)} onClose={onClose} buttons={buttons}>
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
          validate={(text) => (text.trim() === '' ? words.session.noName : null)}
        >
          <Label>{words.session.name}</Label>
          <Input className={fields.text ?? ''} />
          <FieldError className={styles.error ?? ''} />
        </TextField>
        <TextField maxLength={2_000} value={note} onChange={setNote}>
          <Label>{words.session.note}</Label>
          <TextArea className={`${fields.text} ${styles.note}`} rows={4} />
        </TextField>
      </Form>
    </Dialog>
  );
}
