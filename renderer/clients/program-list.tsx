/** Other programs' MCP configurations: what each says of us, and the exact change before it is written. */
import { useState } from 'react';
import type { ConnectState, ConnectView } from '../../electron/contract/connections';
import { useConnections } from '../bridge-queries';
import { Button } from '../parts/button';
import { Problem } from '../parts/feedback';
import { shortenPath } from '../parts/format';
import { ConnectionMark } from '../parts/state-mark';
import styles from './clients-view.module.css';
import { ConnectDialog } from './connect-dialog';
import { ProfileSelect } from './profile-select';
import { SnippetDialog } from './snippet-dialog';

export function Programs() {
  const { data, error } = useConnections();
  return (
    <section className={styles.part}>
      <header>
        <h2>Programs</h2>
      </header>
      <p className={styles.about}>
        Connect adds Lisp Harbor to a program’s own configuration. You see the change before it is written;
        the file is backed up, and Disconnect takes exactly that change back.
      </p>
      {error && <Problem>{error.message}</Problem>}
      <ul aria-label="Programs">
        {data?.map((program) => (
          <Program key={program.name} program={program} />
        ))}
      </ul>
    </section>
  );
}

const CAN_CONNECT: ReadonlySet<ConnectState> = new Set<ConnectState>(['absent', 'ready', 'outdated']);
const CAN_DISCONNECT: ReadonlySet<ConnectState> = new Set<ConnectState>(['connected', 'outdated']);

function Program({ program }: { program: ConnectView }) {
  const [shown, setShown] = useState<'add' | 'remove' | 'snippet' | null>(null);
  const { name, title, file, state, detail } = program;
  const close = () => setShown(null);
  return (
    <li className={styles.row} aria-label={title}>
      <ConnectionMark state={state} />
      <div>
        <h3>{title}</h3>
        {file !== null && (
          <p className={styles.file} title={file}>
            {shortenPath(file, 46)}
          </p>
        )}
        <p>{detail}</p>
      </div>
      <div className={styles.buttons}>
        {CAN_DISCONNECT.has(state) && <ProfileSelect client={name} title={title} />}
        <Button aria-label={`Snippet for ${title}`} onPress={() => setShown('snippet')}>
          Snippet
        </Button>
        {CAN_DISCONNECT.has(state) && (
          <Button aria-label={`Disconnect ${title}`} onPress={() => setShown('remove')}>
            Disconnect…
          </Button>
        )}
        {CAN_CONNECT.has(state) && (
          <Button aria-label={`Connect ${title}`} onPress={() => setShown('add')}>
            {state === 'outdated' ? 'Update…' : 'Connect…'}
          </Button>
        )}
      </div>
      {shown === 'snippet' && <SnippetDialog program={program} onClose={close} />}
      {(shown === 'add' || shown === 'remove') && (
        <ConnectDialog key={name} program={program} action={shown} onClose={close} />
      )}
    </li>
  );
}
