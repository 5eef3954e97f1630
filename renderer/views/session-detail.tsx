/** One session: what it is and does, its REPL, its transcript. */
import { CircleStop, X } from 'lucide-react';
import { useState } from 'react';
import { Tab, TabList, TabPanel, Tabs } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { Button, IconButton } from '../parts/button';
import { ConfirmDialog } from '../parts/dialog';
import { Problem } from '../parts/feedback';
import { engineTitle, shortenPath } from '../parts/format';
import { SessionMark } from '../parts/state-mark';
import { Repl } from '../parts/terminal';
import { Tick } from '../parts/tick';
import { SESSION_TABS, type SessionTab } from '../place';
import { useCommand, usePlace, useServices } from '../services';
import styles from './session-detail.module.css';
import { Transcript } from './transcript';

const TITLES: Readonly<Record<SessionTab, string>> = { repl: 'REPL', transcript: 'Transcript' };

export function SessionDetail({ session }: { session: SessionView }) {
  const { place } = useServices();
  const tab = usePlace((state) => state.tab);
  const typing = usePlace((state) => state.typing);
  return (
    <section className={styles.detail} aria-label={`Session ${session.name}`}>
      <Head session={session} />
      <StateNote session={session} />
      <Tabs
        className={styles.tabs ?? ''}
        selectedKey={tab}
        onSelectionChange={(key) => {
          const chosen = SESSION_TABS.find((name) => name === key);
          if (chosen && chosen !== tab) place.setState({ tab: chosen, typing: false });
        }}
      >
        <TabList aria-label="Session" className={styles.tablist ?? ''}>
          {SESSION_TABS.map((name) => (
            <Tab key={name} id={name} className={styles.tab ?? ''}>
              {TITLES[name]}
            </Tab>
          ))}
        </TabList>
        <TabPanel id="repl" className={styles.panel ?? ''}>
          {session.state === 'ended' ? (
            <Ended />
          ) : (
            <Repl session={session.id} name={session.name} focus={typing} />
          )}
        </TabPanel>
        <TabPanel id="transcript" className={styles.panel ?? ''}>
          <Transcript session={session} />
        </TabPanel>
      </Tabs>
    </section>
  );
}

function Head({ session }: { session: SessionView }) {
  const { actions } = useServices();
  const closeDetail = useCommand('detail:close');
  const interrupt = useCommand('session:interrupt');
  const [closing, setClosing] = useState(false);
  const { id, name, state, hold } = session;
  return (
    <header className={styles.head}>
      <h2 title={id}>{name}</h2>
      <SessionMark state={state} />
      <Facts session={session} />
      {hold !== null && state !== 'ended' && (
        <Tick label="Hold errors" checked={hold} onChange={(checked) => void actions.hold(id, checked)} />
      )}
      <Button
        icon={CircleStop}
        shortcut={interrupt.shortcut}
        isDisabled={state !== 'running'}
        onPress={() => void actions.interrupt(id)}
      >
        Interrupt
      </Button>
      <Button isDisabled={state === 'ended'} onPress={() => setClosing(true)}>
        Close session…
      </Button>
      <IconButton
        icon={X}
        label={closeDetail.title}
        shortcut={closeDetail.shortcut}
        onPress={closeDetail.run}
      />
      {closing && (
        <ConfirmDialog
          title={`Close session “${name}”?`}
          confirm={`Close ${name}`}
          onConfirm={() => void actions.closeSession(id)}
          onClose={() => setClosing(false)}
        >
          {session.server
            ? 'The server goes on, with whatever was defined in it. What was evaluated stays in the history.'
            : 'Its image ends and whatever was defined in it is gone. What was evaluated stays in the history.'}
        </ConfirmDialog>
      )}
    </header>
  );
}

function Facts({ session }: { session: SessionView }) {
  const { engine, client, project, generation, sandbox, server } = session;
  const confined = sandbox.confined ? `confined by ${sandbox.launcher}` : 'not sandboxed';
  const facts = server
    ? [engineTitle(engine), `${server.host}:${server.port}`, confined, session.package, client]
    : [engineTitle(engine), session.package, client, confined];
  if (generation > 1) facts.push(`generation ${generation}`);
  return (
    <p className={styles.facts} title={`${project}\n${sandbox.reason ?? confined}`}>
      {[...facts, shortenPath(project, 36)].join(' · ')}
    </p>
  );
}

function StateNote({ session: { state, server } }: { session: SessionView }) {
  if (state === 'lost' && server) {
    return (
      <Problem tone="warn">
        The connection to {server.host}:{server.port} is gone. Evaluate anything to connect again, if the
        server is there; if it was started anew, its state is lost.
      </Problem>
    );
  }
  if (state === 'lost') {
    return (
      <Problem tone="warn">
        The image of this session died and its state is lost. Evaluate anything to get a fresh image, or close
        the session.
      </Problem>
    );
  }
  if (state !== 'debugger') return null;
  return (
    <Problem tone="warn">
      An evaluation is held in the debugger. In the REPL, type the number of a restart to go on, or evaluate
      where it stands.
    </Problem>
  );
}

function Ended() {
  return (
    <p className={styles.ended}>
      This session has ended. What was evaluated in it is under Transcript and in the history; “New session”
      opens another.
    </p>
  );
}
