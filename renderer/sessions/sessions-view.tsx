/** Every session there is in a list, and the selected one in the room that is left. */
import { SquareTerminal } from 'lucide-react';
import { useMemo } from 'react';
import { VisuallyHidden } from 'react-aria-components';
import { Empty } from '../parts/feedback';
import { SearchField } from '../parts/field';
import { NewSession } from '../parts/new-session';
import { SplitPane } from '../parts/split-pane';
import { useLive, useRoute, useServices, useViewState, useWords } from '../services';
import { SessionDetail } from '../session/session-detail';
import { SessionDialogs } from '../session/session-dialogs';
import { AttachServer } from './attach-server';
import { MemoryShort } from './memory-short';
import { listedSessions } from './session-list';
import { SessionRows } from './session-rows';
import { SessionStrip } from './session-strip';
import styles from './sessions-view.module.css';

/** The width of the view in pixels from which the session stands beside the list. */
const BESIDE_FROM = 520;

export function Sessions() {
  const words = useWords();
  const sessions = useLive((state) => state.sessions);
  const filter = useViewState(({ sessionFilter }) => sessionFilter);
  const sort = useViewState(({ sessionSort }) => sessionSort);
  const selected = useRoute(({ session }) => session);
  const shown = selected === null ? undefined : sessions.get(selected);
  const together = useViewState(({ selectedSessions }) => selectedSessions);
  const rows = useMemo(() => listedSessions(sessions.values(), filter, sort), [sessions, filter, sort]);
  const none = filter === '' && rows.length === 0;
  const chosen = rows.filter(({ id }) => together.includes(id));
  // Opening or choosing another session elsewhere ends a selection of several.
  const several = chosen.length > 1 && chosen.some(({ id }) => id === selected) ? chosen : [];
  const list = (
    <>
      {!none && <Tools filter={filter} />}
      {rows.length > 0 ? (
        <>
          <SessionRows rows={rows} several={several} />
          <SessionStrip rows={rows} selected={several} />
        </>
      ) : (
        <NoSessions filter={filter} />
      )}
    </>
  );
  return (
    <main className={styles.view}>
      <VisuallyHidden>
        <h1>{words.sessions.title}</h1>
      </VisuallyHidden>
      <MemoryShort />
      <SplitPane
        name="sessions"
        besideFrom={BESIDE_FROM}
        replaces
        initial={0.22}
        least={212}
        line={words.sessions.resizeList}
        list={list}
        detail={shown ? <SessionDetail key={shown.id} session={shown} /> : null}
      />
      <SessionDialogs />
    </main>
  );
}

function Tools({ filter }: { filter: string }) {
  const words = useWords();
  const { viewState } = useServices();
  return (
    <>
      <div className={styles.tools}>
        <div className={styles.filter}>
          <SearchField
            label={words.sessions.filterSessions}
            placeholder={words.sessions.filter}
            value={filter}
            onChange={(sessionFilter) => viewState.setState({ sessionFilter })}
          />
        </div>
        <AttachServer compact />
        <NewSession compact />
      </div>
      <Opening />
    </>
  );
}

/** What is being done to open a session. */
function Opening() {
  const opening = useLive((state) => state.opening);
  return <output className={styles.doing}>{opening && `${opening}…`}</output>;
}

function NoSessions({ filter }: { filter: string }) {
  const words = useWords();
  if (filter !== '') {
    return (
      <Empty icon={SquareTerminal} title={words.sessions.noneFits}>
        {words.sessions.filterAbout}
      </Empty>
    );
  }
  return (
    <Empty icon={SquareTerminal} title={words.sessions.none} action={<FirstSession />}>
      {words.sessions.noneAbout}
    </Empty>
  );
}

function FirstSession() {
  return (
    <div className={styles.first}>
      <NewSession />
      <AttachServer />
    </div>
  );
}
