/** The navigation: views, and below them low memory, open ports and the endpoint. */

import {
  CircleX,
  Cog,
  House,
  type LucideIcon,
  Pause,
  Play,
  Radio,
  ScrollText,
  Shield,
  Square,
  SquareTerminal,
  TriangleAlert,
  Users,
} from 'lucide-react';
import { useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import type { NeedKind } from '../electron/contract/approvals';
import type { SessionView } from '../electron/contract/model';
import type { Words } from '../electron/words/words';
import type { CommandId } from './commands';
import styles from './navigation.module.css';
import { Button, CopyButton } from './parts/button';

import { ConfirmDialog } from './parts/dialog';
import { oneLine } from './parts/format';
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
            needs={needs.filter(({ kind }) => viewOfNeed(kind) === view).length}
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

/** Returns the view that handles a need. Home shows all needs. */
function viewOfNeed(kind: NeedKind): ViewId {
  switch (kind) {
    case 'approval':
    case 'refused':
      return 'sandbox';
    case 'repository':
    case 'places':
      return 'home';
    case 'held':
    case 'full':
      return 'sessions';
    case 'dropped':
      return 'clients';
  }
}

interface EntryProps {
  view: ViewId;
  icon: LucideIcon;
  /** Number of open items; 0 is not shown. */
  open: number;
  /** Number of items that need attention; 0 is not shown. */
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

/** The protocol ports, except those of single sessions. */
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

/** A notice while a protocol port is open, because such a port has no authentication. */
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

/**
 * The switch that pauses all agents. Running evaluations continue; they are listed and can be stopped
 * separately.
 */
function PauseAll() {
  const words = useWords();
  const { actions } = useServices();
  const paused = useLive((state) => state.approvals.paused);
  return (
    <div className={styles.pause}>
      <Button
        icon={paused ? Play : Pause}
        onPress={() => void actions.harbor.approvals.pause({ paused: !paused })}
      >
        {words.commands.titles[paused ? 'agents:go-on' : 'agents:pause']}
      </Button>
      {paused && <StillRunning />}
    </div>
  );
}

function StillRunning() {
  const words = useWords();
  const sessions = useLive((state) => state.sessions);
  const [stopping, setStopping] = useState<readonly SessionView[] | null>(null);
  const running = [...sessions.values()].filter(({ state }) => state === 'running');
  return (
    <>
      <p role="status">{whatRunsOn([...sessions.values()], words)}</p>
      {running.length > 0 && (
        <Button icon={Square} onPress={() => setStopping(running)}>
          {words.window.stopWhatRuns}
        </Button>
      )}
      {stopping && <StopAll sessions={stopping} onClose={() => setStopping(null)} />}
    </>
  );
}

/** Describes what continues while all agents are paused. */
function whatRunsOn(sessions: readonly SessionView[], { window }: Words): string {
  const running = sessions.filter(({ state }) => state === 'running').map(({ name }) => name);
  const images = sessions.filter(({ state }) => HAVE_IMAGES.has(state)).length;
  return window.paused + window.stillRunning(running) + window.threadsRunOn(images);
}

const HAVE_IMAGES: ReadonlySet<SessionView['state']> = new Set(['idle', 'running', 'debugger']);

// Confirms that evaluations of several sessions are stopped, and lists them.

interface StopAllProps {
  /** Sessions with a running evaluation. */
  sessions: readonly SessionView[];
  onClose: () => void;
}

function StopAll({ sessions, onClose }: StopAllProps) {
  const words = useWords();
  const { actions } = useServices();
  const evaluations = useLive((state) => state.evaluations);

  return (
    <ConfirmDialog
      title={words.session.stopQuestion}
      confirm={words.session.stopNow(sessions.length)}
      onConfirm={() =>
        void Promise.all(sessions.map(({ id }) => actions.harbor.sessions.interrupt({ session: id })))
      }
      onClose={onClose}
      details={
        <ul className={styles.stopped} aria-label={words.session.stopped}>
          {sessions.map(({ id, name, client, runningEvaluation }) => {
            const row = evaluations.get(runningEvaluation ?? -1);
            return (
              <li key={id}>
                {name}: <code>{row ? oneLine(row.code).slice(0, 120) : words.session.starting}</code>
                {row &&
                  words.session.stopFor(
                    words.common.client(row.client),
                    words.formats.elapsed(Date.now() - row.startedAt),
                  )}
                {!row && ` – ${words.common.client(client)}`}
              </li>
            );
          })}
        </ul>
      }
    >
      {words.session.stopAbout}
    </ConfirmDialog>
  );
}
