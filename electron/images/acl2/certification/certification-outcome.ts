/** What certifying one book or several comes to, as the outcome of one evaluation. */
import path from 'node:path';
import type { BookReport, Certification } from '../../../contract/certification';
import { lispString } from '../../../contract/knowledge';
import type { ProofReport, TrustIssue } from '../../../contract/proof';
import type { TestRun } from '../../../contract/report';
import { CERTIFY_BOOK } from '../loader';
import type { Outcome } from './one-book';
import type { Book } from './project-books';

/** `left`: nobody tried it, because one `below` it has no certificate, or because of an interrupt. */
export type BookResult = { book: Book } & (
  | { state: 'certified'; outcome: Outcome; certificate: string }
  | { state: 'unchanged'; issues: TrustIssue[] }
  | { state: 'failed'; outcome: Outcome; log: string }
  | { state: 'left'; below?: Book }
);

interface Asked {
  /** The books that were asked for; the others are those that they include. */
  asked: readonly Book[];
  /** Names of books that are told are relative to it. */
  project: string;
  code: string;
  interrupted: boolean;
  books: BookReport[];
}

/** @param results in the order of the books, what is included before what includes it */
export function together(
  results: readonly BookResult[],
  { asked, project, code, interrupted, books }: Asked,
): Outcome {
  const wanted = results.filter(({ book }) => asked.includes(book));
  const told = results.find(({ state }) => state === 'failed') ?? wanted.at(-1);
  const outcome = told && 'outcome' in told ? told.outcome : null;
  const good = wanted.every(hasCertificate);
  const how = good ? 'ok' : interrupted ? 'interrupted' : 'error';
  return {
    outcome: how,
    forms: good ? [{ code, values: wanted.map(({ book }) => lispString(certificateOf(book))) }] : [],
    warnings: (outcome?.warnings ?? []).map((warning) => ({ ...warning, form: 0 })),
    condition: outcome?.condition ?? null,
    notes: [...(outcome?.notes ?? []), ...notesOn(results, how, project)],
    report: {
      loaded: [],
      failures: outcome?.report?.failures ?? [],
      runs: how === 'interrupted' ? [] : [runOf(results)],
      proof: {
        ...proofOf(outcome?.report?.proof),
        issues: good ? issuesOf(wanted) : (outcome?.report?.proof?.issues ?? []),
        certification: { ...certificationOf(good ? wanted.at(-1) : told), books },
      },
    },
  };
}

function hasCertificate({ state }: BookResult): boolean {
  return state === 'certified' || state === 'unchanged';
}

function certificateOf({ file }: Book): string {
  return `${file}.cert`;
}

function certificationOf(result: BookResult | undefined): Certification {
  if (!result) return { book: '', certificate: null };
  const { book } = result;
  return { book: book.file, certificate: hasCertificate(result) ? certificateOf(book) : null };
}

/** Without what was true in the certifying process only: it could be taken for the session's own world. */
function proofOf(proof: ProofReport | undefined): ProofReport {
  const { change: _change, ...told } = proof ?? { events: [], issues: [], command: null };
  return { ...told, events: told.events.map((event) => ({ ...event, form: 0 })), command: null };
}

/** What all of them rest on, each kind once. */
function issuesOf(results: readonly BookResult[]): TrustIssue[] {
  const issues = new Map<TrustIssue['kind'], Set<string>>();
  for (const result of results)
    for (const { kind, about } of ownIssues(result)) {
      const known = issues.get(kind) ?? new Set();
      issues.set(kind, known);
      for (const name of about) known.add(name);
    }
  return [...issues].map(([kind, about]) => ({ kind, about: [...about] }));
}

function ownIssues(result: BookResult): readonly TrustIssue[] {
  if (result.state === 'unchanged') return result.issues;
  return result.state === 'certified' ? (result.outcome.report?.proof?.issues ?? []) : [];
}

/** Each book is a test, which fails at what its certification stopped at. */
function runOf(results: readonly BookResult[]): TestRun {
  const tried = results.filter(({ state }) => state !== 'left');
  const failures = results.flatMap((result) =>
    result.state === 'failed'
      ? [{ test: result.book.file, kind: 'failed' as const, reason: reasonOf(result.outcome) }]
      : [],
  );
  const failed = failures.length;
  const skipped = results.length - tried.length;
  return {
    framework: CERTIFY_BOOK,
    tests: tried.map(({ book }) => book.file),
    counts: { passed: tried.length - failed, failed, errors: 0, skipped },
    failures,
  };
}

function reasonOf({ condition }: Outcome): string {
  return condition?.message ?? 'ACL2 wrote no certificate.';
}

function notesOn(results: readonly BookResult[], how: Outcome['outcome'], project: string): string[] {
  const files = (state: BookResult['state']): string =>
    results
      .filter((result) => result.state === state)
      .map(({ book }) => path.relative(project, book.file))
      .join(', ');
  const unchanged = files('unchanged');
  const left = files('left');
  const nothing = how === 'interrupted' && results.every(({ state }) => state === 'left');
  return [
    ...(unchanged ? [`Not certified again, because nothing of it has changed: ${unchanged}.`] : []),
    ...(nothing ? ['Nothing was certified: it was interrupted before it began.'] : []),
    ...(left && how === 'error' ? [`Not tried, because what it includes is not certified: ${left}.`] : []),
  ];
}
