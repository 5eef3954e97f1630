/**
 * Judges the report of an answer: which tests failed, and what it rests on without a proof. A file of its own,
 * because commands whose answer has no report do not load it.
 */
import type { ToolAnswer } from '../../contract/local-socket';
import type { TestRun } from '../../contract/report';
import { visibleLine } from '../../contract/visible-text';
import type { ParsedArguments } from './tool-commands';

/** A run in an answer, whose data were not validated. */
interface Run {
  counts?: Partial<NonNullable<TestRun['counts']>> | null;
}

export interface Verdict {
  /** The exit code. 4: no check is known to have passed, and none to have failed. */
  code: 0 | 1 | 4;
  /** Trust issues of the result, as far as the options ask for them. */
  unproved: readonly string[];
}

export function verdictOn(data: ToolAnswer['data'], tool: string, parsed: ParsedArguments): Verdict {
  if (hasFailedTests(data)) return { code: 1, unproved: [] };
  const unproved = unprovedIn(data, tool, parsed);
  if (unproved.length > 0) return { code: 1, unproved };
  return { code: tool === 'run_tests' && !hasPassedTests(data) ? 4 : 0, unproved };
}

/** Kinds of trust issues: proofs that were not performed. Tests always fail on them. */
const UNPROVED: ReadonlySet<string> = new Set([
  'refuted',
  'skip-proofs',
  'proofs-skipped-now',
  'axiom',
  'uncertified-book',
  'book-with-axioms',
  'book-with-skipped-proofs',
]);

/** Kinds of trust issues: what may have changed the prover. */
const UNTRUSTED: ReadonlySet<string> = new Set([
  'trust-tag',
  'redefinition',
  'raw-mode',
  'raw-lisp-allowed',
  'illegal-state',
]);

function unprovedIn(data: ToolAnswer['data'], tool: string, parsed: ParsedArguments): string[] {
  const isStrict = parsed.isSet('strict') === true;
  if (!isStrict && tool !== 'run_tests') return [];
  const allowed = new Set((parsed.text('allow') ?? '').split(',').map((name) => name.trim().toLowerCase()));
  const issues = issuesIn(data);
  // The axioms themselves are named then.
  if (issues.some(({ kind }) => kind === 'axiom')) allowed.add('book-with-axioms');
  return issues.flatMap(({ kind, about }) => {
    if (allowed.has(kind) || !(UNPROVED.has(kind) || (isStrict && UNTRUSTED.has(kind)))) return [];
    const others = about.filter((name) => !allowed.has(name.toLowerCase()));
    return about.length > 0 && others.length === 0 ? [] : [`${kind} (${visibleLine(others.join(' '))})`];
  });
}

interface Issue {
  kind: string;
  about: readonly string[];
}

function issuesIn({ report }: ToolAnswer['data']): readonly Issue[] {
  const { proof, finalCheck } = Object(report) as Record<
    'proof' | 'finalCheck',
    { issues?: readonly Issue[] } | undefined
  >;
  return [...(proof?.issues ?? []), ...(finalCheck?.issues ?? [])];
}

/** Reports whether a test failed. The tool’s answer is not an error then, but the exit code is 1. */
function hasFailedTests(data: ToolAnswer['data']): boolean {
  return runsIn(data).some(({ counts }) => (counts?.failed ?? 0) + (counts?.errors ?? 0) > 0);
}

/**
 * Reports whether each run had a check that passed. The result of a run without counts or checks is unknown.
 */
function hasPassedTests(data: ToolAnswer['data']): boolean {
  const runs = runsIn(data);
  return runs.length > 0 && runs.every(({ counts }) => (counts?.passed ?? 0) > 0);
}

function runsIn({ report }: ToolAnswer['data']): readonly Run[] {
  return (Object(report) as { runs?: readonly Run[] }).runs ?? [];
}
