/** Clients: programs with a configuration file, and tokens for all others. */

import { Ellipsis } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Button as AriaButton, MenuTrigger } from 'react-aria-components';
import type { ConnectState, ConnectView } from '../../electron/contract/clients';
import { useConnections, useDiagnosis } from '../bridge-queries';
import { Button, CopyButton, Menu, MenuItem } from '../parts/button';
import { Dialog } from '../parts/dialog';
import form from '../parts/form.module.css';
import { shortenPath } from '../parts/format';
import { ScrollArea } from '../parts/scroll-area';
import { ConnectionMark } from '../parts/state-mark';
import { Sentence } from '../parts/text';
import { Problem, View } from '../parts/view';
import { useServices, useWords } from '../services';
import styles from './clients-view.module.css';
import { ConnectDialog } from './connect-dialog';
import { ProfileSelect, Tokens } from './tokens';

export function Clients() {
  const words = useWords();
  return (
    <View title={words.clients.title}>
      <ScrollArea label={words.clients.title} className={styles.page} rememberAs="clients">
        <Programs />
        <Tokens />
      </ScrollArea>
    </View>
  );
}

/** MCP configurations of other programs, those on this computer first. */
export function Programs() {
  const words = useWords();
  const { data, error } = useConnections();
  const [all, setAll] = useState(false);
  const here = data?.filter(isHere) ?? [];
  const others = data?.filter((program) => !isHere(program)) ?? [];
  return (
    <section className={styles.part}>
      <header>
        <h2>{words.clients.programs}</h2>
      </header>
      <p className={styles.about}>{words.clients.programsAbout}</p>
      {error && <Problem>{error.message}</Problem>}
      <MovedPrograms programs={here.filter(({ state }) => state === 'moved')} />
      {data && here.length === 0 && <p className={styles.empty}>{words.clients.noPrograms}</p>}
      <ul aria-label={words.clients.programs}>
        {[...here, ...(all ? others : [])].map((program) => (
          <Program key={program.name} program={program} />
        ))}
      </ul>
      {others.length > 0 && (
        <p className={styles.more}>
          <Button aria-expanded={all} onPress={() => setAll(!all)}>
            {all ? words.clients.hideAbsent : words.clients.showAbsent(others.length, here.length > 0)}
          </Button>
        </p>
      )}
    </section>
  );
}

/** Reports whether the program is installed or has a state to show. */
function isHere({ found, state }: ConnectView): boolean {
  return found || (state !== 'absent' && state !== 'manual');
}

/** Programs whose entries have an old address, with a button that updates them. */
export function MovedPrograms({ programs }: { programs: readonly ConnectView[] }) {
  const words = useWords();
  const { actions } = useServices();
  const [asking, setAsking] = useState(false);
  if (programs.length === 0) return null;

  const follow = async () => {
    setAsking(false);
    for (const { name } of programs) await actions.clients.changeConnection(name, 'add');
  };
  return (
    <>
      <Problem
        tone="warn"
        action={<Button onPress={() => setAsking(true)}>{words.clients.updateThem}</Button>}
      >
        {words.clients.moved(programs.map(({ title }) => title))}
      </Problem>
      {asking && (
        <Dialog
          title={words.clients.updateAddressQuestion}
          onClose={() => setAsking(false)}
          buttons={
            <>
              <Button onPress={() => setAsking(false)}>{words.common.cancel}</Button>
              <Button kind="primary" onPress={() => void follow()}>
                {words.clients.updateAddress}
              </Button>
            </>
          }
        >
          <p>{words.clients.updateAddressAbout}</p>
          <ul className={styles.files}>
            {programs.map(({ name, file }) => (
              <li key={name} className={styles.file}>
                {file}
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </>
  );
}

// One program: state, configuration file and actions.

const CAN_CONNECT: ReadonlySet<ConnectState> = new Set<ConnectState>([
  ...(['absent', 'ready', 'dropped', 'moved', 'outdated'] as const),
]);
const CAN_DISCONNECT: ReadonlySet<ConnectState> = new Set<ConnectState>(['connected', 'moved', 'outdated']);
/** States whose mark needs no explanation. */
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
            onChoose={() => void actions.harbor.connect.openLink({ name })}
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

/** Tests the connection as the program would, using its configuration, and shows the result. */
export function DoctorDialog({ program, onClose }: { program: ConnectView; onClose: () => void }) {
  const words = useWords();
  const { data, error } = useDiagnosis(program.name);
  return (
    <Dialog
      title={words.clients.checkOf(program.title)}
      wide
      onClose={onClose}
      buttons={<Button onPress={onClose}>{words.clients.done}</Button>}
    >
      {error && <Problem>{error.message}</Problem>}
      {!data && !error && <p>{words.clients.asking(program.title)}</p>}
      {data && !data.ok && <Problem>{data.lines.at(-1)}</Problem>}
      {(data?.ok ? data.lines : (data?.lines.slice(0, -1) ?? [])).map((line) => (
        <p key={line} className={styles.line}>
          {line}
        </p>
      ))}
    </Dialog>
  );
}

/** The entry as text, to add manually. */
export function SnippetDialog({ program, onClose }: { program: ConnectView; onClose: () => void }) {
  const words = useWords();
  const buttons = (
    <>
      <CopyButton text={program.snippet} what={words.copying.snippet} wide />
      <Button onPress={onClose}>{words.clients.done}</Button>
    </>
  );
  return (
    <Dialog title={words.clients.snippetFor(program.title)} wide onClose={onClose} buttons={buttons}>
      <p className={form.hint}>
        {program.file !== null && <Sentence of={words.clients.addTo(<code>{program.file}</code>)} />}
        <span lang="en">{program.afterwards}</span>
      </p>
      <ScrollArea label={words.clients.snippet}>
        <pre>{program.snippet}</pre>
      </ScrollArea>
      {program.command !== undefined && (
        <>
          <p className={form.hint}>{words.clients.orCommand}</p>
          <ScrollArea label={words.clients.command}>
            <pre>{program.command}</pre>
          </ScrollArea>
        </>
      )}
    </Dialog>
  );
}
