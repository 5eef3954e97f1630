/** One part: its name, its value, which leads into it, and setting it where that can be done. */
import { PencilLine } from 'lucide-react';
import { type FormEvent, useState } from 'react';
import { Input, TextField } from 'react-aria-components';
import type { InspectionView } from '../../electron/contract/inspection';
import type { SessionView } from '../../electron/contract/model';
import { tryCall } from '../bridge';
import { IconButton } from '../parts/button';
import fields from '../parts/field.module.css';
import { useServices, useWords } from '../services';
import styles from './inspector.module.css';
import type { Enter } from './value';

interface PartRowProps {
  session: SessionView;
  handle: string;
  kind: string;
  part: InspectionView['parts'][number];
  onEnter: Enter;
}

export function PartRow({ session, handle, kind, part, onEnter }: PartRowProps) {
  const words = useWords();
  const [setting, setSetting] = useState(false);
  const { index, name, type, text, settable, unbound, problem } = part;
  if (setting)
    return <SetPart session={session} handle={handle} part={part} onClose={() => setSetting(false)} />;
  const hasKey = kind === 'hash table' || kind === 'map';
  return (
    <>
      {hasKey ? (
        <button
          type="button"
          className={styles.name}
          title={words.inspector.lookIntoKey}
          onClick={() => void onEnter([`key ${index}`], `key ${name}`)}
        >
          <code>{name}</code>
        </button>
      ) : (
        <code className={styles.name}>{name}</code>
      )}
      {unbound || problem !== undefined ? (
        <span className={styles.absent}>{problem ?? words.inspector.unbound}</span>
      ) : (
        <button type="button" className={styles.value} onClick={() => void onEnter([index], name)}>
          <code>{text}</code>
        </button>
      )}
      <span className={styles.type}>{type}</span>
      {settable && (
        <IconButton icon={PencilLine} label={words.inspector.set(name)} onPress={() => setSetting(true)} />
      )}
    </>
  );
}

interface SetPartProps {
  session: SessionView;
  handle: string;
  part: PartRowProps['part'];
  onClose: () => void;
}

function SetPart({ session, handle, part: { index, name, text }, onClose }: SetPartProps) {
  const words = useWords();
  const { toasts } = useServices();
  const [expression, setExpression] = useState(text ?? '');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const args = { session: session.id, handle, path: [index], expression };
    const done = await tryCall(toasts, 'inspector:set', args);
    if (done?.problem) toasts.failed(done.problem);
    else if (done) onClose();
  };
  return (
    <form
      aria-label={words.inspector.set(name)}
      className={styles.setting}
      onSubmit={(event) => void submit(event)}
    >
      <code className={styles.name}>{name}</code>
      <TextField
        aria-label={words.inspector.newValue(name)}
        value={expression}
        onChange={setExpression}
        autoFocus
        onKeyDown={(event) => event.key === 'Escape' && onClose()}
      >
        <Input className={fields.text ?? ''} spellCheck={false} onFocus={({ target }) => target.select()} />
      </TextField>
    </form>
  );
}
