/** Fetching of libraries that a project misses: a person is asked, with what exactly will run, before it is begun. */
import type { LibraryFetches } from '../sessions/library-fetches';
import type { RunningEvaluation } from '../sessions/running-evaluation';
import type { Session } from '../sessions/session';
import type { Caller } from './tool';

/** What a person is asked about. */
export interface FetchAct {
  client: string;
  class: 'network';
  tool: string;
  code: string;
  signal: AbortSignal;
}

export interface LibraryFetchOptions {
  fetches: LibraryFetches;
  /** @throws HarborError `paused`, `not_approved`, `cancelled` */
  approve: (act: FetchAct) => Promise<void>;
}

/** @throws HarborError `not_approved`, and as `LibraryFetches.plan` does */
export async function beginFetch(
  session: Session,
  system: string | undefined,
  { client, signal }: Caller,
  { fetches, approve }: LibraryFetchOptions,
): Promise<RunningEvaluation> {
  const planned = await fetches.plan(session, system);
  await approve({ client: client.key, class: 'network', tool: 'load', code: planned.question, signal });
  return planned.begin(client.key);
}
