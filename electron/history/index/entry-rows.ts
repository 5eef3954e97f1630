/** Entries as the window lists them, read from the history by the ids that the index answered. */
import type { Database } from 'better-sqlite3';
import type { EntryResult, HistoryEntry } from '../../contract/history';
import type { EngineName, EvaluationKind, Outcome } from '../../contract/model';
import { callLine, callOutcome } from './call-line';
import { lineOf, shownResult } from './shown-texts';

/** What the index answers of an entry. */
export interface EntryIds {
  id: number;
  evaluation: number | null;
  call: number | null;
  tool: string | null;
}

interface EvaluationColumns {
  id: number;
  kind: EvaluationKind;
  session: string;
  sessionName: string | null;
  engine: EngineName;
  client: string;
  outcome: Outcome;
  startedAt: number;
  durationMs: number | null;
  code: string;
  /** JSON. */
  values: string | null;
  output: string | null;
  conditionType: string | null;
  conditionMessage: string | null;
  warnings: number;
}

interface CallColumns {
  id: number;
  tool: string;
  arguments: string;
  session: string | null;
  sessionName: string | null;
  engine: EngineName | null;
  client: string;
  outcome: string | null;
  errorCode: string | null;
  answer: string | null;
  startedAt: number;
  durationMs: number | null;
}

export class EntryRows {
  readonly #statements: ReturnType<typeof prepare>;

  constructor(history: Database) {
    this.#statements = prepare(history);
  }

  /** In the order of the ids; rows that are gone are left out. @param query the text whose hits are to be seen, or null */
  read(ids: readonly EntryIds[], query: string | null): HistoryEntry[] {
    const evaluations = this.#byId(
      this.#statements.evaluations,
      ids.map(({ evaluation }) => evaluation),
    );
    const calls = this.#byId(
      this.#statements.calls,
      ids.map(({ call }) => call),
    );
    return ids.flatMap((entry) => {
      const evaluation = entry.evaluation === null ? undefined : evaluations.get(entry.evaluation);
      if (evaluation) return [evaluationEntry(entry, evaluation, query)];
      const call = entry.call === null ? undefined : calls.get(entry.call);
      return call ? [callEntry(entry, call, query)] : [];
    });
  }

  #byId<R extends { id: number }>(
    statement: { all: (ids: string) => R[] },
    ids: readonly (number | null)[],
  ): Map<number, R> {
    const wanted = ids.filter((id) => id !== null);
    const rows = wanted.length === 0 ? [] : statement.all(JSON.stringify(wanted));
    return new Map(rows.map((row) => [row.id, row]));
  }
}

function evaluationEntry(
  { id: key, tool }: EntryIds,
  row: EvaluationColumns,
  query: string | null,
): HistoryEntry {
  const { id, code, values, output, conditionType, conditionMessage, ...rest } = row;
  const printed: string[] = JSON.parse(values ?? '[]');
  const condition = conditionType === null ? null : conditionMessage || conditionType;
  const result = shownResult({ condition, values: printed, output: output ?? '' }, query);
  return { ...rest, key, evaluation: id, call: null, tool, line: lineOf(code, query), result };
}

function callEntry({ id: key, tool }: EntryIds, row: CallColumns, query: string | null): HistoryEntry {
  const { id, arguments: args, outcome, errorCode, answer, ...rest } = row;
  const line = lineOf(callLine(row.tool, args), query);
  const result: EntryResult = answer
    ? { kind: 'answer', texts: [lineOf(answer, query)] }
    : { kind: 'none', texts: [] };
  const came = { outcome: callOutcome(outcome, errorCode), warnings: 0 };
  return {
    ...rest,
    ...came,
    key,
    evaluation: null,
    call: id,
    kind: 'call',
    tool: tool ?? row.tool,
    line,
    result,
  };
}

function prepare(history: Database) {
  return {
    evaluations: history.prepare<[string], EvaluationColumns>(
      `select e.id, kind, e.session, name as sessionName, e.engine, e.client, outcome, started_at as startedAt,
         duration_ms as durationMs, substr(code, 1, 20000) as code, json_extract(forms, '$[#-1].values') as "values",
         (select substr(group_concat(text, '' order by sequence), -4000) from output
            where evaluation = e.id and sequence < 20000) as output,
         json_extract(condition, '$.type') as conditionType,
         substr(json_extract(condition, '$.message'), 1, 2000) as conditionMessage,
         (select count(*) from json_each(warnings) where json_extract(value, '$.severity') != 'note') as warnings
       from evaluations e left join sessions on sessions.id = e.session
       where e.id in (select value from json_each(?))`,
    ),
    calls: history.prepare<[string], CallColumns>(
      `select c.id, tool, arguments, c.session, name as sessionName, engine, c.client, outcome,
         error_code as errorCode, answer, started_at as startedAt, duration_ms as durationMs
       from calls c left join sessions on sessions.id = c.session
       where c.id in (select value from json_each(?))`,
    ),
  };
}
