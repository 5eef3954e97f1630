/** One session: what it is and does, and a tab each for its REPL, transcript, proof, events, checkpoints and memory. */
import { CircleStop, X } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { DebuggerTab } from '../debugger/debugger-tab';
import { CheckpointsTab } from '../checkpoints/checkpoints-tab';
import { Button, IconButton } from '../parts/button';
import { Checkbox } from '../parts/checkbox';
import { Problem } from '../parts/feedback';
import { engineTitle, limitTexts, shortenPath } from '../parts/format';
import { NetworkMark, SessionMark } from '../parts/state-mark';
import { TrustBadge } from '../proofs/trust-badge';
import { ReplTab } from '../repl/repl-tab';
import { SESSION_TABS, type SessionTab } from '../route';
import { useCommand, useRoute, useServices } from '../services';
import { EventsTab } from '../world/events-tab';
import { Asleep } from './asleep';
import { EmacsNote } from './attach-emacs';
import { EndSessions } from './end-sessions';
import { MemoryTab } from './memory-tab';
import { ProofTab } from './proof-tab';
import styles from './session-detail.module.css';
import { SessionMenu } from './session-menu';
import { TranscriptTab } from './transcript-tab';
import { imageDiedText } from './what-is-lost';

const TITLES: Readonly<Record<SessionTab, string>> = {
  repl: 'REPL',
  debugger: 'Debugger',
  inspector: 'Inspector',
  transcript: 'Transcript',
  proof: 'Proof',
  events: 'Events',
  checkpoints: 'Checkpoints',
  memory: 'Memory',
};

/** Tabs of sessions with a logical world. */
const OF_PROVERS: ReadonlySet<SessionTab> = new Set<SessionTab>(['proof', 'events']);

export function SessionDetail({ session }: { session: SessionView }) {
  const { route } = useServices();
  const tab = useRoute((state) => state.tab);
  const typing = useRoute((state) => state.typing);
  const tabs = session.world ? SESSION_TABS : SESSION_TABS.filter((name) => !OF_PROVERS.has(name));
  return (
    <section className={styles.detail} aria-label={`Session ${session.name}`}>
      <Head session={session} />
      <StateNote session={session} />
      <EmacsNote session={session.id} />
      <Tabs
        className={styles.tabs ?? ''}
        selectedKey={tabs.includes(tab) ? tab : 'repl'}
        onSelectionChange={(key) => {
          const chosen = SESSION_TABS.find((name) => name === key);
          if (chosen && chosen !== tab) route.setState({ tab: chosen, typing: false });
        }}
      >
        <TabList aria-label="Session" className={styles.tablist ?? ''}>
          {tabs.map((name) => (
            <Tab key={name} id={name} className={styles.tab ?? ''}>
              {TITLES[name]}
            </Tab>
          ))}
        </TabList>
        <TabPanel id="repl" className={styles.panel ?? ''}>
          <WithImage session={session}>
            <ReplTab session={session.id} name={session.name} focus={typing} />
          </WithImage>
        </TabPanel>
        <TabPanel id="debugger" className={styles.panel ?? ''}>
          <WithImage session={session}>
            <DebuggerTab session={session} />
          </WithImage>
        </TabPanel>
        <TabPanel id="transcript" className={styles.panel ?? ''}>
          <TranscriptTab session={session} />
        </TabPanel>
        <TabPanel id="proof" className={styles.panel ?? ''}>
          <ProofTab session={session} />
        </TabPanel>
        <TabPanel id="events" className={styles.panel ?? ''}>
          <EventsTab session={session} />
        </TabPanel>
        <TabPanel id="checkpoints" className={styles.panel ?? ''}>
          <CheckpointsTab session={session} />
        </TabPanel>
        <TabPanel id="memory" className={styles.panel ?? ''}>
          <WithImage session={session}>
            <MemoryTab session={session.id} />
          </WithImage>
        </TabPanel>
      </Tabs>
    </section>
  );
}

function Head({ session }: { session: SessionView }) {
  const { actions } = useServices();
  const closeDetail = useCommand('detail:close');
  const interrupt = useCommand('session:interrupt');
  const [ending, setEnding] = useState(false);
  const { id, name, state, hold, trust } = session;
  return (
    <header className={styles.head}>
      <h2 title={id}>{name}</h2>
      <SessionMark {...session} />
      {trust && state !== 'lost' && <TrustBadge issues={trust} subject={`session ${name}`} />}
      <NetworkMark {...session} />
      <Facts session={session} />
      {hold !== null && state !== 'ended' && state !== 'asleep' && (
        <Checkbox label="Hold errors" checked={hold} onChange={(checked) => void actions.hold(id, checked)} />
      )}
      <Button
        icon={CircleStop}
        shortcut={interrupt.shortcut}
        isDisabled={state !== 'running'}
        onPress={() => void actions.interrupt(id)}
      >
        Interrupt
      </Button>
      <Button isDisabled={state === 'ended'} onPress={() => setEnding(true)}>
        End session…
      </Button>
      <SessionMenu session={session} />
      <IconButton
        icon={X}
        label={closeDetail.title}
        shortcut={closeDetail.shortcut}
        onPress={closeDetail.run}
      />
      {ending && <EndSessions sessions={[session]} onClose={() => setEnding(false)} />}
    </header>
  );
}

function Facts({ session }: { session: SessionView }) {
  const { engine, client, project, generation, sandbox, limits, server } = session;
  const confined = sandbox.confined ? `confined by ${sandbox.launcher}` : 'not sandboxed';
  const facts = server
    ? [engineTitle(engine), `${server.host}:${server.port}`, confined, session.package, client]
    : [engineTitle(engine), session.package, client, confined];
  if (generation > 1) facts.push(`generation ${generation}`);
  // Few people need to know how much may be printed: the tooltip says it.
  facts.push(...limitTexts({ ...limits, outputChars: null }));
  const reasons = sandbox.reason === undefined ? [] : [sandbox.reason];
  const about = [project, confined, ...reasons, ...limitTexts(limits)].join('\n');
  return (
    <p className={styles.facts} title={about}>
      {[...facts, shortenPath(project, 36)].join(' · ')}
    </p>
  );
}

function StateNote({ session }: { session: SessionView }) {
  if (session.state === 'lost') return <Problem tone="warn">{imageDiedText(session)}</Problem>;
  if (session.state !== 'debugger') return null;
  return (
    <Problem tone="warn">
      An evaluation is held in the debugger. In the REPL, type the number of a restart to go on, or evaluate
      where it stands.
    </Problem>
  );
}

/** What can only be shown of a session that has an image, or gets one by itself. */
function WithImage({ session, children }: { session: SessionView; children: ReactNode }) {
  if (session.state === 'ended') return <Ended />;
  return session.state === 'asleep' ? <Asleep session={session} /> : children;
}

function Ended() {
  return (
    <p className={styles.ended}>
      This session has ended. What was evaluated in it is under Transcript and in the history; “New session”
      opens another.
    </p>
  );
}
