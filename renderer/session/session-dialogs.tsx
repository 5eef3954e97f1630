/** The open dialog of a session action. */

import { FileDown } from 'lucide-react';
import { useState } from 'react';
import { FieldError, Form, Input, Label, TextArea, TextField } from 'react-aria-components';
import { useStore } from 'zustand';
import type { SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';
import { useUnsaved } from '../image-queries';
import { Button } from '../parts/button';
import { ConfirmDialog, Dialog } from '../parts/dialog';
import fields from '../parts/field.module.css';
import { tagNames } from '../parts/format';
import { useLive, useServices, useWords } from '../services';
import { AttachEditor } from './attach-editor';
import styles from './session-dialogs.module.css';
import { endingText, restartText } from './what-is-lost';

/** Confirms a restart, and describes what is restored and what is lost. */
function RestartSession({ session, onClose }: { session: SessionView; onClose: () => void }) {
  const words = useWords();
  const { actions } = useServices();
  const { name } = session;
  return (
    <ConfirmDialog
      title={words.session.restartQuestion(name)}
      confirm={words.session.restartNow(name)}
      onConfirm={() => void actions.restart(session)}
      onClose={onClose}
    >
      {restartText(session, words)}
    </ConfirmDialog>
  );
}

// The form for a session's name and note.

const FORM = 'name-session';

function NameSession({ session, onClose }: { session: SessionView; onClose: () => void }) {
  const words = useWords();
  const { actions } = useServices();
  const [name, setName] = useState(session.name);
  const [note, setNote] = useState(session.note);
  const save = async () => {
    const named = await actions.harbor.sessions.name({ session: session.id, name: name.trim(), note });
    if (named !== undefined) onClose();
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

// The form for trust tags that system books may use in a session, with their consequences.

interface AllowTrustTagsProps {
  session: SessionView;
  onClose: () => void;
}

function AllowTrustTags({ session: { id, name }, onClose }: AllowTrustTagsProps) {
  const words = useWords();
  const { actions } = useServices();
  const [typed, setTyped] = useState('');
  const names = tagNames(typed);
  const allow = () => {
    if (names.length === 0) return;
    void actions.harbor.sessions.allowTrustTags({ session: id, tags: names });
    onClose();
  };
  return (
    <Dialog
      title={words.session.trustTagsQuestion(name)}
      onClose={onClose}
      buttons={
        <>
          <Button onPress={onClose}>{words.common.cancel}</Button>
          <Button kind="primary" isDisabled={names.length === 0} onPress={allow}>
            {words.session.trustTagsNow(name)}
          </Button>
        </>
      }
    >
      <p>{words.session.trustTagsAbout}</p>
      <TextField
        aria-label={words.session.trustTags}
        value={typed}
        onChange={setTyped}
        onKeyDown={(event) => event.key === 'Enter' && allow()}
        autoFocus
      >
        <Input className={fields.text ?? ''} placeholder="read-string, oslib" />
      </TextField>
    </Dialog>
  );
}

// Confirms access to raw Lisp for a prover's session, with its consequences.

interface AllowRawLispProps {
  session: SessionView;
  onClose: () => void;
}

function AllowRawLisp({ session: { id, name }, onClose }: AllowRawLispProps) {
  const words = useWords();
  const { actions } = useServices();
  return (
    <ConfirmDialog
      title={words.session.rawLispQuestion(name)}
      confirm={words.session.rawLispNow(name)}
      onConfirm={() => void actions.harbor.sessions.allowRawLisp({ session: id })}
      onClose={onClose}
      details={
        <ul className={styles.meanings}>
          {words.session.rawLispMeans.map((meaning) => (
            <li key={meaning}>{meaning}</li>
          ))}
        </ul>
      }
    >
      {words.session.rawLispAbout}
    </ConfirmDialog>
  );
}

const DIALOGS = {
  restart: RestartSession,
  name: NameSession,
  editor: AttachEditor,
  'trust-tags': AllowTrustTags,
  'raw-lisp': AllowRawLisp,
};

export function SessionDialogs() {
  const { sessionDialog } = useServices();
  const open = useStore(sessionDialog);
  const session = useLive(({ sessions }) => (open === null ? undefined : sessions.get(open.session)));
  if (open === null || !session) return null;
  const close = () => sessionDialog.setState(null, true);
  if (open.dialog === 'end') return <EndSessions sessions={[session]} onClose={close} />;
  const Dialog = DIALOGS[open.dialog];
  return <Dialog session={session} onClose={close} />;
}

// Confirms the end of sessions, and lists what each would lose: a running evaluation and unsaved definitions.

interface EndSessionsProps {
  /** At least one. */
  sessions: readonly SessionView[];
  onClose: () => void;
}

export function EndSessions({ sessions, onClose }: EndSessionsProps) {
  const words = useWords();
  const { actions } = useServices();
  const ids = sessions.map(({ id }) => id);
  const [only] = sessions.length === 1 ? sessions : [];
  return (
    <ConfirmDialog
      title={only ? words.session.endQuestion(only.name) : words.session.endSeveralQuestion(sessions.length)}
      confirm={only ? words.session.endNow(only.name) : words.session.endSeveral(sessions.length)}
      onConfirm={() => void actions.endSessions(ids)}
      onClose={onClose}
      details={<UnsavedWork sessions={sessions} />}
    >
      {endingText(sessions, words)}
    </ConfirmDialog>
  );
}

function UnsavedWork({ sessions }: { sessions: readonly SessionView[] }) {
  const words = useWords();
  return (
    <ul className={styles.unsavedWork} aria-label={words.session.wouldBeLost}>
      {sessions.map((session) => (
        <WorkOf key={session.id} session={session} named={sessions.length > 1} />
      ))}
    </ul>
  );
}

/** The work that one session would lose; renders nothing if there is none. */
function WorkOf({ session, named }: { session: SessionView; named: boolean }) {
  const words = useWords();
  const { data, isPending } = useUnsaved(session.id);
  const busy = busyness(session, words);
  if (busy === null && !isPending && (data?.total ?? 0) === 0) return null;
  return (
    <li>
      {named && <strong>{session.name}</strong>} {busy}
      <UnsavedDefinitions session={session.id} />
    </li>
  );
}

function busyness({ state }: SessionView, { session }: Words): string | null {
  if (state === 'running') return session.runningLost;
  return state === 'debugger' ? session.suspendedLost : null;
}

/** The unsaved definitions of a session, with a button to export them. */
function UnsavedDefinitions({ session }: { session: string }) {
  const words = useWords();
  const { actions } = useServices();
  const { data, isPending } = useUnsaved(session);
  if (isPending) return <p className={styles.looking}>{words.session.lookingForUnsaved}</p>;
  if (!data || data.total === 0) return null;
  const rest = data.total - data.results.length;
  return (
    <section aria-label={words.session.notInFile} className={styles.unsaved}>
      <p>{words.session.unsaved(data.total)}</p>
      <ul>
        {data.results.map(({ kind, text }) => (
          <li key={`${kind} ${text}`}>
            <code>{text}</code> <span lang="en">{kind}</span>
          </li>
        ))}
        {rest > 0 && <li>{words.session.andMore(words.formats.number(rest))}</li>}
      </ul>
      <Button icon={FileDown} onPress={() => void actions.exportSession(session)}>
        {words.session.export}
      </Button>
    </section>
  );
}
