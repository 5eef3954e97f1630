/** What a person can narrow the history by: a text, and choices beside each other. */
import type { ReactNode } from 'react';
import type { EntryKind, HistoryFacets } from '../../electron/contract/history';
import type { EngineName, Outcome } from '../../electron/contract/model';
import { useFacets } from '../bridge-queries';
import { Button } from '../parts/button';
import { type Option, SearchField, Select } from '../parts/field';
import { engineTitle } from '../parts/format';
import { useServices } from '../services';
import { type HistoryFilter, type Since, WHOLE_HISTORY } from '../view-state';
import { isNarrowed } from './asked-filter';
import styles from './history-filters.module.css';

const OUTCOMES: readonly Outcome[] = [
  'ok',
  'error',
  'debugger',
  'interrupted',
  'crashed',
  'refused',
  'running',
];

const KINDS: Readonly<Record<EntryKind, string>> = {
  eval: 'evaluated',
  try: 'tried',
  listener: 'typed in a listener',
  load: 'loaded',
  test: 'tested',
  inspect: 'inspected',
  frame: 'in a frame',
  call: 'calls without code',
};

const SPANS: Readonly<Record<Since, string>> = {
  hour: 'last hour',
  day: 'last 24 hours',
  week: 'last 7 days',
  month: 'last 30 days',
};

const NO_FACETS: HistoryFacets = { clients: [], engines: [], tools: [], sessions: [] };

export function HistorySearch({ filter }: { filter: HistoryFilter }) {
  const change = useChange(filter);
  return <SearchField label="Search history" value={filter.query} onChange={(query) => change({ query })} />;
}

/** @param children what else is in the bar */
export function HistoryFilters({ filter, children }: { filter: HistoryFilter; children: ReactNode }) {
  const { data = NO_FACETS } = useFacets();
  const change = useChange(filter);
  const { engines, sessions, clients } = data;
  return (
    <fieldset className={styles.filters} aria-label="Filters">
      <Choice
        label="Engine"
        all="All engines"
        value={filter.engine}
        options={engines.map((value) => ({ value, title: engineTitle(value) }))}
        onChange={(engine) => change({ engine: engine as EngineName | null })}
      />
      <Choice
        label="Session"
        all="All sessions"
        value={filter.session}
        options={sessions.map(({ id, name }) => ({ value: id, title: name }))}
        onChange={(session) => change({ session })}
      />
      <Choice
        label="Client"
        all="All clients"
        value={filter.client}
        options={clients.map((value) => ({ value, title: value }))}
        onChange={(client) => change({ client })}
      />
      <Choice
        label="Outcome"
        all="All outcomes"
        value={filter.outcome}
        options={OUTCOMES.map((value) => ({ value, title: value === 'running' ? 'running or held' : value }))}
        onChange={(outcome) => change({ outcome: outcome as Outcome | null })}
      />
      <KindChoice filter={filter} tools={data.tools} onChange={change} />
      <Choice
        label="Since"
        all="Any time"
        value={filter.since}
        options={Object.entries(SPANS).map(([value, title]) => ({ value, title }))}
        onChange={(since) => change({ since: since as Since | null })}
      />
      {children}
      {isNarrowed(filter) && <Button onPress={() => change(WHOLE_HISTORY)}>Show all</Button>}
    </fieldset>
  );
}

interface KindChoiceProps {
  filter: HistoryFilter;
  tools: readonly string[];
  onChange: (part: Partial<HistoryFilter>) => void;
}

/** Kinds of evaluations and tools in one choice: a tool is named by what follows the colon. */
function KindChoice({ filter: { kind, tool }, tools, onChange }: KindChoiceProps) {
  const kinds = Object.entries(KINDS).map(([value, title]) => ({ value, title }));
  const named = tools.map((name) => ({ value: `tool:${name}`, title: `by ${name}` }));
  return (
    <Choice
      label="Kind"
      all="All kinds"
      value={tool === null ? kind : `tool:${tool}`}
      options={[...kinds, ...named]}
      onChange={(value) =>
        onChange(
          value?.startsWith('tool:')
            ? { kind: null, tool: value.slice('tool:'.length) }
            : { kind: value as EntryKind | null, tool: null },
        )
      }
    />
  );
}

interface ChoiceProps {
  label: string;
  /** What stands for no choice. */
  all: string;
  value: string | null;
  options: readonly Option<string>[];
  onChange: (value: string | null) => void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  // What was chosen stays to be seen, though nothing has it any more.
  const gone = value !== null && !options.some((option) => option.value === value);
  const shown = gone ? [...options, { value, title: value }] : options;
  return (
    <Select
      label={label}
      value={value ?? ''}
      options={[{ value: '', title: all }, ...shown]}
      onChange={(chosen) => onChange(chosen || null)}
    />
  );
}

function useChange(filter: HistoryFilter): (part: Partial<HistoryFilter>) => void {
  const { viewState } = useServices();
  return (part) => viewState.setState({ historyFilter: { ...filter, ...part } });
}
