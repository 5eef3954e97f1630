/** One program: its state in a shape and a word, its file, and what can be done. */
import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button as AriaButton, MenuTrigger } from 'react-aria-components';
import type { ConnectState, ConnectView } from '../../electron/contract/connections';
import { Button } from '../parts/button';
import { shortenPath } from '../parts/format';
import { Menu, MenuItem } from '../parts/popup-menu';
import { ConnectionMark } from '../parts/state-mark';
import { useServices, useWords } from '../services';
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
  const words = useWords();
  const [shown, setShown] = useState<Shown | null>(null);
  const { name, title, file, state, detail, transport } = program;
  const close = () => setShown(null);
  return (
    <li className={styles.row} aria-label={title}>
      <ConnectionMark state={state} />
      <div>
        <h3>
          {title}
          {transport && <span className={styles.transport}>{words.clients.transports[transport]}</span>}
        </h3>
        {file !== null && (
          <p className={styles.file} title={`${file}\n${detail}`}>
            {shortenPath(file, 46)}
          </p>
        )}
        {!PLAIN.has(state) && <p lang="en">{detail}</p>}
      </div>
      <div className={styles.buttons}>
        {CAN_DISCONNECT.has(state) && <ProfileSelect client={name} title={title} />}
        {CAN_DISCONNECT.has(state) && (
          <Button aria-label={words.clients.disconnectOf(title)} onPress={() => setShown('remove')}>
            {words.clients.disconnectMore}
          </Button>
        )}
        {CAN_CONNECT.has(state) && (
          <Button aria-label={words.clients.connectOf(title)} onPress={() => setShown('add')}>
            {state === 'outdated' || state === 'moved' ? words.clients.update : words.clients.connectMore}
          </Button>
        )}
        <More program={program} onShow={setShown} />
      </div>
      <Dialogs shown={shown} program={program} onClose={close} />
    </li>
  );
}

function More({ program, onShow }: { program: ConnectView; onShow: (shown: Shown) => void }) {
  const words = useWords();
  const { actions } = useServices();
  const { name, title, state, link } = program;
  return (
    <MenuTrigger>
      <AriaButton aria-label={words.clients.moreFor(title)} className={styles.menu ?? ''}>
        <Ellipsis size={14} aria-hidden />
      </AriaButton>
      <Menu label={title}>
        <MenuItem
          title={words.clients.snippet}
          about={words.clients.snippetAbout}
          onChoose={() => onShow('snippet')}
        />
        {CAN_DISCONNECT.has(state) && (
          <MenuItem
            title={words.clients.check}
            about={words.clients.checkAbout}
            onChoose={() => onShow('doctor')}
          />
        )}
        {state === 'connected' && (
          <MenuItem
            title={words.clients.change}
            about={words.clients.changeAbout}
            onChoose={() => onShow('add')}
          />
        )}
        {link !== undefined && (
          <MenuItem
            title={words.clients.askIn(title)}
            about={words.clients.askInAbout}
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
