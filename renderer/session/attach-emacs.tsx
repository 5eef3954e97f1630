/** Attaching Emacs to a session's image with SLIME: the port, how to reach it, and what it means. */
import { useState } from 'react';
import type { SessionId, SessionView } from '../../electron/contract/model';
import type { SwankView } from '../../electron/contract/ports';
import { Button } from '../parts/button';
import { CopyButton } from '../parts/copy-button';
import { Dialog } from '../parts/dialog';
import { Problem } from '../parts/feedback';
import { count } from '../parts/format';
import { useLive, useServices } from '../services';
import styles from './session-menu.module.css';

interface AttachEmacsProps {
  session: SessionView;
  onClose: () => void;
}

export function AttachEmacs({ session: { id, name }, onClose }: AttachEmacsProps) {
  const port = usePort(id);
  return (
    <Dialog
      title={`Attach Emacs to “${name}”`}
      onClose={onClose}
      buttons={port ? <Stop session={id} onClose={onClose} /> : <Start session={id} onClose={onClose} />}
    >
      {port ? <Open port={port} /> : <Closed />}
    </Dialog>
  );
}

/** Said in the session's detail as long as its port is open. */
export function EmacsNote({ session }: { session: SessionId }) {
  const { actions } = useServices();
  const port = usePort(session);
  if (!port) return null;
  return (
    <Problem
      tone="warn"
      action={<Button onPress={() => void actions.stopSwank(session)}>Close port {port.port}</Button>}
    >
      Emacs can attach at <code>{`${port.host}:${port.port}`}</code>, as can any program on this computer (
      {count(port.connections, 'connection')} now). What it does in this image is not in the history.
    </Problem>
  );
}

function Closed() {
  return (
    <>
      <p>
        This opens a port on this computer, to which SLIME connects: you then work in the very image that is
        used here, with SLIME’s REPL, debugger and inspector.
      </p>
      <Hints />
    </>
  );
}

function Open({ port: { host, port, version } }: { port: SwankView }) {
  const line = `(slime-connect "${host}" ${port})`;
  return (
    <>
      <p>
        In Emacs: <kbd>M-x slime-connect</kbd>, host <code>{host}</code>, port <code>{port}</code>. Or{' '}
        <kbd>M-:</kbd> and this line:
      </p>
      <div className={styles.line}>
        <code>{line}</code>
        <CopyButton text={line} what="line" />
      </div>
      {version !== null && (
        <p className={styles.hint}>
          SLIME {version} is loaded. If your Emacs has another version and says so, name its folder in the{' '}
          <a href="#/settings">settings</a> and reset the session.
        </p>
      )}
      <Hints />
    </>
  );
}

function Hints() {
  return (
    <ul className={styles.hints}>
      <li>What Emacs evaluates is not in the history; agents are told that it is attached.</li>
      <li>SLIME knows no token: while the port is open, any program on this computer can use it.</li>
      <li>The image may be an agent’s: leave slime-enable-evaluate-in-emacs off in your Emacs.</li>
      <li>No checkpoint can be saved while Emacs is connected.</li>
      <li>After a crash or a reset, connect again: the port serves the fresh image.</li>
    </ul>
  );
}

function Start({ session, onClose }: { session: SessionId; onClose: () => void }) {
  const { actions } = useServices();
  const [loading, setLoading] = useState(false);
  const start = () => {
    setLoading(true);
    void actions.startSwank(session).finally(() => setLoading(false));
  };
  return (
    <>
      <Button onPress={onClose}>Cancel</Button>
      <Button kind="primary" isDisabled={loading} onPress={start}>
        {loading ? 'Loading SLIME…' : 'Open port'}
      </Button>
    </>
  );
}

function Stop({ session, onClose }: { session: SessionId; onClose: () => void }) {
  const { actions } = useServices();
  return (
    <>
      <Button onPress={() => void actions.stopSwank(session)}>Close port</Button>
      <Button kind="primary" onPress={onClose}>
        Done
      </Button>
    </>
  );
}

function usePort(session: SessionId): SwankView | undefined {
  return useLive((state) => state.status?.ports.swank)?.find((port) => port.session === session);
}
