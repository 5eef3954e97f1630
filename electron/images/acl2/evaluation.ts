/** One evaluation while ACL2 works on it: collects the records of its forms until its outcome is known. */
import type { asFailure } from '../../contract/errors';
import type { FormResult, Warning } from '../../contract/model';
import type { EventReport, ProofReport, TrustIssue, TrustIssueKind } from '../../contract/proof';
import type { LoadFailure, Report } from '../../contract/report';
import { followed, type LostCommand, type WorldChange } from '../../contract/world';
import type { EvaluateRequest, ImageOutcome, OutputSink } from '../image';
import type { IncludedBooks } from './books';
import type { RequestListener } from './conversation';
import { MEMORY_NOTE } from './memory-watch';
import { condition, conditionOf, type Printed, readCondition, warningsIn } from './messages';
import { type Failure, failureCondition, Parts } from './parts';
import type { Acl2Record, DoneRecord, FormRecord, ReadErrorRecord } from './records';
import { eventReport, wasInterrupted } from './verdict';

/** Characters of forms, events and warnings kept of one evaluation. */
const KEPT_CHARACTERS = 16_000_000;

/** Commands lost by an undoing that notes name; the report has them all. */
const LOST_NOTED = 20;

type Advice = (message: string) => string | null;

type Failed = ReturnType<typeof asFailure>;

export class Acl2Evaluation implements RequestListener {
  readonly id: number;
  readonly sink: OutputSink;
  readonly settled: Promise<ImageOutcome>;
  /** Settles when the image has begun to work on it: only then an interrupt is its own. */
  readonly begun = Promise.withResolvers<void>();
  readonly #settle: (outcome: ImageOutcome) => void;
  /** Positions in records count bytes. */
  readonly #code: Buffer;
  /** In which it is asked to evaluate, where one is named. */
  readonly #package: string | undefined;
  #read = 0;
  readonly #standing: readonly TrustIssue[];
  readonly #advice: Advice;
  readonly #books: IncludedBooks;
  readonly #forms: FormResult[] = [];
  readonly #warnings: Warning[] = [];
  readonly #events: EventReport[] = [];
  readonly #issues = new Map<TrustIssueKind, TrustIssue>();
  readonly #notes = new Set<string>();
  #count = 0;
  #characters = 0;
  #lost = 0;
  #failure: Failure | null = null;
  #readError: ReadErrorRecord | null = null;
  #command: number | null = null;
  readonly #parts = new Parts();
  readonly #loaded = new Set<string>();
  readonly #failures: LoadFailure[] = [];
  readonly #lostCommands: LostCommand[] = [];
  /** What the last form that looks into a proof has told. */
  #found: Pick<ProofReport, 'observation' | 'builder'> = {};
  #replay: Report['replay'];
  #change: WorldChange | null = null;
  #interruptedBecause = '';

  /**
   * @param standing issues of every result that the records do not tell
   * @param books those of the image's world
   * @param advice what can be done about an error, by its message
   */
  constructor(
    { id, code, package: packageName }: Pick<EvaluateRequest, 'id' | 'code' | 'package'>,
    sink: OutputSink,
    { standing, books, advice }: { standing: readonly TrustIssue[]; books: IncludedBooks; advice: Advice },
  ) {
    this.id = id;
    this.sink = sink;
    this.#advice = advice;
    this.#standing = standing;
    this.#books = books;
    this.#collectIssues(standing);
    this.#package = packageName;
    this.#code = Buffer.from(code, 'utf8');
    const { promise, resolve } = Promise.withResolvers<ImageOutcome>();
    this.settled = promise;
    this.#settle = resolve;
  }

  /** Tells the caller why it is interrupted, if it is not over by now. */
  interruptedBecause(sentence: string): void {
    this.#interruptedBecause = sentence;
  }

  /** How many forms it has evaluated. */
  get formsDone(): number {
    return this.#count;
  }

  /** As ACL2 has it; null where none failed. */
  get failedForm(): string | null {
    return this.#failure?.record.form ?? null;
  }

  record(record: Exclude<Acl2Record, FormRecord | DoneRecord>): void {
    if (record.record === 'begun') this.begun.resolve();
    else if (record.record === 'read-error') this.#readError = record;
  }

  form(told: FormRecord, printed: Printed): void {
    const record = this.#books.judged(told);
    this.#command = record.command;
    if (record.change) this.#change = this.#change ? followed(this.#change, record.change) : record.change;
    for (const book of record.loaded) this.#loaded.add(book);
    if (record.ok) this.#collectIssues(record.issues);
    for (const note of notesOn(record)) this.#notes.add(note);
    if (record.part) {
      this.#parts.add(record, printed);
      this.#keep(record, printed, []);
      return;
    }
    if (!record.ok) this.#failure = this.#parts.failure({ record, printed });
    this.#finishParts({ record, printed });
    this.#keep(record, printed, [{ code: this.#source(record), values: record.values }]);
    this.#count += 1;
  }

  #keep(record: FormRecord, printed: Printed, forms: readonly FormResult[]): void {
    const report = eventReport(this.#withStanding(record), this.#count, printed);
    const warnings = warningsIn(printed.commentary, this.#count);
    this.#characters += JSON.stringify([forms, report, warnings]).length;
    if (this.#characters > KEPT_CHARACTERS) {
      this.#lost += 1;
      // Its place is kept, or the values of another form would pass for those of the last.
      this.#forms.push({ code: '', values: [] });
      return;
    }
    this.#forms.push(...forms);
    if (report) this.#events.push(report);
    this.#warnings.push(...warnings);
  }

  #finishParts(whole: Failure): void {
    const { failures, replay, lost = [], note, ...found } = this.#parts.finish(whole);
    if (note) this.#notes.add(note);
    this.#found = { ...this.#found, ...found };
    this.#failures.push(...failures);
    this.#replay ??= replay;
    this.#lostCommands.push(...lost);
    for (const { command, form, because } of lost.slice(0, LOST_NOTED))
      this.#notes.add(`Command ${command} is not in the world any more: ${form} (${because})`);
    if (lost.length > LOST_NOTED)
      this.#notes.add(`${lost.length} commands are not in the world any more: the report has them all.`);
  }

  done(told: DoneRecord, printed: Printed): void {
    const record = this.#books.judged(told);
    this.#command = record.command;
    if (record.memory_full) this.interruptedBecause(MEMORY_NOTE);
    this.#collectIssues(record.issues);
    const outcome = outcomeOf(record, this.#failure?.record);
    const failed = outcome === 'error' || outcome === 'refused';
    const problem = failed ? this.#condition(record, printed) : null;
    const advice = this.#advice(problem?.message ?? '');
    if (advice) this.#notes.add(advice);
    if (outcome === 'interrupted' && this.#interruptedBecause) this.#notes.add(this.#interruptedBecause);
    this.#settle({ ...this.#collected(), outcome, package: record.package, condition: problem });
  }

  /** The image is gone; what had arrived by then is kept. */
  crashed(packageName: string, note: string): void {
    this.#notes.add(note);
    this.#settle({ ...this.#collected(), outcome: 'crashed', package: packageName, condition: null });
  }

  /** It cannot be submitted. */
  failed(packageName: string, { code, message }: Failed): void {
    const problem = condition(code, message);
    this.#settle({ ...this.#collected(), outcome: 'error', package: packageName, condition: problem });
  }

  #condition(done: DoneRecord, printed: Printed) {
    if (done.status === 'no-package')
      return condition('Package error', `ACL2 knows no package ${this.#package ?? 'of that name'}.`);
    if (this.#readError) return readCondition(this.#readError.message, this.#lineOfNextForm());
    if (this.#failure) return failureCondition(this.#failure);
    return conditionOf(printed, done.raw_condition);
  }

  /** The text of a form, up to the end of what was read; ACL2's own reader found that. */
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

  #withStanding(record: FormRecord): FormRecord {
    return { ...record, issues: [...this.#standing, ...record.issues] };
  }

  #collectIssues(issues: readonly TrustIssue[]): void {
    for (const { kind, about } of issues) {
      const earlier = this.#issues.get(kind)?.about ?? [];
      this.#issues.set(kind, { kind, about: [...new Set([...earlier, ...about])] });
    }
  }

  #collected(): Pick<ImageOutcome, 'forms' | 'warnings' | 'notes' | 'report'> {
    if (this.#lost > 0)
      this.#notes.add(`${this.#lost} forms with their events were not kept: there were too many.`);
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
      notes: [...this.#notes],
      report: { loaded: [...this.#loaded], failures: this.#failures, runs: [], proof, ...replay },
    };
  }
}

function outcomeOf({ status }: DoneRecord, failure: FormRecord | undefined): ImageOutcome['outcome'] {
  if (status === 'ok' || status === 'interrupted') return status;
  if (failure && wasInterrupted(failure)) return 'interrupted';
  return 'error';
}

/** What is to be said of a form beside what became of it. */
function notesOn({ remarks: { exit, unheeded, changed_books: changed } }: FormRecord): string[] {
  return [
    ...(exit ? ['A form asked ACL2 to leave its command loop; the session goes on.'] : []),
    ...(unheeded === null ? [] : [`ACL2 went on after an error: ${unheeded}`]),
    ...(changed.length === 0
      ? []
      : [
          `The world has these books as they were when they were included, and they have changed since: ${changed.join(', ')}. \`load\` with fresh: true takes them as they are.`,
        ]),
  ];
}
