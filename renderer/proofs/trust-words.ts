/** What a theorem may rest on besides the prover's own soundness, in a line. Pure. */
import type { TrustIssue, TrustIssueKind } from '../../electron/contract/proof';
import type { Words } from '../../electron/words/words';

/** How many names of one issue a line has room for, and how many characters of a name. */
const NAMED = 2;
const LONGEST = 24;

/** `no trust issues`, or what there is: `rests on: skip-proofs, axiom AX`. */
export function trustLine(issues: readonly TrustIssue[], { trust }: Words): string {
  if (issues.length === 0) return trust.none;
  return trust.restsOn(issues.map((issue) => issueWords(issue, trust)));
}

/** `no issues`, `2 issues`, for where there is no room for more. */
export function trustCount(issues: readonly TrustIssue[], { trust }: Words): string {
  return issues.length === 0 ? trust.noIssues : trust.issueCount(issues.length);
}

/** The kind, and what it is about if a name or two say that. */
function issueWords({ kind, about }: TrustIssue, { kinds }: Words['trust']): string {
  const { title } = kinds[kind];
  const short =
    about.length <= NAMED && about.every((name) => name.length <= LONGEST && !name.startsWith('('));
  return short && NAMES_SAY_IT.has(kind) ? [title, ...about].join(' ') : title;
}

/** Kinds that are about names; the others are about a form, a file or a setting. */
const NAMES_SAY_IT: ReadonlySet<TrustIssueKind> = new Set<TrustIssueKind>(['axiom', 'program-mode']);
