/** Cached calls to main (TanStack Query). Calls to images are in image-queries.ts. */

import {
  keepPreviousData,
  QueryClient,
  useInfiniteQuery,
  useMutation,
  useMutationState,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import { useEffect, useMemo } from 'react';
import type { StoreApi } from 'zustand';
import type { ConnectRequest } from '../electron/contract/clients';
import type { UpdateView } from '../electron/contract/harbor-status';
import type { HistoryFilter } from '../electron/contract/history';
import type { HistoryRow, SessionId, SessionView } from '../electron/contract/model';
import { harbor, subscribe } from './bridge';
import { mergeRows, type RowFilter } from './evaluations/evaluation-list';
import type { LiveState } from './live';
import { useLive, useServices } from './services';

const PAGE = 50;

/** Main runs on this computer: the network state is irrelevant, and a retry does not help. */
export function createQueries(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: { networkMode: 'always', retry: false, refetchOnWindowFocus: false },
      mutations: { networkMode: 'always', retry: false },
    },
  });
}

/** Fields of a session that do not affect the content of its image. */
const NOT_OF_IMAGE = new Set<string>([
  'memoryBytes',
  'pid',
  'name',
  'note',
  'limits',
  'hold',
] satisfies (keyof SessionView)[]);

/** Marks cached answers stale when main or the live store reports a change. Returns the function that stops it. */
export function followEvents(queries: QueryClient, live: StoreApi<LiveState>): () => void {
  const images = new Map<SessionId, string>();
  const stops = [
    subscribe('checkpoints:changed', () => {
      void queries.invalidateQueries({ queryKey: ['checkpoints'] });
    }),
    subscribe('session:changed', (session) => {
      const { id } = session;
      const image = JSON.stringify(Object.entries(session).filter(([field]) => !NOT_OF_IMAGE.has(field)));
      if (images.get(id) === image) return;
      images.set(id, image);
      void queries.invalidateQueries({ queryKey: ['image', id] });
    }),
    subscribe('session:ended', ({ session }) => void images.delete(session)),
    subscribe('settings:changed', (settings) => {
      queries.setQueryData(['settings'], settings);
      void queries.invalidateQueries({ queryKey: ['sandbox'] });
    }),
    // The live store drops old evaluations. History pages that were merged with them are then incomplete.
    live.subscribe(({ trims }, before) => {
      if (trims !== before.trims) void queries.invalidateQueries({ queryKey: ['history'] });
    }),
  ];
  return () => {
    for (const stop of stops) stop();
  };
}

interface EvaluationList {
  rows: readonly HistoryRow[];
  loading: boolean;
  error: Error | null;
  hasMore: boolean;
  loadingMore: boolean;
  loadMore: () => void;
}

/** The place of a value. Forms and values are numbered from 0. */
export interface ValuePlace {
  id: number;
  form: number;
  value: number;
}

/** A page of a long value. The previous page is shown until the next one has loaded. */
export function useValuePage(place: ValuePlace, offset: number) {
  return useQuery({
    queryKey: ['value', place, offset],
    queryFn: () => harbor.history.value({ ...place, offset }),
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Evaluations that match the filter, newest first, loaded page by page and merged with live ones. */
export function useEvaluations(filter: RowFilter): EvaluationList {
  const live = useLive((state) => state.evaluations);
  const pages = useInfiniteQuery({
    queryKey: ['history', filter],
    queryFn: ({ pageParam }) => harbor.history.page(pageQuery(filter, pageParam)),
    initialPageParam: null as number | null,
    getNextPageParam: ({ next }) => next,
  });
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

/**
 * An evaluation with its full output. Refetched when its row closes.
 * @param wanted false to defer the request
 */
export function useEvaluation(id: number, wanted = true) {
  const outcome = useLive((state) => state.evaluations.get(id)?.outcome);
  return useQuery({
    queryKey: ['evaluation', id, outcome ?? 'closed'],
    enabled: wanted,
    queryFn: () => harbor.history.evaluation({ id }),
    placeholderData: (earlier) => (earlier?.id === id ? earlier : undefined),
  });
}

/** A call that evaluated nothing. */
export function useCall(id: number) {
  return useQuery({ queryKey: ['call', id], queryFn: () => harbor.history.call({ id }) });
}

/** The filter choices of the history. Polled while shown. */
export function useFacets() {
  return useQuery({
    queryKey: ['facets'],
    queryFn: () => harbor.history.facets(),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: 5_000,
  });
}

/** The activity of each client over time. Polled while shown. */
export function useTimeline(filter: HistoryFilter) {
  return useQuery({
    queryKey: ['timeline', filter],
    queryFn: () => harbor.history.timeline(filter),
    placeholderData: keepPreviousData,
    staleTime: 5_000,
    refetchInterval: 5_000,
  });
}

/**
 * All checkpoints, newest first. Refetched when images start or end, because that changes which checkpoints
 * are in use.
 */
export function useCheckpoints() {
  const images = useLive(({ sessions }) =>
    Array.from(
      sessions.values(),
      ({ id, state, generation }) => `${id} ${state === 'ended' ? 0 : generation}`,
    ).join(),
  );
  return useQuery({
    queryKey: ['checkpoints', images],
    queryFn: () => harbor.checkpoints.list(),
    placeholderData: keepPreviousData,
  });
}

/** Saves a checkpoint. The mutation outlives the view that started it. */
export function useSaveCheckpoint(session: SessionId) {
  const { actions } = useServices();
  return useMutation({
    mutationKey: ['save-checkpoint', session],
    mutationFn: (name: string) => actions.saveCheckpoint(session, name),
  });
}

/** The names of the checkpoints being saved; '' for a generated name. */
export function useCheckpointsBeingSaved(session: SessionId): string[] {
  return useMutationState({
    filters: { mutationKey: ['save-checkpoint', session], status: 'pending' },
    select: ({ state }) => String(state.variables),
  });
}

export function useSettings() {
  return useQuery({
    queryKey: ['settings'],
    queryFn: () => harbor.settings.read(),
    staleTime: Infinity,
  });
}

export function useSandbox() {
  return useQuery({
    queryKey: ['sandbox'],
    queryFn: () => harbor.sandbox.read(),
    // There is no event for changes of folders: refetch when the window gets the focus.
    refetchOnWindowFocus: true,
  });
}

/** Restarts sessions that were started before the allow-list changed. */
export function useRestartConfined(sessions: readonly SessionId[]) {
  const { actions } = useServices();
  return useMutation({ mutationFn: () => actions.sandbox.restartConfined(sessions) });
}

export function useConnections() {
  return useQuery({
    queryKey: ['connections'],
    queryFn: () => harbor.connect.list(),
    // There is no event when other programs rewrite their files: refetch when the view or the window is
    // shown.
    refetchOnMount: 'always',
    refetchOnWindowFocus: true,
  });
}

/** The changes that connecting or disconnecting would make. Never cached. */
export function useConnectPreview(name: string, action: 'add' | 'remove', choices: ConnectRequest) {
  return useQuery({
    queryKey: ['connect-preview', name, action, choices],
    queryFn: () => harbor.connect.preview({ name, action, ...choices }),
    gcTime: 0,
    staleTime: 0,
    retry: false,
    placeholderData: (before) => before,
  });
}

/** The result of the program's own handshake. Runs anew each time. */
export function useDiagnosis(name: string) {
  return useQuery({
    queryKey: ['connect-doctor', name],
    queryFn: () => harbor.connect.doctor({ name }),
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
  });
}

/** The profiles, and the profile of each client. */
export function useProfiles() {
  return useQuery({ queryKey: ['profiles'], queryFn: () => harbor.profiles.list() });
}

export function useTokens() {
  return useQuery({ queryKey: ['tokens'], queryFn: () => harbor.tokens.list() });
}

// The state of app updates.

const KEY = ['updates'];

export function useUpdates(): UpdateView | undefined {
  const queries = useQueryClient();
  useEffect(() => subscribe('updates:changed', (view) => queries.setQueryData(KEY, view)), [queries]);
  const { data } = useQuery({
    queryKey: KEY,
    queryFn: () => harbor.updates.read(),
    refetchOnMount: 'always',
  });
  return data;
}
