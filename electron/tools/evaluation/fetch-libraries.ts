/** Fetching of libraries that a project misses: a person is asked, with what exactly will run, before it is begun. */
import type { Approver } from '../../contract/approvals';
import type { LibraryFetches } from '../../sessions/library-fetches';
import type { RunningEvaluation } from '../../sessions/session/running-evaluation';
import type { Session } from '../../sessions/session/session';
import type { Caller } from '../tool';

export interface LibraryFetchOptions {
  fetches: LibraryFetches;
  approver: Approver;
}

/** @throws HarborError `not_approved`, `paused`, `cancelled`, and as `LibraryFetches.plan` does */
export async function beginFetch(
  session: Session,
  system: string | undefined,
  { client, tool, signal }: Caller,
  { fetches, approver }: LibraryFetchOptions,
): Promise<RunningEvaluation> {
  const { line, meaning, begin } = await fetches.plan(session, system);
  await approver.require({
    client: client.key,
    class: 'network',
    tool,
    code: line,
    told: { wish: 'fetch', meaning },
    signal,
  });
  return begin(client.key);
}
