/** What ended the last evaluation that failed, when nothing is held: to read, and to evaluate it again such that it is held. */
import { type ReactNode, useState } from 'react';
import type { FailureView } from '../../electron/contract/debugger';
import type { SessionView } from '../../electron/contract/model';
import { tryCall } from '../bridge';
import { useFailure, useThrown } from '../image-queries';
import { Button } from '../parts/button';
import { Problem } from '../parts/feedback';
import { besideType, compactMessage, engineTitle } from '../parts/format';
import { LispBlock, LispLine } from '../parts/lisp';
import { RelativeTime, useNow } from '../parts/time';
import { formatRoute, START_ROUTE } from '../route';
import { useServices, useWords } from '../services';
import styles from './debugger.module.css';
import { frameGroups } from './frame-groups';
import { GroupedFrames } from './grouped-frames';
import { Thrown } from './thrown';

interface LastErrorProps {
  session: SessionView;
  /** Shown where nothing has failed. */
  nothing: ReactNode;
}

export function LastError({ session, nothing }: LastErrorProps) {
  const { data, error } = useFailure(session.id);
  if (error) return <Problem>{error.message}</Problem>;
  if (data === undefined) return null;
  return data === null ? nothing : <Failure session={session} failure={data} />;
}

function Failure({ session, failure }: { session: SessionView; failure: FailureView }) {
  const words = useWords();
  const now = useNow(10_000);
  const { data: causes = [] } = useThrown(session, failure.evaluation);
  const { evaluation, client, code, startedAt, type, message } = failure;
  const href = formatRoute({ ...START_ROUTE, view: 'history', evaluation });
  return (
    <section aria-label={words.debug.lastError} className={styles.debugger}>
      <header className={styles.condition}>
        <p className={styles.type}>
          <code>{type}</code>
          <span>
            {words.common.client(client)} · <a href={href}>#{evaluation}</a> ·{' '}
            <RelativeTime at={startedAt} now={now} />
          </span>
        </p>
        {/* The causes say the same, each for itself. */}
        {causes.length === 0 && (
          <p className={styles.message} lang="en">
            {compactMessage(besideType(message, type))}
          </p>
        )}
        <div className={styles.code}>
          <LispBlock code={code} engine={session.engine} />
        </div>
        <Again session={session} evaluation={evaluation} />
      </header>
      {causes.length > 0 ? (
        <Thrown key={evaluation} session={session} evaluation={evaluation} causes={causes} />
      ) : (
        <ReportedFrames session={session} failure={failure} />
      )}
    </section>
  );
}

function Again({ session, evaluation }: { session: SessionView; evaluation: number }) {
  const words = useWords();
  const { toasts } = useServices();
  const [asking, setAsking] = useState(false);
  if (session.hold === null)
    return <p className={styles.hint}>{words.debug.unwound(engineTitle(session.engine))}</p>;
  const again = async (step: boolean) => {
    setAsking(true);
    await tryCall(toasts, 'debugger:again', { session: session.id, evaluation, step });
    setAsking(false);
  };
  const isDisabled = asking || session.state !== 'idle';
  return (
    <>
      <p className={styles.hint}>{words.debug.reported}</p>
      <p className={styles.buttons}>
        <Button isDisabled={isDisabled} onPress={() => void again(false)}>
          {words.debug.againHeld}
        </Button>
        <Button isDisabled={isDisabled} onPress={() => void again(true)}>
          {words.debug.stepThrough}
        </Button>
      </p>
    </>
  );
}

function ReportedFrames({
  session,
  failure: { frames, omitted },
}: {
  session: SessionView;
  failure: FailureView;
}) {
  const words = useWords();
  if (frames.length === 0) return null;
  return (
    <section aria-label={words.evaluations.frames} className={styles.frames}>
      <h3>{words.debug.frames(frames.length + omitted)}</h3>
      <GroupedFrames
        groups={frameGroups(frames)}
        engine={session.engine}
        line={(frame) => (
          <li key={frame.index} className={styles.reported}>
            <span className={styles.index}>{frame.index}</span>
            <LispLine code={frame.call} engine={session.engine} />
          </li>
        )}
      />
      {omitted > 0 && <p className={styles.inner}>{words.debug.framesMore(omitted)}</p>}
    </section>
  );
}
