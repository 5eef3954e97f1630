/** One session: header, REPL and panes. */

import { ArrowLeft, CircleStop, Ellipsis } from 'lucide-react';
import { MenuTrigger } from 'react-aria-components';
import type { SessionView } from '../../electron/contract/model';
import { useDebuggerOnSuspend } from '../debugger/debugger-actions';
import { Button, IconButton, Menu, MenuItem } from '../parts/button';
import { engineTitle, shortenPath } from '../parts/format';
import { SplitPane } from '../parts/split-pane';
import { NetworkMark, SessionMark } from '../parts/state-mark';
import { Problem } from '../parts/view';
import { TrustBadge } from '../proofs/trust-badge';
import { OrphanedDraftView } from '../repl/orphaned-draft';
import { Repl } from '../repl/repl';
import { useCommand, useRoute, useServices, useWords } from '../services';
import { WithImage } from './asleep';
import { EditorNotes } from './attach-editor';
import { PaneRail, Panes } from './panes';
import styles from './session-detail.module.css';
import { imageDiedText, stoppingText } from './what-is-lost';

/**
 * Minimum width for a pane next to the REPL, in pixels. Narrower, the pane is below. With the rail, 82 pixels wide, it
 * is the width in the style sheets.
 */
const MIN_WIDTH_FOR_PANE = 896;

export function SessionDetail({ session }: { session: SessionView }) {
  const words = useWords();
  const hasTabs = useRoute((state) => state.tab !== null);
  useDebuggerOnSuspend(session);
  return (
    <section className={styles.detail} aria-label={words.session.region(session.name)}>
      <Head session={session} />
      <StateNote session={session} />
      <EditorNotes session={session.id} />
      <div className={styles.body}>
        <SplitPane
          name="session"
          columnsFrom={MIN_WIDTH_FOR_PANE}
          initial={0.67}
          line={words.session.resizePane}
          list={
            <>
              <WithImage session={session}>
                <Repl session={session} />
              </WithImage>
              {session.state === 'ended' && <OrphanedDraftView session={session} />}
            </>
          }
          detail={hasTabs ? <Panes session={session} /> : null}
        />
        <PaneRail session={session} />
      </div>
    </section>
  );
}

function Head({ session }: { session: SessionView }) {
  const words = useWords();
  const { actions, route } = useServices();
  const interrupt = useCommand('session:interrupt');
  const { id, name, state, trust } = session;
  return (
    <header className={styles.head}>
      <div className={styles.back}>
        <IconButton
          icon={ArrowLeft}
          label={words.session.all}
          onPress={() => route.setState({ session: null })}
        />
      </div>
      <h2 title={id}>{name}</h2>
      <SessionMark {...session} />
      <span className={styles.marks}>
        {trust && state !== 'lost' && <TrustBadge issues={trust} subject={words.session.subject(name)} />}
        <NetworkMark {...session} />
      </span>
      <Facts session={session} />
      <Button
        icon={CircleStop}
        shortcut={interrupt.shortcut}
        isDisabled={state !== 'running'}
        onPress={() => void actions.harbor.sessions.interrupt({ session: id })}
      >
        {interrupt.title}
      </Button>
      <SessionMenu session={session} label={words.session.more} />
    </header>
  );
}

function Facts({ session }: { session: SessionView }) {
  const words = useWords();
  const { engine, project, pid, generation, sandbox, limits, server } = session;
  const client = words.common.client(session.client);
  const confined = sandbox.confined ? words.session.confinedBy(sandbox.launcher) : words.session.notSandboxed;
  const facts = server
    ? [engineTitle(engine), `${server.host}:${server.port}`, confined, session.package, client]
    : [engineTitle(engine), session.package, client, confined];
  if (pid !== null) facts.push(words.session.pid(pid));
  if (generation > 1) facts.push(words.session.generation(generation));
  // The output limits are rarely needed: they are in the tooltip.
  facts.push(...words.formats.limits({ ...limits, outputChars: null }));
  const reasons = sandbox.reason === undefined ? [] : [sandbox.reason];
  const about = [project, confined, ...reasons, ...words.formats.limits(limits)].join('\n');
  return (
    <p className={styles.facts} title={about}>
      {[...facts, shortenPath(project, 36)].join(' · ')}
    </p>
  );
}

/** A note about the session's state, with actions. */
function StateNote({ session }: { session: SessionView }) {
  const words = useWords();
  const { actions } = useServices();
  const { id, state, stopping } = session;
  if (state === 'lost') return <Problem tone="warn">{imageDiedText(session, words)}</Problem>;
  const text = stoppingText(session, words);
  if (text === null || !stopping) return null;
  const ways = (
    <>
      {stopping.step !== 'end' && (
        <Button
          onPress={() =>
            void actions.harbor.sessions.stop({ session: id, evaluation: stopping.evaluation, byForce: true })
          }
        >
          {words.session.forceStop}
        </Button>
      )}
      <Button onPress={() => void actions.restart(session)}>{words.session.restart}</Button>
    </>
  );
  return (
    <Problem tone="warn" action={ways}>
      {text}
    </Problem>
  );
}

// The menu of all actions on a session.

interface SessionMenuProps {
  session: SessionView;
  /** The accessible name of the button. */
  label: string;
}

export function SessionMenu({ session, label }: SessionMenuProps) {
  const words = useWords();
  const { sessionActions } = useServices();
  return (
    <MenuTrigger>
      <IconButton icon={Ellipsis} label={label} />
      <Menu label={label}>
        {sessionActions
          .filter(({ offered }) => offered?.(session) ?? true)
          .map(({ id, title, about, enabled, run }) => (
            <MenuItem
              key={id}
              title={title(words, session)}
              about={about(words, session)}
              isDisabled={!enabled(session)}
              onChoose={() => void run(session)}
            />
          ))}
      </Menu>
    </MenuTrigger>
  );
}
