/** When each client did what of the list below: a lane a client; a mark leads to the newest entry of its time. */
import { type KeyboardEvent, useRef, useState } from 'react';
import type { HistoryFilter, HistoryTimeline, TimelineMark } from '../../electron/contract/history';
import { useTimeline } from '../bridge-queries';
import { useWords } from '../services';
import styles from './timeline.module.css';
import { type Direction, type Lane, lanesOf, markBeside, markText, size, ticks } from './timeline-lanes';

interface TimelineProps {
  filter: HistoryFilter;
  onGo: (newest: TimelineMark['newest']) => void;
}

const KEYS: Readonly<Record<string, Direction>> = {
  ArrowLeft: 'earlier',
  ArrowRight: 'later',
  ArrowUp: 'above',
  ArrowDown: 'below',
  Home: 'first',
  End: 'last',
};

export function Timeline({ filter, onGo }: TimelineProps) {
  const words = useWords();
  const { data } = useTimeline(filter);
  return (
    <section aria-label={words.history.timeline} aria-busy={data === undefined} className={styles.timeline}>
      {data === null && <p className={styles.none}>{words.history.noTimeline}</p>}
      {data && <Lanes timeline={data} onGo={onGo} />}
    </section>
  );
}

function Lanes({ timeline, onGo }: { timeline: HistoryTimeline; onGo: TimelineProps['onGo'] }) {
  const words = useWords();
  const lanes = lanesOf(timeline);
  const region = useRef<HTMLDivElement>(null);
  const [at, setAt] = useState<Pick<TimelineMark, 'client' | 'span'> | null>(null);
  const marks = lanes.flatMap((lane) => lane.marks);
  // The only stop of Tab: where the keyboard was last, else the newest of the busiest.
  const stop = marks.find((mark) => isAt(mark, at)) ?? lanes[0]?.marks.at(-1);
  const press = (event: KeyboardEvent) => {
    const direction = KEYS[event.key];
    if (!direction || !stop || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const to = markBeside(lanes, stop, direction);
    setAt(to);
    region.current?.querySelector<HTMLElement>(`[data-mark="${CSS.escape(markId(to))}"]`)?.focus();
  };
  if (lanes.length === 0) return <p className={styles.none}>{words.history.emptyTimeline}</p>;
  const most = Math.max(...marks.map(size));
  return (
    <>
      <Legend />
      <div ref={region} role="none" className={styles.lanes} onKeyDown={press}>
        {lanes.map((lane) => (
          <LaneRow
            key={lane.client}
            lane={lane}
            timeline={timeline}
            most={most}
            stop={stop}
            onGo={(mark) => {
              setAt(mark);
              onGo(mark.newest);
            }}
          />
        ))}
      </div>
      <Axis timeline={timeline} />
    </>
  );
}

interface LaneRowProps {
  lane: Lane;
  timeline: HistoryTimeline;
  /** Of all marks, how much the largest has. */
  most: number;
  stop: TimelineMark | undefined;
  onGo: (mark: TimelineMark) => void;
}

function LaneRow({ lane: { client, marks }, timeline, most, stop, onGo }: LaneRowProps) {
  const words = useWords();
  const called = words.common.client(client);
  return (
    <fieldset className={styles.lane} aria-label={called}>
      <span className={styles.client} title={called}>
        {called}
      </span>
      <div className={styles.track}>
        {marks.map((mark) => (
          <button
            key={mark.span}
            type="button"
            className={styles.mark}
            data-mark={markId(mark)}
            style={{
              left: `${(mark.span / timeline.spans) * 100}%`,
              width: `${100 / timeline.spans}%`,
            }}
            aria-label={markText(mark, timeline, words)}
            title={markText(mark, timeline, words)}
            tabIndex={mark === stop ? 0 : -1}
            onClick={() => onGo(mark)}
          >
            <Shapes mark={mark} most={most} />
          </button>
        ))}
      </div>
    </fieldset>
  );
}

/** Evaluations and other calls as a bar, its height by their number; what people look for has a shape of its own. */
function Shapes({
  mark: { evaluations, calls, edits, refusals },
  most,
}: {
  mark: TimelineMark;
  most: number;
}) {
  const height = (number: number) => `${(Math.log1p(number) / Math.log1p(most)) * 100}%`;
  return (
    <>
      <span className={styles.shapes} aria-hidden>
        {refusals > 0 && <span className={styles.refusal}>×</span>}
        {edits > 0 && <span className={styles.edit}>◆</span>}
      </span>
      <span className={styles.bars} aria-hidden>
        <span className={styles.calls} style={{ height: height(evaluations + calls) }} />
        <span className={styles.evaluations} style={{ height: height(evaluations) }} />
      </span>
    </>
  );
}

function Legend() {
  const words = useWords();
  return (
    <p className={styles.legend}>
      <span className={styles.evaluations} aria-hidden /> {words.history.legend.evaluations}{' '}
      <span className={styles.calls} aria-hidden /> {words.history.legend.calls}{' '}
      <span className={styles.edit} aria-hidden>
        ◆
      </span>{' '}
      {words.history.legend.edits}{' '}
      <span className={styles.refusal} aria-hidden>
        ×
      </span>{' '}
      {words.history.legend.refusals}{' '}
    </p>
  );
}

function Axis({ timeline }: { timeline: HistoryTimeline }) {
  const words = useWords();
  return (
    <div className={styles.axis} aria-hidden>
      {ticks(timeline, words).map(({ share, text }) => (
        <span key={share} style={{ left: `${share * 100}%`, translate: `${-share * 100}%` }}>
          {text}
        </span>
      ))}
    </div>
  );
}

function markId({ client, span }: Pick<TimelineMark, 'client' | 'span'>): string {
  return `${client} ${span}`;
}

function isAt(mark: TimelineMark, at: Pick<TimelineMark, 'client' | 'span'> | null): boolean {
  return mark.client === at?.client && mark.span === at.span;
}
