/**
 * The list of the history: a grid that renders only visible rows. The grid has the keyboard focus; its active
 * descendant is the row from which arrow keys move and which Enter opens.
 */

import {
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { EntryResult, HistoryEntry } from '../../electron/contract/history';
import type { Words } from '../../electron/words/words';
import { lastLine } from '../live';
import { LispLine, MarkedLine } from '../parts/code';
import { engineTitle, oneLine } from '../parts/format';
import { useRememberedScroll } from '../parts/scroll-area';
import { OutcomeMark } from '../parts/state-mark';
import { Duration, RelativeTime, useNow } from '../parts/text';
import { useLive, useWords } from '../services';
import type { EntryList } from './entry-list';
import styles from './history-grid.module.css';
import {
  type Drawn,
  drawnHeight,
  drawnNext,
  isCompressed,
  ROW,
  rowAt,
  scrollTopOf,
  scrollTopToShow,
} from './row-window';

/** Rows rendered beyond the visible ones on each side. */
const BEYOND = 8;

interface HistoryGridProps {
  list: EntryList;
  /** The key of the selected entry, or null. */
  selected: number | null;
  /** Entry to scroll to, once. */
  goTo: { key: number } | null;
  onSelect: (entry: HistoryEntry) => void;
}

export function HistoryGrid({ list, selected, goTo, onSelect }: HistoryGridProps) {
  const words = useWords();
  const { isRinged, ...ring } = useFocusRing();
  const area = useRememberedScroll<HTMLDivElement>('history');
  const [scrollTop, setScrollTop] = useState(0);
  const viewHeight = useHeight(area);
  const now = useNow(10_000);
  const scrolled = { total: list.total, viewHeight };
  const top = rowAt(scrollTop, scrolled);
  const first = Math.max(0, Math.floor(top) - BEYOND);
  const end = Math.min(list.total, Math.ceil(top + viewHeight / ROW) + BEYOND);
  const query = list.filter.query ?? '';
  const { base } = useDrawn(first, end);

  const scrollTo = (to: number) => {
    if (!area.current) return;
    area.current.scrollTop = to;
    setScrollTop(area.current.scrollTop);
  };
  useEffect(() => list.want(first, end));
  useAnchor(list, top, (row) => scrollTo(scrollTopOf(row, scrolled)));
  const reached = useRef<{ key: number } | null>(null);
  useEffect(() => {
    // The index is known once the list is counted.
    const place = goTo === null || goTo === reached.current || !list.outline ? -1 : list.indexOf(goTo.key);
    if (place < 0) return;
    // The index is approximate until its page is loaded.
    if (list.at(place)?.key === goTo?.key) reached.current = goTo;
    if (list.at(place)?.key !== goTo?.key || place < top || place + 1 > top + viewHeight / ROW)
      scrollTo(scrollTopOf(place - viewHeight / ROW / 3, scrolled));
  });
  useWheel(area, isCompressed(scrolled), (rows) => scrollTo(scrollTopOf(top + rows, scrolled)));

  // A key may lead to an entry that is not loaded yet: it is selected when it is.
  const [pending, setPending] = useState<{ list: EntryList; place: number } | null>(null);
  const target = pending?.list === list ? pending.place : null;
  const arrived = target === null ? undefined : list.at(target);
  useEffect(() => {
    if (!arrived) return;
    setPending(null);
    onSelect(arrived);
  }, [arrived, onSelect]);
  const present = useActivePlace(list, selected, Math.ceil(top));
  const active = target ?? present;
  const press = (event: KeyboardEvent) => {
    const to = placeAfter(event.key, active, list.total, Math.floor(viewHeight / ROW) - 1);
    if (to === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const entry = list.at(to);
    scrollTo(scrollTopToShow(to, scrollTop, scrolled));
    setPending(entry ? null : { list, place: to });
    if (entry) onSelect(entry);
    else list.want(to, to + 1);
  };
  const places = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  const activeEntry = places.includes(active) ? list.at(active) : undefined;
  const point = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('tr[data-place]') : null;
    const entry = row ? list.at(Number(row.getAttribute('data-place'))) : undefined;
    setPending(null);
    if (entry) onSelect(entry);
  };
  return (
    <div
      ref={area}
      className={styles.area}
      data-ringed={isRinged || undefined}
      {...ring}
      onScroll={(event) => setScrollTop(event.currentTarget.scrollTop)}
    >
      <table
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table can be a grid
        role="grid"
        aria-label={words.history.list}
        aria-rowcount={list.total + 1}
        aria-colcount={COLUMNS.length}
        aria-activedescendant={activeEntry && `entry-${activeEntry.key}`}
        tabIndex={0}
        className={styles.grid}
        style={{ height: HEAD + drawnHeight(scrolled) }}
        onKeyDown={press}
        onClick={point}
      >
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map((id) => (
              <th key={id} scope="col" data-column={id}>
                {words.history.columns[id]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody style={{ transform: `translateY(${Math.round(scrollTop - (top - base) * ROW)}px)` }}>
          {places.map((place) => (
            <EntryRow
              key={place - base}
              place={place}
              top={(place - base) * ROW}
              entry={list.at(place)}
              isSelected={selected !== null && list.at(place)?.key === selected}
              isActive={place === active}
              query={query}
              now={now}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Whether to show a focus ring. A `:has()` style would be evaluated again for each row that moves. */
function useFocusRing() {
  const [isRinged, setRinged] = useState(false);
  const look = ({ target }: SyntheticEvent<Element>) =>
    setRinged(target instanceof Element && target.matches(':focus-visible'));
  return { isRinged, onFocus: look, onKeyUp: look, onBlur: () => setRinged(false) };
}

/**
 * Returns the rows to render. The result depends on the previous one, so that unchanged rows keep their
 * elements.
 */
function useDrawn(first: number, end: number): Drawn {
  const [drawn, setDrawn] = useState<Drawn>({ base: first, first, end });
  const next = drawnNext(drawn, { first, end });
  if (next.base !== drawn.base || next.first !== drawn.first || next.end !== drawn.end) setDrawn(next);
  return next;
}

/** Returns the index to which a key moves; null for other keys. @param page number of visible rows */
function placeAfter(key: string, at: number, total: number, page: number): number | null {
  if (total === 0) return null;
  const steps: Readonly<Record<string, number>> = {
    ArrowDown: at + 1,
    ArrowUp: Math.max(0, at - 1),
    PageDown: at + page,
    PageUp: at - page,
    Home: 0,
    End: total - 1,
    Enter: at,
  };
  const to = steps[key];
  return to === undefined ? null : Math.min(total - 1, Math.max(0, to));
}

/** Returns the active index: the selected entry, else the last selected one, else the first visible row. */
function useActivePlace(list: EntryList, selected: number | null, firstInSight: number): number {
  const [last, setLast] = useState(selected);
  if (selected !== null && selected !== last) setLast(selected);
  const key = selected ?? last;
  const place = key === null ? -1 : list.indexOf(key);
  return place < 0 ? firstInSight : place;
}

/** Returns the height for rows, below the header. */
function useHeight(area: React.RefObject<HTMLDivElement | null>): number {
  const [height, setHeight] = useState(600);
  useLayoutEffect(() => {
    if (!area.current) return;
    const observer = new ResizeObserver(([entry]) => setHeight((entry?.contentRect.height ?? 600) - HEAD));
    observer.observe(area.current);
    return () => observer.disconnect();
  }, [area]);
  return Math.max(ROW, height);
}

/** Height of the header in pixels, as in the style sheet. */
const HEAD = 27;

/**
 * Keeps the visible rows in place when entries are added or removed above. At the top, new entries become
 * visible.
 */
function useAnchor(list: EntryList, top: number, goTo: (row: number) => void): void {
  const anchor = useRef<{ list: EntryList; key: number; place: number; version: number } | null>(null);
  useLayoutEffect(() => {
    const before = anchor.current;
    const place = Math.floor(top);
    if (before?.list === list && before.version !== list.version && top >= 1) {
      const moved = list.indexOf(before.key) - before.place;
      if (moved !== 0 && Math.abs(moved) < 1_000 && list.at(before.place + moved)?.key === before.key) {
        anchor.current = { ...before, place: before.place + moved, version: list.version };
        goTo(top + moved);
        return;
      }
    }
    const key = list.at(place)?.key;
    anchor.current = key === undefined ? null : { list, key, place, version: list.version };
  });
}

/** Scrolls by rows with the wheel if a pixel of the scroll bar covers several rows. */
function useWheel(
  area: React.RefObject<HTMLDivElement | null>,
  needed: boolean,
  scrollBy: (rows: number) => void,
): void {
  const latest = useRef(scrollBy);
  useEffect(() => {
    latest.current = scrollBy;
  });
  useEffect(() => {
    const element = area.current;
    if (!element || !needed) return;
    const turn = (event: WheelEvent) => {
      if (event.ctrlKey || event.deltaY === 0) return;
      event.preventDefault();
      latest.current(event.deltaMode === WheelEvent.DOM_DELTA_LINE ? event.deltaY : event.deltaY / ROW);
    };
    element.addEventListener('wheel', turn, { passive: false });
    return () => element.removeEventListener('wheel', turn);
  }, [area, needed]);
}

/** Columns of a row. */
const COLUMNS = ['outcome', 'line', 'result', 'session', 'client', 'took', 'when'] as const;

interface EntryRowProps {
  /** Index from 0, newest first. */
  place: number;
  /** Pixels from the origin of the rendered rows. */
  top: number;
  /** Absent while it loads. */
  entry: HistoryEntry | undefined;
  isSelected: boolean;
  /** Whether it is the active descendant. */
  isActive: boolean;
  query: string;
  now: number;
}

const EntryRow = memo(function EntryRow(props: EntryRowProps) {
  const { place, top, entry, isSelected, isActive, query, now } = props;
  return (
    <tr
      id={entry ? `entry-${entry.key}` : undefined}
      aria-rowindex={place + 2}
      aria-selected={isSelected}
      className={styles.row}
      style={{ transform: `translateY(${top}px)` }}
      data-place={place}
      data-code-of={entry?.session ?? undefined}
      data-active={isActive || undefined}
    >
      {entry ? <Cells entry={entry} query={query} now={now} /> : <td>…</td>}
    </tr>
  );
});

/** Memoized separately, because a row that only moves keeps its cells. */
const Cells = memo(function Cells({
  entry: stored,
  query,
  now,
}: {
  entry: HistoryEntry;
  query: string;
  now: number;
}) {
  const words = useWords();
  const entry = useCurrent(stored);
  const { outcome, kind, tool, line, engine, session, sessionName, client, startedAt, durationMs } = entry;
  return (
    <>
      <td data-column="outcome">
        <OutcomeMark outcome={outcome} tests={entry.tests} />
        <Warnings warnings={entry.warnings} />
      </td>
      <td data-column="line" title={kind === 'call' ? undefined : about(kind, tool, words)}>
        {kind === 'call' ? (
          <MarkedLine text={oneLine(line)} query={query} />
        ) : (
          <LispLine code={line} engine={engine ?? 'sbcl'} query={query} />
        )}
      </td>
      <td data-column="result">
        <Result entry={entry} query={query} />
      </td>
      <td data-column="session">
        {session !== null && (
          <>
            {sessionName ?? session} {engine && <span className={styles.aside}>{engineTitle(engine)}</span>}
          </>
        )}
      </td>
      <td data-column="client">{words.common.client(client)}</td>
      <td data-column="took">
        <Duration ms={durationMs} since={startedAt} />
      </td>
      <td data-column="when">
        <RelativeTime at={startedAt} now={now} />
      </td>
    </>
  );
});

/** Returns the current entry: while an evaluation runs, live data is newer than the list. */
function useCurrent(entry: HistoryEntry): HistoryEntry {
  const isOpen = entry.outcome === 'running' || entry.outcome === 'debugger';
  const row = useLive(({ evaluations }) =>
    isOpen && entry.evaluation !== null ? evaluations.get(entry.evaluation) : undefined,
  );
  if (!row || row.outcome === entry.outcome) return entry;
  const { outcome, durationMs, values, conditionType, conditionMessage } = row;
  const result: EntryResult =
    conditionType === null
      ? { kind: values.length > 0 ? 'values' : 'none', texts: values }
      : { kind: 'condition', texts: [conditionMessage || conditionType] };
  return { ...entry, outcome, durationMs, result };
}

function Warnings({ warnings }: { warnings: number }) {
  const words = useWords();
  return warnings === 0 ? null : <span className={styles.warnings}>{words.history.warnings(warnings)}</span>;
}

/** Values of the last form, the condition, the last printed line, or the answer of a tool. */
function Result({ entry, query }: { entry: HistoryEntry; query: string }) {
  const { result, engine, outcome, evaluation } = entry;
  if (outcome === 'running' && evaluation !== null && result.kind !== 'values')
    return <LivePrinted id={evaluation} otherwise={result} query={query} />;
  if (result.kind === 'values')
    return (
      <span className={styles.values}>
        {result.texts.map((text, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: values have no names and never change their order
          <span key={index} className={styles.value}>
            <LispLine code={text} engine={engine ?? 'sbcl'} query={query} />
          </span>
        ))}
      </span>
    );
  return (
    <span className={styles[result.kind]}>
      <MarkedLine text={oneLine(result.texts[0] ?? '')} query={query} />
    </span>
  );
}

function LivePrinted({ id, otherwise, query }: { id: number; otherwise: EntryResult; query: string }) {
  const line = useLive(({ outputs }) => lastLine(outputs.get(id) ?? []));
  return (
    <span className={styles.printed}>
      <MarkedLine text={line || (otherwise.texts[0] ?? '')} query={query} />
    </span>
  );
}

function about(kind: string, tool: string | null, { history }: Words): string {
  return tool === null ? kind : history.kindBy(kind, tool);
}
