/**
 * The last evaluation that ended with an error, shown while nothing is suspended. It can be run again with
 * errors suspended.
 */

import { type KeyboardEvent, type ReactNode, useState } from 'react';
import type { FailureView, ListedFrame, ThrownView } from '../../electron/contract/debugger';
import type { SessionView } from '../../electron/contract/model';

import { tryCall } from '../bridge';
import { useFailure, useThrown, useThrownSource } from '../image-queries';
import { ValueLink } from '../inspector/value-link';
import { Button } from '../parts/button';
import { LispBlock, LispLine } from '../parts/code';
import { compactMessage, engineTitle, withoutType } from '../parts/format';
import { RelativeTime, Sentence, useNow } from '../parts/text';
import { Problem } from '../parts/view';

import { formatRoute, START_ROUTE } from '../route';
import { useServices, useWords } from '../services';
import styles from './debugger.module.css';
import { adjacentFrame, firstFrame, frameGroups } from './debugger-model';
import { FrameSourceText, GroupedFrames } from './stack-view';

interface LastErrorProps {
  session: SessionView;
  /** Shown if no evaluation has failed. */
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
        {/* Each cause shows its own message. */}
        {causes.length === 0 && (
          <p className={styles.message} lang="en">
            {compactMessage(withoutType(message, type))}
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
  const [isStarting, setStarting] = useState(false);
  if (session.hold === null)
    return <p className={styles.hint}>{words.debug.unwound(engineTitle(session.engine))}</p>;
  const again = async (how: 'debug' | 'step') => {
    setStarting(true);
    await tryCall(toasts, 'debugger:again', { session: session.id, evaluation, how });
    setStarting(false);
  };
  const isDisabled = isStarting || session.state !== 'idle';
  return (
    <>
      <p className={styles.hint}>{words.debug.reported}</p>
      <p className={styles.buttons}>
        <Button isDisabled={isDisabled} onPress={() => void again('debug')}>
          {words.debug.runAgainSuspended}
        </Button>
        <Button isDisabled={isDisabled} onPress={() => void again('step')}>
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

// The chain of exceptions of an ended evaluation, with data, and the stack of the selected exception.

interface ThrownProps {
  session: SessionView;
  evaluation: number;
  /** Outermost first. */
  causes: readonly ThrownView[];
}

function Thrown({ session, evaluation, causes }: ThrownProps) {
  const words = useWords();
  // The innermost exception is the original error; the outer ones wrap it.
  const [chosen, setChosen] = useState(causes.length - 1);
  const shown = causes[chosen];
  return (
    <>
      <section aria-label={words.debug.causes} className={styles.causes}>
        <ol>
          {causes.map((cause, place) => (
            <li key={cause.handle}>
              <button
                type="button"
                className={styles.cause}
                aria-pressed={place === chosen}
                title={words.debug.showStack}
                onClick={() => setChosen(place)}
              >
                <span className={styles.index}>{place + 1}</span>
                <span>
                  <Sentence
                    of={(place === 0 ? words.debug.thrown : words.debug.causedBy)(<code>{cause.type}</code>)}
                  />
                </span>
              </button>
              <CauseDetail session={session} cause={cause} />
            </li>
          ))}
        </ol>
      </section>
      {shown && (
        <ThrownFrames
          key={chosen}
          session={session}
          evaluation={evaluation}
          cause={chosen}
          frames={shown.frames}
          more={shown.more}
        />
      )}
    </>
  );
}

function CauseDetail({ session, cause }: { session: SessionView; cause: ThrownView }) {
  const words = useWords();
  const { handle, message, data, entries } = cause;
  return (
    <div className={styles.detail}>
      {message !== undefined && message !== '' && (
        <p className={styles.message} lang="en">
          {compactMessage(message)}
        </p>
      )}
      {data.length > 0 && (
        <dl className={styles.locals} aria-label={words.debug.data}>
          {data.map(({ index, name, text }) => (
            <div key={index}>
              <dt>{name}</dt>
              <dd>
                <ValueLink session={session} text={text} from={{ handle, path: ['data', index] }} />
              </dd>
            </div>
          ))}
        </dl>
      )}
      {entries > data.length && (
        <p className={styles.hint}>{words.debug.moreEntries(words.formats.number(entries - data.length))}</p>
      )}
      <p>
        <ValueLink session={session} text={words.debug.exception} from={{ handle }} />
      </p>
    </div>
  );
}

// The stack of an exception, with the source of the selected frame.

interface ThrownFramesProps {
  session: SessionView;
  evaluation: number;
  /** The index of the exception in the chain. */
  cause: number;
  frames: readonly ListedFrame[];
  /** Number of frames that are not listed. */
  more: number;
}

function ThrownFrames({ session, evaluation, cause, frames, more }: ThrownFramesProps) {
  const words = useWords();
  const [selected, setSelected] = useState(() => firstFrame(frames));
  const groups = frameGroups(frames);
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = adjacentFrame(groups, selected, by === 1 ? 1 : -1);
    setSelected(next);
    event.currentTarget.querySelector<HTMLElement>(`[data-frame="${next}"]`)?.focus();
  };
  return (
    <section aria-label={words.evaluations.frames} className={styles.frames} onKeyDown={press}>
      <h3>{words.debug.frames(frames.length + more)}</h3>
      <GroupedFrames
        groups={groups}
        engine={session.engine}
        line={({ index, call, inner }) => (
          <li key={index} className={styles.frame} data-open={index === selected || undefined}>
            <button
              type="button"
              className={styles.call}
              data-frame={index}
              data-inner={inner || undefined}
              aria-expanded={index === selected}
              // Only the selected frame is a tab stop; the arrow keys move between frames.
              tabIndex={index === selected ? 0 : -1}
              onClick={() => setSelected(index)}
            >
              <span className={styles.index}>{index}</span>
              <LispLine code={call} engine={session.engine} />
            </button>
            {index === selected && (
              <Source session={session} evaluation={evaluation} at={{ cause, frame: index }} />
            )}
          </li>
        )}
      />
      {more > 0 && <p className={styles.inner}>{words.debug.framesMore(more)}</p>}
    </section>
  );
}

interface SourceProps {
  session: SessionView;
  evaluation: number;
  at: { cause: number; frame: number };
}

function Source({ session, evaluation, at }: SourceProps) {
  const words = useWords();
  const { data, error } = useThrownSource(session, evaluation, at);
  return (
    <div className={styles.detail} aria-busy={data === undefined && !error}>
      {error && <Problem>{error.message}</Problem>}
      {data && <FrameSourceText source={data} form={null} engine={session.engine} />}
      {data === null && <p className={styles.hint}>{words.debug.placeUnknown}</p>}
    </div>
  );
}
