/** All that agents and people did, searchable, with the selected entry beside the list. */
import { ChartNoAxesGantt, Crosshair, ScrollText } from 'lucide-react';
import { useDeferredValue, useEffect, useMemo, useRef, useState } from 'react';
import { ToggleButton } from 'react-aria-components';
import type { HistoryEntry } from '../../electron/contract/history';
import { call } from '../bridge';
import buttons from '../parts/button.module.css';
import { Empty, Problem } from '../parts/feedback';
import { NewSession } from '../parts/new-session';
import { SplitPane } from '../parts/split-pane';
import { View } from '../parts/view';
import { useRoute, useServices, useViewState, useWords } from '../services';
import type { HistoryFilter } from '../view-state';
import { isNarrowed } from './asked-filter';
import { CallDetail } from './call-detail';
import type { EntryList } from './entry-list';
import { EvaluationDetail } from './evaluation-detail';
import { ExportMenu } from './export-menu';
import { HistoryFilters, HistorySearch } from './history-filters';
import filters from './history-filters.module.css';
import { HistoryGrid } from './history-grid';
import { Timeline } from './timeline';
import { useEntryList } from './use-entry-list';

/** Long enough for the next keystroke of a typist, short enough to feel immediate. */
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
  // Drawn after the row is marked as selected, and not at all for one that the arrow keys only pass by.
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
        besideFrom={900}
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

/** How many there are, of how many that is not all, and what is not looked at. */
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
          // The end of that day here, so that its last entry is the first to be seen.
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

/** The key of what the route says is selected. A link names it by its id: then the list goes there. */
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

/** Selects the newest evaluation or call as it comes. */
function useFollowing(list: EntryList | null, choose: (entry: HistoryEntry) => void): void {
  const followed = useRef<number | null>(null);
  const newest = list?.at(0);
  useEffect(() => {
    if (!newest || newest.key === followed.current) return;
    followed.current = newest.key;
    choose(newest);
  });
}

/** The filter, once its text has not changed for a moment. */
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
