/** How the app stands to newer versions, as main tells it whenever that changes. */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { UpdateView } from '../electron/contract/updates';
import { call, subscribe } from './bridge';

const KEY = ['updates'];

export function useUpdates(): UpdateView | undefined {
  const queries = useQueryClient();
  useEffect(() => subscribe('updates:changed', (view) => queries.setQueryData(KEY, view)), [queries]);
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: () => call('updates:read', null),
    refetchOnMount: 'always',
  });
  return data;
}
