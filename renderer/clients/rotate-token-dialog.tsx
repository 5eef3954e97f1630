/**
 * Puts another token in the place of one: in the file of the program that holds it, after its change was shown, else into the
 * hands of the person, this once.
 */
import { useState } from 'react';
import type { ConnectView } from '../../electron/contract/connections';
import type { TokenView } from '../../electron/contract/model';
import { useConnections, useConnectPreview } from '../bridge-queries';
import { Button } from '../parts/button';
import { Dialog } from '../parts/dialog';
import { Diff } from '../parts/diff';
import { Problem } from '../parts/feedback';
import { useServices, useWords } from '../services';
import styles from './clients-view.module.css';
import { TokenSecret } from './token-secret';

interface RotateProps {
  token: TokenView;
  onClose: () => void;
}

export function RotateToken({ token, onClose }: RotateProps) {
  const { data } = useConnections();
  if (data === undefined) return null;
  const holder = data.find((program) => isHolder(program, token));
  return holder ? <InFile holder={holder} onClose={onClose} /> : <ByHand token={token} onClose={onClose} />;
}

/** Whether that program's file has it, so that its client goes on when the file is rewritten. */
function isHolder({ name, transport, state }: ConnectView, token: TokenView): boolean {
  return name === token.name && transport === 'http' && (state === 'connected' || state === 'moved');
}

function InFile({ holder, onClose }: { holder: ConnectView; onClose: () => void }) {
  const { rotation: words } = useWords();
  const { actions } = useServices();
  const { data, error } = useConnectPreview(holder.name, 'add', { newToken: true });
  const rotate = async () => {
    if (await actions.clients.changeConnection(holder.name, 'add', { newToken: true })) onClose();
  };
  return (
    <Dialog
      title={words.question(holder.name)}
      wide
      onClose={onClose}
      buttons={<Buttons name={holder.name} ready={data !== undefined} onRotate={rotate} onClose={onClose} />}
    >
      <p>{words.inFile(holder.title)}</p>
      <p className={styles.file}>{data?.file ?? holder.file}</p>
      {error && <Problem>{error.message}</Problem>}
      {data && <Diff diff={data.diff} label={words.change} />}
    </Dialog>
  );
}

function ByHand({ token: { id, name }, onClose }: RotateProps) {
  const { rotation: words } = useWords();
  const { actions } = useServices();
  const [secret, setSecret] = useState<string | null>(null);
  if (secret !== null) {
    const done = (
      <Button kind="primary" onPress={onClose}>
        {words.done}
      </Button>
    );
    return (
      <Dialog title={words.issued(name)} onClose={onClose} buttons={done}>
        <TokenSecret token={secret} />
      </Dialog>
    );
  }
  const rotate = async () => {
    const issued = await actions.clients.rotateToken(id);
    if (issued) setSecret(issued.token);
  };
  return (
    <Dialog
      title={words.question(name)}
      onClose={onClose}
      buttons={<Buttons name={name} ready onRotate={rotate} onClose={onClose} />}
    >
      <p>{words.byHand}</p>
    </Dialog>
  );
}

interface ButtonsProps {
  name: string;
  ready: boolean;
  onRotate: () => Promise<void>;
  onClose: () => void;
}

function Buttons({ name, ready, onRotate, onClose }: ButtonsProps) {
  const { rotation: words } = useWords();
  const [rotating, setRotating] = useState(false);
  const rotate = () => {
    setRotating(true);
    void onRotate().finally(() => setRotating(false));
  };
  return (
    <>
      <Button onPress={onClose} autoFocus>
        {words.cancel}
      </Button>
      <Button kind="danger" isDisabled={!ready || rotating} onPress={rotate}>
        {words.rotateToken(name)}
      </Button>
    </>
  );
}
