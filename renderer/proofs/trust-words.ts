/** What a theorem may rest on besides the prover's own soundness, in words for people. Pure. */
import type { TrustIssue, TrustIssueKind } from '../../electron/contract/proof';
import { count } from '../parts/format';

interface TrustWords {
  /** As a short list names it. */
  title: string;
  /** What it means for whoever believes the theorem. */
  meaning: string;
}

export const TRUST_WORDS: Readonly<Record<TrustIssueKind, TrustWords>> = {
  'skip-proofs': {
    title: 'skip-proofs',
    meaning: 'Proofs were skipped: what they would have shown is believed without one.',
  },
  'proofs-skipped-now': {
    title: 'proofs skipped now',
    meaning: 'The session is set to skip proofs: whatever it admits now is believed without one.',
  },
  axiom: {
    title: 'axiom',
    meaning: 'Axioms were added: nothing shows that they are true, and from a false one everything follows.',
  },
  'trust-tag': {
    title: 'trust tag',
    meaning: 'Code was let around the logic: whoever wrote it vouches for it, the prover does not.',
  },
  redefinition: {
    title: 'redefinition',
    meaning: 'A name was given another meaning: theorems about the earlier one are still believed.',
  },
  'redefinition-allowed': {
    title: 'redefinition allowed',
    meaning: 'The session is set to allow redefinitions: theorems need not be about what a name means now.',
  },
  'uncertified-book': {
    title: 'uncertified book',
    meaning: 'A book was included that has no valid certificate: nothing says that its proofs went through.',
  },
  'book-with-axioms': {
    title: 'book with axioms',
    meaning: 'A book is certified, but adds axioms: nothing shows that they are true.',
  },
  'book-with-skipped-proofs': {
    title: 'book with skipped proofs',
    meaning: 'A book is certified, but some of its proofs were skipped.',
  },
  'outside-book': {
    title: 'outside book',
    meaning:
      'A book is not among the system’s: its certificate is as good as those who can write beside it, until a final check builds it anew.',
  },
  'program-mode': {
    title: 'program mode',
    meaning:
      'A function was defined without a logical definition: it can be run, but nothing is proved of it.',
  },
  'raw-mode': {
    title: 'raw mode',
    meaning: 'The session is set to evaluate raw Lisp: the prover checks none of it.',
  },
  'raw-lisp-allowed': {
    title: 'raw Lisp allowed',
    meaning: 'A person has let this session into the Lisp below the prover, where code can forge any result.',
  },
  'illegal-state': {
    title: 'illegal state',
    meaning: 'The prover says that its state was corrupted: nothing that it answers can be relied on.',
  },
};

/** How many names of one issue a line has room for, and how many characters of a name. */
const NAMED = 2;
const LONGEST = 24;

/** `no trust issues`, or what there is: `rests on: skip-proofs, axiom AX`. */
export function trustLine(issues: readonly TrustIssue[]): string {
  if (issues.length === 0) return 'no trust issues';
  return `rests on: ${issues.map(issueWords).join(', ')}`;
}

/** `no issues`, `2 issues`, for where there is no room for more. */
export function trustCount(issues: readonly TrustIssue[]): string {
  return issues.length === 0 ? 'no issues' : count(issues.length, 'issue');
}

/** The kind, and what it is about if a name or two say that. */
function issueWords({ kind, about }: TrustIssue): string {
  const { title } = TRUST_WORDS[kind];
  const short =
    about.length <= NAMED && about.every((name) => name.length <= LONGEST && !name.startsWith('('));
  return short && NAMES_SAY_IT.has(kind) ? [title, ...about].join(' ') : title;
}

/** Kinds that are about names; the others are about a form, a file or a setting. */
const NAMES_SAY_IT: ReadonlySet<TrustIssueKind> = new Set<TrustIssueKind>(['axiom', 'program-mode']);
