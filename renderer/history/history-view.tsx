/** The history: searchable entries of agents and users, with details of the selected one. */

import { ChartNoAxesGantt, Crosshair, Download, ScrollText } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState, useSyncExternalStore } from 'react';
import { MenuTrigger, ToggleButton } from 'react-aria-components';
import type {
  HistoryFilter as ExportFilter,
  ExportFormat,
  HistoryEntry,
} from '../../electron/contract/history';
import { call, subscribe } from '../bridge';
import { IconButton, Menu, MenuItem } from '../parts/button';
import buttons from '../parts/button.module.css';
import { NewSession } from '../parts/new-session';
import { SplitPane } from '../parts/split-pane';
import { Empty, Problem, View } from '../parts/view';
import { useRoute, useServices, useViewState, useWords } from '../services';
import type { HistoryFilter } from '../view-state';
import { CallDetail, EvaluationDetail } from './entry-detail';
import { EntryList, type EntrySource, isNarrowed, queryOf } from './entry-list';
import { HistoryFilters, HistorySearch } from './history-filters';
import filters from './history-filters.module.css';
import { HistoryGrid } from './history-grid';
import { Timeline } from './timeline';

/**
 * Delay in milliseconds after a keystroke: longer than the pause between two keystrokes, short enough to feel
 * immediate.
 */
const TYPING_PAUSE_MS = 120;

export function History() {
  const words = useWords();
  const { route, viewState } = useServices();
  const hasTimeline = useViewState(({ timeline }) => timeline);
  const filter = useViewState(({ historyFilter }) => historyFilter);
  const list = useEntryList(useSettled(filter));
  const [evaluation, selectedCall] = [useRoute((at) => at.evaluation), useRoute((at) => at.call)];
  const [follows, setFollows] = useState(false);
  const [goTo, setGoTo] = useState<{ key: number } | null>(null);
  const [key, select] = useSelectedKey(evaluation, selectedCall, setGoTo);
  // Rendered after the row is marked as selected; skipped for rows that arrow keys only pass.
  const detail = useDeferredValue(
    useMemo(() => detailOf(evaluation, selectedCall), [evaluation, selectedCall]),
  );
  const choose = (entry: HistoryEntry) => {
    select(entry);
    route.setState({ evaluation: entry.evaluation, call: entry.call });
  };
  useFollowing(follows ? list : null, choose);
  const jump = async (date: number) => {
    const found = await call('history:locate', { before: date });
    if (found !== null) setGoTo({ key: found });
  };
  return (
    <View
      title={words.history.title}
      tools={
        <>
          <Count list={list} />
          <ToggleButton className={buttons.button ?? ''} isSelected={follows} onChange={setFollows}>
            <Crosshair size={14} aria-hidden /> {words.history.follow}{' '}
          </ToggleButton>
          <ToggleButton
            className={buttons.button ?? ''}
            isSelected={hasTimeline}
            onChange={(timeline) => viewState.setState({ timeline })}
          >
            <ChartNoAxesGantt size={14} aria-hidden /> {words.history.timeline}{' '}
          </ToggleButton>
          <ExportMenu filter={list.filter} />
          <HistorySearch filter={filter} />
        </>
      }
    >
      <HistoryFilters filter={filter}>
        <JumpToDate onJump={(date) => void jump(date)} />
      </HistoryFilters>
      {hasTimeline && (
        <Timeline
          filter={list.filter}
          onGo={(newest) => {
            setFollows(false);
            route.setState(newest);
          }}
        />
      )}
      {list.error && <Problem>{list.error.message}</Problem>}
      <SplitPane
        name="history"
        columnsFrom={900}
        initial={0.6}
        list={
          list.total > 0 || !list.loaded ? (
            <HistoryGrid
              list={list}
              selected={key}
              goTo={goTo}
              onSelect={(entry) => {
                setFollows(false);
                choose(entry);
              }}
            />
          ) : (
            <NoEntries filter={filter} />
          )
        }
        detail={detail}
      />
    </View>
  );
}

function detailOf(evaluation: number | null, selectedCall: number | null) {
  if (evaluation !== null) return <EvaluationDetail key={evaluation} id={evaluation} />;
  return selectedCall === null ? null : <CallDetail key={`call ${selectedCall}`} id={selectedCall} />;
}

/** Number of entries, and what is not searched or indexed. */
function Count({ list: { outline, total } }: { list: EntryList }) {
  const words = useWords();
  if (outline === null) return null;
  const { searchedSince, unindexed } = outline;
  return (
    <span className={filters.count} role="status">
      {words.history.entries(total)}
      {searchedSince !== null && words.history.searchedTo(words.formats.date(searchedSince))}
      {unindexed > 0 && words.history.unindexed(words.formats.number(unindexed))}
    </span>
  );
}

function JumpToDate({ onJump }: { onJump: (date: number) => void }) {
  const words = useWords();
  return (
    <label className={filters.jump}>
      {words.history.goTo}
      <input
        type="date"
        aria-label={words.history.goToDate}
        className={filters.date}
        onChange={({ target: { valueAsDate, value } }) => {
          if (valueAsDate === null) return;
          // The end of the day, so that its last entry comes first.
          onJump(new Date(`${value}T23:59:59.999`).getTime() + 1);
        }}
      />
    </label>
  );
}

function NoEntries({ filter }: { filter: HistoryFilter }) {
  const words = useWords();
  if (isNarrowed(filter)) {
    return (
      <Empty icon={ScrollText} title={words.history.noneFits}>
        {words.history.noneFitsAbout}
      </Empty>
    );
  }
  return (
    <Empty icon={ScrollText} title={words.history.none} action={<NewSession />}>
      {words.history.noneAbout}
    </Empty>
  );
}

/** Returns the key of the selected entry of the route. If a link names it by id, the list scrolls to it. */
function useSelectedKey(
  evaluation: number | null,
  selectedCall: number | null,
  onFound: (found: { key: number }) => void,
): [number | null, (entry: HistoryEntry) => void] {
  const [known, setKnown] = useState<Pick<HistoryEntry, 'key' | 'evaluation' | 'call'> | null>(null);
  const isKnown = known?.evaluation === evaluation && known?.call === selectedCall;
  useEffect(() => {
    if (isKnown || (evaluation === null && selectedCall === null)) return;
    const what = evaluation === null ? { call: selectedCall ?? 0 } : { evaluation };
    let isCurrent = true;
    void call('history:locate', what).then((key) => {
      if (!isCurrent || key === null) return;
      setKnown({ key, evaluation, call: selectedCall });
      onFound({ key });
    });
    return () => {
      isCurrent = false;
    };
  }, [isKnown, evaluation, selectedCall, onFound]);
  return [isKnown ? (known?.key ?? null) : null, setKnown];
}

/** Selects each new evaluation or call. */
function useFollowing(list: EntryList | null, choose: (entry: HistoryEntry) => void): void {
  const followed = useRef<number | null>(null);
  const newest = list?.at(0);
  useEffect(() => {
    if (!newest || newest.key === followed.current) return;
    followed.current = newest.key;
    choose(newest);
  });
}

/** Returns the filter once its text has not changed for a moment. */
function useSettled(filter: HistoryFilter): HistoryFilter {
  const [settled, setSettled] = useState(filter);
  useEffect(() => {
    if (settled === filter) return;
    const typed = settled.query !== filter.query;
    const timer = setTimeout(() => setSettled(filter), typed ? TYPING_PAUSE_MS : 0);
    return () => clearTimeout(timer);
  }, [settled, filter]);
  return settled;
}

/** Interval in milliseconds for refreshing a list that is being indexed. */
const AGAIN_MS = 1_000;

const SOURCE: EntrySource = {
  entries: (filter, page) => call('history:entries', { filter, page }),
  outline: (filter) => call('history:outline', filter),
};

/**
 * Returns the list for a filter and keeps it current. Returns the previous list until the first entries of a
 * new filter are loaded.
 */
export function useEntryList(filter: HistoryFilter): EntryList {
  const requested = useMemo(() => new EntryList(queryOf(filter, Date.now()), SOURCE), [filter]);
  const [shown, setShown] = useState(requested);
  useSyncExternalStore(requested.subscribe, () => requested.version);
  useEffect(() => {
    void requested.refresh();
    return subscribe('history:changed', () => void requested.refresh());
  }, [requested]);
  const [{ version }, isGrowing] = [requested, requested.loaded && requested.isGrowing];
  useEffect(() => {
    if (!isGrowing || version === 0) return;
    const timer = setTimeout(() => void requested.refresh(), AGAIN_MS);
    return () => clearTimeout(timer);
  }, [requested, isGrowing, version]);
  const isReady = requested.loaded || requested.error !== null;
  if (isReady && shown !== requested) setShown(requested);
  return isReady ? requested : shown;
}

const FORMATS: readonly ExportFormat[] = ['lisp', 'clj', 'ipynb', 'md'];

/**
 * Menu that exports the listed evaluations to a file. @param filter of the list; of many evaluations, the
 * newest 2,000 are exported
 */
export function ExportMenu({ filter }: { filter: ExportFilter }) {
  const words = useWords();
  const { actions } = useServices();
  return (
    <MenuTrigger>
      <IconButton icon={Download} label={words.history.export} />
      <Menu label={words.history.export}>
        {FORMATS.map((format) => (
          <MenuItem
            key={format}
            title={words.history.formats[format].title}
            about={words.history.formats[format].about}
            onChoose={() => void actions.exportHistory(filter, format)}
          />
        ))}
      </Menu>
    </MenuTrigger>
  );
}
