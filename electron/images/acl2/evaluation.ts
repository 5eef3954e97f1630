/** One evaluation in progress. Collects the records of its forms until the outcome is known. */

import type { asFailure } from '../../contract/errors';
import { mention, ours } from '../../contract/mention';
import type { FormResult, Warning } from '../../contract/model';
import { distinctNotes, type Note, note } from '../../contract/note';
import type { EventReport, ProofReport, TrustIssue, TrustIssueKind } from '../../contract/proof';
import type { LoadFailure, Report, TestRun } from '../../contract/report';
import { combineChanges, type LostCommand, type WorldChange } from '../../contract/world';
import type { EvaluateRequest, ImageOutcome, OutputSink } from '../image';
import type { RequestListener } from './conversation';
import { MEMORY_NOTE } from './evaluation-monitor';
import { withText } from './knowledge';
import { condition, conditionOf, type Printed, readCondition, warningsIn } from './messages';
import type { Acl2Record, DoneRecord, FormRecord, ReadErrorRecord, TriedClaim } from './records';
import { type Failure, failureCondition, SubmittedForms } from './submitted-forms';
import type { IncludedBooks } from './system-books';
import { eventReport, isWithdrawn, wasInterrupted } from './verdict';

/** Maximum total characters of forms, events and warnings retained for one evaluation. */
const RETAINED_CHARACTERS = 16_000_000;

/** Maximum lost commands named in notes. The report lists all of them. */
const MOST_LOST_NOTED = 20;

type Advice = (message: string) => string | null;

type Failed = ReturnType<typeof asFailure>;

export class Acl2Evaluation implements RequestListener {
  readonly id: number;
  readonly sink: OutputSink;
  readonly settled: Promise<ImageOutcome>;
  /** Resolves when the image has started this evaluation. Only then does an interrupt affect it. */
  readonly begun = Promise.withResolvers<void>();
  readonly #settle: (outcome: ImageOutcome) => void;
  /** The code as bytes, because positions in records count bytes. */
  readonly #code: Buffer;
  /** The requested package, if any. */
  readonly #package: string | undefined;
  #read = 0;
  readonly #permanentIssues: readonly TrustIssue[];
  readonly #advice: Advice;
  readonly #books: IncludedBooks;
  readonly #forms: FormResult[] = [];
  readonly #warnings: Warning[] = [];
  readonly #events: EventReport[] = [];
  readonly #issues = new Map<TrustIssueKind, TrustIssue>();
  readonly #notes: Note[] = [];
  #count = 0;
  #characters = 0;
  #lost = 0;
  #failure: Failure | null = null;
  #readError: ReadErrorRecord | null = null;
  #command: number | null = null;
  readonly #parts = new SubmittedForms();
  readonly #loaded = new Set<string>();
  readonly #failures: LoadFailure[] = [];
  readonly #lostCommands: LostCommand[] = [];
  /** The last observation or proof-builder state. */
  readonly #runs: TestRun[] = [];
  #found: Pick<ProofReport, 'observation' | 'builder'> = {};
  #replay: Report['replay'];
  #change: WorldChange | null = null;
  #interruptedBecause: Note | null = null;

  /**
   * @param permanentIssues issues of every result that records do not contain
   * @param books books of the image's world
   * @param advice returns advice for an error message
   */
  constructor(
    { id, code, package: packageName }: Pick<EvaluateRequest, 'id' | 'code' | 'package'>,
    sink: OutputSink,
    {
      permanentIssues,
      books,
      advice,
    }: { permanentIssues: readonly TrustIssue[]; books: IncludedBooks; advice: Advice },
  ) {
    this.id = id;
    this.sink = sink;
    this.#advice = advice;
    this.#permanentIssues = permanentIssues;
    this.#books = books;
    this.#collectIssues(permanentIssues);
    this.#package = packageName;
    this.#code = Buffer.from(code, 'utf8');
    const { promise, resolve } = Promise.withResolvers<ImageOutcome>();
    this.settled = promise;
    this.#settle = resolve;
  }

  /** Sets the note that the outcome gets if the evaluation is interrupted. */
  setInterruptReason(reason: Note): void {
    this.#interruptedBecause = reason;
  }

  /** Number of evaluated forms. */
  get formsDone(): number {
    return this.#count;
  }

  /** The form that failed; null if none did. */
  get failure(): Failure | null {
    return this.#failure;
  }

  record(record: Exclude<Acl2Record, FormRecord | DoneRecord>): void {
    if (record.record === 'begun') this.begun.resolve();
    else if (record.record === 'read-error') this.#readError = record;
  }

  form(received: FormRecord, printed: Printed): void {
    const record = withRefuted(this.#books.withBookIssues(received));
    this.#command = record.command;
    if (record.change)
      this.#change = this.#change ? combineChanges(this.#change, record.change) : record.change;
    for (const book of record.loaded) this.#loaded.add(book);
    if (record.ok) this.#collectIssues(record.issues);
    this.#notes.push(...notesOn(record));
    if (record.part) {
      this.#parts.add(record, printed);
      this.#retain(record, printed, []);
      return;
    }
    if (!record.ok) this.#failure = this.#parts.failure({ record, printed });
    this.#finishParts({ record, printed });
    this.#retain(record, printed, [{ code: this.#source(record), values: valuesOf(record) }]);
    this.#count += 1;
  }

  #retain(record: FormRecord, printed: Printed, forms: readonly FormResult[]): void {
    const report = eventReport(this.#withPermanentIssues(record), this.#count, printed);
    const warnings = warningsIn(printed.commentary, this.#count);
    this.#characters += JSON.stringify([forms, report, warnings]).length;
    if (this.#characters > RETAINED_CHARACTERS) {
      this.#lost += 1;
      // An empty entry keeps the last values aligned with their form.
      this.#forms.push({ code: '', values: [] });
      return;
    }
    this.#forms.push(...forms);
    if (report) this.#events.push(report);
    this.#warnings.push(...warnings);
  }

  #finishParts(whole: Failure): void {
    const { failures, replay, lost = [], run, note: how, ...found } = this.#parts.finish(whole);
    if (run) this.#runs.push(run);
    if (how) this.#notes.push(how);
    this.#found = { ...this.#found, ...found };
    this.#failures.push(...failures);
    this.#replay ??= replay;
    this.#lostCommands.push(...lost);
    for (const { command, form, because } of lost.slice(0, MOST_LOST_NOTED))
      this.#notes.push(
        note('command_lost', `Command ${command} is no longer in the world: ${form} (${because})`),
      );
    if (lost.length > MOST_LOST_NOTED)
      this.#notes.push(
        note('command_lost', `${lost.length} commands are no longer in the world. The report lists them.`),
      );
  }

  done(received: DoneRecord, printed: Printed): void {
    const record = this.#books.withBookIssues(received);
    this.#command = record.command;
    if (record.memory_full) this.setInterruptReason(MEMORY_NOTE);
    this.#collectIssues(record.issues);
    const outcome = outcomeOf(record, this.#failure?.record);
    const failed = outcome === 'error' || outcome === 'refused';
    const problem = failed ? this.#condition(record, printed) : null;
    const advice = this.#advice(problem?.message ?? '');
    if (advice) this.#notes.push(note('advice', advice));
    if (outcome === 'interrupted' && this.#interruptedBecause) this.#notes.push(this.#interruptedBecause);
    this.#settle({ ...this.#collected(), outcome, package: record.package, condition: problem });
  }

  /** Settles with the results so far after the image has ended. */
  crashed(packageName: string, how: Note): void {
    this.#notes.push(how);
    this.#settle({ ...this.#collected(), outcome: 'crashed', package: packageName, condition: null });
  }

  /** Settles with an error for code that could not be submitted. */
  failed(packageName: string, { code, message }: Failed): void {
    const problem = condition(code, message);
    this.#settle({ ...this.#collected(), outcome: 'error', package: packageName, condition: problem });
  }

  #condition(done: DoneRecord, printed: Printed) {
    if (done.status === 'no-package')
      return condition('Package error', `ACL2 has no package ${this.#package ?? 'of that name'}.`);
    if (this.#readError) return readCondition(this.#readError.message, this.#lineOfNextForm());
    if (this.#failure) return failureCondition(this.#failure);
    return conditionOf(printed, done.raw_condition);
  }

  /**
   * Returns the source of a form: the code between the previous and the current read position of ACL2's
   * reader.
   */
  #source(record: FormRecord): string {
    if (record.position === null) return record.form;
    const text = this.#code.toString('utf8', this.#read, record.position).trim();
    this.#read = record.position;
    return text;
  }

  #lineOfNextForm(): number {
    const rest = this.#code.toString('utf8', this.#read);
    const blank = rest.length - rest.trimStart().length;
    return (this.#code.toString('utf8', 0, this.#read) + rest.slice(0, blank)).split('\n').length;
  }

  #withPermanentIssues(record: FormRecord): FormRecord {
    return { ...record, issues: [...this.#permanentIssues, ...record.issues] };
  }

  #collectIssues(issues: readonly TrustIssue[]): void {
    for (const { kind, about } of issues) {
      const earlier = this.#issues.get(kind)?.about ?? [];
      this.#issues.set(kind, { kind, about: [...new Set([...earlier, ...about])] });
    }
  }

  #collected(): Pick<ImageOutcome, 'forms' | 'warnings' | 'notes' | 'report'> {
    if (this.#lost > 0)
      this.#notes.push(
        note(
          'items_dropped',
          `${this.#lost} forms and their events were not retained because the results are too large.`,
        ),
      );
    const proof: ProofReport = {
      events: this.#events,
      issues: [...this.#issues.values()],
      command: this.#command,
      ...(this.#change ? { change: this.#change } : {}),
      ...(this.#lostCommands.length > 0 ? { lost: this.#lostCommands } : {}),
      ...this.#found,
    };
    const replay = this.#replay ? { replay: this.#replay } : {};
    return {
      forms: this.#forms,
      warnings: this.#warnings,
      notes: distinctNotes(this.#notes),
      report: { loaded: [...this.#loaded], failures: this.#failures, runs: this.#runs, proof, ...replay },
    };
  }
}

function outcomeOf({ status }: DoneRecord, failure: FormRecord | undefined): ImageOutcome['outcome'] {
  if (status === 'ok' || status === 'interrupted') return status;
  if (failure && wasInterrupted(failure)) return 'interrupted';
  return 'error';
}

function valuesOf({ details, values }: FormRecord): string[] {
  return details && 'topic' in details ? [withText(details.topic).documentation ?? ''] : values;
}

/** Adds the trust issue of a refuted THM. Those of refuted theorems are of the world. */
function withRefuted(record: FormRecord): FormRecord {
  const isRefuted = record.claims.some((claim) => claim.name === null && isWithdrawn(claim));
  return isRefuted
    ? { ...record, issues: [{ kind: 'refuted', about: [record.form] }, ...record.issues] }
    : record;
}

/** Returns the notes for a form. */
function notesOn({ form, claims, remarks }: FormRecord): Note[] {
  const { exit, unheeded, changed_books: changed } = remarks;
  return [
    ...claims.map((claim) => claimNote(claim, form)),
    ...(exit ? [note('loop_exit', "A form tried to exit ACL2's command loop. The session continues.")] : []),
    ...(unheeded === null ? [] : [note('error_passed', `ACL2 continued after an error: ${unheeded}`)]),
    ...(changed.length === 0
      ? []
      : [
          note(
            'books_changed',
            `These included books have changed since they were included: ${changed.join(', ')}.`,
            mention`${ours('load', 'fresh')} with fresh: true includes the current versions.`,
          ),
        ]),
  ];
}

/** Maximum characters of a form in a note. */
const CLAIM_CHARACTERS = 80;

/** Returns the note about a claim that something speaks against. @param form is named if the claim has no name */
export function claimNote({ name, verdict, assumed, values }: TriedClaim, form = ''): Note {
  const claim = name ?? (form.length <= CLAIM_CHARACTERS ? form : `${form.slice(0, CLAIM_CHARACTERS)}…`);
  if (verdict === 'vacuous')
    return note(
      'advice',
      `None of the tested values satisfies the hypotheses of ${claim}: they may contradict each other, and then it says nothing.`,
    );
  const where = values.map(({ variable, value }) => `${variable} = ${value}`.toLowerCase()).join(', ');
  return note(
    'refuted',
    `${claim} is false${where === '' ? '' : ` for ${where}`}, by the definitions of its functions${assumed ? ': from it, anything can be proved.' : '. ACL2 proved it from something false, such as an axiom, or by an error of its own, so anything can be proved here.'}`,
  );
}
