/** What the page asks main for and keeps for a while: TanStack Query over the bridge. What it asks images is in image-queries.ts. */
import {
  keepPreviousData,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useMutationState,
  useQuery,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { ConnectAsked } from '../electron/contract/connections';
import type { HistoryFilter } from '../electron/contract/history';
import type { HistoryRow, SessionId } from '../electron/contract/model';
import { call, subscribe } from './bridge';
import { mergeRows, type RowFilter } from './evaluations/evaluation-list';
import { useLive, useServices } from './services';

const PAGE = 50;

/** Main is on this computer: being offline does not matter, and to ask again after an error is of no use. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', retry: false, refetchOnWindowFocus: false },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

/** Asks again for what main says has changed, or takes it over; answers the function that stops it. */
export function followEvents(queries: QueryClient): () => void {
  const stops = [
    subscribe('checkpoints:changed', () => {
      void queries.invalidateQueries({ queryKey: ['checkpoints'] });
    }),
    // Whatever was evaluated may have changed what an image holds.
    subscribe('session:changed', ({ id }) => void queries.invalidateQueries({ queryKey: ['image', id] })),
    subscribe('settings:changed', (settings) => {
      queries.setQueryData(['settings'], settings);
      void queries.invalidateQueries({ queryKey: ['sandbox'] });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

export interface EvaluationList {
  rows: readonly HistoryRow[];
  loading: boolean;
  error: Error | null;
  hasMore: boolean;
  loadingMore: boolean;
  loadMore: () => void;
}

/** Where a value is: forms and values count from 0. */
export interface ValuePlace {
  id: number;
  form: number;
  value: number;
}

/** A page of a value that is too long to be shown whole; the page before stays until it is there. */
export function useValuePage(place: ValuePlace, offset: number) {
  return useQuery({
    queryKey: ['value', place, offset],
    queryFn: () => call('history:value', { ...place, offset }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Evaluations that fit the filter, newest first, page by page, with what happens now on top. */
export function useEvaluations(filter: RowFilter): EvaluationList {
  const { queries } = useServices();
  const live = useLive((state) => state.evaluations);
  const trims = useLive((state) => state.trims);
  const pages = useInfiniteQuery({
    queryKey: ['history', filter],
    queryFn: ({ pageParam }) => call('history:page', pageQuery(filter, pageParam)),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
  useEffect(() => {
    if (trims > 0) void queries.invalidateQueries({ queryKey: ['history'] });
  }, [queries, trims]);
  const { data, hasNextPage } = pages;
  const rows = useMemo(
    () => mergeRows(data?.pages.flatMap((page) => page.rows) ?? [], live.values(), filter, hasNextPage),
    [data, live, filter, hasNextPage],
  );
  return {
    rows,
    loading: pages.isPending,
    error: pages.error,
    hasMore: hasNextPage,
    loadingMore: pages.isFetchingNextPage,
    loadMore: () => void pages.fetchNextPage(),
  };
}

function pageQuery({ query, engine, outcome, session }: RowFilter, before: number | null) {
  return {
    ...(query.trim() !== '' && { query: query.trim() }),
    ...(engine !== null && { engine }),
    ...(outcome !== null && { outcome }),
    ...(session !== null && { session }),
    ...(before !== null && { before }),
    limit: PAGE,
  };
}

/** The whole evaluation; asked for again when its row closes. */
/** @param wanted false: it is not asked for yet */
export function useEvaluation(id: number, wanted = true) {
  const outcome = useLive((state) => state.evaluations.get(id)?.outcome);
  return useQuery({
    queryKey: ['evaluation', id, outcome ?? 'closed'],
    enabled: wanted,
    queryFn: () => call('history:evaluation', { id }),
    placeholderData: (earlier) => (earlier?.id === id ? earlier : undefined),
  });
}

/** A call that evaluated nothing, whole. */
export function useCall(id: number) {
  return useQuery({ queryKey: ['call', id], queryFn: () => call('history:call', { id }) });
}

/** What the history can be filtered by; asked for again while a person is at it, as its index and what is done go on. */
export function useFacets() {
  return useQuery({
    queryKey: ['facets'],
    queryFn: () => call('history:facets', null),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: 5_000,
  });
}

/** When each client did what of a list; asked for again while a person is at it, as what is done goes on. */
export function useTimeline(filter: HistoryFilter) {
  return useQuery({
    queryKey: ['timeline', filter],
    queryFn: () => call('history:timeline', filter),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: 5_000,
  });
}

/** All checkpoints, newest first. Asked for again when images come or go, since that changes which of them are in use. */
export function useCheckpoints() {
  const images = useLive(({ sessions }) =>
    Array.from(
      sessions.values(),
      ({ id, state, generation }) => `${id} ${state === 'ended' ? 0 : generation}`,
    ).join(),
  );
  return useQuery({
    queryKey: ['checkpoints', images],
    queryFn: () => call('checkpoints:list', null),
    placeholderData: keepPreviousData,
  });
}

/** Saves a checkpoint. A mutation outlives the view that began it, and can be seen from the next one. */
export function useSaveCheckpoint(session: SessionId) {
  const { actions } = useServices();
  return useMutation({
    mutationKey: ['save-checkpoint', session],
    mutationFn: (name: string) => actions.saveCheckpoint(session, name),
  });
}

/** The names under which the session is being saved; '' is one that will be made up. */
export function useCheckpointsBeingSaved(session: SessionId): string[] {
  return useMutationState({
    filters: { mutationKey: ['save-checkpoint', session], status: 'pending' },
    select: ({ state }) => String(state.variables),
  });
}

export function useSettings() {
  return useQuery({
    queryKey: ['settings'],
    queryFn: () => call('settings:read', null),
    staleTime: Infinity,
  });
}

export function useSandbox() {
  return useQuery({
    queryKey: ['sandbox'],
    queryFn: () => call('sandbox:read', null),
    // Folders come and go without an event: look again when a person comes back to the window.
    refetchOnWindowFocus: true,
  });
}

/** Gives sessions that began before the allow-list was changed other images. */
export function useRestartConfined(sessions: readonly SessionId[]) {
  const { actions } = useServices();
  return useMutation({ mutationFn: () => actions.sandbox.restartConfined(sessions) });
}

export function useConnections() {
  return useQuery({
    queryKey: ['connections'],
    queryFn: () => call('connect:list', null),
    // Other programs rewrite their files without an event: look again when a person comes back to the view or the window.
    refetchOnMount: 'always',
    refetchOnWindowFocus: true,
  });
}

/** What connecting or disconnecting would change; never from a cache. */
export function useConnectPreview(name: string, action: 'add' | 'remove', asked: ConnectAsked) {
  return useQuery({
    queryKey: ['connect-preview', name, action, asked],
    queryFn: () => call('connect:preview', { name, action, ...asked }),
    gcTime: 0,
    staleTime: 0,
    retry: false,
    placeholderData: (before) => before,
  });
}

/** The program's own handshake, done anew each time. */
export function useDiagnosis(name: string) {
  return useQuery({
    queryKey: ['connect-doctor', name],
    queryFn: () => call('connect:doctor', { name }),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

/** Which profiles there are, and which client is served which. */
export function useProfiles() {
  return useQuery({ queryKey: ['profiles'], queryFn: () => call('profiles:list', null) });
}

export function useTokens() {
  return useQuery({ queryKey: ['tokens'], queryFn: () => call('tokens:list', null) });
}
