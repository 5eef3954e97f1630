/** Brings the index up to what the history holds: what is new first, then, newest first, what an earlier index did not have. What
 * has not ended is looked at again each time. */
import type { Database } from 'better-sqlite3';
import type { Evaluation } from '../../contract/model';
import { ends } from '../cut-text';
import { callOutcome } from './call-line';
import { firstKeyAt, middleKeyAt } from './keys';
import { printedEnds } from './printed-ends';
import { Words } from './words';

/** Characters indexed of either end of a text: indexing takes time and room, and long output repeats itself. */
const INDEXED_AT_EACH_END = 16 * 1024;
/** Rows of one transaction. */
const BATCH = 50;
type What = 'evaluations' | 'calls';
interface StoredEvaluation
  extends Pick<Evaluation, 'id' | 'kind' | 'session' | 'engine' | 'client' | 'project' | 'code' | 'outcome'> {
  startedAt: number;
  forms: string;
  type: string | null;
  message: string | null;
}

interface StoredCall {
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

export class Indexer {
  readonly #index: Database;
  readonly #words: Words;
  readonly #read: ReturnType<typeof prepareReading>;
  readonly #write: ReturnType<typeof prepareWriting>;
  /** Calls up to this one were begun by earlier harbors: those that are open will never be answered. */
  readonly #callsBefore: number;
  #backwards = false;

  /** @param history read only @param index written here and nowhere else */
  constructor(history: Database, index: Database, callsBefore: number) {
    this.#index = index;
    this.#words = new Words(index);
    this.#read = prepareReading(history);
    this.#write = prepareWriting(index);
    this.#callsBefore = callsBefore;
    this.#begin('evaluations', this.#read.newestEvaluation.get() ?? 0);
    this.#begin('calls', this.#read.newestCall.get() ?? 0);
  }

  /** Takes over all that is new, and what has changed of what was open. @param closed evaluations that have changed */
  catchUp(closed: readonly number[] = []): void {
    // As of one moment, so that a call's evaluation is there before the call is looked at.
    this.#read.history.transaction(() => {
      const open = this.#write.open.all();
      this.#inBatches([...new Set([...open, ...closed])], (ids) => this.#evaluations(ids));
      this.#upwards('evaluations');
      this.#inBatches(this.#write.openCalls.all(), (ids) => this.#calls(ids));
      this.#upwards('calls');
    })();
  }

  /** Takes over some of what came before. @returns how many rows are left to be looked at, at most */
  catchUpBackwards(): number {
    // Calls last, which name the tools of evaluations.
    const what = this.#lookedAt('evaluations').low > 0 ? 'evaluations' : 'calls';
    const { low } = this.#lookedAt(what);
    if (low > 0) {
      const ids = this.#below(what, low);
      this.#transaction(() => {
        this.#backwards = true;
        for (const id of ids) this.#take(what, [id]);
        this.#write.lookedAt.run({ what, low: (ids.at(-1) ?? 1) - 1, high: null });
      });
      this.#backwards = false;
    }
    return this.unindexed;
  }

  /** How many rows the index has not seen, at most. */
  get unindexed(): number {
    return this.#lookedAt('evaluations').low + this.#lookedAt('calls').low;
  }

  /** Drops entries whose rows are gone from the history. */
  forget({ evaluations, calls }: Record<What, readonly number[]>): void {
    this.#transaction(() => {
      for (const id of evaluations) this.#remove(this.#write.ofEvaluation.get(id));
      for (const id of calls) this.#remove(this.#write.ofCall.get(id));
    });
  }

  #begin(what: What, newest: number): void {
    this.#write.begin.run(what, newest, newest);
  }

  #lookedAt(what: What): { low: number; high: number } {
    return this.#write.range.get(what) ?? { low: 0, high: 0 };
  }

  #upwards(what: What): void {
    const above = what === 'evaluations' ? this.#read.evaluationsAbove : this.#read.callsAbove;
    for (;;) {
      const ids = above.all(this.#lookedAt(what).high, BATCH);
      const high = ids.at(-1);
      if (high === undefined) return;
      this.#transaction(() => {
        this.#take(what, ids);
        this.#write.lookedAt.run({ what, low: null, high });
      });
    }
  }

  #below(what: What, low: number): number[] {
    return (what === 'evaluations' ? this.#read.evaluationsFrom : this.#read.callsFrom).all(low, BATCH);
  }

  #take(what: What, ids: readonly number[]): void {
    if (what === 'evaluations') this.#evaluations(ids);
    else this.#calls(ids);
  }

  #evaluations(ids: readonly number[]): void {
    for (const row of this.#read.evaluations.all(JSON.stringify(ids))) this.#evaluation(row);
  }

  #evaluation(row: StoredEvaluation): void {
    const { id, kind, session, engine, client, project, outcome } = row;
    const key = this.#write.ofEvaluation.get(id) ?? this.#freeKey(row.startedAt);
    // Its call, which is closed after it, names the tool.
    this.#put(key, {
      evaluation: id,
      call: null,
      kind,
      tool: null,
      session,
      engine,
      client,
      project,
      outcome,
    });
    this.#write.removeTexts.run(key);
    this.#write.texts.run(
      key,
      ends(row.code, INDEXED_AT_EACH_END),
      ends(`${valuesOf(row.forms)}\n${row.type ?? ''}\n${row.message ?? ''}`, INDEXED_AT_EACH_END),
      printedEnds(this.#read.history, id, INDEXED_AT_EACH_END),
    );
  }

  #calls(ids: readonly number[]): void {
    for (const row of this.#read.calls.all(JSON.stringify(ids))) this.#call(row);
  }

  #call(row: StoredCall): void {
    const { id, evaluation, tool, session, engine, client } = row;
    if (row.outcome === null && id > this.#callsBefore) {
      this.#write.callOpen.run(id);
      return;
    }
    this.#write.callClosed.run(id);
    if (evaluation !== null) {
      this.#write.setTool.run(this.#words.number('tool', tool), evaluation);
      return;
    }
    const key = this.#write.ofCall.get(id) ?? this.#freeKey(row.startedAt);
    const outcome = callOutcome(row.outcome, row.errorCode);
    this.#put(key, {
      ...{ evaluation: null, call: id, kind: 'call', project: null },
      ...{ tool, session, engine, client, outcome },
    });
    this.#write.removeTexts.run(key);
    const asked = ends(`${tool} ${row.arguments}`, INDEXED_AT_EACH_END);
    this.#write.texts.run(key, asked, row.answer ?? '', '');
  }

  #put(
    id: number,
    {
      evaluation,
      call,
      ...names
    }: { evaluation: number | null; call: number | null } & Record<
      'kind' | 'tool' | 'session' | 'engine' | 'client' | 'project' | 'outcome',
      string | null
    >,
  ): void {
    const number = (field: keyof typeof names) => this.#words.number(field, names[field]);
    this.#write.put.run({
      ...{ id, evaluation, call },
      ...{ kind: number('kind'), tool: number('tool'), session: number('session'), engine: number('engine') },
      ...{ client: number('client'), project: number('project'), outcome: number('outcome') },
    });
  }

  /** A key at that time, after those that have one, or while rows are looked at backwards before them. */
  #freeKey(at: number): number {
    for (let time = Math.max(0, Math.trunc(at)); ; time += this.#backwards ? -1 : 1) {
      const [from, to] = [firstKeyAt(time), firstKeyAt(time + 1)];
      const { first, last } = this.#write.keysBetween.get(from, to) ?? { first: null, last: null };
      if (first === null || last === null) return middleKeyAt(time);
      const free = this.#backwards ? first - 1 : last + 1;
      if (from <= free && free < to) return free;
    }
  }

  #remove(key: number | undefined): void {
    if (key === undefined) return;
    this.#write.removeTexts.run(key);
    this.#write.remove.run(key);
  }

  #inBatches(ids: readonly number[], work: (ids: readonly number[]) => void): void {
    for (let from = 0; from < ids.length; from += BATCH)
      this.#transaction(() => work(ids.slice(from, from + BATCH)));
  }

  #transaction(work: () => void): void {
    try {
      this.#index.transaction(work)();
    } catch (error) {
      this.#words.forget();
      throw error;
    }
  }
}

function valuesOf(forms: string): string {
  const parsed: Evaluation['forms'] = JSON.parse(forms);
  return parsed.flatMap((form) => form.values).join('\n');
}

function prepareReading(history: Database) {
  const ids = (sql: string) => history.prepare<number[], number>(sql).pluck();
  return {
    history,
    newestEvaluation: ids('select max(id) from evaluations'),
    newestCall: ids('select max(id) from calls'),
    evaluationsAbove: ids('select id from evaluations where id > ? order by id limit ?'),
    evaluationsFrom: ids('select id from evaluations where id <= ? order by id desc limit ?'),
    callsAbove: ids('select id from calls where id > ? order by id limit ?'),
    callsFrom: ids('select id from calls where id <= ? order by id desc limit ?'),
    evaluations: history.prepare<[string], StoredEvaluation>(
      `select id, kind, session, engine, client, project, code, outcome, started_at as startedAt, forms,
         json_extract(condition, '$.type') as type, json_extract(condition, '$.message') as message
       from evaluations where id in (select value from json_each(?)) order by id`,
    ),
    calls: history.prepare<[string], StoredCall>(
      `select calls.id, tool, calls.client, session, engine, arguments, outcome, error_code as errorCode, answer,
         started_at as startedAt, evaluation
       from calls left join sessions on sessions.id = session
       where calls.id in (select value from json_each(?)) order by calls.id`,
    ),
  };
}

function prepareWriting(index: Database) {
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
    texts: index.prepare<[number, string, string, string]>(
      'insert into texts (rowid, asked, answered, printed) values (?, ?, ?, ?)',
    ),
    removeTexts: index.prepare<[number]>('delete from texts where rowid = ?'),
  };
}
