/**
 * What the history costs, measured at two sizes by turns; bundled and run by history-report.ts. Prints a line of JSON for each
 * row: milliseconds, median and 95th percentile.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { History } from '../../electron/history/history';
import { closed, opened } from '../unit/history-rows';

const [worker = '', rounds = '0', ...folders] = process.argv.slice(2);
const ROUNDS = Number(rounds);
const SEARCHED = ['height-at 77', 'station 123', 'no station', '31.4', 'nowhere at all', ':station 9'];

interface Sized {
  name: string;
  history: History;
}

const sized: Sized[] = [];
for (const folder of folders) {
  // Nobody knows who wrote it: the first start reads it through, as one after a change by hand.
  await new History(path.join(folder, 'history.db'), pathToFileURL(worker)).close();
  const began = performance.now();
  const history = new History(path.join(folder, 'history.db'), pathToFileURL(worker));
  print('start', path.basename(folder), [performance.now() - began]);
  sized.push({ name: path.basename(folder), history });
}
for (const { history, name } of sized) {
  const began = performance.now();
  while ((await history.query('outline', {}))?.unindexed !== 0);
  print('index all of it anew', name, [performance.now() - began]);
}
await measure('append: a call and its evaluation', ROUNDS, ({ history }) => append(history));
await measure('page of 50', ROUNDS, ({ history }, round) =>
  history.page({ limit: 50, ...(round % 2 === 0 ? {} : { client: 'codex' }) }),
);
await measure('page of 200 for the window', ROUNDS, ({ history }) =>
  history.query('entries', { filter: {}, page: { limit: 200 } }),
);
await measure('search', ROUNDS, ({ history }, round) =>
  history.page({ query: SEARCHED[round % SEARCHED.length] ?? '', limit: 50 }),
);
await measure('count all and find every page', 5, ({ history }) => history.query('outline', {}));
await measure('timeline of all', 5, ({ history }) => history.query('timeline', {}));
for (const { history } of sized) await history.close();

async function measure(
  what: string,
  times: number,
  work: (of: Sized, round: number) => unknown,
): Promise<void> {
  const taken = new Map<string, number[]>(sized.map(({ name }) => [name, []]));
  for (let round = -10; round < times; round += 1) {
    for (const of of sized) {
      const began = performance.now();
      await work(of, round + 10);
      if (round >= 0) taken.get(of.name)?.push(performance.now() - began);
    }
  }
  for (const [name, values] of taken) print(what, name, values);
}

/** As a call of `eval` writes it, before and after its code runs. */
function append({ calls, evaluations }: History): void {
  const call = calls.open(
    {
      endpoint: 'http',
      client: 'codex',
      tool: 'eval',
      arguments: '{"code":"(+ 1 2)"}',
      session: null,
      startedAt: Date.now(),
    },
    { evaluates: true },
  );
  const evaluation = evaluations.open(opened({ startedAt: Date.now() }));
  evaluations.close(evaluation, closed({ endedAt: Date.now() }));
  calls.close(call, { outcome: 'ok', errorCode: null, durationMs: 1, evaluation, answer: null });
}

function print(what: string, size: string, values: number[]): void {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (part: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
  process.stdout.write(`${JSON.stringify({ what, size, medianMs: at(0.5), p95Ms: at(0.95) })}\n`);
}
