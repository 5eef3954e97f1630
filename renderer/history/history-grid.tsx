/**
 * The list of the history: a grid of which only the rows in sight are drawn, however long it is. The grid has the keyboard;
 * its active descendant is the row from which the arrows go on, and which Enter opens.
 */

import {
  type KeyboardEvent,
  type MouseEvent,
  type SyntheticEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { HistoryEntry } from '../../electron/contract/history';
import { useRememberedScroll } from '../parts/scroll-area';
import { useNow } from '../parts/time';
import { useWords } from '../services';
import type { EntryList } from './entry-list';
import styles from './history-grid.module.css';
import { COLUMNS, EntryRow } from './history-row';
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

/** Rows drawn beyond those in sight, on either side. */
const BEYOND = 8;

interface HistoryGridProps {
  list: EntryList;
  /** The key of the selected entry, or null. */
  selected: number | null;
  /** What is to be brought into sight, once. */
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
  const drawn = useRef<Drawn>({ base: first, first, end });
  drawn.current = drawnNext(drawn.current, { first, end });
  const { base } = drawn.current;

  const scrollTo = (to: number) => {
    if (!area.current) return;
    area.current.scrollTop = to;
    setScrollTop(area.current.scrollTop);
  };
  useEffect(() => list.want(first, end));
  useAnchor(list, top, (row) => scrollTo(scrollTopOf(row, scrolled)));
  const gone = useRef<{ key: number } | null>(null);
  useEffect(() => {
    // Its place can be told once the list is counted.
    const place = goTo === null || goTo === gone.current || !list.outline ? -1 : list.indexOf(goTo.key);
    if (place < 0) return;
    // Until its page is there, its place is only about right.
    if (list.at(place)?.key === goTo?.key) gone.current = goTo;
    if (list.at(place)?.key !== goTo?.key || place < top || place + 1 > top + viewHeight / ROW)
      scrollTo(scrollTopOf(place - viewHeight / ROW / 3, scrolled));
  });
  useWheel(area, isCompressed(scrolled), (rows) => scrollTo(scrollTopOf(top + rows, scrolled)));

  const active = useActivePlace(list, selected, Math.ceil(top));
  const press = (event: KeyboardEvent) => {
    const to = placeAfter(event.key, active, list.total, Math.floor(viewHeight / ROW) - 1);
    if (to === null || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const entry = list.at(to);
    scrollTo(scrollTopToShow(to, scrollTop, scrolled));
    if (entry) onSelect(entry);
    else list.want(to, to + 1);
  };
  const places = Array.from({ length: Math.max(0, end - first) }, (_, index) => first + index);
  const activeEntry = places.includes(active) ? list.at(active) : undefined;
  const point = (event: MouseEvent) => {
    const row = event.target instanceof Element ? event.target.closest('tr[data-place]') : null;
    const entry = row ? list.at(Number(row.getAttribute('data-place'))) : undefined;
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
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a table may be a grid; its rows and cells are then the grid's
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

/**
 * Whether the area shows that what it holds has the keyboard. A style that asks what an element holds is looked at again with
 * each row that moves.
 */
function useFocusRing() {
  const [isRinged, setRinged] = useState(false);
  const look = ({ target }: SyntheticEvent<Element>) =>
    setRinged(target instanceof Element && target.matches(':focus-visible'));
  return { isRinged, onFocus: look, onKeyUp: look, onBlur: () => setRinged(false) };
}

/** Where a key leads in a list; null for keys that lead nowhere. @param page rows in sight */
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

/** Where the keyboard is: at the selected entry, at the one selected last, and before any was at the first in sight. */
function useActivePlace(list: EntryList, selected: number | null, firstInSight: number): number {
  const last = useRef(selected);
  if (selected !== null) last.current = selected;
  const place = last.current === null ? -1 : list.indexOf(last.current);
  return place < 0 ? firstInSight : place;
}

/** The height that there is for rows, below the head. */
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

/** Pixels of the head, as the style has them. */
const HEAD = 27;

/** Keeps in sight what a person looks at when entries come or go above it. At the top, what is new is seen. */
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

/** Where a pixel of the scrollbar stands for several rows, the wheel goes on by rows. */
function useWheel(
  area: React.RefObject<HTMLDivElement | null>,
  needed: boolean,
  scrollBy: (rows: number) => void,
): void {
  const latest = useRef(scrollBy);
  latest.current = scrollBy;
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
