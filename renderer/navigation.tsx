/**
 * The navigation: views, and below them low memory, open ports and the endpoint. It is a rail with the names
 * below the icons, or a wider list with the names next to them.
 */

import {
  CircleX,
  Cog,
  FileCode,
  FlaskConical,
  House,
  type LucideIcon,
  PanelLeft,
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
import { useLayoutEffect, useState } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import type { NeedKind } from '../electron/contract/approvals';
import type { SessionView } from '../electron/contract/model';
import type { Words } from '../electron/words/words';
import type { CommandId } from './commands';
import styles from './navigation.module.css';
import { Button, CopyButton } from './parts/button';
import { ConfirmDialog } from './parts/dialog';
import { oneLine } from './parts/format';
import { RailButton } from './parts/rail';
import rail from './parts/rail.module.css';
import { VIEWS, type ViewId } from './route';
import { useCommand, useLive, useRoute, useServices, useViewState, useWords } from './services';
import { ariaShortcut, shortcutLabel } from './shortcuts';

const ICONS: Readonly<Record<ViewId, LucideIcon>> = {
  home: House,
  sessions: SquareTerminal,
  source: FileCode,
  tests: FlaskConical,
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
      <div className={styles.foot}>
        <Memory />
        <EditorPorts />
        <ProtocolPorts />
        <Endpoint />
        <PauseAll />
        <Widen />
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
        className={rail.item}
        aria-current={current ? 'page' : undefined}
        aria-keyshortcuts={ariaShortcut(shortcut, mac)}
        title={
          open > 0
            ? `${words.common.sessions(open)} (${shortcutLabel(shortcut, mac)})`
            : shortcutLabel(shortcut, mac)
        }
      >
        <Icon aria-hidden />
        <span>{title}</span>
        {needs > 0 && (
          <span className={styles.needs}>
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
    <Notice href="#/sessions" title={words.window.available(words.formats.bytes(memory.availableBytes))}>
      {words.window.memoryShort}
    </Notice>
  );
}

function EditorPorts() {
  const words = useWords();
  const { swank = [], slynk = [], nrepl = [] } = useLive((state) => state.status?.ports) ?? {};
  const ports = [...swank, ...slynk, ...nrepl];
  const [first] = ports;
  if (!first) return null;
  const href = first.session === null ? '#/home' : `#/sessions/${first.session}`;
  return (
    <OpenPorts ports={ports} href={href}>
      {words.window.editorPorts(ports.length)}
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
    <Notice href={href} title={places.join('\n')}>
      {children}
    </Notice>
  );
}

interface NoticeProps {
  href: string;
  /** Details, in the tooltip. */
  title: string | undefined;
  tone?: 'warn' | 'bad';
  children: string;
}

function Notice({ href, title, tone = 'warn', children }: NoticeProps) {
  const Icon = tone === 'bad' ? CircleX : TriangleAlert;
  return (
    <a href={href} className={rail.item} title={[children, title].filter(Boolean).join('\n')}>
      <Icon className={styles[tone]} aria-hidden />
      <span>{children}</span>
    </a>
  );
}

function Endpoint() {
  const words = useWords();
  const endpoint = useLive((state) => state.status?.endpoint);
  if (!endpoint) return null;
  const { url, problem } = endpoint;
  if (url === null) {
    return (
      <Notice href="#/home" title={problem ?? undefined} tone="bad">
        {words.window.notListening}
      </Notice>
    );
  }
  return (
    <div className={rail.item} title={url}>
      <Radio className={styles.good} aria-hidden />
      <span>{words.window.listening}</span>
      <CopyButton text={url} what={words.copying.endpoint} />
      <code>{url.replace(/^https?:\/\//, '')}</code>
    </div>
  );
}

/** The switch that pauses all agents. */
function PauseAll() {
  const words = useWords();
  const { actions } = useServices();
  const paused = useLive((state) => state.approvals.paused);
  return (
    <RailButton
      icon={paused ? Play : Pause}
      name={paused ? words.window.resume : words.window.pause}
      title={words.commands.titles[paused ? 'agents:go-on' : 'agents:pause']}
      data-paused={paused || undefined}
      onClick={() => void actions.harbor.approvals.pause({ paused: !paused })}
    />
  );
}

/** The switch between rail and list. */
function Widen() {
  const words = useWords();
  const { title, shortcut, run } = useCommand('navigation:widen');
  const wide = useViewState(({ wideNavigation }) => wideNavigation);
  // The width of the navigation is that of a column of the window and of its first outline.
  useLayoutEffect(() => {
    document.documentElement.toggleAttribute('data-wide', wide);
  }, [wide]);
  return (
    <RailButton
      icon={PanelLeft}
      name={wide ? words.window.narrow : words.window.widen}
      title={title}
      shortcut={shortcut}
      aria-pressed={wide}
      data-widen
      onClick={run}
    />
  );
}

/** While all agents are paused: which evaluations continue, and a button that stops them. */
export function PausedStrip() {
  const paused = useLive((state) => state.approvals.paused);
  return paused && <StillRunning />;
}

function StillRunning() {
  const words = useWords();
  const sessions = useLive((state) => state.sessions);
  const [stopping, setStopping] = useState<readonly SessionView[] | null>(null);
  const running = [...sessions.values()].filter(({ state }) => state === 'running');
  return (
    <section className={styles.paused} aria-label={words.commands.titles['agents:pause']}>
      <Pause size={16} className={styles.warn} aria-hidden />
      <p role="status">{whatRunsOn([...sessions.values()], words)}</p>
      {running.length > 0 && (
        <Button icon={Square} onPress={() => setStopping(running)}>
          {words.window.stopWhatRuns}
        </Button>
      )}
      {stopping && <StopAll sessions={stopping} onClose={() => setStopping(null)} />}
    </section>
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
