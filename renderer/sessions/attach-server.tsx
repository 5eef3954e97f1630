/**
 * The "Attach…" button and dialog: attaches to a running server, or starts one in a container, and opens a
 * session. Afterwards agents may attach to the server too.
 */

import { Cable } from 'lucide-react';
import { useState } from 'react';
import { FieldError, Form, Input, Label, TextField } from 'react-aria-components';
import type { Mount, ServerKind } from '../../electron/contract/server';
import type { Words } from '../../electron/words/words';
import { Button, IconButton } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Select } from '../parts/field';
import fields from '../parts/field.module.css';
import form from '../parts/form.module.css';
import { engineTitle } from '../parts/format';
import { Sentence } from '../parts/text';
import { Problem } from '../parts/view';
import { useLive, useServices, useWords } from '../services';
import styles from './attach-server.module.css';

const FORM = 'attach-server';

/** @param compact whether to show only an icon */
export function AttachServer({ compact = false }: { compact?: boolean }) {
  const words = useWords();
  const [isOpen, setOpen] = useState(false);
  const openDialog = () => setOpen(true);
  return (
    <>
      {compact ? (
        <IconButton icon={Cable} label={words.sessions.attach} onPress={openDialog} />
      ) : (
        <Button icon={Cable} onPress={openDialog}>
          {words.sessions.attach}
        </Button>
      )}
      {isOpen && <AttachDialog onClose={() => setOpen(false)} />}
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

// The choices of the "Attach…" dialog, and the parsing of its fields.

/** The command that the user runs for each kind of server, and the default port. */
const KINDS: Readonly<Record<ServerKind, { port: number; start: string }>> = {
  nrepl: { port: 7888, start: 'lein repl :headless :port 7888' },
  lisply: { port: 9081, start: 'lisp-harbor serve --lisply-port 9081' },
  swank: { port: 4005, start: '(swank:create-server :port 4005 :dont-close t)' },
  slynk: { port: 4005, start: '(slynk:create-server :port 4005 :dont-close t)' },
};

/** The choices of the dialog: kinds of servers, and a Lisply backend in a container. */
type AttachKind = ServerKind | 'container';

function attachOptions({ sessions }: Words): { value: AttachKind; title: string }[] {
  return [
    ...Object.keys(KINDS).map((name) => ({ value: name as AttachKind, title: engineTitle(name) })),
    { value: 'container', title: sessions.inContainer },
  ];
}

/** The text of the fields. */
interface Typed {
  host: string;
  port: string;
  image: string;
  mounts: string;
}

function isPort(typed: string): boolean {
  const port = Number(typed);
  return /^\d+$/.test(typed) && port >= 1 && port <= 65_535;
}

/**
 * Parses the mounts of a container in Docker's syntax: `/here:/there` (read-only) or `/here:/there:rw`,
 * separated by commas. Returns null for invalid text.
 */
export function mountsOf(text: string): Mount[] | null {
  const written = text.split(',').flatMap((part) => part.trim() || []);
  const mounts = written.flatMap((part) => {
    const [, from, to, mode] = /^(\/[^:]*):(\/[^:]*)(?::(rw|ro))?$/.exec(part) ?? [];
    return from && to ? [{ from, to, write: mode === 'rw' }] : [];
  });
  return mounts.length === written.length ? mounts : null;
}
