/**
 * Attaching Emacs to a session's image with SLIME: the port, the command to connect, and the consequences.
 */
import { useState } from 'react';
import type { SwankView } from '../../electron/contract/harbor-status';
import type { SessionId, SessionView } from '../../electron/contract/model';
import { Button, CopyButton } from '../parts/button';

import { Dialog } from '../parts/dialog';
import { Sentence } from '../parts/text';
import { Problem } from '../parts/view';
import { useLive, useServices, useWords } from '../services';
import styles from './session-dialogs.module.css';

interface AttachEmacsProps {
  session: SessionView;
  onClose: () => void;
}

export function AttachEmacs({ session: { id, name }, onClose }: AttachEmacsProps) {
  const words = useWords();
  const port = usePort(id);
  return (
    <Dialog
      title={words.emacs.attachTo(name)}
      onClose={onClose}
      buttons={port ? <Stop session={id} onClose={onClose} /> : <Start session={id} onClose={onClose} />}
    >
      {port ? <Open port={port} /> : <Closed />}
    </Dialog>
  );
}

/** A note in the session's detail while its SWANK port is open. */
export function EmacsNote({ session }: { session: SessionId }) {
  const words = useWords();
  const { actions } = useServices();
  const port = usePort(session);
  if (!port) return null;
  return (
    <Problem
      tone="warn"
      action={
        <Button onPress={() => void actions.stopSwank(session)}>{words.emacs.closePortOf(port.port)}</Button>
      }
    >
      <Sentence of={words.emacs.canAttach(<code>{`${port.host}:${port.port}`}</code>, port.connections)} />
    </Problem>
  );
}

function Closed() {
  const words = useWords();
  return (
    <>
      <p>{words.emacs.closed}</p>
      <Hints />
    </>
  );
}

function Open({ port: { host, port, version } }: { port: SwankView }) {
  const words = useWords();
  const line = `(slime-connect "${host}" ${port})`;
  return (
    <>
      <p>
        <Sentence
          of={words.emacs.how(
            <kbd>M-x slime-connect</kbd>,
            <code>{host}</code>,
            <code>{port}</code>,
            <kbd>M-:</kbd>,
          )}
        />
      </p>
      <div className={styles.line}>
        <code>{line}</code>
        <CopyButton text={line} what={words.copying.line} />
      </div>
      {version !== null && (
        <p className={styles.hint}>
          <Sentence of={words.emacs.loaded(version, <a href="#/settings">{words.emacs.settings}</a>)} />
        </p>
      )}
      <Hints />
    </>
  );
}

function Hints() {
  const words = useWords();
  return (
    <ul className={styles.hints}>
      {words.emacs.hints.map((hint) => (
        <li key={hint}>{hint}</li>
      ))}
    </ul>
  );
}

function Start({ session, onClose }: { session: SessionId; onClose: () => void }) {
  const words = useWords();
  const { actions } = useServices();
  const [loading, setLoading] = useState(false);
  const start = () => {
    setLoading(true);
    void actions.harbor.swank.start({ session }).finally(() => setLoading(false));
  };
  return (
    <>
      <Button onPress={onClose}>{words.common.cancel}</Button>
      <Button kind="primary" isDisabled={loading} onPress={start}>
        {loading ? words.emacs.loading : words.emacs.openPort}
      </Button>
    </>
  );
}

function Stop({ session, onClose }: { session: SessionId; onClose: () => void }) {
  const words = useWords();
  const { actions } = useServices();
  return (
    <>
      <Button onPress={() => void actions.stopSwank(session)}>{words.emacs.closePort}</Button>
      <Button kind="primary" onPress={onClose}>
        {words.emacs.done}
      </Button>
    </>
  );
}

function usePort(session: SessionId): SwankView | undefined {
  return useLive((state) => state.status?.ports.swank)?.find((port) => port.session === session);
}
