/**
 * When each client did what, counted in spans of time. A million entries take their time: other questions are answered between two
 * spans, and a timeline that nobody waits for any more is given up.
 */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import type { HistoryFilter, HistoryTimeline, TimelineMark } from '../../contract/history';
import { countedByClient, isIndexed, keyRange, type Select, searchText } from './entry-select';
import { firstKeyAt, timeOfKey } from './keys';

/** As many as can be told apart in a usual window. */
const SPANS = 96;

interface Counted {
  client: string;
  what: 'evaluations' | 'edits' | 'calls' | 'refusals';
  number: number;
  evaluation: number | null;
  call: number | null;
}

export class Timelines {
  readonly #index: Database;
  #newest = 0;

  constructor(index: Database) {
    this.#index = index;
  }

  /** Null when another one was asked for meanwhile, and for a text that no index finds. */
  async of(filter: HistoryFilter): Promise<HistoryTimeline | null> {
    this.#newest += 1;
    const mine = this.#newest;
    const text = searchText(filter);
    if (text !== null && !isIndexed(text)) return null;
    const [range] = this.#all<{ low: number | null; high: number | null }>(keyRange(filter));
    if (!range || range.low === null || range.high === null) return { from: 0, step: 1, spans: 0, marks: [] };
    const from = timeOfKey(range.low);
    const step = Math.max(1, Math.ceil((timeOfKey(range.high) + 1 - from) / SPANS));
    const marks: TimelineMark[] = [];
    for (let span = 0; span < SPANS; span += 1) {
      const keys = { above: firstKeyAt(from + span * step) - 1, below: firstKeyAt(from + (span + 1) * step) };
      marks.push(...marksOf(this.#all<Counted>(countedByClient(filter, keys)), span));
      await nextTurn();
      if (this.#newest !== mine) return null;
    }
    return { from, step, spans: SPANS, marks };
  }

  #all<Row>({ sql, parameters }: Select): Row[] {
    return this.#index.prepare<(string | number)[], Row>(sql).all(...parameters);
  }
}

/** @param counted newest first */
function marksOf(counted: readonly Counted[], span: number): TimelineMark[] {
  const marks = new Map<string, TimelineMark>();
  for (const { client, what, number, evaluation, call } of counted) {
    const none = { evaluations: 0, edits: 0, calls: 0, refusals: 0 };
    const mark = marks.get(client) ?? { client, span, ...none, newest: { evaluation, call } };
    mark[what] = number;
    marks.set(client, mark);
  }
  return [...marks.values()];
}
