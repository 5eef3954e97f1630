/**
 * `npm run bench`: what is fast and what is not, beside goals, as ratios within one run. `--quick` has the calls alone;
 * `--peer NAME=COMMAND` and `--peer-http NAME=URL` bring other servers in; `--profile ROW` tells where a row's time goes,
 * `--counts` what evaluations cost in figures that other load changes little;
 * `--page` makes the table of docs/performance.md of the last figures. `--words` is what answers cost, in characters, `--history [ROWS]`
 * what rows, pages and searches cost, `--books [BOOK …]` what including ACL2's books costs, in processor time.
 */
import { booksCases } from './books-cases.ts';
import { callCases } from './call-cases.ts';
import type { Cases } from './case.ts';
import { reportHistory } from './history-report.ts';
import { interleaved, type Rounds, type Row } from './measure.ts';
import { type BenchOptions, benchOptions } from './options.ts';
import { printCounts, profile } from './profile.ts';
import { report, writePage } from './report.ts';
import { sessionCases } from './session-cases.ts';
import { newFolderCases, startCases } from './start-cases.ts';
import { reportTasks, reportWords } from './words-report.ts';

const CALLS = {
  rounds: Number(process.env.LISP_HARBOR_BENCH_ROUNDS ?? 2_000),
  warmUp: 300,
  apart: false,
};
const QUICK_CALLS = { rounds: 200, warmUp: 100, apart: false };
const STARTS = { rounds: 9, warmUp: 2, apart: true };
const BOOKS = { rounds: 5, warmUp: 1, apart: true };
const FOLDERS = { rounds: 3, warmUp: 0, apart: true };

await bench(benchOptions(process.argv.slice(2)));
process.exit(0);

async function bench(options: BenchOptions): Promise<void> {
  if (options.page) return writePage();
  if (options.profile !== null) return profile(options.profile);
  if (options.counts) return printCounts();
  if (options.history !== null) return reportHistory(options.history || undefined);
  if (options.words) {
    await reportWords();
    return reportTasks();
  }
  report(await measured(options));
}

async function measured(options: BenchOptions): Promise<Row[]> {
  const { books } = options;
  if (books !== null) return rowsOf(() => booksCases(books), BOOKS);
  const calls = await rowsOf(() => callCases(options), options.quick ? QUICK_CALLS : CALLS);
  if (options.quick) return calls;
  return [
    ...calls,
    ...(await rowsOf(sessionCases, STARTS)),
    ...(await rowsOf(startCases, STARTS)),
    ...(await rowsOf(newFolderCases, FOLDERS)),
  ];
}

/** Nothing else runs meanwhile than what these cases need. */
async function rowsOf(begin: () => Promise<Cases>, rounds: Rounds): Promise<Row[]> {
  const { cases, end } = await begin();
  try {
    return await interleaved(cases, rounds);
  } finally {
    await end();
  }
}
