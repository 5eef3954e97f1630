/** Window calls about tests. They run by the same requests as those of the tool `run_tests`. */
import type { ParsedArgs } from '../contract/contract';
import { HarborError } from '../contract/errors';
import type { Evaluation } from '../contract/model';
import type { RecordedRun } from '../contract/tests';
import { projectTests } from '../sessions/tests/project-tests';
import { testedFile, testRequest } from '../sessions/tests/test-requests';
import type { CallHandlers } from './answer';
import type { WindowServices } from './window-services';

type TestCalls = Pick<CallHandlers, Extract<keyof CallHandlers, `tests:${string}`>>;

/** Number of runs of a project that are read for the newest result of each test, and of characters in them. */
const RUNS_READ = 100;
const CHARACTERS_READ = 4_000_000;

export function testCalls(services: WindowServices): TestCalls {
  const { person, sessions, history } = services;
  const find = ({ session }: { session: string }) => sessions.find(session, person, null);
  return {
    'tests:units': async (args) => projectTests(await find(args)),
    'tests:run': async (args) => run(services, args),
    'tests:progress': async ({ evaluation, ...args }) => {
      const pending = (await find(args)).pending(evaluation);
      return history.redaction.data(pending?.tests?.soFar ?? null);
    },
    'tests:runs': async (args) => {
      const { project } = (await find(args)).identity;
      const { rows } = await history.page({ project, kind: 'test', limit: RUNS_READ });
      return recordedRuns(
        rows.map(({ id }) => id),
        history,
      );
    },
  };
}

async function run(
  { person, sessions }: WindowServices,
  { session: id, system, path, tests, debug }: ParsedArgs<'tests:run'>,
): Promise<{ evaluation: number }> {
  const session = await sessions.find(id, person, null);
  if (path !== undefined && system !== undefined)
    throw new HarborError('bad_arguments', 'Name a system or a path, not both.');
  const file = path && testedFile(path, session, sessions.librariesOf(session.identity.project));
  const request = {
    ...{ client: person.key, grant: null, kind: 'test' as const },
    ...testRequest({ system, file, test: tests?.join(' '), debug }, session),
    ...(debug ? { onError: 'debug' as const } : {}),
  };
  return { evaluation: session.evaluate(request).id };
}

/** @param ids newest first; the oldest are left out if they have too much text */
function recordedRuns(ids: readonly number[], { evaluations }: WindowServices['history']): RecordedRun[] {
  const runs: RecordedRun[] = [];
  let characters = 0;
  for (const id of ids) {
    const row = evaluations.find(id);
    if (!row) continue;
    const run = recordedRun(row);
    characters += JSON.stringify(run).length;
    if (runs.length > 0 && characters > CHARACTERS_READ) break;
    runs.push(run);
  }
  return runs;
}

function recordedRun({ id, report, condition, ...row }: Evaluation): RecordedRun {
  const { session, engine, client, startedAt, durationMs, outcome } = row;
  const books = report?.proof?.certification?.books ?? [];
  const isRun = (report?.runs.length ?? 0) > 0 || books.length > 0;
  const [failure] = report?.failures ?? [];
  return {
    ...{ evaluation: id, session, engine, client, startedAt, durationMs, outcome },
    runs: report?.runs ?? [],
    books: books.map(({ book, state, because }) => ({
      book,
      state,
      ...(because === undefined ? {} : { because }),
    })),
    problem: isRun ? null : (condition?.message ?? failure?.message ?? null),
  };
}
