/** Brings the index up to what the history holds: what is new first, then, newest first, what an earlier index did not have. What
 * has not ended is looked at again each time. */
import type { Database } from 'better-sqlite3';
import type { Evaluation } from '../../contract/model';
import { ends } from '../cut-text';
import { callOutcome } from './call-line';
import {
  prepareReading,
  prepareWriting,
  type StoredCall,
  type StoredEvaluation,
  type What,
} from './indexer-statements';
import { firstKeyAt, middleKeyAt } from './keys';
import { PendingTexts } from './pending-texts';
import { printedEnds } from './printed-ends';
import { Words } from './words';

/** Characters indexed of either end of a text: indexing takes time and room, and long output repeats itself. */
const INDEXED_AT_EACH_END = 16 * 1024;
/** Rows of one transaction, at most, and the characters of texts with which it ends early: questions wait for it. */
const BATCH = 1_000;
const BATCH_CHARACTERS = 512 * 1024;

export class Indexer {
  readonly #index: Database;
  readonly #words: Words;
  readonly #texts: PendingTexts;
  readonly #read: ReturnType<typeof prepareReading>;
  readonly #write: ReturnType<typeof prepareWriting>;
  /** Calls up to this one were begun by earlier harbors: those that are open will never be answered. */
  readonly #callsBefore: number;
  #backwards = false;

  /** @param history read only @param index written here and nowhere else */
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

  /** Takes over all that is new, and what has changed of what was open. @param closed evaluations that have changed */
  catchUp(closed: readonly number[] = []): void {
    // As of one moment, so that a call's evaluation is there before the call is looked at.
    this.#read.history.transaction(() => {
      const open = this.#write.open.all();
      this.#again('evaluations', [...new Set([...open, ...closed])]);
      this.#upwards('evaluations');
      this.#again('calls', this.#write.openCalls.all());
      this.#upwards('calls');
    })();
  }

  /** Takes over some of what came before. @returns how many rows are left to be looked at, at most */
  catchUpBackwards(): number {
    // Calls last, which name the tools of evaluations.
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
      if (ids.length === 0) return;
      this.#transaction(() => {
        const high = this.#take(what, ids) ?? null;
        this.#write.lookedAt.run({ what, low: null, high });
      });
    }
  }

  /** Looks at rows that it has seen, whatever became of them. */
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

  /** Takes over rows in the order given, those that are gone apart. @returns the last that was looked at */
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
    const asked = ends(`${tool} ${row.arguments}`, INDEXED_AT_EACH_END);
    this.#texts.put(key, known !== undefined, [asked, row.answer ?? '', '']);
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
