/** What a final check comes to for the session: a report, or the first reason why there is none. */
import { FINAL_CHECK, FINAL_CHECK_FAILED, type FinalCheck } from '../../../contract/final-check';
import type { ProofReport, TrustIssue } from '../../../contract/proof';
import type { ImageOutcome } from '../../image';
import type { FinalCheckRequest } from '../../world';
import { condition } from '../messages';

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

/** Of a process that did not do what it was for. That one of a check is gone is no crash of the session.
 * @param folder where the books were, which is not told: it is gone
 * @param more what else there is to say of a reason */
export function notChecked(
  what: string,
  outcome: ImageOutcome,
  folder: string,
  more: (reason: string) => string,
): Outcome {
  const { condition: why, notes, report } = outcome;
  const relative = (text: string) => text.replaceAll(`${folder}/`, '');
  const said = relative(withoutConsequences(why?.message ?? notes.join(' ')));
  const reason = `${said}${more(said)}`;
  const failures = (report?.failures ?? []).map((failure) => ({
    ...inProject(failure, folder),
    message: relative(failure.message),
  }));
  const told: Outcome = {
    ...notDone(`${what} does not hold: ${reason}`),
    report: {
      ...{ loaded: [], failures, runs: [] },
      ...(report?.proof ? { proof: proofOf(report.proof, folder) } : {}),
    },
  };
  return outcome.outcome === 'interrupted' ? { ...told, ...interrupted() } : told;
}

export function interrupted(): Outcome {
  const notes = ['The check was interrupted: nothing is known of what it was about.'];
  return { outcome: 'interrupted', forms: [], warnings: [], condition: null, notes };
}

export function notDone(why: string): Outcome {
  return {
    outcome: 'error',
    forms: [],
    warnings: [],
    condition: condition(FINAL_CHECK_FAILED, why),
    notes: [],
  };
}

/** What a book, or a file below one, is called in a sentence. @param file its own */
export function titleOf(name: string, file: string, { book, texts }: FinalCheckRequest): string {
  return texts?.has(file) && name.startsWith(book) ? 'The session' : name;
}

/** Why what the judge found is not what was asked for; null where it is. */
export function wrongWith({ trustTags }: FinalCheckRequest, issues: readonly TrustIssue[]): string | null {
  const rests = issues.filter(({ kind }) => kind !== 'trust-tag' || trustTags.length === 0);
  return rests.length === 0
    ? null
    : `It rests on more than ACL2: ${rests.map(({ kind, about }) => `${kind} (${about.join(' ')})`).join(', ')}.`;
}

/** Which books are foreign the harbor says, and not the image. */
export function withForeign(issues: readonly TrustIssue[], foreign: readonly string[]): TrustIssue[] {
  const others = issues.filter(({ kind }) => kind !== 'outside-book');
  return foreign.length === 0 ? others : [...others, { kind: 'outside-book', about: [...foreign] }];
}

/** What of ACL2's account says only that the book failed with it. */
const CONSEQUENCES = /\n\s*\n(?:\*{8} FAILED|Summary\n|ACL2 Warning in CERTIFY-BOOK)/;

function withoutConsequences(message: string): string {
  return message.split(CONSEQUENCES)[0] ?? '';
}

/** Without what was true in that process only. */
function proofOf({ events, issues }: ProofReport, folder: string): ProofReport {
  const told = events.map(({ place, ...event }) => ({
    ...event,
    ...(place ? { place: inProject(place, folder) } : {}),
    form: 0,
  }));
  return { events: told, issues, command: null };
}

function inProject<T extends { file?: string | undefined }>(place: T, folder: string): T {
  return place.file === undefined ? place : { ...place, file: place.file.replace(`${folder}/`, '') };
}
