/** What ended the last evaluation that failed, when nothing is held: to read, and to evaluate it again such that it is held. */
import { type ReactNode, useState } from 'react';
import type { FailureView } from '../../electron/contract/debugger';
import type { SessionView } from '../../electron/contract/model';
import { tryCall } from '../bridge';
import { useFailure, useThrown } from '../image-queries';
import { Button } from '../parts/button';
import { Problem } from '../parts/feedback';
import { compactMessage, count, engineTitle } from '../parts/format';
import { LispBlock, LispLine } from '../parts/lisp';
import { RelativeTime, useNow } from '../parts/time';
import { formatRoute, START_ROUTE } from '../route';
import { useServices } from '../services';
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
  const now = useNow(10_000);
  const { data: causes = [] } = useThrown(session, failure.evaluation);
  const { evaluation, client, code, startedAt, type, message } = failure;
  const href = formatRoute({ ...START_ROUTE, view: 'history', evaluation });
  return (
    <section aria-label="Last error" className={styles.debugger}>
      <header className={styles.condition}>
        <p className={styles.type}>
          <code>{type}</code>
          <span>
            {client} · <a href={href}>#{evaluation}</a> · <RelativeTime at={startedAt} now={now} />
          </span>
        </p>
        {/* The causes say the same, each for itself. */}
        {causes.length === 0 && <p className={styles.message}>{compactMessage(message)}</p>}
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
  const { toasts } = useServices();
  const [asking, setAsking] = useState(false);
  if (session.hold === null)
    return (
      <p className={styles.hint}>
        The evaluation has ended: {engineTitle(session.engine)} has no restarts, so there is nothing to choose
        here, no frame to return from or to evaluate in.
      </p>
    );
  const again = async (step: boolean) => {
    setAsking(true);
    await tryCall(toasts, 'debugger:again', { session: session.id, evaluation, step });
    setAsking(false);
  };
  const isDisabled = asking || session.state !== 'idle';
  return (
    <>
      <p className={styles.hint}>
        It was reported and unwound. Evaluated again, all that it does is done again.
      </p>
      <p className={styles.buttons}>
        <Button isDisabled={isDisabled} onPress={() => void again(false)}>
          Evaluate again, hold the error
        </Button>
        <Button isDisabled={isDisabled} onPress={() => void again(true)}>
          Step through
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
  if (frames.length === 0) return null;
  return (
    <section aria-label="Frames" className={styles.frames}>
      <h3>{count(frames.length + omitted, 'frame')}</h3>
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
      {omitted > 0 && <p className={styles.inner}>{count(omitted, 'frame')} more</p>}
    </section>
  );
}
