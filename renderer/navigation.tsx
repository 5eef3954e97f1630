/** The views by name; at the bottom what a person should know of: short memory, open ports, the endpoint. */
import {
  CircleX,
  Cog,
  House,
  type LucideIcon,
  Radio,
  ScrollText,
  Shield,
  SquareTerminal,
  TriangleAlert,
  Users,
} from 'lucide-react';
import { VisuallyHidden } from 'react-aria-components';
import type { NeedKind } from '../electron/contract/needs';
import type { CommandId } from './commands';
import styles from './navigation.module.css';
import { CopyButton } from './parts/copy-button';
import { PauseAll } from './pause-all';
import { VIEWS, type ViewId } from './route';
import { useCommand, useLive, useRoute, useServices, useWords } from './services';
import { ariaShortcut, shortcutLabel } from './shortcuts';

const ICONS: Readonly<Record<ViewId, LucideIcon>> = {
  home: House,
  sessions: SquareTerminal,
  history: ScrollText,
  sandbox: Shield,
  clients: Users,
  settings: Cog,
};

export function Navigation() {
  const words = useWords();
  const open = useLive(
    ({ sessions }) => [...sessions.values()].filter(({ state }) => state !== 'ended').length,
  );
  const needs = useLive((state) => state.needs.needs);
  return (
    <nav className={styles.nav} aria-label={words.window.main}>
      <ul>
        {VIEWS.map((view) => (
          <Entry
            key={view}
            view={view}
            icon={ICONS[view]}
            open={view === 'sessions' ? open : 0}
            needs={needs.filter(({ kind }) => VIEW_OF_NEED[kind] === view).length}
          />
        ))}
      </ul>
      <div>
        <PauseAll />
        <Memory />
        <EmacsPorts />
        <ProtocolPorts />
        <Endpoint />
      </div>
    </nav>
  );
}

/** The view in which a need is seen to; Home shows all. */
const VIEW_OF_NEED: Readonly<Record<NeedKind, ViewId>> = {
  approval: 'sandbox',
  refused: 'sandbox',
  held: 'sessions',
  full: 'sessions',
  dropped: 'clients',
};

interface EntryProps {
  view: ViewId;
  icon: LucideIcon;
  /** How many are open there; 0 is not shown. */
  open: number;
  /** How many things wait there for a person; as `open`. */
  needs: number;
}

function Entry({ view, icon: Icon, open, needs }: EntryProps) {
  const words = useWords();
  const { mac } = useServices();
  const { title, shortcut = '' } = useCommand(`view:${view}` satisfies CommandId);
  const current = useRoute((route) => route.view === view);
  return (
    <li>
      <a
        href={`#/${view}`}
        aria-current={current ? 'page' : undefined}
        aria-keyshortcuts={ariaShortcut(shortcut, mac)}
        title={
          open > 0
            ? `${words.common.sessions(open)} (${shortcutLabel(shortcut, mac)})`
            : shortcutLabel(shortcut, mac)
        }
      >
        <Icon size={15} aria-hidden />
        <span>{title}</span>
        {needs > 0 && (
          <span className={styles.needs}>
            <TriangleAlert size={11} aria-hidden />
            {needs} <VisuallyHidden>{words.window.need(needs)}</VisuallyHidden>
          </span>
        )}
        {open > 0 && (
          <span className={styles.count}>
            {open} <VisuallyHidden>{words.window.open}</VisuallyHidden>
          </span>
        )}
      </a>
    </li>
  );
}

function Memory() {
  const words = useWords();
  const memory = useLive((state) => state.memory);
  if (!memory?.short) return null;
  return (
    <p className={styles.memory} title={words.window.available(words.formats.bytes(memory.availableBytes))}>
      <TriangleAlert size={13} className={styles.warn} aria-hidden />
      <a href="#/sessions">{words.window.memoryShort}</a>
    </p>
  );
}

function EmacsPorts() {
  const words = useWords();
  const ports = useLive((state) => state.status?.ports.swank) ?? [];
  const [first] = ports;
  if (!first) return null;
  const href = first.session === null ? '#/home' : `#/sessions/${first.session}`;
  return (
    <OpenPorts ports={ports} href={href}>
      {words.window.emacsPorts(ports.length)}
    </OpenPorts>
  );
}

/** The protocol ports, but for those of single sessions. */
function ProtocolPorts() {
  const words = useWords();
  const ports = useLive((state) => state.status?.ports);
  if (!ports) return null;
  const { acl2Bridge, lisply, tcp, telnet } = ports;
  return (
    <>
      {acl2Bridge && <ProtocolPort port={acl2Bridge}>{words.window.ports.acl2Bridge}</ProtocolPort>}
      {lisply && <ProtocolPort port={lisply}>{words.window.ports.lisply}</ProtocolPort>}
      {tcp && <ProtocolPort port={tcp}>{words.window.ports.tcp}</ProtocolPort>}
      {telnet && <ProtocolPort port={telnet}>{words.window.ports.telnet}</ProtocolPort>}
    </>
  );
}

interface Reached {
  host: string;
  port: number | null;
  socket?: string | null;
}

function ProtocolPort({ port, children }: { port: Reached; children: string }) {
  return (
    <OpenPorts ports={[port]} href="#/home">
      {children}
    </OpenPorts>
  );
}

/** Whoever reaches such a port is let in, so the window says as long as one is open. */
function OpenPorts({ ports, href, children }: { ports: readonly Reached[]; href: string; children: string }) {
  const places = ports.map(({ host, port, socket }) => (port === null ? socket : `${host}:${port}`));
  return (
    <p className={styles.endpoint} title={places.join('\n')}>
      <TriangleAlert size={13} className={styles.warn} aria-hidden />
      <a href={href}>{children}</a>
    </p>
  );
}

function Endpoint() {
  const words = useWords();
  const endpoint = useLive((state) => state.status?.endpoint);
  if (!endpoint) return null;
  const { url, problem } = endpoint;
  if (url === null) {
    return (
      <p className={styles.endpoint} title={problem ?? undefined}>
        <CircleX size={13} className={styles.bad} aria-hidden />
        <a href="#/home">{words.window.notListening}</a>
      </p>
    );
  }
  return (
    <div className={styles.endpoint} title={url}>
      <Radio size={13} className={styles.good} aria-hidden />
      <span>{words.window.listening}</span>
      <CopyButton text={url} what={words.copying.endpoint} />
      <code>{url.replace(/^https?:\/\//, '')}</code>
    </div>
  );
}
