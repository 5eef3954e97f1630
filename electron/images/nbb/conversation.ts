/**
 * Talks to nbb's nREPL server: one form at a time, with queries of resources/nbb/image.cljs in between.
 * Tracks the server's current namespace.
 */

import type { Duplex } from 'node:stream';
import { z } from 'zod';
import type { Condition, Stream } from '../../contract/model';
import { textOf } from '../../host/bencode';
import { boundedJsonOrUndefined } from '../../host/json';
import { NreplClient, type NreplMessage } from '../nrepl/client';
import type { PlacedForm } from '../nrepl/clojure-code';
import { REPORT_KEY } from '../nrepl/loader';
import { BoundedTexts } from '../nrepl/nrepl-session';
import { TERSE } from '../nrepl/sci';

/** The outcome of one form; `values` is empty for a form that reads as nothing, such as `#?(:clj 1)`. */
export type FormOutcome =
  | { kind: 'values'; values: string[] }
  | { kind: 'error'; values: string[]; condition: Condition }
  | { kind: 'interrupted' | 'lost'; values: string[] };

/** Maximum characters of an answer to a query. */
const LONGEST_ANSWER = 16_000_000;

/** A symbol that can name a namespace; other text could be read as code. */
const NAMESPACE = /^[^\s,"();[\]{}\\@^`~'#:\d][^\s,"();[\]{}\\@^`~]*$/;

export class NbbConversation {
  /** The namespace in which the next form is read and evaluated. */
  namespace = 'user';
  /** Resolves when the server has ended. */
  readonly ended: Promise<unknown>;
  readonly #client: NreplClient;
  readonly #write: (stream: Stream, text: string) => void;
  /** Stops waiting for the running evaluation; null if there is none. */
  #giveUp: (() => void) | null = null;
  /** Receives reports from our own code in the image. */
  #onReport: (text: string) => void = () => undefined;

  /** `write` receives all output except answers to queries; its text may be empty. */
  constructor(wire: Duplex, write: (stream: Stream, text: string) => void) {
    this.#write = write;
    this.#client = new NreplClient(wire, {
      lengths: 'utf16',
      onUnrouted: (message) => this.#unrouted(message),
    });
    this.ended = this.#client.ended;
  }

  /** The protocol error because of which the server was given up; null if there was none. */
  get givenUp(): string | null {
    return this.#client.givenUp;
  }

  close(): void {
    void this.#client.close();
  }

  /** Reports whether the server answers `describe`; false if it ended. */
  async answers(): Promise<boolean> {
    return (await this.#client.request({ op: 'describe' })).done;
  }

  /**
   * Evaluates a form. If its value is a promise, the server waits for it and returns its result.
   * @param onReport receives reports
   */
  async evaluate(form: PlacedForm, onReport: (text: string) => void): Promise<FormOutcome> {
    this.#onReport = onReport;
    const { promise: givenUp, resolve } = Promise.withResolvers<'given up'>();
    this.#giveUp = () => resolve('given up');
    const outcome = await this.#evaluate(form, givenUp);
    this.#giveUp = null;
    this.#onReport = () => undefined;
    return outcome;
  }

  /** Stops waiting for the running evaluation, which may continue in the image. */
  giveUp(): void {
    this.#giveUp?.();
  }

  async #evaluate(form: PlacedForm, givenUp: Promise<'given up'>): Promise<FormOutcome> {
    const values = new BoundedTexts();
    const failures = new BoundedTexts();
    let isOver = false;
    // The server prints values without a limit unless it prints them in this way.
    const replied = this.#client.request({ op: 'eval', code: inPlace(form), ...TERSE }, (message) => {
      if (isOver) return this.#unrouted(message);
      this.#write('stdout', textOf(message, 'out') ?? '');
      values.add(textOf(message, 'value'));
      // `err` with the request's id is the error message, and the following `ex` is its long form.
      failures.add(textOf(message, 'err'));
      failures.add(textOf(message, 'ex'));
      this.#follow(message);
    });
    const reply = await Promise.race([replied, givenUp]);
    isOver = true;
    if (reply === 'given up') return { kind: 'interrupted', values: [] };
    if (!reply.done) return { kind: 'lost', values: values.texts };
    let failure = failures.texts[0] ?? (reply.failed ? 'error' : undefined);
    if (failure === undefined) {
      if (values.texts.length === 0) return { kind: 'values', values: [] };
      const shown = await this.#shown(values.texts.at(-1)?.startsWith('#<Promise ') === true);
      if (shown === null) return { kind: 'lost', values: [] };
      if (shown.problem === undefined) return { kind: 'values', values: [shown.text ?? ''] };
      failure = shown.problem;
    }
    const printed = await this.query('(lisp-harbor.image/print-condition)');
    if (printed === null) return { kind: 'lost', values: [] };
    return { kind: 'error', values: [], condition: conditionFrom(printed, failure.trimEnd()) };
  }

  /** Loads what code for loading or testing needs. */
  async prepare(code: string): Promise<void> {
    if (!/\(lisp-harbor\.(?:loading|testing)\//.test(code)) return;
    await this.query(
      "(lisp-harbor.image/keep-history 'user) (require '[cljs.test]) (run! lisp-harbor.image/load-sources [:questions :work]) (lisp-harbor.image/restore-history)",
    );
  }

  /**
   * Returns the text of the last value, printed in bounds, or the error that printing it threw; null if the server has ended.
   * Output of code that runs then belongs to the evaluation.
   * @param isSettled whether the server waited for a promise, whose value is shown
   */
  async #shown(isSettled: boolean): Promise<ShownValue | null> {
    let shown: ShownValue | null = null;
    const outer = this.#onReport;
    this.#onReport = (text) => {
      const value = ShownValue.safeParse(boundedJsonOrUndefined(text)).data;
      if (value) shown = value;
      else outer(text);
    };
    const code = `(lisp-harbor.image/show-value ${isSettled})`;
    const reply = await this.#client.request({ op: 'eval', code, ...TERSE }, (message) => {
      this.#write('stdout', textOf(message, 'out') ?? '');
      this.#follow(message);
    });
    this.#onReport = outer;
    return reply.done ? shown : null;
  }

  /**
   * Enters an existing namespace. Evaluates a `ns` form, because the server's `ns` argument works only before
   * the first evaluation.
   */
  async enter(namespace: string): Promise<FormOutcome> {
    if (namespace !== this.namespace && NAMESPACE.test(namespace)) {
      const answer = await this.query(
        `(lisp-harbor.image/keep-history '${namespace}) (ns ${namespace}) (lisp-harbor.image/restore-history)`,
      );
      if (answer === null) return { kind: 'lost', values: [] };
    }
    if (namespace === this.namespace) return { kind: 'values', values: [] };
    return {
      kind: 'error',
      values: [],
      condition: conditionFrom('', `There is no namespace ${namespace}; create it with (ns ${namespace}).`),
    };
  }

  /** Runs a query between forms, and returns what it printed; null if the server has ended. */
  async query(code: string): Promise<string | null> {
    let printed = '';
    const reply = await this.#client.request({ op: 'eval', code, ...TERSE }, (message) => {
      if (printed.length < LONGEST_ANSWER) printed += textOf(message, 'out') ?? '';
      this.#follow(message);
    });
    return reply.done ? printed : null;
  }

  /** Handles output of the process, and of code after its evaluation. */
  #unrouted(message: NreplMessage): void {
    const report = textOf(message, REPORT_KEY);
    if (report !== undefined) this.#onReport(report);
    this.#write('stdout', textOf(message, 'out') ?? '');
    this.#write('stderr', textOf(message, 'err') ?? '');
  }

  /** Messages contain the namespace; it is empty before the first value. */
  #follow(message: NreplMessage): void {
    this.namespace = textOf(message, 'ns') || this.namespace;
  }
}

/**
 * Prefixes the form with blank text up to its original position, because the server has no arguments for it.
 * Skipped far down in a large source, where the cost is too high.
 */
function inPlace({ code, line, column }: PlacedForm): string {
  return line > 5000 || column > 1000 ? code : `${'\n'.repeat(line)}${' '.repeat(column)}${code}`;
}

/** The last value as `show-value` reports it. */
const ShownValue = z.object({
  event: z.literal('value'),
  text: z.string().optional(),
  problem: z.string().optional(),
});
type ShownValue = z.infer<typeof ShownValue>;

const Printed = z.object({ type: z.string(), message: z.string(), frames: z.array(z.string()) });

/**
 * Builds the condition of a failed evaluation from what resources/nbb/image.cljs printed. `fallback` is the
 * server's own message, used if user code redefined the printer. ClojureScript has no restarts, and errors
 * return to top level.
 */
function conditionFrom(printed: string, fallback: string): Condition {
  const { type, message, frames } = parse(printed) ?? { type: 'Error', message: fallback, frames: [] };
  return {
    type,
    message,
    level: 1,
    restarts: [],
    frames: frames.map((call, index) => ({ index, call })),
  };
}

function parse(printed: string): z.infer<typeof Printed> | null {
  return Printed.safeParse(boundedJsonOrUndefined(printed)).data ?? null;
}
