/** Asks which file definitions shall be written to that no file has yet; the others go to the files that have them. */
import { useState } from 'react';
import { Form, Input, Label, Text, TextField } from 'react-aria-components';
import type { DefinitionChange } from '../../electron/contract/changes';
import type { SessionView } from '../../electron/contract/model';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import fields from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { nameInProject } from '../parts/format';
import { useServices, useWords } from '../services';
import styles from './changes.module.css';
import { filesToWrite, suggestedFile } from './write-groups';

const FORM = 'write-definitions';

interface WriteDialogProps {
  session: SessionView;
  definitions: readonly DefinitionChange[];
  /** All that have changed. */
  known: readonly DefinitionChange[];
  onClose: () => void;
}

export function WriteDialog({ session, definitions, known, onClose }: WriteDialogProps) {
  const words = useWords();
  const { actions } = useServices();
  const { project } = session;
  const [path, setPath] = useState(() => nameInProject(suggestedFile(definitions, known, session), project));
  const isAsked = definitions.some(({ file }) => file === null);
  const groups = filesToWrite(definitions, path.trim(), project);
  const [only] = definitions.length === 1 ? definitions : [];
  const what = only ? only.title : words.common.definitions(definitions.length);
  const buttons = (
    <>
      <Button onPress={onClose}>{words.common.cancel}</Button>
      <Button kind="primary" type="submit" form={FORM} isDisabled={isAsked && path.trim() === ''}>
        {words.changes.writeWhat(what)}
      </Button>
    </>
  );
  return (
    <Dialog title={words.changes.writeWhatOf(what, session.name)} onClose={onClose} buttons={buttons}>
      <Form
        id={FORM}
        className={form.fields ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          onClose();
          void actions.changes.write(session, groups);
        }}
      >
        {isAsked && (
          <TextField autoFocus value={path} onChange={setPath} className={form.field ?? ''}>
            <Label className={form.label ?? ''}>{words.changes.fileForOthers}</Label>
            <Input className={fields.text ?? ''} spellCheck={false} />
            <Text slot="description" className={form.hint ?? ''}>
              {words.changes.fileForOthersAbout(project)}
            </Text>
          </TextField>
        )}
        <ul className={styles.targets} aria-label={words.changes.whatGoesWhere}>
          {groups.map((group) => (
            <li key={group.path}>
              <code>{group.path || '…'}</code>
              <span>{group.definitions.map(({ title }) => title).join(words.common.comma)}</span>
            </li>
          ))}
        </ul>
      </Form>
    </Dialog>
  );
}
