/** The forms that a person evaluated before, in any session of the engine, also before the window was opened. */
import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { EngineName } from '../../electron/contract/model';
import { call } from '../bridge';
import { useLive } from '../services';
import { distinct } from './form-history';

const MOST = 200;

/** Newest first. */
export function useFormsBefore(engine: EngineName): readonly string[] {
  const { data } = useQuery({
    queryKey: ['forms-before', engine],
    queryFn: () => call('history:page', { engine, client: 'you', limit: MOST }),
    staleTime: Infinity,
  });
  const live = useLive(({ evaluations }) => evaluations);
  return useMemo(() => {
    const now = [...live.values()].filter((row) => row.engine === engine && row.client === 'you');
    const rows = [...now.toSorted((a, b) => b.id - a.id), ...(data?.rows ?? [])];
    return distinct(rows.filter(({ kind }) => kind === 'listener').map(({ code }) => code));
  }, [data, live, engine]);
}

/** Those that have the words, newest first, of the whole history. */
export function useFormsFound(engine: EngineName, words: string): readonly string[] {
  const { data } = useQuery({
    queryKey: ['forms-found', engine, words],
    queryFn: () =>
      call('history:page', { engine, client: 'you', limit: 50, ...(words !== '' && { query: words }) }),
    placeholderData: (before) => before,
  });
  return useMemo(
    () => distinct((data?.rows ?? []).filter(({ kind }) => kind === 'listener').map(({ code }) => code)),
    [data],
  );
}
