/**
 * What became of the forms that a form of the harbor's own submits, such as `(harbor-load "…")`
 * (resources/lisp/acl2/harbor-forms.lisp), and the report on them when that form is over.
 */
import type { Condition } from '../../contract/model';
import type { BuilderState, RuleObservation, TrustIssue, TrustIssueKind } from '../../contract/proof';
import type { LoadFailure, MissingForm, Report } from '../../contract/report';
import type { LostCommand } from '../../contract/world';
import type { Details, Submitted } from './details';
import { conditionOf, firstError, firstParagraph, type Printed, readCondition } from './messages';
import type { FormRecord } from './records';

/** Forms that a replay names which were not admitted again; all are counted. */
const TOLD_MISSING = 500;

/** Characters of a form that a replay shows. */
const FORM_SHOWN = 200;

/** Issues of a world in which some proof was skipped, by a form of its own or by a setting. */
const SKIPPING: ReadonlySet<TrustIssueKind> = new Set(['skip-proofs', 'proofs-skipped-now']);

/** What submits the forms of a file. */
const LOADS: ReadonlySet<string> = new Set(['HARBOR-LOAD', 'HARBOR-PORTCULLIS']);

function proofsAgain(issues: readonly TrustIssue[]): string {
  return issues.some(({ kind }) => SKIPPING.has(kind))
    ? 'Their proofs were done again, but for those that were skipped before and were skipped again.'
    : 'Their proofs were done again, none was skipped.';
}

/** A form that failed, with what was printed of it. */
export interface Failure {
  record: FormRecord;
  printed: Printed;
}

export interface PartsReport {
  failures: LoadFailure[];
  replay?: Report['replay'];
  lost?: LostCommand[];
  /** How it was done, in a sentence. */
  note?: string;
  observation?: RuleObservation;
  builder?: BuilderState;
}

export class Parts {
  #failed: Failure[] = [];

  add(record: FormRecord, printed: Printed): void {
    if (!record.ok || isPassedOver(record)) this.#failed.push({ record, printed });
  }

  /** Why the submitting form failed: its last part, or, where no part failed, the form itself. */
  failure(whole: Failure): Failure {
    return this.#failed.at(-1) ?? whole;
  }

  /** The report, from the record of the form that has submitted them. */
  finish({ record, printed }: Failure): PartsReport {
    const { operator, details } = record;
    const report = {
      failures: LOADS.has(operator ?? '') ? this.#failed.map(loadFailure) : [],
      ...(details && this.#told({ record, printed }, details)),
    };
    this.#failed = [];
    return report;
  }

  #told(whole: Failure, details: Details): Partial<PartsReport> {
    const { operator, issues } = whole.record;
    if ('unread' in details) {
      const { type, message } = failureCondition(whole);
      return { failures: [{ type, message, ...details.unread }] };
    }
    if ('passedOver' in details) return { note: passedOverNote(details.passedOver) };
    if (!('lost' in details)) return details;
    if (operator === 'HARBOR-REPLAY') return { replay: this.#replay(details, issues) };
    const lost = this.#lost(details);
    return operator === 'HARBOR-RESTORE' ? { lost, note: restoringNote(details, issues) } : { lost };
  }

  #replay({ lost, admitted }: Submitted, issues: readonly TrustIssue[]): NonNullable<Report['replay']> {
    const reasons = this.#reasons(lost);
    const missing = lost.slice(0, TOLD_MISSING).map(
      ({ tag, form }, index): MissingForm => ({
        id: tag,
        form: form.slice(0, FORM_SHOWN),
        because: reasons[index] ?? '',
      }),
    );
    return { count: admitted, missing, missingCount: lost.length, note: proofsAgain(issues) };
  }

  #lost({ lost }: Submitted): LostCommand[] {
    const reasons = this.#reasons(lost);
    return lost.map(({ tag, form }, index) => ({ command: tag, form, because: reasons[index] ?? '' }));
  }

  /** The failures came in the order of those that are lost; after an interrupt there may be fewer. */
  #reasons(lost: readonly unknown[]): string[] {
    return lost.map((_form, index) => {
      const failure = this.#failed[index];
      return failure ? brief(failure) : 'it was not submitted, because of an interrupt';
    });
  }
}

/** A command that was submitted again and changed nothing: every one of them did once. */
function isPassedOver({ part, world }: FormRecord): boolean {
  return part?.tag !== undefined && world === 'same';
}

function restoringNote({ lost, admitted }: Submitted, issues: readonly TrustIssue[]): string {
  return admitted + lost.length === 0
    ? 'ACL2 had that world still: no proof was done again.'
    : `${admitted} commands were submitted again. ${proofsAgain(issues)}`;
}

function passedOverNote(forms: readonly string[]): string {
  return `Passed over, as ACL2’s build system does in such a file: ${forms.join(' ')}. \`run_tests\` certifies a book.`;
}

function loadFailure(failure: Failure): LoadFailure {
  const { part, form } = failure.record;
  const { type, message } = failureCondition(failure);
  return {
    type,
    message,
    ...(part?.file === undefined ? {} : { file: part.file }),
    ...(part?.line === undefined ? {} : { line: part.line }),
    ...(part?.unread ? {} : { source: form }),
  };
}

/** The condition of a form that failed. Why one cannot be read ACL2 prints, or raw Lisp says. */
export function failureCondition({ record, printed }: Failure): Condition {
  const { part, details, raw_condition: raw } = record;
  if (details && 'unread' in details) {
    const { line, file } = details.unread;
    return readCondition(firstError(printed)?.message ?? raw ?? '', line, file);
  }
  if (!part?.unread) return conditionOf(printed, raw);
  return firstError(printed) ?? readCondition(raw ?? '', part.line ?? 1);
}

/** The first paragraph of why, in one line. */
function brief(failure: Failure): string {
  return firstParagraph(failureCondition(failure)).slice(0, FORM_SHOWN);
}
