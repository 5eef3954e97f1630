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
import { count, formatBytes } from './parts/format';
import { PauseAll } from './pause-all';
import { VIEWS, type ViewId } from './route';
import { useCommand, useLive, useRoute, useServices } from './services';
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
  const open = useLive(
    ({ sessions }) => [...sessions.values()].filter(({ state }) => state !== 'ended').length,
  );
  const needs = useLive((state) => state.needs.needs);
  return (
    <nav className={styles.nav} aria-label="Main">
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
            ? `${count(open, 'session')} (${shortcutLabel(shortcut, mac)})`
            : shortcutLabel(shortcut, mac)
        }
      >
        <Icon size={15} aria-hidden />
        <span>{title}</span>
        {needs > 0 && (
          <span className={styles.needs}>
            <TriangleAlert size={11} aria-hidden />
            {needs} <VisuallyHidden>{needs === 1 ? 'needs you' : 'need you'}</VisuallyHidden>
          </span>
        )}
        {open > 0 && (
          <span className={styles.count}>
            {open} <VisuallyHidden>open</VisuallyHidden>
          </span>
        )}
      </a>
    </li>
  );
}

function Memory() {
  const memory = useLive((state) => state.memory);
  if (!memory?.short) return null;
  return (
    <p className={styles.memory} title={`${formatBytes(memory.availableBytes)} are available`}>
      <TriangleAlert size={13} className={styles.warn} aria-hidden />
      <a href="#/sessions">Memory is short</a>
    </p>
  );
}

function EmacsPorts() {
  const ports = useLive((state) => state.status?.ports.swank) ?? [];
  const [first] = ports;
  if (!first) return null;
  const href = first.session === null ? '#/home' : `#/sessions/${first.session}`;
  return (
    <OpenPorts ports={ports} href={href}>
      {ports.length === 1 ? 'Emacs port open' : 'Emacs ports open'}
    </OpenPorts>
  );
}

/** The protocol ports, but for those of single sessions. */
function ProtocolPorts() {
  const ports = useLive((state) => state.status?.ports);
  if (!ports) return null;
  const { acl2Bridge, lisply, tcp, telnet } = ports;
  return (
    <>
      {acl2Bridge && <ProtocolPort port={acl2Bridge}>ACL2 Bridge open</ProtocolPort>}
      {lisply && <ProtocolPort port={lisply}>Lisply port open</ProtocolPort>}
      {tcp && <ProtocolPort port={tcp}>TCP port open</ProtocolPort>}
      {telnet && <ProtocolPort port={telnet}>Telnet port open</ProtocolPort>}
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
  const endpoint = useLive((state) => state.status?.endpoint);
  if (!endpoint) return null;
  const { url, problem } = endpoint;
  if (url === null) {
    return (
      <p className={styles.endpoint} title={problem ?? undefined}>
        <CircleX size={13} className={styles.bad} aria-hidden />
        <a href="#/home">Not listening</a>
      </p>
    );
  }
  return (
    <div className={styles.endpoint} title={url}>
      <Radio size={13} className={styles.good} aria-hidden />
      <span>Listening</span>
      <CopyButton text={url} what="endpoint address" />
      <code>{url.replace(/^https?:\/\//, '')}</code>
    </div>
  );
}
