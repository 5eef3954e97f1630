/** Filters of the history: a search text and choices. */
import type { ReactNode } from 'react';
import type { EntryKind, HistoryFacets } from '../../electron/contract/history';
import type { EngineName, Outcome } from '../../electron/contract/model';
import { useFacets } from '../bridge-queries';
import { Button } from '../parts/button';
import { type Option, SearchField, Select } from '../parts/field';
import { engineTitle } from '../parts/format';
import { useServices, useWords } from '../services';
import { type HistoryFilter, type Since, WHOLE_HISTORY } from '../view-state';
import { isNarrowed } from './entry-list';
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

const NO_FACETS: HistoryFacets = { clients: [], engines: [], tools: [], sessions: [] };

export function HistorySearch({ filter }: { filter: HistoryFilter }) {
  const words = useWords();
  const change = useChange(filter);
  return (
    <SearchField label={words.history.search} value={filter.query} onChange={(query) => change({ query })} />
  );
}

/** @param children other controls in the bar */
export function HistoryFilters({ filter, children }: { filter: HistoryFilter; children: ReactNode }) {
  const words = useWords();
  const { data = NO_FACETS } = useFacets();
  const change = useChange(filter);
  const { engines, sessions, clients } = data;
  return (
    <fieldset className={styles.filters} aria-label={words.history.filters}>
      <Choice
        label={words.history.engine}
        all={words.history.allEngines}
        value={filter.engine}
        options={engines.map((value) => ({ value, title: engineTitle(value) }))}
        onChange={(engine) => change({ engine: engine as EngineName | null })}
      />
      <Choice
        label={words.history.session}
        all={words.history.allSessions}
        value={filter.session}
        options={sessions.map(({ id, name }) => ({ value: id, title: name }))}
        onChange={(session) => change({ session })}
      />
      <Choice
        label={words.history.client}
        all={words.history.allClients}
        value={filter.client}
        options={clients.map((value) => ({ value, title: words.common.client(value) }))}
        onChange={(client) => change({ client })}
      />
      <Choice
        label={words.history.outcome}
        all={words.history.allOutcomes}
        value={filter.outcome}
        options={OUTCOMES.map((value) => ({
          value,
          title: value === 'running' ? words.history.runningOrSuspended : words.states.outcome[value],
        }))}
        onChange={(outcome) => change({ outcome: outcome as Outcome | null })}
      />
      <KindChoice filter={filter} tools={data.tools} onChange={change} />
      <Choice
        label={words.history.since}
        all={words.history.anyTime}
        value={filter.since}
        options={Object.entries(words.history.spans).map(([value, title]) => ({ value, title }))}
        onChange={(since) => change({ since: since as Since | null })}
      />
      {children}
      {isNarrowed(filter) && <Button onPress={() => change(WHOLE_HISTORY)}>{words.history.showAll}</Button>}
    </fieldset>
  );
}

interface KindChoiceProps {
  filter: HistoryFilter;
  tools: readonly string[];
  onChange: (part: Partial<HistoryFilter>) => void;
}

/** Kinds of evaluations and tools in one choice; the value of a tool has its name after the colon. */
function KindChoice({ filter: { kind, tool }, tools, onChange }: KindChoiceProps) {
  const words = useWords();
  const kinds = Object.entries(words.history.kinds).map(([value, title]) => ({ value, title }));
  const named = tools.map((name) => ({ value: `tool:${name}`, title: words.history.byTool(name) }));
  return (
    <Choice
      label={words.history.kind}
      all={words.history.allKinds}
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
  /** Title of the option that selects nothing. */
  all: string;
  value: string | null;
  options: readonly Option<string>[];
  onChange: (value: string | null) => void;
}

function Choice({ label, all, value, options, onChange }: ChoiceProps) {
  // The chosen value stays visible even if no entry has it.
  const isMissing = value !== null && !options.some((option) => option.value === value);
  const shown = isMissing ? [...options, { value, title: value }] : options;
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
