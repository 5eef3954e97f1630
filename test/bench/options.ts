/** The words after `npm run bench --`. */
import { parseArgs } from 'node:util';

export interface BenchOptions {
  /** What answers cost, in characters, instead. */
  words: boolean;
  /** What rows, pages and searches cost, instead; the rows of the large history, 0 for as many as usual. */
  history: number | null;
  /** What including these of ACL2's books costs, instead; none named, those that are used most. */
  books: readonly string[] | null;
  /** Calls only, and few of each: less than a minute. */
  quick: boolean;
  /** The row whose time is looked into, instead of all. */
  profile: string | null;
  /** What evaluations cost in processor time, context switches and system calls, instead. */
  counts: boolean;
  /** Other servers that evaluate, by names: commands that speak MCP over stdio, and addresses. */
  peers: ReadonlyMap<string, string>;
  httpPeers: ReadonlyMap<string, string>;
  /** Whether the table of docs/performance.md is made of the last figures, instead. */
  page: boolean;
}

/** @throws Error that says which word is wrong */
export function benchOptions(words: readonly string[]): BenchOptions {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      words: { type: 'boolean', default: false },
      history: { type: 'boolean', default: false },
      books: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      page: { type: 'boolean', default: false },
      profile: { type: 'string' },
      counts: { type: 'boolean', default: false },
      peer: { type: 'string', multiple: true, default: [] },
      'peer-http': { type: 'string', multiple: true, default: [] },
    },
  });
  const { words: isWords, history, books, quick, page, counts, profile = null } = values;
  const rows = Number(history ? (positionals[0] ?? 0) : 0);
  if (!Number.isSafeInteger(rows) || (positionals.length > 0 && !history && !books))
    throw new Error(`What is ${positionals.join(' ')}? --history takes a number, and --books names.`);
  return {
    ...{ words: isWords, quick, page, counts, profile },
    ...{ history: history ? rows : null, books: books ? positionals : null },
    peers: named('--peer', values.peer),
    httpPeers: named('--peer-http', values['peer-http']),
  };
}

function named(option: string, words: readonly string[]): ReadonlyMap<string, string> {
  return new Map(
    words.map((word) => {
      const [name = '', value = ''] = word.split(/=(.*)/s, 2);
      if (name === '' || value === '') throw new Error(`${option} wants NAME=WHAT, not ${word}.`);
      return [name, value];
    }),
  );
}
