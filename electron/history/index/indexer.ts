/**
 * Brings the index up to date with the history: first new rows, then, newest first, rows that were never
 * indexed. Open rows are read again each time.
 */

import type { Database, Statement } from 'better-sqlite3';
import type { Evaluation } from '../../contract/model';
import { ends } from '../long-text';
import { callOutcome } from './entries';
import { firstKeyAt, middleKeyAt, Words } from './queries';

/** Characters indexed at each end of a text: indexing takes time and space, and long output is repetitive. */
const INDEXED_AT_EACH_END = 16 * 1024;
/** Maximum rows of one transaction, and characters of text that end it early; queries wait for it. */
const BATCH = 1_000;
const BATCH_CHARACTERS = 512 * 1024;

export class Indexer {
  readonly #index: Database;
  readonly #words: Words;
  readonly #texts: PendingTexts;
  readonly #read: ReturnType<typeof prepareReading>;
  readonly #write: ReturnType<typeof prepareWriting>;
  /** Calls up to this id began in an earlier harbor; open ones will never be answered. */
  readonly #callsBefore: number;
  #backwards = false;

  /**
   * @param history read-only
   * @param index written only here
   */
  constructor(history: Database, index: Database, callsBefore: number) {
    this.#index = index;
    this.#words = new Words(index);
    this.#texts = new PendingTexts(index);
    this.#read = prepareReading(history);
    this.#write = prepareWriting(index);
    this.#callsBefore = callsBefore;
    this.#begin('evaluations', this.#read.newestEvaluation.get() ?? 0);
    this.#begin('calls', this.#read.newestCall.get() ?? 0);
  }

  /**
   * Indexes new rows and changes of open rows.
   * @param closed ids of changed evaluations
   */
  catchUp(closed: readonly number[] = []): void {
    // One snapshot, so that the evaluation of a call is indexed before the call.
    this.#read.history.transaction(() => {
      // Others are indexed in their order, here or backwards.
      const indexed = closed.filter((id) => this.#write.ofEvaluation.get(id) !== undefined);
      this.#again('evaluations', [...new Set([...this.#write.open.all(), ...indexed])]);
      this.#upwards('evaluations');
      this.#again('calls', this.#write.openCalls.all());
      this.#upwards('calls');
    })();
  }

  /**
   * Indexes some earlier rows.
   * @returns the maximum number of rows that remain
   */
  catchUpBackwards(): number {
    // Calls come last, because they name the tools of evaluations.
    const what = this.#lookedAt('evaluations').low > 0 ? 'evaluations' : 'calls';
    const { low } = this.#lookedAt(what);
    if (low > 0) {
      this.#backwards = true;
      this.#transaction(() => {
        const last = this.#take(what, this.#below(what, low)) ?? 1;
        this.#write.lookedAt.run({ what, low: last - 1, high: null });
      });
      this.#backwards = false;
    }
    return this.unindexed;
  }

  /** The maximum number of rows that are not indexed. */
  get unindexed(): number {
    return this.#lookedAt('evaluations').low + this.#lookedAt('calls').low;
  }

  /** Removes entries whose rows were deleted. */
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
      if (ids.length === 0) return;
      this.#transaction(() => {
        const high = this.#take(what, ids) ?? null;
        this.#write.lookedAt.run({ what, low: null, high });
      });
    }
  }

  /** Reads indexed rows again. */
  #again(what: What, ids: readonly number[]): void {
    let rest = ids;
    while (rest.length > 0) {
      const batch = rest.slice(0, BATCH);
      const last = this.#transaction(() => this.#take(what, batch));
      rest = rest.slice(batch.indexOf(last ?? 0) + 1);
    }
  }

  #below(what: What, low: number): number[] {
    return (what === 'evaluations' ? this.#read.evaluationsFrom : this.#read.callsFrom).all(low, BATCH);
  }

  /**
   * Indexes rows in the given order; deleted rows are skipped.
   * @returns the last id that was read
   */
  #take(what: What, ids: readonly number[]): number | undefined {
    for (const id of ids) {
      if (what === 'evaluations') this.#evaluation(this.#read.evaluation.get(id));
      else this.#call(this.#read.call.get(id));
      if (this.#texts.characters > BATCH_CHARACTERS) return id;
    }
    return ids.at(-1);
  }

  #evaluation(row: StoredEvaluation | undefined): void {
    if (!row) return;
    const { id, kind, session, engine, client, project, outcome } = row;
    const known = this.#write.ofEvaluation.get(id);
    const key = known ?? this.#freeKey(row.startedAt);
    // The tool is set later by its call.
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
    this.#texts.put(key, known !== undefined, [
      ends(row.code, INDEXED_AT_EACH_END),
      ends(`${valuesOf(row.forms)}\n${row.type ?? ''}\n${row.message ?? ''}`, INDEXED_AT_EACH_END),
      row.printed ? printedEnds(this.#read.history, id, INDEXED_AT_EACH_END) : '',
    ]);
  }

  #call(row: StoredCall | undefined): void {
    if (!row) return;
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
    const known = this.#write.ofCall.get(id);
    const key = known ?? this.#freeKey(row.startedAt);
    const outcome = callOutcome(row.outcome, row.errorCode);
    this.#put(key, {
      ...{ evaluation: null, call: id, kind: 'call', project: null },
      ...{ tool, session, engine, client, outcome },
    });
    const request = ends(`${tool} ${row.arguments}`, INDEXED_AT_EACH_END);
    this.#texts.put(key, known !== undefined, [request, row.answer ?? '', '']);
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

  /**
   * Returns a free key for that time: after existing ones, or before them while rows are indexed backwards.
   */
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
    this.#texts.remove(key);
    this.#write.remove.run(key);
  }

  #transaction<T>(work: () => T): T {
    try {
      return this.#index.transaction(() => {
        const answer = work();
        this.#texts.write();
        return answer;
      })();
    } catch (error) {
      this.#words.forget();
      this.#texts.forget();
      throw error;
    }
  }
}

function valuesOf(forms: string): string {
  const parsed: Evaluation['forms'] = JSON.parse(forms);
  return parsed.flatMap((form) => form.values).join('\n');
}

/** The indexed tables, and the statements that read and write them. */
type What = 'evaluations' | 'calls';

interface StoredEvaluation
  extends Pick<Evaluation, 'id' | 'kind' | 'session' | 'engine' | 'client' | 'project' | 'code' | 'outcome'> {
  startedAt: number;
  forms: string;
  type: string | null;
  message: string | null;
  /** 0 if it printed nothing. */
  printed: number;
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
  };
}

// Texts to be added to the full-text index, in the order of their keys. A key below the last one would start
// a new segment, and merging segments takes most of the indexing time.

/** The searched texts of an entry. */
type Texts = readonly [asked: string, answered: string, printed: string];

class PendingTexts {
  readonly #insert;
  readonly #delete;
  readonly #pending = new Map<number, { texts: Texts; again: boolean }>();
  #characters = 0;

  constructor(index: Database) {
    this.#insert = index.prepare<[number, ...Texts]>(
      'insert into texts (rowid, asked, answered, printed) values (?, ?, ?, ?)',
    );
    this.#delete = index.prepare<[number]>('delete from texts where rowid = ?');
  }

  /** Characters of all pending texts. */
  get characters(): number {
    return this.#characters;
  }

  /** @param again whether the index already has texts of this key */
  put(key: number, again: boolean, texts: Texts): void {
    this.#pending.set(key, { texts, again });
    for (const text of texts) this.#characters += text.length;
  }

  /** Removes the texts at once, including pending ones. */
  remove(key: number): void {
    this.#pending.delete(key);
    this.#delete.run(key);
  }

  /** Called at the end of each transaction. */
  write(): void {
    for (const [key, { texts, again }] of [...this.#pending].sort(([one], [other]) => one - other)) {
      if (again) this.#delete.run(key);
      this.#insert.run(key, ...texts);
    }
    this.forget();
  }

  /** Called after a failed transaction. */
  forget(): void {
    this.#pending.clear();
    this.#characters = 0;
  }
}

interface Piece {
  sequence: number;
  characters: number;
  text: string;
}

const STATEMENTS = new WeakMap<Database, Statement<[Record<string, number>], Piece>>();

/**
 * Returns the first and last `characters` of the output, with a newline between, so that no match spans the
 * gap.
 */
function printedEnds(history: Database, evaluation: number, characters: number): string {
  const pieces = statement(history).all({ evaluation, characters });
  let [text, end] = ['', 0];
  for (const piece of pieces) {
    text += (piece.sequence === end ? '' : '\n') + piece.text;
    end = piece.sequence + piece.characters;
  }
  return text;
}

function statement(history: Database): Statement<[Record<string, number>], Piece> {
  const known = STATEMENTS.get(history);
  if (known) return known;
  const prepared = history.prepare<[Record<string, number>], Piece>(
    `select sequence, characters, text from output
     where evaluation = @evaluation and (sequence < @characters or sequence + characters >
       (select max(sequence + characters) from output where evaluation = @evaluation) - @characters)
     order by sequence`,
  );
  STATEMENTS.set(history, prepared);
  return prepared;
}
