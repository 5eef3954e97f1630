/** Activity: each running evaluation with a stop button, and recent tool calls of agents. */

import { CircleDashed, CircleDot, Radio } from 'lucide-react';
import type { LastCall } from '../../electron/contract/approvals';
import type { HistoryRow, SessionView } from '../../electron/contract/model';
import { lastLine } from '../live';
import { Button } from '../parts/button';
import { oneLine } from '../parts/format';
import { Row, Rows } from '../parts/list';
import { Duration, RelativeTime, Sentence } from '../parts/text';
import { useLive, useServices, useWords } from '../services';

export function AtWork({ now }: { now: number }) {
  const words = useWords();
  const sessions = useLive((state) => state.sessions);
  const evaluations = useLive((state) => state.evaluations);
  const calls = useLive((state) => state.needs.calls);
  const { running, recent } = atWork([...sessions.values()], calls, now);
  return (
    <Rows title={words.home.atWork}>
      <ul>
        {running.map((session) => (
          <Running
            key={session.id}
            session={session}
            evaluation={evaluations.get(session.runningEvaluation ?? -1)}
          />
        ))}
        {recent.map((call) => (
          <Called key={call.client} call={call} now={now} />
        ))}
        {running.length + recent.length === 0 && (
          <Row icon={CircleDashed} title={words.home.nobody} about={words.home.nobodyAbout} />
        )}
      </ul>
    </Rows>
  );
}

function Running({ session, evaluation }: { session: SessionView; evaluation: HistoryRow | undefined }) {
  const words = useWords();
  const { actions } = useServices();
  const client = words.common.client(evaluation?.client ?? session.client);
  const printed = useLive(({ outputs }) => lastLine(outputs.get(evaluation?.id ?? -1) ?? []));
  return (
    <Row
      icon={CircleDot}
      tone="active"
      title={
        <Sentence
          of={words.home.runs(
            <b>{client}</b>,
            <a href={`#/sessions/${session.id}`}>{session.name}</a>,
            <code data-code-of={session.id}>
              {evaluation ? oneLine(evaluation.code).slice(0, 160) : words.home.startingUp}
            </code>,
          )}
        />
      }
      about={
        evaluation && (
          <>
            <Duration ms={null} since={evaluation.startedAt} after={printed && ' · '} />
            {printed}
          </>
        )
      }
    >
      <Button
        onPress={() => void actions.harbor.sessions.interrupt({ session: session.id })}
        aria-label={words.home.stopOf(client, session.name)}
      >
        {words.home.stop}
      </Button>
    </Row>
  );
}

function Called({
  call: { client, tool, about, startedAt, endedAt, ending },
  now,
}: {
  call: LastCall;
  now: number;
}) {
  const words = useWords();
  const called = endedAt === null ? words.home.calls : words.home.called;
  return (
    <Row
      icon={endedAt === null ? CircleDot : Radio}
      tone={endedAt === null ? 'active' : 'quiet'}
      title={
        <Sentence
          of={called(<b>{words.common.client(client)}</b>, tool, <code>{about.slice(0, 120)}</code>)}
        />
      }
      about={
        <>
          <RelativeTime at={endedAt ?? startedAt} now={now} />
          {ending !== null && words.home.callEndings[ending]}
        </>
      }
    />
  );
}

// Running sessions, and clients whose last call was recent and is not shown otherwise.

/** Milliseconds after its last call until a client is no longer active. */
const RECENT_MS = 5 * 60_000;

export function atWork(
  sessions: readonly SessionView[],
  calls: readonly LastCall[],
  now: number,
): { running: SessionView[]; recent: LastCall[] } {
  const running = sessions.filter(({ state }) => state === 'running');
  const shown = new Set(running.map(({ client }) => client));
  const isRecent = ({ endedAt }: LastCall) => endedAt === null || now - endedAt < RECENT_MS;
  return { running, recent: calls.filter((call) => isRecent(call) && !shown.has(call.client)) };
}
