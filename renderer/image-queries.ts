/** What the page asks the image of a session for, and keeps until it may be another: TanStack Query over the bridge. */
import { useQuery } from '@tanstack/react-query';
import type { Args } from '../electron/contract/contract';
import type { HeldAt } from '../electron/contract/debugger';
import type { HistoryRow, SessionView } from '../electron/contract/model';
import type { ThrownAt } from '../electron/contract/thrown';
import { CallError, call } from './bridge';
import { lastChange } from './evaluations/evaluation-list';
import { useLive } from './services';

/** Milliseconds between two questions to a prover about how far it is. */
const PROGRESS_MS = 2_000;

/** How often a busy image is asked again, a second apart and more. */
const BUSY_RETRIES = 5;

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

/** What that evaluation has thrown, as long as the image keeps it. */
export function useThrown({ id, generation }: SessionView, evaluation: number) {
  return useQuery({
    queryKey: ['image', id, generation, 'thrown', evaluation],
    queryFn: () => call('debugger:thrown', { session: id, evaluation }),
  });
}

/** The text that a frame of it stands in; null where none is known. */
export function useThrownSource({ id, generation }: SessionView, evaluation: number, at: ThrownAt) {
  return useQuery({
    queryKey: ['image', id, generation, 'thrown', evaluation, at],
    queryFn: () => call('debugger:thrown-source', { session: id, evaluation, at }),
  });
}

/** Milliseconds between two looks at what code taps while it goes on. */
const TAPS_MS = 1_000;

/** What the session's code has tapped, the newest first; looked at again while it is shown. */
export function useTaps({ id, generation }: SessionView) {
  return useQuery({
    queryKey: ['image', id, generation, 'taps'],
    queryFn: () => call('taps:read', { session: id }),
    refetchInterval: TAPS_MS,
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

/** How far the prover is with an evaluation, asked for every two seconds while it runs. */
export function useProgress({ id, session, outcome }: Pick<HistoryRow, 'id' | 'session' | 'outcome'>) {
  return useQuery({
    queryKey: ['progress', id],
    queryFn: () => call('sessions:progress', { session, evaluation: id }),
    enabled: outcome === 'running',
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
