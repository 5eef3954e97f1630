/**
 * One evaluation in a Swank server while it runs or is suspended: collects events until the server answers,
 * and provides its input.
 */

import type { Condition, FormResult, Warning } from '../../contract/model';
import { type Note, note } from '../../contract/note';
import { type EvaluateRequest, type ImageOutcome, type OutputSink, reportedPackage } from '../image';
import type { LevelWatcher } from '../optional-groups';
import type { SwankClient, SwankReply } from './client';
import { elementsOf, isSymbol, type Sexp, textOf, textsOf } from './sexp';
import { conditionOf, type Debug } from './swank-events';

/** Default maximum characters of a printed value; a Swank message has at most 16 MiB. */
const USUAL_LIMIT = 2 * 1024 * 1024;

/** Maximum number of forms and warnings per evaluation. */
const MAX_ITEMS = 100_000;

export class SwankEvaluation {
  readonly request: EvaluateRequest;
  readonly sink: OutputSink;
  /** The id of the request that runs it. */
  requestId = 0;
  /** Whether it was interrupted. An error that ends it is then a consequence. */
  interrupting = false;
  readonly notes: Note[] = [];
  /** Resolves when the server has answered it. */
  over: Promise<unknown> = Promise.resolve();
  readonly #levels: LevelWatcher | undefined;
  readonly #forms: FormResult[] = [];
  readonly #warnings: Warning[] = [];
  #values: string[] = [];
  #lost = 0;
  #isCut = false;
  #package: string;
  #condition: Condition | null = null;

  constructor(
    request: EvaluateRequest,
    sink: OutputSink,
    where: { package: string; levels: LevelWatcher | undefined },
  ) {
    this.request = request;
    this.sink = sink;
    this.#package = request.package ?? where.package;
    this.#levels = where.levels;
  }

  get id(): number {
    return this.request.id;
  }

  /** The package in which it starts; later the package in which the next form is read. */
  get package(): string {
    return this.#package;
  }

  get limit(): number {
    return this.request.maxChars ?? USUAL_LIMIT;
  }

  /** Whether an unhandled condition suspends it. */
  get holds(): boolean {
    return this.request.onError === 'debug' && this.#levels !== undefined && !this.interrupting;
  }

  /** Handles an event from resources/swank/evaluation.lisp. */
  receive(kind: string, [, ...facts]: Sexp[]): void {
    if (kind === ':value') this.#value(textOf(facts[0]) ?? '');
    else if (kind === ':form') this.#form(textOf(facts[0]) ?? '', textOf(facts[1]));
    else if (kind === ':warning') this.#warning(facts);
  }

  /** Called when an unhandled condition aborts it. */
  failed(debug: Debug, level: number): void {
    this.#condition = conditionOf(debug, level);
  }

  /** Called when an unhandled condition suspends it at `level`. */
  suspend(debug: Debug, level: number): void {
    const condition = conditionOf(debug, level);
    this.#condition = condition;
    const [forms, warnings] = [[...this.#forms], [...this.#warnings]];
    this.#levels?.suspended({ package: this.#package, forms, warnings, condition });
  }

  /** Called when it is no longer suspended; `how` says what was done. */
  resume(how: string): void {
    const { level, type, message } = this.#condition ?? { level: 0, type: '', message: '' };
    this.notes.push(
      note(
        'debugger_left',
        `It was suspended at debugger level ${level} by ${type} (${message}) and ${how}.`,
      ),
    );
    this.#levels?.exited();
  }

  outcome(reply: SwankReply): ImageOutcome {
    if (reply.reply === 'value') this.#answered(reply.value);
    const outcomeBase = {
      package: this.#package,
      forms: this.#forms,
      warnings: this.#warnings,
      notes: this.#allNotes(),
    };
    switch (reply.reply) {
      case 'value':
        if (isSymbol(reply.value, ':interrupted'))
          return { ...outcomeBase, outcome: 'interrupted', condition: null };
        return { ...outcomeBase, outcome: 'ok', condition: null };
      case 'lost':
        return { ...outcomeBase, outcome: 'crashed', condition: null };
      case 'aborted':
        if (this.interrupting) return { ...outcomeBase, outcome: 'interrupted', condition: null };
        if (this.#condition) return { ...outcomeBase, outcome: 'error', condition: this.#condition };
        outcomeBase.notes.push(
          note('aborted', 'The code aborted itself: it invoked the restart ABORT, or its thread was ended.'),
        );
        return { ...outcomeBase, outcome: 'interrupted', condition: null };
    }
  }

  /** Records the final package, and the last form if it was not reported. */
  #answered(answer: Sexp): void {
    const [packageName, code, values] = elementsOf(answer);
    this.#package = reportedPackage(textOf(packageName) ?? this.#package);
    if (code === undefined) return;
    for (const value of textsOf(values)) this.#value(value);
    this.#form(textOf(code) ?? '', this.#package);
  }

  #value(text: string): void {
    // The server cuts it; a hostile one does not.
    if (text.length >= this.limit && !this.#isCut)
      this.notes.push(note('value_cut', `A value was cut to ${this.limit} characters.`));
    this.#isCut ||= text.length >= this.limit;
    if (this.#hasRoom()) this.#values.push(text.slice(0, this.limit));
  }

  #form(code: string, packageName: string | undefined): void {
    const form = { code: withoutBlankBefore(code), values: this.#values };
    this.#values = [];
    this.#package = reportedPackage(packageName ?? this.#package);
    if (this.#hasRoom()) this.#forms.push(form);
  }

  #warning([form, severity, type, message]: Sexp[]): void {
    if (!this.#hasRoom()) return;
    const warning = {
      severity: severity === 'style-warning' ? ('style-warning' as const) : ('warning' as const),
      type: textOf(type) ?? 'WARNING',
      message: textOf(message) ?? '',
      form: typeof form === 'number' ? form : 0,
    };
    this.#warnings.push(warning);
    this.sink(
      'warnings',
      `; ${warning.severity.toUpperCase()}: ${warning.message.replaceAll('\n', '\n; ')}\n`,
    );
  }

  #hasRoom(): boolean {
    const room = this.#forms.length + this.#warnings.length < MAX_ITEMS;
    if (!room) this.#lost += 1;
    return room;
  }

  #allNotes(): Note[] {
    const lost =
      this.#lost > 0
        ? [note('items_dropped', `${this.#lost} forms or warnings were dropped: there were too many.`)]
        : [];
    return [...this.notes, ...lost];
  }
}

/** The text of a form starts where the previous one ended. */
function withoutBlankBefore(code: string): string {
  return code.replace(/^(?:\s+|;[^\n]*\n)+/, '').trimEnd();
}

/** Standard input of code in a Swank server. */
export class SwankInput {
  readonly #client: SwankClient;
  /** Threads that wait for input, by read tag. */
  readonly #waiting = new Map<number, number>();

  constructor(client: SwankClient) {
    this.#client = client;
  }

  /** Answers with the next line of the evaluation's input source, or end of input if it has none. */
  async answer(
    { thread, tag }: { thread: number; tag: number },
    evaluation: SwankEvaluation | undefined,
  ): Promise<void> {
    this.#waiting.set(tag, thread);
    const { input } = evaluation?.request ?? {};
    if (!input)
      evaluation?.notes.push(note('no_input', 'The code read from standard input, which has no data here.'));
    const line = (await input?.()) ?? null;
    if (this.#waiting.delete(tag)) this.#client.answerRead(thread, tag, line === null ? '' : `${line}\n`);
  }

  /** Answers all reads with end of input. */
  giveUp(): void {
    for (const [tag, thread] of this.#waiting) this.#client.answerRead(thread, tag, '');
    this.#waiting.clear();
  }

  /** Called when the reading code was unwound. */
  aborted(tag: number): void {
    this.#waiting.delete(tag);
  }
}
