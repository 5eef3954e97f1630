/** Adds an entry to the allow-list: path, power and reason. */

import { useState } from 'react';
import { Form, Input, Label, TextField } from 'react-aria-components';
import type { Refusal } from '../../electron/contract/approvals';
import type { SessionId, SessionState } from '../../electron/contract/model';
import type { AllowAccess } from '../../electron/contract/sandbox';
import type { Words } from '../../electron/words/words';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Checkbox, Select } from '../parts/field';
import fields from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { shortenPath } from '../parts/format';
import { Outside, Sentence } from '../parts/text';
import { Problem } from '../parts/view';

import { useLive, useServices, useWords } from '../services';
import styles from './sandbox-view.module.css';

const FORM = 'allow-entry';

const POWERS: readonly AllowAccess[] = ['read', 'library', 'write'];

interface AllowDialogProps {
  /** The refusal that the entry resolves; absent if the user adds an entry independently. */
  refusal?: Refusal;
  onClose: () => void;
}

export function AllowDialog({ refusal, onClose }: AllowDialogProps) {
  const words = useWords();
  const { actions } = useServices();
  const [folder, setFolder] = useState(refusal?.folder ?? '');
  const [power, setPower] = useState<AllowAccess>(refusal?.use ?? 'read');
  const [reason, setReason] = useState(refusal ? words.sandbox.requestedBy(refusal.client) : '');
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
      <Button onPress={onClose}>{words.common.cancel}</Button>
      {concerned.length > 0 && (
        <Button isDisabled={folder.trim() === ''} onPress={() => void add([])}>
          {refusal ? words.sandbox.allow : words.sandbox.add}
        </Button>
      )}
      <Button kind="primary" type="submit" form={FORM} isDisabled={folder.trim() === ''}>
        {doingText(refusal !== undefined, concerned.length, words)}
      </Button>
    </>
  );
  return (
    <Dialog
      title={refusal ? words.sandbox.allowTitle : words.sandbox.addTitle}
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
            <Sentence
              of={words.sandbox.wasRefused(
                <Outside>{refusal.client}</Outside>,
                refusal.use,
                <code>{refusal.path}</code>,
              )}
            />
          </p>
        )}
        <FolderChoice folder={folder} onFolder={setFolder} />
        <div className={styles.power}>
          <span className={form.label}>{words.sandbox.power}</span>
          <Select
            label={words.sandbox.power}
            value={power}
            options={POWERS.map((value) => ({ value, title: words.sandbox.powersLong[value] }))}
            onChange={setPower}
          />
        </div>
        <TextField value={reason} onChange={setReason} maxLength={1000} className={form.field ?? ''}>
          <Label className={form.label ?? ''}>{words.sandbox.reason}</Label>
          <Input className={fields.text ?? ''} placeholder={words.sandbox.reasonHint} />
        </TextField>
        <Checkbox
          label={
            refusal
              ? words.sandbox.onlyProjectOf(shortenPath(refusal.project, 40))
              : words.sandbox.onlyProject
          }
          checked={forProject}
          onChange={setForProject}
        />
        <Checkbox label={words.sandbox.lasting} checked={lasting} onChange={setLasting} />
        {concerned.length > 0 && <p className={styles.about}>{words.sandbox.restartsFollow}</p>}
      </Form>
    </Dialog>
  );
}

function doingText(allows: boolean, restarted: number, { sandbox }: Words): string {
  if (restarted === 0) return allows ? sandbox.allow : sandbox.add;
  return (allows ? sandbox.allowAndRestart : sandbox.addAndRestart)(restarted);
} /** Sessions whose images must restart to apply the entry. */
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
  const words = useWords();
  const { actions } = useServices();
  const choose = async () => {
    const chosen = (await actions.harbor.sandbox.choose()) ?? null;
    if (chosen) onFolder(chosen);
  };
  return (
    <div className={styles.chosen}>
      <TextField isRequired autoFocus value={folder} onChange={onFolder} className={form.field ?? ''}>
        <Label className={form.label ?? ''}>{words.sandbox.folderOrFile}</Label>
        <Input className={fields.text ?? ''} placeholder={words.sandbox.absolutePath} />
      </TextField>
      <Button onPress={() => void choose()}>{words.sandbox.choose}</Button>
    </div>
  );
}
