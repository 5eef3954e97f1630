/** A timeline as it is drawn: a lane a client, the busiest first, with what the keyboard finds beside a mark. Pure. */
import type { HistoryTimeline, TimelineMark } from '../../electron/contract/history';
import type { Words } from '../../electron/words/words';

export interface Lane {
  client: string;
  /** In the order of time. */
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

/** All that was done in a mark's span. */
export function size({ evaluations, edits, calls, refusals }: TimelineMark): number {
  return evaluations + edits + calls + refusals;
}

function total({ marks }: Lane): number {
  return marks.reduce((sum, mark) => sum + size(mark), 0);
}

export type Direction = 'earlier' | 'later' | 'above' | 'below' | 'first' | 'last';

/** The mark that a key leads to; in another lane the one nearest in time. The same one at an edge. */
export function markBeside(lanes: readonly Lane[], from: TimelineMark, direction: Direction): TimelineMark {
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

/** In words: when, who, and how much of what. */
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
  const told = done.flatMap(([number, text]) => (number === 0 ? [] : [text(number)]));
  return history.mark(common.client(client), formats.exact(begin), formats.exact(end), told);
}

const DAY_MS = 86_400_000;

/** Where times stand below the lanes, as shares of the width. */
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
