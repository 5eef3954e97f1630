/** One evaluation in a Swank server while it runs or is held: collects what is told of it until the server answers. */
import type { Condition, FormResult, Warning } from '../../contract/model';
import type { EvaluateRequest, ImageOutcome, OutputSink } from '../image';
import type { LevelWatcher } from '../optional-groups';
import type { SwankReply } from './client';
import { conditionOf } from './condition';
import { elementsOf, isSymbol, type Sexp, textOf, textsOf } from './sexp';
import type { Debug } from './swank-events';

/** Longest printed value unless the caller says otherwise, in characters: a message of Swank's has at most 16 MiB. */
const USUAL_LIMIT = 2 * 1024 * 1024;

/** Forms and warnings kept of one evaluation. */
const KEPT_ITEMS = 100_000;

export class SwankEvaluation {
  readonly request: EvaluateRequest;
  readonly sink: OutputSink;
  /** The request under which the server runs it. */
  requestId = 0;
  /** Whether it was told to stop. An error that ends it is then a consequence of that. */
  interrupting = false;
  readonly notes: string[] = [];
  /** Settles when the server has answered it. */
  over: Promise<unknown> = Promise.resolve();
  readonly #levels: LevelWatcher | undefined;
  readonly #forms: FormResult[] = [];
  readonly #warnings: Warning[] = [];
  #values: string[] = [];
  #lost = 0;
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

  /** The package in which it begins, and later that in which the next form is read. */
  get package(): string {
    return this.#package;
  }

  get limit(): number {
    return this.request.maxChars ?? USUAL_LIMIT;
  }

  /** Whether an unhandled condition is to be held. */
  get holds(): boolean {
    return this.request.onError === 'debug' && this.#levels !== undefined && !this.interrupting;
  }

  /** What resources/swank/evaluation.lisp tells. */
  told(kind: string, [, ...facts]: Sexp[]): void {
    if (kind === ':value') this.#value(textOf(facts[0]) ?? '');
    else if (kind === ':form') this.#form(textOf(facts[0]) ?? '', textOf(facts[1]));
    else if (kind === ':warning') this.#warning(facts);
  }

  /** It signalled what nothing handles, and is given up. */
  failed(debug: Debug, level: number): void {
    this.#condition = conditionOf(debug, level);
  }

  /** It signalled what nothing handles, and waits at `level`. */
  held(debug: Debug, level: number): void {
    const condition = conditionOf(debug, level);
    this.#condition = condition;
    const [forms, warnings] = [[...this.#forms], [...this.#warnings]];
    this.#levels?.held({ package: this.#package, forms, warnings, condition });
  }

  /** It is no longer held; `how` says what was done. */
  left(how: string): void {
    const { level, type, message } = this.#condition ?? { level: 0, type: '', message: '' };
    this.notes.push(`It was held at debugger level ${level} by ${type} (${message}) and ${how}.`);
    this.#levels?.left();
  }

  outcome(reply: SwankReply): ImageOutcome {
    if (reply.reply === 'value') this.#answered(reply.value);
    const told = {
      package: this.#package,
      forms: this.#forms,
      warnings: this.#warnings,
      notes: this.#allNotes(),
    };
    switch (reply.reply) {
      case 'value':
        if (isSymbol(reply.value, ':interrupted'))
          return { ...told, outcome: 'interrupted', condition: null };
        return { ...told, outcome: 'ok', condition: null };
      case 'lost':
        return { ...told, outcome: 'crashed', condition: null };
      case 'aborted':
        if (this.interrupting) return { ...told, outcome: 'interrupted', condition: null };
        if (this.#condition) return { ...told, outcome: 'error', condition: this.#condition };
        told.notes.push('The code gave itself up: it invoked the restart ABORT, or its thread was ended.');
        return { ...told, outcome: 'interrupted', condition: null };
    }
  }

  /** The package at the end, and the last form where it has not been told. */
  #answered(answer: Sexp): void {
    const [packageName, code, values] = elementsOf(answer);
    this.#package = textOf(packageName) ?? this.#package;
    if (code === undefined) return;
    for (const value of textsOf(values)) this.#value(value);
    this.#form(textOf(code) ?? '', this.#package);
  }

  #value(text: string): void {
    if (text.length >= this.limit) this.notes.push(`A value was cut to ${this.limit} characters.`);
    this.#values.push(text);
  }

  #form(code: string, packageName: string | undefined): void {
    const form = { code: withoutBlankBefore(code), values: this.#values };
    this.#values = [];
    this.#package = packageName ?? this.#package;
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
    const room = this.#forms.length + this.#warnings.length < KEPT_ITEMS;
    if (!room) this.#lost += 1;
    return room;
  }

  #allNotes(): string[] {
    const lost =
      this.#lost > 0 ? [`${this.#lost} forms or warnings were not kept: there were too many.`] : [];
    return [...this.notes, ...lost];
  }
}

/** The text of a form begins where the one before it ended. */
function withoutBlankBefore(code: string): string {
  return code.replace(/^(?:\s+|;[^\n]*\n)+/, '').trimEnd();
}
