/** The stack of an exception: the person's own frames one by one, the text of the chosen one below it. */
import { type KeyboardEvent, useState } from 'react';
import type { ListedFrame } from '../../electron/contract/debugger';
import type { SessionView } from '../../electron/contract/model';
import { useThrownSource } from '../image-queries';
import { Problem } from '../parts/feedback';
import { LispLine } from '../parts/lisp';
import { useWords } from '../services';
import styles from './debugger.module.css';
import { firstFrame, frameBeside, frameGroups } from './frame-groups';
import { FrameSourceText } from './frame-source-text';
import { GroupedFrames } from './grouped-frames';

interface ThrownFramesProps {
  session: SessionView;
  evaluation: number;
  /** The number of the exception in its chain. */
  cause: number;
  frames: readonly ListedFrame[];
  /** Frames that are not told. */
  more: number;
}

export function ThrownFrames({ session, evaluation, cause, frames, more }: ThrownFramesProps) {
  const words = useWords();
  const [selected, setSelected] = useState(() => firstFrame(frames));
  const groups = frameGroups(frames);
  const press = (event: KeyboardEvent<HTMLElement>) => {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    const next = frameBeside(groups, selected, by === 1 ? 1 : -1);
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
              // Only the chosen one is a stop of Tab: the arrow keys lead to the others.
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
