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
import { Sentence } from '../parts/sentence';
import { useLive, useServices, useWords } from '../services';
import { type AttachKind, attachOptions, isPort, KINDS, mountsOf, type Typed } from './attach-form';
import styles from './attach-server.module.css';

const FORM = 'attach-server';

/** @param compact where there is room for a sign only */
export function AttachServer({ compact = false }: { compact?: boolean }) {
  const words = useWords();
  const [asking, setAsking] = useState(false);
  const ask = () => setAsking(true);
  return (
    <>
      {compact ? (
        <IconButton icon={Cable} label={words.sessions.attach} onPress={ask} />
      ) : (
        <Button icon={Cable} onPress={ask}>
          {words.sessions.attach}
        </Button>
      )}
      {asking && <AttachDialog onClose={() => setAsking(false)} />}
    </>
  );
}

function AttachDialog({ onClose }: { onClose: () => void }) {
  const words = useWords();
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
      <Button onPress={onClose}>{words.common.cancel}</Button>
      <Button kind="primary" type="submit" form={FORM} isDisabled={attaching}>
        {kind === 'container' ? words.sessions.start : words.sessions.attachNow}
      </Button>
    </>
  );
  return (
    <Dialog title={words.sessions.attachTo} onClose={onClose} buttons={buttons}>
      <Form
        id={FORM}
        className={styles.fields ?? ''}
        onSubmit={(event) => {
          event.preventDefault();
          void attach();
        }}
      >
        <div className={styles.field}>
          <span className={form.label}>{words.sessions.kind}</span>
          <Select
            label={words.sessions.kind}
            value={kind}
            options={attachOptions(words)}
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
  const words = useWords();
  return (
    <>
      <TextField
        isRequired
        value={host}
        onChange={(text) => onType({ host: text })}
        className={styles.field ?? ''}
      >
        <Label className={form.label ?? ''}>{words.sessions.host}</Label>
        <Input className={fields.text ?? ''} />
        <FieldError className={styles.error ?? ''} />
      </TextField>
      <TextField
        autoFocus
        isRequired
        inputMode="numeric"
        value={port}
        onChange={(text) => onType({ port: text })}
        validate={(text) => (isPort(text) ? null : words.sessions.noPort)}
        className={styles.field ?? ''}
      >
        <Label className={form.label ?? ''}>{words.sessions.port}</Label>
        <Input className={`${fields.text} ${styles.port}`} />
        <FieldError className={styles.error ?? ''} />
      </TextField>
    </>
  );
}

function ContainerFields({ typed: { image, mounts }, onType }: FieldsProps) {
  const words = useWords();
  return (
    <>
      <TextField
        isRequired
        value={image}
        onChange={(text) => onType({ image: text })}
        className={styles.field ?? ''}
      >
        <Label className={form.label ?? ''}>{words.sessions.image}</Label>
        <Input className={fields.text ?? ''} placeholder="genworks/gendl:latest" />
        <FieldError className={styles.error ?? ''} />
      </TextField>
      <TextField
        value={mounts}
        onChange={(text) => onType({ mounts: text })}
        validate={(text) => (mountsOf(text) ? null : words.sessions.noFolders)}
        className={`${styles.field} ${styles.mounts}`}
      >
        <Label className={form.label ?? ''}>{words.sessions.folders}</Label>
        <Input className={fields.text ?? ''} placeholder="/home/me/lisp:/lisp" />
        <FieldError className={styles.error ?? ''} />
      </TextField>
    </>
  );
}

function Hint({ kind, attaching }: { kind: AttachKind; attaching: boolean }) {
  const words = useWords();
  const doing = useLive((state) => state.opening);
  if (kind !== 'container')
    return (
      <p className={form.hint}>
        <Sentence of={words.sessions.serverHint(<code>{KINDS[kind].start}</code>)} />
      </p>
    );
  return (
    <p className={form.hint}>
      {words.sessions.containerHint}
      {attaching && doing && (
        <>
          {' '}
          <output>{doing}…</output>
        </>
      )}
    </p>
  );
}
