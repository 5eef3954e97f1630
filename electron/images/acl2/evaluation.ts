/** One evaluation while ACL2 works on it: collects the records of its forms until its outcome is known. */
import type { FormResult, Warning } from '../../contract/model';
import type { EventReport, ProofReport, TrustIssue } from '../../contract/proof';
import type { ImageOutcome, OutputSink } from '../image';
import type { RequestListener } from './conversation';
import { condition, conditionOf, type Printed, readCondition, warningsIn } from './messages';
import type { Acl2Record, DoneRecord, FormRecord, ReadErrorRecord } from './records';
import { eventReport, wasInterrupted } from './verdict';

/** Characters of forms, events and warnings kept of one evaluation. */
const KEPT_CHARACTERS = 16_000_000;

type Failure = { record: FormRecord; printed: Printed };

export class Acl2Evaluation implements RequestListener {
  readonly id: number;
  readonly sink: OutputSink;
  readonly settled: Promise<ImageOutcome>;
  /** Settles when the image has begun to work on it: only then an interrupt is its own. */
  readonly begun = Promise.withResolvers<void>();
  readonly #settle: (outcome: ImageOutcome) => void;
  /** Positions in records count bytes. */
  readonly #code: Buffer;
  #read = 0;
  readonly #standing: readonly TrustIssue[];
  readonly #forms: FormResult[] = [];
  readonly #warnings: Warning[] = [];
  readonly #events: EventReport[] = [];
  readonly #issues = new Map<string, TrustIssue>();
  readonly #notes = new Set<string>();
  #count = 0;
  #characters = 0;
  #lost = 0;
  #failure: Failure | null = null;
  #readError: ReadErrorRecord | null = null;
  #command: number | null = null;
  #interruptedBecause = '';

  /** @param standing issues of all its results that its records do not tell */
  constructor(id: number, code: string, sink: OutputSink, standing: readonly TrustIssue[]) {
    this.id = id;
    this.sink = sink;
    this.#standing = standing;
    this.#collectIssues(standing);
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

  record(record: Exclude<Acl2Record, FormRecord | DoneRecord>): void {
    if (record.record === 'begun') this.begun.resolve();
    else if (record.record === 'read-error') this.#readError = record;
  }

  form(record: FormRecord, printed: Printed): void {
    const form = this.#count;
    const code = this.#source(record);
    this.#count += 1;
    this.#command = record.command;
    if (record.ok) this.#collectIssues(record.issues);
    else this.#failure = { record, printed };
    if (record.exit) this.#notes.add('A form asked ACL2 to leave its command loop; the session goes on.');
    const report = eventReport(this.#withStanding(record), form, printed);
    const warnings = warningsIn(printed.commentary, form);
    this.#characters += JSON.stringify([code, record.values, report, warnings]).length;
    if (this.#characters > KEPT_CHARACTERS) {
      this.#lost += 1;
      // Its place is kept, or the values of another form would pass for those of the last.
      this.#forms.push({ code: '', values: [] });
      return;
    }
    this.#forms.push({ code, values: record.values });
    if (report) this.#events.push(report);
    this.#warnings.push(...warnings);
  }

  done(record: DoneRecord, printed: Printed): void {
    this.#command = record.command;
    this.#collectIssues(record.issues);
    const outcome = outcomeOf(record, this.#failure?.record);
    const failed = outcome === 'error' || outcome === 'refused';
    if (outcome === 'interrupted' && this.#interruptedBecause) this.#notes.add(this.#interruptedBecause);
    this.#settle({
      ...this.#collected(),
      outcome,
      package: record.package,
      condition: failed ? this.#condition(record, printed) : null,
    });
  }

  /** The image is gone; what had arrived by then is kept. */
  crashed(packageName: string, note: string): void {
    this.#notes.add(note);
    this.#settle({ ...this.#collected(), outcome: 'crashed', package: packageName, condition: null });
  }

  #condition(done: DoneRecord, printed: Printed) {
    if (done.status === 'no-package')
      return condition('Package error', 'ACL2 knows no package of that name. DEFPKG defines one.');
    if (this.#readError) return readCondition(this.#readError.message, this.#lineOfNextForm());
    if (this.#failure) return conditionOf(this.#failure.printed, this.#failure.record.raw_condition);
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
    for (const issue of issues) this.#issues.set(`${issue.kind} ${issue.about.join(' ')}`, issue);
  }

  #collected(): Pick<ImageOutcome, 'forms' | 'warnings' | 'notes' | 'report'> {
    if (this.#lost > 0)
      this.#notes.add(`${this.#lost} forms with their events were not kept: there were too many.`);
    const proof: ProofReport = {
      events: this.#events,
      issues: [...this.#issues.values()],
      command: this.#command,
    };
    return {
      forms: this.#forms,
      warnings: this.#warnings,
      notes: [...this.#notes],
      report: { loaded: [], failures: [], runs: [], proof },
    };
  }
}

function outcomeOf({ status }: DoneRecord, failure: FormRecord | undefined): ImageOutcome['outcome'] {
  if (status === 'ok' || status === 'interrupted') return status;
  if (failure && wasInterrupted(failure)) return 'interrupted';
  return 'error';
}
