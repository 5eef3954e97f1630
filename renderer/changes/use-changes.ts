/** What main knows of a session's changes, asked for again when something was evaluated or written. */
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { SessionView } from '../../electron/contract/model';
import { CallError, call, subscribe } from '../bridge';
import { useServices, useViewState } from '../services';
import { BEGINNING, sinceOf } from './since';

/** Milliseconds between two questions while an agent is at work. */
const ASKED_EVERY_MS = 1_000;

/** A prover is busy as long as it evaluates, and is asked so often again, a second apart and more. */
const BUSY_RETRIES = 20;

/** Since when they are shown, and how that is changed. */
export function useSince(session: string): [string, (choice: string) => void] {
  const { viewState } = useServices();
  const choice = useViewState(({ changesSince }) => changesSince[session]) ?? BEGINNING;
  return [
    choice,
    (chosen) =>
      viewState.setState(({ changesSince }) => ({ changesSince: { ...changesSince, [session]: chosen } })),
  ];
}

export function useChanges({ id, generation }: SessionView, choice: string) {
  useAskedAgain(id);
  return useQuery({
    queryKey: ['image', id, 'changes', generation, choice],
    queryFn: () => call('changes:view', { session: id, since: sinceOf(choice, Date.now()) }),
    placeholderData: (earlier, query) => (query?.queryKey[1] === id ? keepPreviousData(earlier) : undefined),
    staleTime: 0,
    retry: (failures, error) =>
      failures < BUSY_RETRIES && error instanceof CallError && error.code === 'busy',
  });
}

/** Asks again a moment after something began or ended, however much does. */
function useAskedAgain(session: string): void {
  const { queries } = useServices();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const ask = () => {
      timer = undefined;
      void queries.invalidateQueries({ queryKey: ['image', session, 'changes'] });
    };
    const stop = subscribe('history:changed', () => {
      timer ??= setTimeout(ask, ASKED_EVERY_MS);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, [queries, session]);
}
