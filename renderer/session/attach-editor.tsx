/**
 * Attaching an editor to a session: a port for each protocol, what to enter in each editor, and the
 * consequences.
 */
import { Fragment, useState } from 'react';
import type { EditorPortView, EditorProtocol } from '../../electron/contract/harbor-status';
import type { SessionId, SessionView } from '../../electron/contract/model';
import { Button, CopyButton } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Sentence } from '../parts/text';
import { Problem } from '../parts/view';
import { useLive, useServices, useWords } from '../services';
import styles from './session-dialogs.module.css';

interface AttachEditorProps {
  session: SessionView;
  onClose: () => void;
}

export function AttachEditor({ session: { id, name, slime }, onClose }: AttachEditorProps) {
  const words = useWords();
  const protocols: readonly EditorProtocol[] = slime ? ['swank', 'slynk', 'nrepl'] : ['nrepl'];
  return (
    <Dialog
      title={words.editors.attachTo(name)}
      wide
      onClose={onClose}
      buttons={
        <Button kind="primary" onPress={onClose}>
          {words.editors.done}
        </Button>
      }
    >
      {protocols.map((protocol) => (
        <ProtocolPort key={protocol} session={id} protocol={protocol} />
      ))}
      <ul className={styles.hints}>
        {[...words.editors.hints, ...(slime ? words.editors.slimeHints : [])].map((hint) => (
          <li key={hint}>{hint}</li>
        ))}
      </ul>
    </Dialog>
  );
}

/** Notes in the session's detail while its editor ports are open. */
export function EditorNotes({ session }: { session: SessionId }) {
  const words = useWords();
  const { actions } = useServices();
  return usePorts(session).map(({ protocol, host, port, connections }) => (
    <Problem
      key={protocol}
      tone="warn"
      action={
        <Button onPress={() => void actions.closeEditorPort({ session, protocol })}>
          {words.editors.closePortOf(port)}
        </Button>
      }
    >
      <Sentence of={words.editors.canAttach(<code>{`${host}:${port}`}</code>, connections)} />
    </Problem>
  ));
}

function ProtocolPort({ session, protocol }: { session: SessionId; protocol: EditorProtocol }) {
  const words = useWords();
  const { actions } = useServices();
  const [opening, setOpening] = useState(false);
  const { name, about } = words.editors.protocols[protocol];
  const port = usePorts(session).find((each) => each.protocol === protocol);
  const open = () => {
    setOpening(true);
    void actions.harbor.editor.open({ session, protocol }).finally(() => setOpening(false));
  };
  return (
    <section className={styles.protocol} aria-label={name}>
      <div className={styles.line}>
        <h3>{name}</h3>
        {port && <code>{`${port.host}:${port.port}`}</code>}
        {port ? (
          <Button onPress={() => void actions.closeEditorPort({ session, protocol })}>
            {words.editors.closePort}
          </Button>
        ) : (
          <Button isDisabled={opening} onPress={open}>
            {opening ? words.editors.opening : words.editors.openPort(name)}
          </Button>
        )}
      </div>
      {port ? <Ways port={port} /> : <p className={styles.hint}>{about}</p>}
    </section>
  );
}

function Ways({ port: { protocol, connect, version } }: { port: EditorPortView }) {
  const words = useWords();
  return (
    <>
      <div className={styles.ways}>
        {connect.map(({ editor, enter }) => (
          <Fragment key={editor}>
            <span>{editor}</span>
            <code>{enter}</code>
            <CopyButton text={enter} what={words.copying.line} />
          </Fragment>
        ))}
      </div>
      {version !== null && (
        <p className={styles.hint}>
          <Sentence
            of={words.editors.loaded(
              protocol === 'slynk' ? 'SLY' : 'SLIME',
              version,
              <a href="#/settings">{words.editors.settings}</a>,
            )}
          />
        </p>
      )}
    </>
  );
}

function usePorts(session: SessionId): EditorPortView[] {
  const ports = useLive((state) => state.status?.ports);
  const all = [...(ports?.swank ?? []), ...(ports?.slynk ?? []), ...(ports?.nrepl ?? [])];
  return all.filter((port) => port.session === session);
}
