/** What the page asks main for and keeps for a while: TanStack Query over the bridge. */
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
import type { Args } from '../electron/contract/contract';
import type { HeldAt } from '../electron/contract/debugger';
import type { HistoryRow, SessionId, SessionView } from '../electron/contract/model';
import { CallError, call, subscribe } from './bridge';
import { lastChange, mergeRows, type RowFilter } from './evaluations/evaluation-list';
import { useLive, useServices } from './services';

const PAGE = 50;

/** Milliseconds between two questions to a prover about how far it is. */
const PROGRESS_MS = 2_000;

/** How often a busy image is asked again, a second apart and more. */
const BUSY_RETRIES = 5;

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
export function useEvaluation(id: number) {
  const outcome = useLive((state) => state.evaluations.get(id)?.row.outcome);
  return useQuery({
    queryKey: ['evaluation', id, outcome ?? 'closed'],
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

/** What the session is held at and the innermost frames of its stack; what was shown last stays while it runs. */
export function useHeld({ id, generation, state }: SessionView, frames: number) {
  return useQuery({
    queryKey: ['image', id, generation, 'held', frames],
    queryFn: () => call('debugger:show', { session: id, offset: 0, limit: frames }),
    enabled: state === 'debugger',
    placeholderData: (earlier, query) => (query?.queryKey[1] === id ? earlier : undefined),
    gcTime: 0,
    staleTime: 0,
  });
}

/** One frame of what is held there. */
export function useFrame({ id, generation, state }: SessionView, held: HeldAt, frame: number) {
  return useQuery({
    queryKey: ['image', id, generation, 'frame', held.evaluation, held.level, frame],
    queryFn: () => call('debugger:frame', { session: id, frame }),
    enabled: state === 'debugger',
    gcTime: 0,
    staleTime: 0,
  });
}

/** What a name stands for in the session's image. */
export function useDescription(session: string, name: string) {
  return useQuery({
    queryKey: ['image', session, 'name', name],
    queryFn: () => call('browse:describe', { session, name }),
  });
}

/** Findings that are asked for at once. */
const FINDINGS = 200;

export function useFindings(session: string, kind: Args<'browse:find'>['kind'], name: string) {
  return useQuery({
    queryKey: ['image', session, 'names', kind, name],
    queryFn: () => call('browse:find', { session, kind, name, limit: FINDINGS }),
  });
}

/** The last evaluation of the session that an error ended. */
export function useFailure(session: string) {
  return useQuery({
    queryKey: ['image', session, 'failure'],
    queryFn: () => call('debugger:failure', { session }),
    staleTime: 0,
  });
}

/** A value of the session's image, with a page of the parts that it has at `path`. */
export function useInspection(
  session: string,
  handle: string,
  page: Omit<Args<'inspector:look'>, 'session' | 'handle'>,
) {
  return useQuery({
    queryKey: ['image', session, 'value', handle, page],
    queryFn: () => call('inspector:look', { session, handle, ...page }),
    placeholderData: (earlier, query) => (query?.queryKey[3] === handle ? earlier : undefined),
  });
}

/** The first parts of a value as records, where they may be such; null where they are not. */
export function useRecords(session: string, handle: string, enabled: boolean) {
  return useQuery({
    queryKey: ['image', session, 'value', handle, 'records'],
    queryFn: () =>
      call('inspector:records', { session, handle, path: [], offset: 0, limit: 20 }).catch(nothingOfTheKind),
    enabled,
  });
}

/** The numbers in a value, where there may be any; null where it is no sequence of them. */
export function useNumbers(session: string, handle: string, enabled: boolean) {
  return useQuery({
    queryKey: ['image', session, 'value', handle, 'numbers'],
    queryFn: () => call('inspector:numbers', { session, handle, path: [] }).catch(nothingOfTheKind),
    enabled,
  });
}

/** A view that a value has not is not missed. */
function nothingOfTheKind(error: unknown): null {
  if (error instanceof CallError && error.code === 'unknown_part') return null;
  throw error;
}

/** What fills the memory of a session's image; read once, and again when a person asks for it. */
export function useMemory(session: string) {
  return useQuery({
    queryKey: ['memory', session],
    queryFn: () => call('sessions:memory', { session }),
    staleTime: Infinity,
  });
}

/**
 * The last commands of a session's world, asked for again when an evaluation has changed it. A busy image cannot tell
 * them: while an evaluation runs, the list from before it stays.
 */
export function useWorld({ id, state, generation }: SessionView, last: number) {
  const changed = useLive(({ evaluations }) => lastChange(evaluations.values(), id));
  return useQuery({
    queryKey: ['world', id, generation, changed, last],
    queryFn: () => call('world:commands', { session: id, last }),
    enabled: state === 'idle',
    placeholderData: (earlier, query) => (query?.queryKey[1] === id ? earlier : undefined),
    staleTime: Infinity,
    // Busy means that an evaluation began at the same moment. It ends soon, and if it changed the world, the query is another.
    retry: (failures, error) =>
      failures < BUSY_RETRIES && error instanceof CallError && error.code === 'busy',
  });
}

/** How far the prover is with what runs in the session, asked for every two seconds. */
export function useProgress(session: string) {
  return useQuery({
    queryKey: ['progress', session],
    queryFn: () => call('sessions:progress', { session }),
    refetchInterval: PROGRESS_MS,
    gcTime: 0,
  });
}

/** Definitions of a session that no file holds; never from a cache. */
export function useUnsaved(session: string) {
  return useQuery({
    queryKey: ['unsaved', session],
    queryFn: () => call('sessions:unsaved', { session }),
    gcTime: 0,
    staleTime: 0,
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
  return useMutation({ mutationFn: () => actions.restartConfined(sessions) });
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
