/** What an evaluation waits behind that finds its session busy: how long its call waits with it, and how that is told. */
import type { RunningEvaluation } from '../../sessions/session/running-evaluation';
import type { Session } from '../../sessions/session/session';
import type { Caller } from '../tool';
import { maySeeRow, type SeenHistory } from '../viewer';
import { beginningOf, jobName, type Queue } from './record';

/** What has run so long is not awaited any more by whoever did not ask for it, nor is its turn that long. */
const GRACE_MS = 1_000;

/** null for what has begun. */
export function queueOf(
  evaluation: RunningEvaluation,
  session: Session,
  caller: QueueViewer,
  seen: SeenHistory,
): Queue | null {
  const before = session.before(evaluation);
  if (before === null) return null;
  const [first, ...others] = before;
  if (first === undefined) return { before, told: 'the start of an image' };
  const told = firstText(first, session, caller, seen);
  return { before, told: others.length === 0 ? told : `${told} and ${others.map(jobName).join(', ')}` };
}

/** What the session does now, or is held at, for whoever cannot wait in its queue; null for nothing. */
export function occupationOf(session: Session, caller: QueueViewer, seen: SeenHistory): string | null {
  const now = session.running ?? session.held;
  return now && firstText(now.id, session, caller, seen);
}

type QueueViewer = Pick<Caller, 'client' | 'project'>;

function firstText(id: number, session: Session, caller: QueueViewer, seen: SeenHistory): string {
  const row = seen.history.evaluations.find(id);
  const isSeen = row && maySeeRow(seen, row, caller);
  const code = isSeen ? ` ${beginningOf(row.code)}` : '';
  const whose = row?.client === caller.client.key ? '' : ` of ${isSeen ? row.client : 'another client'}`;
  const ran = Math.round((session.pending(id)?.runsFor ?? 0) / 1_000);
  return `${jobName(id)}${code}${whose}${ran === 0 ? '' : `, running for ${ran} s`}`;
}

/**
 * Waits for the turn of an evaluation. Behind what other calls of this conversation wait for, it is waited for as long as
 * they are; behind anything else, such as a job or what somebody else runs, for a moment only.
 * @returns how many of the `milliseconds` are left for its end
 */
export async function turnOf(
  evaluation: RunningEvaluation,
  session: Session,
  { awaited, signal }: Pick<Caller, 'awaited' | 'signal'>,
  milliseconds: number,
): Promise<number> {
  const before = session.before(evaluation) ?? [];
  if (before.length === 0) return milliseconds;
  const came = performance.now();
  const patience = awaited.longest(before) ?? ((session.running?.runsFor ?? 0) < GRACE_MS ? GRACE_MS : 0);
  await evaluation.turnWithin(Math.min(patience, milliseconds), signal);
  return evaluation.runsFor === null ? 0 : milliseconds - (performance.now() - came);
}
