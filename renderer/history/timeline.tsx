/** The timeline: one lane per client. A mark leads to the newest entry of its period. */

import { type KeyboardEvent, useRef, useState } from 'react';
import type { HistoryFilter, HistoryTimeline, TimelineMark } from '../../electron/contract/history';
import type { Words } from '../../electron/words/words';
import { useTimeline } from '../bridge-queries';
import { useWords } from '../services';
import styles from './timeline.module.css';

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
  // The only tab stop: the last focused mark, else the newest of the busiest client.
  const stop = marks.find((mark) => isAt(mark, at)) ?? lanes[0]?.marks.at(-1);
  const press = (event: KeyboardEvent) => {
    const direction = KEYS[event.key];
    if (!direction || !stop || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const to = nextMark(lanes, stop, direction);
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
  /** Size of the largest mark. */
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

/** A bar for evaluations and calls, its height by number; separate shapes for edits and refusals. */
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

/** A lane of the timeline. Lanes are sorted by activity. */
interface Lane {
  client: string;
  /** In chronological order. */
  marks: readonly TimelineMark[];
}

export function lanesOf({ marks }: Pick<HistoryTimeline, 'marks'>): Lane[] {
  const lanes = new Map<string, TimelineMark[]>();
  for (const mark of marks) lanes.set(mark.client, [...(lanes.get(mark.client) ?? []), mark]);
  return Array.from(lanes, ([client, all]) => ({
    client,
    marks: all.toSorted((one, other) => one.span - other.span),
  })).sort((one, other) => total(other) - total(one) || one.client.localeCompare(other.client));
}

/** Total number of events in a mark. */
function size({ evaluations, edits, calls, refusals }: TimelineMark): number {
  return evaluations + edits + calls + refusals;
}

function total({ marks }: Lane): number {
  return marks.reduce((sum, mark) => sum + size(mark), 0);
}

type Direction = 'earlier' | 'later' | 'above' | 'below' | 'first' | 'last';

/**
 * Returns the mark to which a key moves; in another lane, the nearest in time. Returns the same mark at an
 * edge.
 */
export function nextMark(lanes: readonly Lane[], from: TimelineMark, direction: Direction): TimelineMark {
  const place = lanes.findIndex(({ client }) => client === from.client);
  const marks = lanes[place]?.marks ?? [];
  const at = marks.indexOf(from);
  const to: Readonly<Record<Direction, () => TimelineMark | undefined>> = {
    earlier: () => marks[at - 1],
    later: () => marks[at + 1],
    first: () => marks[0],
    last: () => marks.at(-1),
    above: () => nearest(lanes[place - 1], from.span),
    below: () => nearest(lanes[place + 1], from.span),
  };
  return to[direction]() ?? from;
}

function nearest(lane: Lane | undefined, span: number): TimelineMark | undefined {
  return lane?.marks.toSorted((one, other) => Math.abs(one.span - span) - Math.abs(other.span - span))[0];
}

/** Describes a mark: time, client and counts. */
export function markText(
  mark: TimelineMark,
  { from, step }: Pick<HistoryTimeline, 'from' | 'step'>,
  { history, formats, common }: Words,
): string {
  const { client, span, evaluations, edits, calls, refusals } = mark;
  const [begin, end] = [from + span * step, from + (span + 1) * step];
  const done = [
    [evaluations, history.done.evaluations],
    [edits, history.done.edits],
    [calls, history.done.calls],
    [refusals, history.done.refusals],
  ] as const;
  const parts = done.flatMap(([number, text]) => (number === 0 ? [] : [text(number)]));
  return history.mark(common.client(client), formats.exact(begin), formats.exact(end), parts);
}

const DAY_MS = 86_400_000;

/** Returns the positions of time labels, as shares of the width. */
export function ticks(
  { from, step, spans }: HistoryTimeline,
  { formats }: Words,
  wanted = 5,
): { share: number; text: string }[] {
  const whole = spans * step;
  const format: Intl.DateTimeFormatOptions =
    whole > 4 * DAY_MS
      ? { day: 'numeric', month: 'short', ...(whole > 300 * DAY_MS ? { year: 'numeric' } : {}) }
      : { ...(whole > DAY_MS ? { weekday: 'short' } : {}), hour: '2-digit', minute: '2-digit' };
  return Array.from({ length: wanted }, (_, index) => {
    const share = index / (wanted - 1);
    return { share, text: formats.moment(from + whole * share, format) };
  });
}
