/** Every session there is, with the selected one below the list. */
import { SquareTerminal } from 'lucide-react';
import { useMemo } from 'react';
import { Empty } from '../parts/feedback';
import { SearchField } from '../parts/field';
import { NewSession } from '../parts/new-session';
import { SplitPane } from '../parts/split-pane';
import { View } from '../parts/view';
import { useLive, useRoute, useServices, useViewState } from '../services';
import { SessionDetail } from '../session/session-detail';
import { AttachServer } from './attach-server';
import { MemoryShort } from './memory-short';
import { listedSessions } from './session-list';
import { SessionStrip } from './session-strip';
import { SessionTable } from './session-table';

export function Sessions() {
  const { viewState } = useServices();
  const sessions = useLive((state) => state.sessions);
  const filter = useViewState(({ sessionFilter }) => sessionFilter);
  const sort = useViewState(({ sessionSort }) => sessionSort);
  const selected = useRoute(({ session }) => session);
  const shown = selected === null ? undefined : sessions.get(selected);
  const together = useViewState(({ selectedSessions }) => selectedSessions);
  const rows = useMemo(() => listedSessions(sessions.values(), filter, sort), [sessions, filter, sort]);
  const none = filter === '' && rows.length === 0;
  const tools = (
    <>
      {!none && (
        <SearchField
          label="Filter sessions"
          value={filter}
          onChange={(sessionFilter) => viewState.setState({ sessionFilter })}
        />
      )}
      <AttachServer />
      {!none && <NewSession />}
    </>
  );
  const chosen = rows.filter(({ id }) => together.includes(id));
  // Opening or choosing another session elsewhere ends a selection of several.
  const several = chosen.length > 1 && chosen.some(({ id }) => id === selected) ? chosen : [];
  const list =
    rows.length > 0 ? (
      <>
        <SessionTable rows={rows} several={several} />
        <SessionStrip rows={rows} selected={several} />
      </>
    ) : (
      <NoSessions filter={filter} />
    );
  return (
    <View title="Sessions" tools={tools}>
      <MemoryShort />
      <SplitPane
        name="sessions"
        besideFrom={null}
        initial={0.36}
        list={list}
        detail={shown ? <SessionDetail key={shown.id} session={shown} /> : null}
      />
    </View>
  );
}

function NoSessions({ filter }: { filter: string }) {
  if (filter !== '') {
    return (
      <Empty icon={SquareTerminal} title="No session fits the filter">
        The filter looks at names, states, engines, packages and clients.
      </Empty>
    );
  }
  return (
    <Empty icon={SquareTerminal} title="No sessions" action={<NewSession />}>
      Each session is a Lisp process of its own, or attached to one that runs already. Yours and those that
      agents open appear here.
    </Empty>
  );
}
