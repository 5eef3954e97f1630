/** What of a prover's report is worth showing. Takes its summary or the whole. Pure. */
import type { HistoryRow, Outcome } from '../../electron/contract/model';
import type { EventSummary, TrustIssue, Verdict } from '../../electron/contract/proof';

const SUCCESSES: ReadonlySet<Verdict> = new Set<Verdict>([
  'proved',
  'admitted',
  'redundant',
  'skipped',
  'axiom',
  'no-effect',
  'undone',
  'restored',
]);

const CHANGES: ReadonlySet<Verdict> = new Set<Verdict>([
  'admitted',
  'skipped',
  'axiom',
  'undone',
  'restored',
  'changed-then-interrupted',
]);

type Row = Pick<HistoryRow, 'outcome' | 'proof'>;

/** The only event of an evaluation, if its verdict agrees with the outcome; else null. */
export function onlyEvent({ outcome, proof }: Row): EventSummary | null {
  const [event] = proof?.events ?? [];
  if (!event || proof?.total !== 1) return null;
  return (outcome === 'ok') === SUCCESSES.has(event.verdict) ? event : null;
}

/** Whether to say what the evaluation rests on: a mere failure rests on nothing. */
export function saysTrust(
  outcome: Outcome,
  { events, issues }: { events: readonly { verdict: Verdict }[]; issues: readonly TrustIssue[] },
): boolean {
  return outcome === 'ok' || issues.length > 0 || events.some(({ verdict }) => SUCCESSES.has(verdict));
}

/** Whether the key checkpoints of an event say why the evaluation failed, better than the prover's message does. */
export function saysWhy({ proof }: Row): boolean {
  return (proof?.events.at(-1)?.checkpoints ?? 0) > 0;
}

/** Whether the evaluation changed the world, or may have, by an event that its summary leaves out. */
export function changedWorld({ proof }: Row): boolean {
  if (!proof) return false;
  return proof.total > proof.events.length || proof.events.some(({ verdict }) => CHANGES.has(verdict));
}
