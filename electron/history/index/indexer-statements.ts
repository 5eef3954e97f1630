/** What the indexer reads of the history and writes into the index. */
import type { Database } from 'better-sqlite3';
import type { Evaluation } from '../../contract/model';

export type What = 'evaluations' | 'calls';

export interface StoredEvaluation
  extends Pick<Evaluation, 'id' | 'kind' | 'session' | 'engine' | 'client' | 'project' | 'code' | 'outcome'> {
  startedAt: number;
  forms: string;
  type: string | null;
  message: string | null;
  /** 0 when it printed nothing, as most. */
  printed: number;
}

export interface StoredCall {
  id: number;
  tool: string;
  client: string;
  session: string | null;
  engine: string | null;
  arguments: string;
  outcome: string | null;
  errorCode: string | null;
  answer: string | null;
  startedAt: number;
  evaluation: number | null;
}

export function prepareReading(history: Database) {
  const ids = (sql: string) => history.prepare<number[], number>(sql).pluck();
  return {
    history,
    newestEvaluation: ids('select max(id) from evaluations'),
    newestCall: ids('select max(id) from calls'),
    evaluationsAbove: ids('select id from evaluations where id > ? order by id limit ?'),
    evaluationsFrom: ids('select id from evaluations where id <= ? order by id desc limit ?'),
    callsAbove: ids('select id from calls where id > ? order by id limit ?'),
    callsFrom: ids('select id from calls where id <= ? order by id desc limit ?'),
    evaluation: history.prepare<[number], StoredEvaluation>(
      `select id, kind, session, engine, client, project, code, outcome, started_at as startedAt, forms,
         json_extract(condition, '$.type') as type, json_extract(condition, '$.message') as message,
         exists (select 1 from output where output.evaluation = evaluations.id) as printed
       from evaluations where id = ?`,
    ),
    call: history.prepare<[number], StoredCall>(
      `select calls.id, tool, calls.client, session, engine, arguments, outcome, error_code as errorCode, answer,
         started_at as startedAt, evaluation
       from calls left join sessions on sessions.id = session
       where calls.id = ?`,
    ),
  };
}

export function prepareWriting(index: Database) {
  const ids = <P extends unknown[]>(sql: string) => index.prepare<P, number>(sql).pluck();
  return {
    begin: index.prepare<[What, number, number]>('insert or ignore into looked_at values (?, ?, ?)'),
    range: index.prepare<[What], { low: number; high: number }>(
      'select low, high from looked_at where what = ?',
    ),
    lookedAt: index.prepare<[{ what: What; low: number | null; high: number | null }]>(
      'update looked_at set low = coalesce(@low, low), high = coalesce(@high, high) where what = @what',
    ),
    open: ids<[]>(
      `select evaluation from entries where evaluation is not null and outcome in
         (select id from words where field = 'outcome' and text in ('running', 'debugger'))`,
    ),
    openCalls: ids<[]>('select id from open_calls'),
    callOpen: index.prepare<[number]>('insert or ignore into open_calls values (?)'),
    callClosed: index.prepare<[number]>('delete from open_calls where id = ?'),
    ofEvaluation: ids<[number]>('select id from entries where evaluation = ?'),
    ofCall: ids<[number]>('select id from entries where call = ?'),
    keysBetween: index.prepare<[number, number], { first: number | null; last: number | null }>(
      'select min(id) as first, max(id) as last from entries where id >= ? and id < ?',
    ),
    setTool: index.prepare<[number | null, number]>('update entries set tool = ? where evaluation = ?'),
    put: index.prepare<[Record<string, number | null>]>(
      `insert into entries (id, evaluation, call, kind, tool, session, engine, client, project, outcome)
       values (@id, @evaluation, @call, @kind, @tool, @session, @engine, @client, @project, @outcome)
       on conflict (id) do update set kind = @kind, tool = coalesce(@tool, tool), session = @session, engine = @engine,
         client = @client, project = @project, outcome = @outcome`,
    ),
    remove: index.prepare<[number]>('delete from entries where id = ?'),
  };
}
