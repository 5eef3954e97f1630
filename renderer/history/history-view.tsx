/** Every evaluation there was and is, searchable, with the selected one beside the list. */
import { ScrollText } from 'lucide-react';
import { useEffect, useMemo, useState } from 'react';
import type { EngineName, Outcome } from '../../electron/contract/model';
import { useEvaluations } from '../bridge-queries';
import type { RowFilter } from '../evaluations/evaluation-list';
import { Empty, Problem } from '../parts/feedback';
import { type Option, SearchField, Select } from '../parts/field';
import { engineTitle } from '../parts/format';
import { NewSession } from '../parts/new-session';
import { SplitPane } from '../parts/split-pane';
import { View } from '../parts/view';
import { useRoute, useServices, useViewState } from '../services';
import type { HistoryFilter } from '../view-state';
import { EvaluationDetail } from './evaluation-detail';
import { HistoryTable } from './history-table';

/** Long enough for the next keystroke of a typist, short enough to feel immediate. */
const TYPING_PAUSE_MS = 150;

const ENGINES: readonly EngineName[] = [
  'sbcl',
  'ecl',
  'abcl',
  'ccl',
  'acl2',
  'clojure',
  'nrepl',
  'swank',
  'lisply',
  'nbb',
];
const OUTCOMES: readonly Outcome[] = [
  'ok',
  'error',
  'debugger',
  'interrupted',
  'crashed',
  'refused',
  'running',
];

export function History() {
  const shown = useViewState(({ historyFilter }) => historyFilter);
  const selected = useRoute(({ evaluation }) => evaluation);
  const query = useSettled(shown.query);
  const filter = useMemo<RowFilter>(
    () => ({ query, engine: shown.engine, outcome: shown.outcome, session: null }),
    [query, shown.engine, shown.outcome],
  );
  const list = useEvaluations(filter);
  return (
    <View title="History" tools={<Filters filter={shown} />}>
      {list.error && <Problem>{list.error.message}</Problem>}
      <SplitPane
        name="history"
        besideFrom={780}
        initial={0.55}
        list={list.rows.length > 0 || list.loading ? <HistoryTable list={list} /> : <NoRows filter={shown} />}
        detail={selected === null ? null : <EvaluationDetail key={selected} id={selected} />}
      />
    </View>
  );
}

function Filters({ filter }: { filter: HistoryFilter }) {
  const { viewState } = useServices();
  const change = (part: Partial<HistoryFilter>) =>
    viewState.setState({ historyFilter: { ...filter, ...part } });
  const engines: Option<EngineName | ''>[] = ENGINES.map((value) => ({ value, title: engineTitle(value) }));
  const outcomes: Option<Outcome | ''>[] = OUTCOMES.map((value) => ({
    value,
    title: value === 'running' ? 'running or held' : value,
  }));
  return (
    <>
      <SearchField label="Search history" value={filter.query} onChange={(query) => change({ query })} />
      <Select
        label="Engine"
        value={filter.engine ?? ''}
        options={[{ value: '', title: 'All engines' }, ...engines]}
        onChange={(engine) => change({ engine: engine || null })}
      />
      <Select
        label="Outcome"
        value={filter.outcome ?? ''}
        options={[{ value: '', title: 'All outcomes' }, ...outcomes]}
        onChange={(outcome) => change({ outcome: outcome || null })}
      />
    </>
  );
}

function NoRows({ filter: { query, engine, outcome } }: { filter: HistoryFilter }) {
  if (query.trim() !== '' || engine !== null || outcome !== null) {
    return (
      <Empty icon={ScrollText} title="Nothing fits">
        The search looks at code, values, output and conditions of every evaluation.
      </Empty>
    );
  }
  return (
    <Empty icon={ScrollText} title="No evaluations yet" action={<NewSession />}>
      Every evaluation is kept here, whoever asked for it: its code, values, output and condition, while it
      runs and after.
    </Empty>
  );
}

/** The value once it has not changed for a moment. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
