/** The outcome of a final check for the session: a report, or the first reason for its failure. */
import { note, noteTexts } from '../../../contract/note';
import {
  FINAL_CHECK,
  FINAL_CHECK_FAILED,
  type FinalCheck,
  type ProofReport,
  type TrustIssue,
} from '../../../contract/proof';
import { read } from '../../../source/reader';
import { isBranch, walk } from '../../../source/syntax-tree';
import { Positions } from '../../../source/text';
import { operatorOf } from '../../../source/top-level-forms';
import type { ImageOutcome } from '../../image';
import type { FinalCheckRequest, Statements } from '../../world';
import { condition } from '../messages';
import type { Sources } from './check-sources';

export type Outcome = Omit<ImageOutcome, 'package'>;

export function passed(books: readonly string[], finalCheck: FinalCheck): Outcome {
  const counts = { passed: books.length, failed: 0, errors: 0, skipped: 0 };
  return {
    ...{ outcome: 'ok', forms: [], warnings: [], condition: null, notes: [] },
    report: {
      loaded: [],
      failures: [],
      runs: [{ framework: FINAL_CHECK, tests: [...books], counts, failures: [] }],
      proof: { events: [], issues: finalCheck.issues, command: null },
      finalCheck,
    },
  };
}

/**
 * Returns the outcome of a process of the check that failed. Its end is not a crash of the session.
 * @param folder the removed folder of the books; its path is not shown
 * @param more returns text to append to the reason
 */
export function failedOutcome(
  what: string,
  outcome: ImageOutcome,
  folder: string,
  more: (reason: string) => string,
): Outcome {
  const { condition: why, notes, report } = outcome;
  const relative = (text: string) => text.replaceAll(`${folder}/`, '');
  const message = relative(withoutConsequences(why?.message ?? noteTexts(notes).join(' ')));
  const reason = `${message}${more(message)}`;
  const failures = (report?.failures ?? []).map((failure) => ({
    ...inProject(failure, folder),
    message: relative(failure.message),
  }));
  const result: Outcome = {
    ...checkFailed(`${what} does not hold: ${reason}`),
    report: {
      ...{ loaded: [], failures, runs: [] },
      ...(report?.proof ? { proof: proofOf(report.proof, folder) } : {}),
    },
  };
  return outcome.outcome === 'interrupted' ? { ...result, ...interrupted() } : result;
}

export function interrupted(): Outcome {
  const notes = [note('final_check', 'The check was interrupted. It has no result.')];
  return { outcome: 'interrupted', forms: [], warnings: [], condition: null, notes };
}

export function checkFailed(why: string): Outcome {
  return {
    outcome: 'error',
    forms: [],
    warnings: [],
    condition: condition(FINAL_CHECK_FAILED, why),
    notes: [],
  };
}

/** Returns the name of a book or portcullis for a sentence. @param file its file */
export function titleOf(name: string, file: string, { book, texts }: FinalCheckRequest): string {
  return texts?.has(file) && name.startsWith(book) ? 'The session' : name;
}

/** Returns why the check fails because of trust issues; null if it does not. */
export function trustProblem({ trustTags }: FinalCheckRequest, issues: readonly TrustIssue[]): string | null {
  const offending = issues.filter(({ kind }) => kind !== 'trust-tag' || trustTags.length === 0);
  return offending.length === 0
    ? null
    : `It depends on more than ACL2: ${offending.map(({ kind, about }) => `${kind} (${about.join(' ')})`).join(', ')}.`;
}

/** Replaces the foreign books that the image reports by those that the harbor determined. */
export function withForeign(issues: readonly TrustIssue[], foreign: readonly string[]): TrustIssue[] {
  const others = issues.filter(({ kind }) => kind !== 'outside-book');
  return foreign.length === 0 ? others : [...others, { kind: 'outside-book', about: [...foreign] }];
}

/** Matches the part of ACL2's output that only repeats that the book failed. */
const CONSEQUENCES = /\n[^\S\n]*\n(?:\*{8} FAILED|Summary\n|ACL2 Warning in CERTIFY-BOOK)/;

function withoutConsequences(message: string): string {
  return message.split(CONSEQUENCES)[0] ?? '';
}

/** Omits what was true only in that process. */
function proofOf({ events, issues }: ProofReport, folder: string): ProofReport {
  const result = events.map(({ place, ...event }) => ({
    ...event,
    ...(place ? { place: inProject(place, folder) } : {}),
    form: 0,
  }));
  return { events: result, issues, command: null };
}

function inProject<T extends { file?: string | undefined }>(place: T, folder: string): T {
  return place.file === undefined ? place : { ...place, file: place.file.replace(`${folder}/`, '') };
}

/** Maximum names in a sentence, and maximum characters of two formulas in it. */
const NAMES = 20;
const FORMULA_CHARACTERS = 800;

interface Differences {
  /** Why the check fails; null if it does not. */
  problem: string | null;
  /** Notes for the report. */
  notes: readonly string[];
}

/**
 * @param claim null for a check of the whole book; then LOCAL events of the session are not part of the
 *   rebuilt world
 */
export function differences(session: Statements, rebuilt: Statements, claim: string | null): Differences {
  const built = new Map(rebuilt.statements.map(({ name, term }) => [name, term]));
  const all = session.statements.length === session.count && rebuilt.statements.length === rebuilt.count;
  const others = session.statements.filter(({ name, term }) => built.has(name) && built.get(name) !== term);
  const missing = all ? session.statements.filter(({ name }) => !built.has(name)) : [];
  const [other] = others;
  if (other !== undefined)
    return { problem: differenceText(other, built.get(other.name) ?? '', others), notes: [] };
  if (claim !== null && missing.length > 0)
    return {
      problem: `In the session, ${claim} refers to names that its sources do not define: ${namesOf(missing)}.`,
      notes: [],
    };
  return {
    problem: null,
    notes: [...missingNote(missing), ...comparedNote(all), ...trustNote(session, rebuilt)],
  };
}

function differenceText(
  { name, term }: Statements['statements'][number],
  built: string,
  others: Statements['statements'],
): string {
  const formulas = term.length + built.length > FORMULA_CHARACTERS ? '' : `: ${term}; rebuilt: ${built}`;
  const more = others.length > 1 ? ` Others differ too: ${namesOf(others.slice(1))}.` : '';
  return `In the session, ${name} differs from the definition in its sources${formulas}.${more}`;
}

function missingNote(missing: Statements['statements']): string[] {
  return missing.length === 0
    ? []
    : [`Not in the rebuilt world, for example because they are LOCAL: ${namesOf(missing)}.`];
}

function comparedNote(all: boolean): string[] {
  return all ? [] : ['The session has too many theorems and functions to compare all of them.'];
}

function trustNote(session: Statements, rebuilt: Statements): string[] {
  const kinds = new Set(rebuilt.issues.map(({ kind }: TrustIssue) => kind));
  const missingKinds = session.issues.filter(({ kind }) => !kinds.has(kind)).map(({ kind }) => kind);
  return missingKinds.length === 0
    ? []
    : [`The session depends on ${missingKinds.join(', ')}; the rebuilt world does not.`];
}

function namesOf(statements: Statements['statements']): string {
  const names = statements.slice(0, NAMES).map(({ name }) => name);
  const more = statements.length - names.length;
  return `${names.join(' ')}${more === 0 ? '' : ` and ${more} more`}`;
}

/**
 * Matches the message of a checking process that refuses to skip proofs
 * (resources/lisp/acl2/checked-code.lisp).
 */
const SKIPPED_PROOFS = /This\s+skips\s+proofs\./;

const SKIPS: ReadonlySet<string> = new Set(['skip-proofs', 'set-ld-skip-proofsp']);

/** Maximum characters of a form in a sentence. */
const SHOWN = 160;

/**
 * Returns a sentence with the form that skips proofs; an empty string if the reason is another one or the
 * form is not found.
 * @param file the file that failed
 * @param texts texts of the session, whose line numbers are meaningless to the user
 */
export function whereSkipped(
  reason: string,
  file: string,
  { files }: Sources,
  texts: ReadonlyMap<string, string> | undefined,
): string {
  if (!SKIPPED_PROOFS.test(reason)) return '';
  const loaded = [...files.values()].filter(({ role }) => role === 'loaded').map((each) => each.file);
  for (const each of [file, ...loaded]) {
    const found = skippingForm(files.get(each)?.bytes.toString('latin1') ?? '');
    if (found === null) continue;
    const place = texts?.has(each) ? '' : `${each}:${found.line}: `;
    return ` ${place}${found.form}`;
  }
  return '';
}

function skippingForm(text: string): { line: number; form: string } | null {
  const source = read(text, 'common-lisp');
  for (const { node } of walk(source.tree)) {
    if (!isBranch(node) || node.kind !== 'list') continue;
    if (!SKIPS.has(operatorOf(node, source)?.toLowerCase() ?? '')) continue;
    const form = text.slice(node.start, node.end).replaceAll(/\s+/g, ' ');
    return {
      line: new Positions(text).line(node.start),
      form: form.length <= SHOWN ? form : `${form.slice(0, SHOWN)}…`,
    };
  }
  return null;
}
