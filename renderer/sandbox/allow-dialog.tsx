/** Adds an entry to the allow-list: a folder, what may be done there, and why. */
import { useState } from 'react';
import { Form, Input, Label, TextField } from 'react-aria-components';
import type { AllowPower } from '../../electron/contract/allow-list';
import type { SessionId, SessionState } from '../../electron/contract/model';
import type { Refusal } from '../../electron/contract/needs';
import { Button } from '../parts/button';
import { Checkbox } from '../parts/checkbox';
import { Dialog } from '../parts/dialog';
import { Problem } from '../parts/feedback';
import { type Option, Select } from '../parts/field';
import fields from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { count, shortenPath } from '../parts/format';
import { Outside } from '../parts/outside';
import { useLive, useServices } from '../services';
import styles from './sandbox-view.module.css';

const FORM = 'allow-entry';

const POWERS: readonly Option<AllowPower>[] = [
  { value: 'read', title: 'Read – images and file tools' },
  { value: 'library', title: 'Library – images read all, file tools what is loaded' },
  { value: 'write', title: 'Write – images and file tools' },
];

interface AllowDialogProps {
  /** What the entry is for; absent where a person adds one of their own accord. */
  refusal?: Refusal;
  onClose: () => void;
}

export function AllowDialog({ refusal, onClose }: AllowDialogProps) {
  const { actions } = useServices();
  const [folder, setFolder] = useState(refusal?.folder ?? '');
  const [power, setPower] = useState<AllowPower>(refusal?.use ?? 'read');
  const [reason, setReason] = useState(refusal ? `${refusal.client} asked for it` : '');
  const [forProject, setForProject] = useState(true);
  const [lasting, setLasting] = useState(true);
  const concerned = useConcerned(refusal, forProject);
  const [problem, setProblem] = useState<string | null>(null);
  const add = async (restarted: readonly SessionId[]) => {
    const failure = await actions.sandbox.allowFolder({
      folder: folder.trim(),
      power,
      reason: reason.trim(),
      forProject,
      ...(refusal ? { project: refusal.project } : {}),
      lasting,
    });
    setProblem(failure);
    if (failure !== null) return;
    onClose();
    if (restarted.length > 0) await actions.sandbox.restartConfined(restarted);
  };
  const buttons = (
    <>
      <Button onPress={onClose}>Cancel</Button>
      {concerned.length > 0 && (
        <Button isDisabled={folder.trim() === ''} onPress={() => void add([])}>
          {refusal ? 'Allow' : 'Add'}
        </Button>
      )}
      <Button kind="primary" type="submit" form={FORM} isDisabled={folder.trim() === ''}>
        {refusal ? 'Allow' : 'Add'}
        {concerned.length > 0 && ` and restart ${count(concerned.length, 'session')}`}
      </Button>
    </>
  );
  return (
    <Dialog
      title={refusal ? 'Allow what was refused' : 'Add to the allow-list'}
      onClose={onClose}
      buttons={buttons}
    >
      <Form
        id={FORM}
        className={form.fields ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          void add(concerned);
        }}
      >
        {problem !== null && <Problem>{problem}</Problem>}
        {refusal && (
          <p>
            <Outside>{refusal.client}</Outside> was refused to {refusal.use} <code>{refusal.path}</code>.
          </p>
        )}
        <FolderChoice folder={folder} onFolder={setFolder} />
        <div className={styles.power}>
          <span className={form.label}>Power</span>
          <Select label="Power" value={power} options={POWERS} onChange={setPower} />
        </div>
        <TextField value={reason} onChange={setReason} maxLength={1000} className={form.field ?? ''}>
          <Label className={form.label ?? ''}>Reason</Label>
          <Input className={fields.text ?? ''} placeholder="What it is needed for" />
        </TextField>
        <Checkbox
          label={
            refusal ? `Only for the project ${shortenPath(refusal.project, 40)}` : 'Only for this project'
          }
          checked={forProject}
          onChange={setForProject}
        />
        <Checkbox label="Keep it when Lisp Harbor is quit" checked={lasting} onChange={setLasting} />
        {concerned.length > 0 && (
          <p className={styles.about}>
            Images see what was allowed when they began. Restarted they follow, with their state.
          </p>
        )}
      </Form>
    </Dialog>
  );
}

/** Sessions whose images would have to begin again to see what an entry opens. */
function useConcerned(refusal: Refusal | undefined, forProject: boolean): SessionId[] {
  const sessions = useLive((state) => state.sessions);
  const shown = useLive((state) => state.status?.project);
  const project = refusal?.project ?? shown;
  return [...sessions.values()]
    .filter(({ state, sandbox }) => HAS_IMAGE.has(state) && sandbox.confined)
    .filter((session) => !forProject || session.project === project)
    .map(({ id }) => id);
}

const HAS_IMAGE: ReadonlySet<SessionState> = new Set(['idle', 'running', 'debugger']);

function FolderChoice({ folder, onFolder }: { folder: string; onFolder: (folder: string) => void }) {
  const { actions } = useServices();
  const choose = async () => {
    const chosen = await actions.sandbox.chooseFolder();
    if (chosen) onFolder(chosen);
  };
  return (
    <div className={styles.chosen}>
      <TextField isRequired autoFocus value={folder} onChange={onFolder} className={form.field ?? ''}>
        <Label className={form.label ?? ''}>Folder or file</Label>
        <Input className={fields.text ?? ''} placeholder="An absolute path" />
      </TextField>
      <Button onPress={() => void choose()}>Choose…</Button>
    </div>
  );
}
