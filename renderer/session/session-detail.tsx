/** One session: what it is and does, its REPL in the middle, and beside it what else can be seen of it. */
import { ArrowLeft, CircleStop, PanelRight } from 'lucide-react';
import type { SessionView } from '../../electron/contract/model';
import { useShownWhenHeld } from '../debugger/use-shown-when-held';
import { Button, IconButton } from '../parts/button';
import { Problem } from '../parts/feedback';
import { engineTitle, shortenPath } from '../parts/format';
import { SplitPane } from '../parts/split-pane';
import { NetworkMark, SessionMark } from '../parts/state-mark';
import { TrustBadge } from '../proofs/trust-badge';
import { LeftDraft } from '../repl/left-draft';
import { Repl } from '../repl/repl';
import { useCommand, useRoute, useServices, useViewState, useWords } from '../services';
import { EmacsNote } from './attach-emacs';
import styles from './session-detail.module.css';
import { SessionMenu } from './session-menu';
import { TabPanes } from './tab-panes';
import { imageDiedText, stoppingText } from './what-is-lost';
import { WithImage } from './with-image';

/** The width in pixels from which the tabs stand beside the REPL. */
const BESIDE_FROM = 640;

export function SessionDetail({ session }: { session: SessionView }) {
  const words = useWords();
  const hasTabs = useRoute((state) => state.tab !== null);
  useShownWhenHeld(session);
  return (
    <section className={styles.detail} aria-label={words.session.region(session.name)}>
      <Head session={session} />
      <StateNote session={session} />
      <EmacsNote session={session.id} />
      <SplitPane
        name="session"
        besideFrom={BESIDE_FROM}
        initial={0.58}
        line={words.session.resizeTabs}
        list={
          <>
            <WithImage session={session}>
              <Repl session={session} />
            </WithImage>
            {session.state === 'ended' && <LeftDraft session={session} />}
          </>
        }
        detail={hasTabs ? <TabPanes session={session} /> : null}
      />
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
        onPress={() => void actions.interrupt(id)}
      >
        {interrupt.title}
      </Button>
      <ShowTabs session={session} />
      <SessionMenu session={session} label={words.session.more} />
    </header>
  );
}

/** Brings the tabs back after they were closed. */
function ShowTabs({ session }: { session: SessionView }) {
  const words = useWords();
  const { actions } = useServices();
  const closed = useRoute(({ tab }) => tab === null);
  const lastTab = useViewState((state) => state.lastTab);
  if (!closed) return null;
  return (
    <IconButton
      icon={PanelRight}
      label={words.session.showTabs}
      onPress={() => actions.openTab(session.id, lastTab)}
    />
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
  // Few people need to know how much may be printed: the tooltip says it.
  facts.push(...words.formats.limits({ ...limits, outputChars: null }));
  const reasons = sandbox.reason === undefined ? [] : [sandbox.reason];
  const about = [project, confined, ...reasons, ...words.formats.limits(limits)].join('\n');
  return (
    <p className={styles.facts} title={about}>
      {[...facts, shortenPath(project, 36)].join(' · ')}
    </p>
  );
}

/** What a person must know of its state, and can do about it. */
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
        <Button onPress={() => void actions.stop(id, stopping.evaluation, true)}>
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
