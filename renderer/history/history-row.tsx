/** A row of the history's list: what was asked and what came of it, in which session, by whom, when. */
import { memo } from 'react';
import type { EntryResult, HistoryEntry } from '../../electron/contract/history';
import type { Words } from '../../electron/words/words';
import { lastLine } from '../live';
import { engineTitle, oneLine } from '../parts/format';
import { LispLine, MarkedLine } from '../parts/lisp';
import { OutcomeMark } from '../parts/state-mark';
import { Duration, RelativeTime } from '../parts/time';
import { useLive, useWords } from '../services';
import styles from './history-grid.module.css';

export const COLUMNS = ['outcome', 'line', 'result', 'session', 'client', 'took', 'when'] as const;

interface EntryRowProps {
  /** Counted from 0, newest first. */
  place: number;
  /** Pixels from where the drawn rows are placed. */
  top: number;
  /** Absent while it is on its way. */
  entry: HistoryEntry | undefined;
  isSelected: boolean;
  /** Whether the keyboard is there. */
  isActive: boolean;
  query: string;
  now: number;
}

export const EntryRow = memo(function EntryRow(props: EntryRowProps) {
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

/** Of a row that only moves they stay as they are. */
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
        <OutcomeMark outcome={outcome} />
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

/** The entry as it is now: while its evaluation runs, the page knows sooner what became of it. */
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

/** All values of the last form, the condition, the line that was printed last, or what a tool answered. */
function Result({ entry, query }: { entry: HistoryEntry; query: string }) {
  const { result, engine, outcome, evaluation } = entry;
  if (outcome === 'running' && evaluation !== null && result.kind !== 'values')
    return <LivePrinted id={evaluation} otherwise={result} query={query} />;
  if (result.kind === 'values')
    return (
      <span className={styles.values}>
        {result.texts.map((text, index) => (
          // Values have no names; they never change their order.
          // biome-ignore lint/suspicious/noArrayIndexKey: they are told apart by their places alone
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
