/** Which parts of a proof report to show, and trust issues as text. Accepts summaries and whole reports. */

import type { HistoryRow, Outcome } from '../../electron/contract/model';
import type { EventSummary, TrustIssue, TrustIssueKind, Verdict } from '../../electron/contract/proof';
import type { Words } from '../../electron/words/words';

const SUCCESSES: ReadonlySet<Verdict> = new Set<Verdict>([
  'proved',
  'admitted',
  'redundant',
  'skipped',
  'axiom',
  'no-effect',
  'undone',
  'restored',
  'refuted',
]);

const CHANGES: ReadonlySet<Verdict> = new Set<Verdict>([
  'admitted',
  'skipped',
  'axiom',
  'undone',
  'restored',
  'changed-then-interrupted',
  'refuted',
]);

type Row = Pick<HistoryRow, 'outcome' | 'proof'>;

/** Returns the only event of an evaluation if its verdict agrees with the outcome, else null. */
export function onlyEvent({ outcome, proof }: Row): EventSummary | null {
  const [event] = proof?.events ?? [];
  if (!event || proof?.total !== 1) return null;
  return (outcome === 'ok') === SUCCESSES.has(event.verdict) ? event : null;
}

/** Reports whether to show trust: a mere failure rests on nothing. */
export function showsTrust(
  outcome: Outcome,
  { events, issues }: { events: readonly { verdict: Verdict }[]; issues: readonly TrustIssue[] },
): boolean {
  return outcome === 'ok' || issues.length > 0 || events.some(({ verdict }) => SUCCESSES.has(verdict));
}

/** Reports whether key checkpoints explain the failure better than the message of the prover. */
export function showsReason({ proof }: Row): boolean {
  return (proof?.events.at(-1)?.checkpoints ?? 0) > 0;
}

/** Reports whether the evaluation changed the world, or may have, by an event that its summary omits. */
export function changedWorld({ proof }: Row): boolean {
  if (!proof) return false;
  return proof.total > proof.events.length || proof.events.some(({ verdict }) => CHANGES.has(verdict));
}

/** Maximum number of names of one issue in a line, and of characters in a name. */
const NAMED = 2;
const LONGEST = 24;

/** Returns `no trust issues`, or the issues: `rests on: skip-proofs, axiom AX`. */
export function trustLine(issues: readonly TrustIssue[], { trust }: Words): string {
  if (issues.length === 0) return trust.none;
  return trust.restsOn(issues.map((issue) => issueWords(issue, trust)));
}

/** Returns `no issues` or `2 issues`, for narrow places. */
export function trustCount(issues: readonly TrustIssue[], { trust }: Words): string {
  return issues.length === 0 ? trust.noIssues : trust.issueCount(issues.length);
}

/** Returns the kind, with its names if there are few. */
function issueWords({ kind, about }: TrustIssue, { kinds }: Words['trust']): string {
  const { title } = kinds[kind];
  const short =
    about.length <= NAMED && about.every((name) => name.length <= LONGEST && !name.startsWith('('));
  return short && NAMES_SAY_IT.has(kind) ? [title, ...about].join(' ') : title;
}

/** Kinds whose subjects are names; others have a form, a file or a setting. */
const NAMES_SAY_IT: ReadonlySet<TrustIssueKind> = new Set<TrustIssueKind>(['axiom', 'program-mode']);
