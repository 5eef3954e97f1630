/** Adds an entry to the allow-list: a folder, what may be done there, and why. */
import { useState } from 'react';
import { Form, Input, Label, TextField } from 'react-aria-components';
import type { AllowPower } from '../../electron/contract/allow-list';
import { Button } from '../parts/button';
import { Checkbox } from '../parts/checkbox';
import { Dialog } from '../parts/dialog';
import { Problem } from '../parts/feedback';
import { type Option, Select } from '../parts/field';
import fields from '../parts/field.module.css';
import { useServices } from '../services';
import styles from './sandbox-view.module.css';

const FORM = 'allow-entry';

const POWERS: readonly Option<AllowPower>[] = [
  { value: 'read', title: 'Read – images and file tools' },
  { value: 'library', title: 'Library – file tools read what is loaded' },
  { value: 'write', title: 'Write – images and file tools' },
];

export function AllowDialog({ onClose }: { onClose: () => void }) {
  const { actions } = useServices();
  const [folder, setFolder] = useState('');
  const [power, setPower] = useState<AllowPower>('read');
  const [reason, setReason] = useState('');
  const [forProject, setForProject] = useState(true);
  const [problem, setProblem] = useState<string | null>(null);
  const add = async () => {
    const failure = await actions.allowFolder({
      folder: folder.trim(),
      power,
      reason: reason.trim(),
      forProject,
    });
    setProblem(failure);
    if (failure === null) onClose();
  };
  const buttons = (
    <>
      <Button onPress={onClose}>Cancel</Button>
      <Button kind="primary" type="submit" form={FORM} isDisabled={folder.trim() === ''}>
        Add
      </Button>
    </>
  );
  return (
    <Dialog title="Add to the allow-list" onClose={onClose} buttons={buttons}>
      <Form
        id={FORM}
        className={styles.fields ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          void add();
        }}
      >
        {problem !== null && <Problem>{problem}</Problem>}
        <FolderChoice folder={folder} onFolder={setFolder} />
        <div className={styles.power}>
          <span className={styles.label}>Power</span>
          <Select label="Power" value={power} options={POWERS} onChange={setPower} />
        </div>
        <TextField value={reason} onChange={setReason} maxLength={1000} className={styles.field ?? ''}>
          <Label className={styles.label ?? ''}>Reason</Label>
          <Input className={fields.text ?? ''} placeholder="What it is needed for" />
        </TextField>
        <Checkbox label="Only for this project" checked={forProject} onChange={setForProject} />
      </Form>
    </Dialog>
  );
}

function FolderChoice({ folder, onFolder }: { folder: string; onFolder: (folder: string) => void }) {
  const { actions } = useServices();
  const choose = async () => {
    const chosen = await actions.chooseFolder();
    if (chosen) onFolder(chosen);
  };
  return (
    <div className={styles.chosen}>
      <TextField isRequired autoFocus value={folder} onChange={onFolder} className={styles.field ?? ''}>
        <Label className={styles.label ?? ''}>Folder or file</Label>
        <Input className={fields.text ?? ''} placeholder="An absolute path" />
      </TextField>
      <Button onPress={() => void choose()}>Choose…</Button>
    </div>
  );
}
