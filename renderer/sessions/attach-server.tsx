/**
 * "Attach…": asks for a server that runs already, or for a container to start one in, and opens a session of it. From then
 * on agents may attach to it as well.
 */
import { Cable } from 'lucide-react';
import { useState } from 'react';
import { FieldError, Form, Input, Label, TextField } from 'react-aria-components';
import { Button, IconButton } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Problem } from '../parts/feedback';
import { Select } from '../parts/field';
import fields from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { useLive, useServices } from '../services';
import { type AttachKind, KINDS, mountsOf, OPTIONS, portProblem, type Typed } from './attach-form';
import styles from './attach-server.module.css';

const FORM = 'attach-server';

/** @param compact where there is room for a sign only */
export function AttachServer({ compact = false }: { compact?: boolean }) {
  const [asking, setAsking] = useState(false);
  const ask = () => setAsking(true);
  return (
    <>
      {compact ? (
        <IconButton icon={Cable} label="Attach…" onPress={ask} />
      ) : (
        <Button icon={Cable} onPress={ask}>
          Attach…
        </Button>
      )}
      {asking && <AttachDialog onClose={() => setAsking(false)} />}
    </>
  );
}

function AttachDialog({ onClose }: { onClose: () => void }) {
  const { actions } = useServices();
  const [kind, setKind] = useState<AttachKind>('swank');
  const [typed, setTyped] = useState<Typed>({
    ...{ host: '127.0.0.1', port: String(KINDS.swank.port), image: '', mounts: '' },
  });
  const [problem, setProblem] = useState<string | null>(null);
  const [attaching, setAttaching] = useState(false);
  const type = (part: Partial<Typed>) => setTyped((before) => ({ ...before, ...part }));
  const open = () =>
    kind === 'container'
      ? actions.opener.startContainer({
          image: typed.image.trim(),
          mounts: mountsOf(typed.mounts) ?? [],
          services: [],
        })
      : actions.opener.attach({ kind, host: typed.host.trim(), port: Number(typed.port) });
  const attach = async () => {
    setAttaching(true);
    const failure = await open();
    setAttaching(false);
    setProblem(failure);
    if (failure === null) onClose();
  };
  const buttons = (
    <>
      <Button onPress={onClose}>Cancel</Button>
      <Button kind="primary" type="submit" form={FORM} isDisabled={attaching}>
        {kind === 'container' ? 'Start' : 'Attach'}
      </Button>
    </>
  );
  return (
    <Dialog title="Attach to a server" onClose={onClose} buttons={buttons}>
      <Form
        id={FORM}
        className={styles.fields ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          void attach();
        }}
      >
        <div className={styles.field}>
          <span className={form.label}>Kind</span>
          <Select
            label="Kind"
            value={kind}
            options={OPTIONS}
            onChange={(chosen) => {
              setKind(chosen);
              if (chosen !== 'container') type({ port: String(KINDS[chosen].port) });
            }}
          />
        </div>
        {kind === 'container' ? (
          <ContainerFields typed={typed} onType={type} />
        ) : (
          <ServerFields typed={typed} onType={type} />
        )}
      </Form>
      <Hint kind={kind} attaching={attaching} />
      {problem && <Problem>{problem}</Problem>}
    </Dialog>
  );
}

interface FieldsProps {
  typed: Typed;
  onType: (part: Partial<Typed>) => void;
}

function ServerFields({ typed: { host, port }, onType }: FieldsProps) {
  return (
    <>
      <TextField
        isRequired
        value={host}
        onChange={(text) => onType({ host: text })}
        className={styles.field ?? ''}
      >
        <Label className={form.label ?? ''}>Host</Label>
        <Input className={fields.text ?? ''} />
        <FieldError className={styles.error ?? ''} />
      </TextField>
      <TextField
        autoFocus
        isRequired
        inputMode="numeric"
        value={port}
        onChange={(text) => onType({ port: text })}
        validate={portProblem}
        className={styles.field ?? ''}
      >
        <Label className={form.label ?? ''}>Port</Label>
        <Input className={`${fields.text} ${styles.port}`} />
        <FieldError className={styles.error ?? ''} />
      </TextField>
    </>
  );
}

function ContainerFields({ typed: { image, mounts }, onType }: FieldsProps) {
  return (
    <>
      <TextField
        isRequired
        value={image}
        onChange={(text) => onType({ image: text })}
        className={styles.field ?? ''}
      >
        <Label className={form.label ?? ''}>Image</Label>
        <Input className={fields.text ?? ''} placeholder="genworks/gendl:latest" />
        <FieldError className={styles.error ?? ''} />
      </TextField>
      <TextField
        value={mounts}
        onChange={(text) => onType({ mounts: text })}
        validate={(text) =>
          mountsOf(text) ? null : 'As /here:/there, or /here:/there:rw, with commas between.'
        }
        className={`${styles.field} ${styles.mounts}`}
      >
        <Label className={form.label ?? ''}>Folders that it sees</Label>
        <Input className={fields.text ?? ''} placeholder="/home/me/lisp:/lisp" />
        <FieldError className={styles.error ?? ''} />
      </TextField>
    </>
  );
}

function Hint({ kind, attaching }: { kind: AttachKind; attaching: boolean }) {
  const doing = useLive((state) => state.opening);
  if (kind !== 'container')
    return (
      <p className={form.hint}>
        The Lisp at that port runs already, for instance after <code>{KINDS[kind].start}</code>. Its state is
        shared with all who use it, nothing confines it, and agents may attach to it from then on.
      </p>
    );
  return (
    <p className={form.hint}>
      Docker or Podman starts it, fetches its image where that is not here yet, and gives it a network. It
      ends with its session, and agents may start it from then on.
      {attaching && doing && (
        <>
          {' '}
          <output>{doing}…</output>
        </>
      )}
    </p>
  );
}
