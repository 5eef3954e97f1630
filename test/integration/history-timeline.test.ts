/** When each client did what, as the built thread counts it that has the index. */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import type { ErrorCode } from '../../electron/contract/errors';
import { History } from '../../electron/history/history';
import { temporaryFolder } from '../unit/history-folder';
import { closed, opened } from '../unit/history-rows';

const workerUrl = pathToFileURL(path.resolve(import.meta.dirname, '../../out/electron/search-worker.js'));
const HOUR = 3_600_000;

function newHistory(): History {
  const history = new History(path.join(temporaryFolder(), 'history.db'), workerUrl);
  onTestFinished(() => history.close());
  return history;
}

function evaluate({ evaluations }: History, client: string, startedAt: number, code = '(+ 1 2)'): number {
  const id = evaluations.open(opened({ client, startedAt, code }));
  evaluations.close(id, closed());
  return id;
}

function callTool(
  { calls }: History,
  tool: string,
  startedAt: number,
  errorCode: ErrorCode | null = null,
): number {
  const asked = { endpoint: 'http', client: 'codex', tool, arguments: '{}', session: null, startedAt };
  const id = calls.open(asked);
  calls.close(id, {
    outcome: errorCode === null ? 'ok' : 'error',
    errorCode,
    answer: null,
    durationMs: 1,
    evaluation: null,
  });
  return id;
}

it('counts by client and span what was evaluated, edited, called and refused, and names the newest', async () => {
  const history = newHistory();
  evaluate(history, 'codex', 0);
  const late = evaluate(history, 'codex', 95 * HOUR);
  evaluate(history, 'cursor', 10 * HOUR, '(tide)');
  callTool(history, 'edit_form', 95 * HOUR + 1);
  callTool(history, 'find', 95 * HOUR + 2);
  const refused = callTool(history, 'write_file', 96 * HOUR - 1, 'path_not_allowed');

  const timeline = await history.query('timeline', {});
  expect(timeline).toMatchObject({ from: 0, step: HOUR, spans: 96 });
  const counts = { evaluations: 1, edits: 0, calls: 0, refusals: 0 };
  expect(timeline?.marks).toEqual([
    { client: 'codex', span: 0, ...counts, newest: { evaluation: 1, call: null } },
    { client: 'cursor', span: 10, ...counts, newest: { evaluation: 3, call: null } },
    {
      ...{ client: 'codex', span: 95, evaluations: 1, edits: 1, calls: 1, refusals: 1 },
      newest: { evaluation: null, call: refused },
    },
  ]);

  const found = await history.query('timeline', { query: '(tide', client: 'cursor' });
  expect(found?.marks).toEqual([expect.objectContaining({ client: 'cursor', span: 0, evaluations: 1 })]);
  expect(await history.query('timeline', { client: 'nobody' })).toMatchObject({ spans: 0, marks: [] });
  expect(await history.query('timeline', { query: '(t' })).toBeNull();
  expect(late).toBe(2);
});

it('is given up when another is asked for', async () => {
  const history = newHistory();
  evaluate(history, 'codex', 1_000);
  const [given, asked] = await Promise.all([history.query('timeline', {}), history.query('timeline', {})]);
  expect(given).toBeNull();
  expect(asked?.marks).toHaveLength(1);
});
