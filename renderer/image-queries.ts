/** Cached calls to the image of a session (TanStack Query). */
import { useQuery } from '@tanstack/react-query';
import type { Args } from '../electron/contract/contract';
import type { SuspendedAt, ThrownAt } from '../electron/contract/debugger';
import type { HistoryRow, SessionView } from '../electron/contract/model';

import { CallError, harbor } from './bridge';
import { lastChange } from './evaluations/evaluation-list';
import { useLive } from './services';

/** Interval between progress requests to a prover, in milliseconds. */
const PROGRESS_MS = 2_000;

/** Number of retries while an image is busy. The delay starts at one second and grows. */
const BUSY_RETRIES = 5;

/** The suspended evaluation and its innermost frames. The last result is shown while the session runs. */
export function useSuspended({ id, generation, state }: SessionView, frames: number) {
  return useQuery({
    queryKey: ['image', id, generation, 'held', frames],
    queryFn: () => harbor.debugger.show({ session: id, offset: 0, limit: frames }),
    enabled: state === 'debugger',
    placeholderData: (earlier, query) => (query?.queryKey[1] === id ? earlier : undefined),
    gcTime: 0,
    staleTime: 0,
  });
}

/** One frame of the suspended evaluation. */
export function useFrame({ id, generation, state }: SessionView, suspendedAt: SuspendedAt, frame: number) {
  return useQuery({
    queryKey: ['image', id, generation, 'frame', suspendedAt.evaluation, suspendedAt.level, frame],
    queryFn: () => harbor.debugger.frame({ session: id, frame }),
    enabled: state === 'debugger',
    gcTime: 0,
    staleTime: 0,
  });
}

/**
 * The description of a name in the session's image.
 * @param here the package in which the name is read; the session's by default
 */
export function useDescription(session: string, name: string, here?: string) {
  return useQuery({
    queryKey: ['image', session, 'name', name, here],
    queryFn: () => harbor.browse.describe({ session, name, ...inPackage(here) }),
  });
}

/** Maximum number of results in one request. */
const FINDINGS = 200;

/** @param here as for `useDescription` */
export function useFindings(session: string, kind: Args<'browse:find'>['kind'], name: string, here?: string) {
  return useQuery({
    queryKey: ['image', session, 'names', kind, name, here],
    queryFn: () => harbor.browse.find({ session, kind, name, limit: FINDINGS, ...inPackage(here) }),
  });
}

/** Milliseconds between two readings of a trace while its evaluation runs. */
const TRACE_MS = 1_000;

/** The calls of a traced evaluation. */
export function useTrace(session: string, evaluation: number, isOpen: boolean) {
  return useQuery({
    queryKey: ['trace', session, evaluation, isOpen],
    queryFn: () => harbor.trace.read({ session, evaluation }),
    placeholderData: (earlier, query) => (query?.queryKey[2] === evaluation ? earlier : undefined),
    refetchInterval: isOpen ? TRACE_MS : false,
  });
}

function inPackage(here: string | undefined): { package?: string } {
  return here === undefined ? {} : { package: here };
}

/** The last evaluation of the session that ended with an error. */
export function useFailure(session: string) {
  return useQuery({
    queryKey: ['image', session, 'failure'],
    queryFn: () => harbor.debugger.failure({ session }),
    staleTime: 0,
  });
}

/** The exceptions of that evaluation, while the image retains them. */
export function useThrown({ id, generation }: SessionView, evaluation: number) {
  return useQuery({
    queryKey: ['image', id, generation, 'thrown', evaluation],
    queryFn: () => harbor.debugger.thrown({ session: id, evaluation }),
  });
}

/** The source text of a frame; null if unknown. */
export function useThrownSource({ id, generation }: SessionView, evaluation: number, at: ThrownAt) {
  return useQuery({
    queryKey: ['image', id, generation, 'thrown', evaluation, at],
    queryFn: () => harbor.debugger['thrown-source']({ session: id, evaluation, at }),
  });
}

/** Interval between requests for tapped values, in milliseconds. */
const TAPS_MS = 1_000;

/** The values that the session's code has tapped, newest first. Polled while shown. */
export function useTaps({ id, generation }: SessionView) {
  return useQuery({
    queryKey: ['image', id, generation, 'taps'],
    queryFn: () => harbor.taps.read({ session: id }),
    refetchInterval: TAPS_MS,
  });
}

/** A value of the session's image, with one page of its parts at `path`. */
export function useInspection(
  session: string,
  handle: string,
  page: Omit<Args<'inspector:look'>, 'session' | 'handle'>,
) {
  return useQuery({
    queryKey: ['image', session, 'value', handle, page],
    queryFn: () => harbor.inspector.look({ session, handle, ...page }),
    placeholderData: (earlier, query) => (query?.queryKey[3] === handle ? earlier : undefined),
  });
}

/** The first parts of a value as records; null if the value is not a sequence of records. */
export function useRecords(session: string, handle: string, enabled: boolean) {
  return useQuery({
    queryKey: ['image', session, 'value', handle, 'records'],
    queryFn: () =>
      harbor.inspector.records({ session, handle, path: [], offset: 0, limit: 20 }).catch(nothingOfTheKind),
    enabled,
  });
}

/** The numbers of a value; null if the value is not a sequence of numbers. */
export function useNumbers(session: string, handle: string, enabled: boolean) {
  return useQuery({
    queryKey: ['image', session, 'value', handle, 'numbers'],
    queryFn: () => harbor.inspector.numbers({ session, handle, path: [] }).catch(nothingOfTheKind),
    enabled,
  });
}

/** Maps the error of a view that the value does not have to null. */
function nothingOfTheKind(error: unknown): null {
  if (error instanceof CallError && error.code === 'unknown_part') return null;
  throw error;
}

/** The memory usage of a session's image. Fetched once, and again on request. */
export function useMemory(session: string) {
  return useQuery({
    queryKey: ['memory', session],
    queryFn: () => harbor.sessions.memory({ session }),
    staleTime: Infinity,
  });
}

/**
 * The last commands of a session's world, refetched after an evaluation has changed it. A busy image cannot
 * answer: the previous list is shown while an evaluation runs.
 */
export function useWorld({ id, state, generation }: SessionView, last: number) {
  const changed = useLive(({ evaluations }) => lastChange(evaluations.values(), id));
  return useQuery({
    queryKey: ['world', id, generation, changed, last],
    queryFn: () => harbor.world.commands({ session: id, last }),
    enabled: state === 'idle',
    placeholderData: (earlier, query) => (query?.queryKey[1] === id ? earlier : undefined),
    staleTime: Infinity,
    // Busy means that an evaluation has just started. It ends soon; if it changed the world, the query key is
    // different.
    retry: (failures, error) =>
      failures < BUSY_RETRIES && error instanceof CallError && error.code === 'busy',
  });
}

/** The progress of a prover's evaluation. Polled every two seconds while it runs. */
export function useProgress({ id, session, outcome }: Pick<HistoryRow, 'id' | 'session' | 'outcome'>) {
  return useQuery({
    queryKey: ['progress', id],
    queryFn: () => harbor.sessions.progress({ session, evaluation: id }),
    enabled: outcome === 'running',
    refetchInterval: PROGRESS_MS,
    gcTime: 0,
  });
}

/** Definitions of a session that are in no file. Never cached. */
export function useUnsaved(session: string) {
  return useQuery({
    queryKey: ['unsaved', session],
    queryFn: () => harbor.sessions.unsaved({ session }),
    gcTime: 0,
    staleTime: 0,
  });
}
