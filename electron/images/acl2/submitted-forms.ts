/**
 * Collects the results of forms that one of the harbor's forms submits, such as `(harbor-load "…")`
 * (resources/lisp/acl2/harbor-forms.lisp), and reports them when that form is done.
 */
import { mention, ours } from '../../contract/mention';
import type { Condition } from '../../contract/model';
import { type Note, note } from '../../contract/note';
import type { BuilderState, RuleObservation, TrustIssue, TrustIssueKind } from '../../contract/proof';
import type { LoadFailure, MissingForm, Report, TestRun } from '../../contract/report';
import type { LostCommand } from '../../contract/world';
import { conditionOf, FAILURE, firstError, firstParagraph, type Printed, readCondition } from './messages';
import type { Details, FormRecord, Submitted } from './records';

/** Maximum missing forms listed by a replay. All are counted. */
const MOST_MISSING = 500;

/** Maximum characters of a form in a report. */
const FORM_SHOWN = 200;

/** Issues of a world with skipped proofs. */
const SKIPPING: ReadonlySet<TrustIssueKind> = new Set(['skip-proofs', 'proofs-skipped-now']);

/** Operators that submit the forms of a file. */
const LOADS: ReadonlySet<string> = new Set([
  'HARBOR-LOAD',
  'HARBOR-LOAD-UNTIL',
  'HARBOR-PROVE',
  'HARBOR-PORTCULLIS',
]);

/** The operator that submits the forms of a file up to a theorem, and reports it as a test. */
const PROVES = 'HARBOR-PROVE';

function proofsAgain(issues: readonly TrustIssue[]): string {
  return issues.some(({ kind }) => SKIPPING.has(kind))
    ? 'Proofs were repeated, except those that had been skipped before.'
    : 'Proofs were repeated; none was skipped.';
}

/** A failed form and its output. */
export interface Failure {
  record: FormRecord;
  printed: Printed;
}

export interface SubmittedReport {
  failures: LoadFailure[];
  replay?: Report['replay'];
  lost?: LostCommand[];
  /** The proof of one theorem of a file. */
  run?: TestRun;
  /** How the forms were processed. */
  note?: Note;
  observation?: RuleObservation;
  builder?: BuilderState;
}

export class SubmittedForms {
  #failed: Failure[] = [];
  #last: FormRecord | null = null;

  add(record: FormRecord, printed: Printed): void {
    this.#last = record;
    if (!record.ok || isPassedOver(record)) this.#failed.push({ record, printed });
  }

  /** Returns the reason for the failure of the submitting form: its last failed part, or the form itself. */
  failure(whole: Failure): Failure {
    return this.#failed.at(-1) ?? whole;
  }

  /** Returns the report for the record of the submitting form. */
  finish({ record, printed }: Failure): SubmittedReport {
    const { operator, details } = record;
    const report = {
      failures: LOADS.has(operator ?? '') ? this.#failed.map(loadFailure) : [],
      ...(details && this.#detailsReport({ record, printed }, details)),
      ...(operator === PROVES ? { run: this.#proofRun({ record, printed }) } : {}),
    };
    this.#failed = [];
    this.#last = null;
    return report;
  }

  #proofRun(whole: Failure): TestRun {
    const run = proofRun(whole, this.#failed.at(-1));
    const [name = ''] = run.tests;
    if (!whole.record.ok || !isRefuted(name, this.#last)) return run;
    const reason = `${name} is false for some values, although ACL2 accepted it.`;
    const { file, line } = this.#last?.part ?? {};
    const place = file === undefined || line === undefined ? {} : { file, line };
    return {
      ...run,
      counts: { passed: 0, failed: 1, errors: 0, skipped: 0 },
      failures: [{ test: name, kind: 'failed', reason, ...place }],
    };
  }

  #detailsReport(whole: Failure, details: Details): Partial<SubmittedReport> {
    const { operator, issues } = whole.record;
    if ('unread' in details) {
      const { type, message } = failureCondition(whole);
      return { failures: [{ type, message, ...details.unread }] };
    }
    if ('failing' in details) {
      const { form: source, ...place } = details.failing;
      const { type, message } = failureCondition(whole);
      return { failures: [{ type, message, ...place, source }] };
    }
    if ('topic' in details) return { failures: [] };
    if ('passedOver' in details) return { note: passedOverNote(details.passedOver) };
    if (!('lost' in details)) return details;
    if (operator === 'HARBOR-REPLAY') return { replay: this.#replay(details, issues) };
    const lost = this.#lost(details);
    return operator === 'HARBOR-RESTORE' ? { lost, note: restoringNote(details, issues) } : { lost };
  }

  #replay({ lost, admitted }: Submitted, issues: readonly TrustIssue[]): NonNullable<Report['replay']> {
    const reasons = this.#reasons(lost);
    const missing = lost.slice(0, MOST_MISSING).map(
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

  /**
   * Returns the reasons in the order of the lost forms. After an interrupt, there may be fewer failures than
   * lost forms.
   */
  #reasons(lost: readonly unknown[]): string[] {
    return lost.map((_form, index) => {
      const failure = this.#failed[index];
      return failure ? briefReason(failure) : 'not submitted because of an interrupt';
    });
  }
}

/** Reports whether a resubmitted command changed nothing. Each of them changed the world before. */
function isPassedOver({ part, world }: FormRecord): boolean {
  return part?.tag !== undefined && world === 'same';
}

function restoringNote({ lost, admitted }: Submitted, issues: readonly TrustIssue[]): Note {
  const text =
    admitted + lost.length === 0
      ? 'ACL2 still had this world. No proof was repeated.'
      : `${admitted} commands were submitted again. ${proofsAgain(issues)}`;
  return note('world_restored', text);
}

function passedOverNote(forms: readonly string[]): Note {
  return note(
    'forms_skipped',
    `Skipped, as ACL2’s build system does in such a file: ${forms.join(' ')}.`,
    mention`Use ${ours('run_tests')} to certify a book.`,
  );
}

/** Reports whether the theorem, which the form has added or found in the world, is refuted. */
function isRefuted(name: string, form: FormRecord | null): boolean {
  const bare = (symbol: string) => symbol.replace(/^.*:/, '').replaceAll('|', '').toLowerCase();
  return (form?.issues ?? []).some(
    ({ kind, about }) => kind === 'refuted' && about.some((each) => bare(each) === bare(name)),
  );
}

/** @param failed the form of the file that failed */
function proofRun(whole: Failure, failed: Failure | undefined): TestRun {
  const { ok, form } = whole.record;
  const [, name = ''] = [...form.matchAll(/(?<!\\)"((?:[^"\\]|\\.)*)"/g)].map(([, text = '']) =>
    text.replaceAll(/\\(.)/gs, '$1'),
  );
  const { file, line, source } = failed ? loadFailure(failed) : {};
  const place = file === undefined || line === undefined ? {} : { file, line };
  const isReached = (source ?? name).toLowerCase().includes(name.replace(/^.*:/, '').toLowerCase());
  const condition = failureCondition(failed ?? whole);
  const why = condition.type === FAILURE ? 'The proof failed.' : firstParagraph(condition);
  const reason = isReached ? why : `${name} was not reached: ${why}`;
  return {
    framework: 'theorem',
    tests: [name],
    counts: { passed: Number(ok), failed: Number(!ok), errors: 0, skipped: 0 },
    failures: ok
      ? []
      : [{ test: name, kind: 'failed', reason, ...(source === undefined ? {} : { form: source }), ...place }],
  };
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

/**
 * Returns the condition of a failed form. For an unreadable form, ACL2 prints the reason or raw Lisp signals
 * it.
 */
export function failureCondition({ record, printed }: Failure): Condition {
  const { part, details, raw_condition: raw } = record;
  if (details && 'unread' in details) {
    const { line, file } = details.unread;
    return readCondition(firstError(printed)?.message ?? raw ?? '', line, file);
  }
  if (!part?.unread) return conditionOf(printed, raw);
  return firstError(printed) ?? readCondition(raw ?? '', part.line ?? 1);
}

/** Returns the first paragraph of the reason in one line. */
function briefReason(failure: Failure): string {
  return firstParagraph(failureCondition(failure)).slice(0, FORM_SHOWN);
}
