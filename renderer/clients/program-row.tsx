/** One program: its state in a shape and a word, its file, and what can be done. */
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button as AriaButton, MenuTrigger } from 'react-aria-components';
import type { ConnectState, ConnectView } from '../../electron/contract/connections';
import { Button } from '../parts/button';
import { shortenPath } from '../parts/format';
import { Menu, MenuItem } from '../parts/popup-menu';
import { ConnectionMark } from '../parts/state-mark';
import { useServices } from '../services';
import styles from './clients-view.module.css';
import { ConnectDialog } from './connect-dialog';
import { DoctorDialog } from './doctor-dialog';
import { ProfileSelect } from './profile-select';
import { SnippetDialog } from './snippet-dialog';

const CAN_CONNECT: ReadonlySet<ConnectState> = new Set<ConnectState>([
  ...(['absent', 'ready', 'dropped', 'moved', 'outdated'] as const),
]);
const CAN_DISCONNECT: ReadonlySet<ConnectState> = new Set<ConnectState>(['connected', 'moved', 'outdated']);
/** Whose mark says all. */
const PLAIN: ReadonlySet<ConnectState> = new Set<ConnectState>(['absent', 'ready', 'connected']);

type Shown = 'add' | 'remove' | 'snippet' | 'doctor';

export function Program({ program }: { program: ConnectView }) {
  const [shown, setShown] = useState<Shown | null>(null);
  const { name, title, file, state, detail, transport } = program;
  const close = () => setShown(null);
  return (
    <li className={styles.row} aria-label={title}>
      <ConnectionMark state={state} />
      <div>
        <h3>
          {title}
          {transport && (
            <span className={styles.transport}>{transport === 'http' ? 'address' : 'command'}</span>
          )}
        </h3>
        {file !== null && (
          <p className={styles.file} title={`${file}\n${detail}`}>
            {shortenPath(file, 46)}
          </p>
        )}
        {!PLAIN.has(state) && <p>{detail}</p>}
      </div>
      <div className={styles.buttons}>
        {CAN_DISCONNECT.has(state) && <ProfileSelect client={name} title={title} />}
        {CAN_DISCONNECT.has(state) && (
          <Button aria-label={`Disconnect ${title}`} onPress={() => setShown('remove')}>
            Disconnect…
          </Button>
        )}
        {CAN_CONNECT.has(state) && (
          <Button aria-label={`Connect ${title}`} onPress={() => setShown('add')}>
            {state === 'outdated' || state === 'moved' ? 'Update…' : 'Connect…'}
          </Button>
        )}
        <More program={program} onShow={setShown} />
      </div>
      <Dialogs shown={shown} program={program} onClose={close} />
    </li>
  );
}

function More({ program, onShow }: { program: ConnectView; onShow: (shown: Shown) => void }) {
  const { actions } = useServices();
  const { name, title, state, link } = program;
  return (
    <MenuTrigger>
      <AriaButton aria-label={`More for ${title}`} className={styles.menu ?? ''}>
        <Ellipsis size={14} aria-hidden />
      </AriaButton>
      <Menu label={title}>
        <MenuItem title="Snippet" about="to paste by hand" onChoose={() => onShow('snippet')} />
        {CAN_DISCONNECT.has(state) && (
          <MenuItem
            title="Check"
            about="its own handshake, by what is in its file"
            onChoose={() => onShow('doctor')}
          />
        )}
        {state === 'connected' && (
          <MenuItem
            title="Change…"
            about="how it is reached, and what it may do"
            onChoose={() => onShow('add')}
          />
        )}
        {link !== undefined && (
          <MenuItem
            title={`Ask in ${title}`}
            about="opens it, and it asks you to add the server"
            onChoose={() => void actions.clients.openLink(name)}
          />
        )}
      </Menu>
    </MenuTrigger>
  );
}

interface DialogsProps {
  shown: Shown | null;
  program: ConnectView;
  onClose: () => void;
}

function Dialogs({ shown, program, onClose }: DialogsProps): ReactNode {
  switch (shown) {
    case null:
      return null;
    case 'snippet':
      return <SnippetDialog program={program} onClose={onClose} />;
    case 'doctor':
      return <DoctorDialog program={program} onClose={onClose} />;
    default:
      return <ConnectDialog key={program.name} program={program} action={shown} onClose={onClose} />;
  }
}
