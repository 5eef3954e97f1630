/** The data of the view of tests: sources, past runs, and runs that go on, of any client. */
import { keepPreviousData, useQueries, useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useShallow } from 'zustand/react/shallow';
import type { SessionView } from '../../electron/contract/model';
import type { TestChoice } from '../../electron/contract/tests';
import { harbor } from '../bridge';
import { useLive, useServices, useViewState } from '../services';
import type { GoingRun } from './test-tree';

/** Milliseconds between two readings of the sources, and of the results of a run. */
const SOURCES_MS = 3_000;
const PROGRESS_MS = 300;

/** The tests in the sources of the session's project; read again while somebody looks. */
export function useProjectTests(session: SessionView | undefined) {
  return useQuery({
    queryKey: ['tests', 'units', session?.id],
    queryFn: () => harbor.tests.units({ session: session?.id ?? '' }),
    enabled: session !== undefined,
    refetchInterval: SOURCES_MS,
    refetchIntervalInBackground: true,
  });
}

/** The newest runs in the session's project. */
export function useRuns(session: SessionView | undefined) {
  const newest = useLive(({ evaluations }) => {
    let id = 0;
    for (const row of evaluations.values())
      if (row.kind === 'test' && row.outcome !== 'running' && row.project === session?.project)
        id = Math.max(id, row.id);
    return id;
  });
  return useQuery({
    queryKey: ['tests', 'runs', session?.id, newest],
    queryFn: () => harbor.tests.runs({ session: session?.id ?? '' }),
    enabled: session !== undefined,
    placeholderData: keepPreviousData,
  });
}

/** An evaluation that runs tests of the project, or waits for that. */
export interface OpenRun {
  id: number;
  session: string;
  startedAt: number;
}

export function useOpenRuns(project: string | undefined): readonly OpenRun[] {
  const ids = useLive(
    useShallow(({ evaluations }) =>
      [...evaluations.values()]
        .filter((row) => row.kind === 'test' && row.project === project && isOpen(row.outcome))
        .map(({ id }) => id),
    ),
  );
  const { live } = useServices();
  return useMemo(
    () =>
      ids.flatMap((id) => {
        const row = live.getState().evaluations.get(id);
        return row ? [{ id, session: row.session, startedAt: row.startedAt }] : [];
      }),
    [ids, live],
  );
}

function isOpen(outcome: string): boolean {
  return outcome === 'running' || outcome === 'debugger';
}

/** The results so far of runs that go on. */
export function useGoing(open: readonly OpenRun[]): readonly GoingRun[] {
  return useQueries({
    queries: open.map(({ id, session }) => ({
      queryKey: ['tests', 'progress', id],
      queryFn: () => harbor.tests.progress({ session, evaluation: id }),
      refetchInterval: PROGRESS_MS,
    })),
    combine: (answers) =>
      answers.flatMap(({ data }, index) => {
        const run = open[index];
        return data && run ? [{ evaluation: run.id, soFar: data }] : [];
      }),
  });
}

/**
 * The session whose project is tested: the chosen one, else the selected one, else the newest. A call would wake one
 * that is asleep, so only the user chooses that.
 */
export function useTestedSession(): SessionView | undefined {
  const { route } = useServices();
  const chosen = useViewState(({ tests }) => tests.session);
  return useLive(({ sessions }) => {
    const open = [...sessions.values()].filter(({ state }) => state !== 'ended');
    const awake = open.filter(({ state }) => state !== 'asleep');
    return (
      open.find(({ id }) => id === chosen) ??
      awake.find(({ id }) => id === route.getState().session) ??
      awake.toSorted((one, other) => other.startedAt - one.startedAt)[0]
    );
  });
}

/** Returns the function that runs tests, one evaluation for each choice. It resolves with the first one's id. */
export function useRunTests() {
  const { actions, viewState } = useServices();
  return async (session: SessionView, choices: readonly TestChoice[], debug = false) => {
    const begun: number[] = [];
    for (const choice of choices) {
      const answer = await actions.harbor.tests.run({ session: session.id, ...choice, debug });
      if (!answer) break;
      begun.push(answer.evaluation);
    }
    if (!debug) viewState.setState(({ tests }) => ({ tests: { ...tests, last: [...choices] } }));
    return begun[0];
  };
}
