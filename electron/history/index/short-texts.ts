/** Texts of one or two letters, which no index finds: entries are read, newest first, until there are enough. */
import type { Database, Statement } from 'better-sqlite3';
import { PLACES } from '../page';
import type { EntryIds } from './entry-rows';
import type { PageKeys } from './entry-select';

/** Entries read at once, and those among which hits are counted. */
const CHUNK = 500;
const NEWEST = 20_000;

type Matching = Statement<[{ ids: string; pattern: string }], number>;
type Ids = (keys: PageKeys) => EntryIds[];

export class ShortTexts {
  readonly #evaluations: Matching;
  readonly #calls: Matching;

  constructor(history: Database) {
    const ids = (sql: string) => history.prepare<[{ ids: string; pattern: string }], number>(sql).pluck();
    this.#evaluations = ids(
      `select id from evaluations e where id in (select value from json_each(@ids)) and
         (${PLACES.map((place) => place.replaceAll('?', '@pattern')).join(' or ')})`,
    );
    this.#calls = ids(
      `select id from calls where id in (select value from json_each(@ids)) and
         (tool like @pattern escape '\\' or arguments like @pattern escape '\\' or answer like @pattern escape '\\')`,
    );
  }

  /** @param ids entries that the filter lets through */
  page(text: string, page: PageKeys, ids: Ids): EntryIds[] {
    const hits: EntryIds[] = [];
    for (const { chunk } of this.#chunks(page, ids)) {
      hits.push(...this.#matching(chunk, text));
      if (hits.length >= page.limit) break;
    }
    return hits.slice(0, page.limit);
  }

  /** @returns all hits among the newest entries, and the key of the last that was read; null: there are no others */
  newest(text: string, ids: Ids): { hits: EntryIds[]; last: number | null } {
    const hits: EntryIds[] = [];
    let read = 0;
    for (const { chunk, last } of this.#chunks({ limit: CHUNK }, ids)) {
      hits.push(...this.#matching(chunk, text));
      read += chunk.length;
      if (read >= NEWEST) return { hits, last };
    }
    return { hits, last: null };
  }

  *#chunks(page: PageKeys, ids: Ids): Generator<{ chunk: EntryIds[]; last: number }> {
    let chunk = ids({ ...page, limit: CHUNK });
    for (;;) {
      const last = chunk.at(-1)?.id;
      if (last === undefined) return;
      yield { chunk, last };
      if (chunk.length < CHUNK) return;
      chunk = ids({ ...(page.above === undefined ? {} : { above: page.above }), below: last, limit: CHUNK });
    }
  }

  #matching(entries: readonly EntryIds[], text: string): EntryIds[] {
    const pattern = `%${text.replace(/[\\%_]/g, '\\$&')}%`;
    const found = (statement: Matching, wanted: (number | null)[]) =>
      new Set(statement.all({ ids: JSON.stringify(wanted.filter((id) => id !== null)), pattern }));
    const evaluations = found(
      this.#evaluations,
      entries.map(({ evaluation }) => evaluation),
    );
    const calls = found(
      this.#calls,
      entries.map(({ call }) => call),
    );
    return entries.filter(({ evaluation, call }) => evaluations.has(evaluation ?? 0) || calls.has(call ?? 0));
  }
}
