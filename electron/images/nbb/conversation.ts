/**
 * The conversation with nbb's nREPL server: one form at a time, and between forms the questions of
 * resources/nbb/image.cljs. It follows which namespace the server is in.
 */
import type { Duplex } from 'node:stream';
import type { Condition, Stream } from '../../contract/model';
import { NreplClient, type NreplMessage, textOf } from '../nrepl/client';
import { KeptTexts } from '../nrepl/kept-texts';
import { TOLD } from '../nrepl/loader';
import type { PlacedForm } from '../nrepl/placed-forms';
import { TERSE } from '../nrepl/sci-queries';
import { conditionFrom } from './condition';

/** What became of one form; `values` has none for a form that reads as nothing, such as `#?(:clj 1)`. */
export type FormOutcome =
  | { kind: 'values'; values: string[] }
  | { kind: 'error'; values: string[]; condition: Condition }
  | { kind: 'interrupted' | 'lost'; values: string[] };

/** Characters of one answer to a question; what is longer was not meant to be printed. */
const LONGEST_ANSWER = 16_000_000;

/** A symbol that may name a namespace; anything else would be read as other code. */
const NAMESPACE = /^[^\s,"();[\]{}\\@^`~'#:\d][^\s,"();[\]{}\\@^`~]*$/;

export class NbbConversation {
  /** Where the server stands: what the next form is read and evaluated in. */
  namespace = 'user';
  /** Settles when the server is gone. */
  readonly ended: Promise<unknown>;
  readonly #client: NreplClient;
  readonly #write: (stream: Stream, text: string) => void;
  /** Ends the wait for what is evaluated; null while nothing is. */
  #giveUp: (() => void) | null = null;
  /** Hears what the code of the harbor in the image tells of the evaluation. */
  #tell: (text: string) => void = () => undefined;

  /** `write` gets all output that is no answer to a question; it may be empty. */
  constructor(wire: Duplex, write: (stream: Stream, text: string) => void) {
    this.#write = write;
    this.#client = new NreplClient(wire, {
      lengths: 'utf16',
      onUnrouted: (message) => this.#unrouted(message),
    });
    this.ended = this.#client.ended;
  }

  /** Why the server is not listened to any more; null as long as it keeps to the protocol. */
  get givenUp(): string | null {
    return this.#client.givenUp;
  }

  close(): void {
    void this.#client.close();
  }

  /** Asks the server what it is; false when it is gone instead. */
  async answers(): Promise<boolean> {
    return (await this.#client.request({ op: 'describe' })).done;
  }

  /** The server waits for a promise that is the value, and the value is what that came to.
   * @param tell hears what is told of it beside values and output */
  async evaluate(form: PlacedForm, tell: (text: string) => void): Promise<FormOutcome> {
    this.#tell = tell;
    const { promise: givenUp, resolve } = Promise.withResolvers<'given up'>();
    this.#giveUp = () => resolve('given up');
    const outcome = await this.#evaluate(form, givenUp);
    this.#giveUp = null;
    this.#tell = () => undefined;
    return outcome;
  }

  /** Ends the wait for what is evaluated, which may go on in the image. */
  giveUp(): void {
    this.#giveUp?.();
  }

  async #evaluate(form: PlacedForm, givenUp: Promise<'given up'>): Promise<FormOutcome> {
    const values = new KeptTexts();
    const failures = new KeptTexts();
    let isOver = false;
    const replied = this.#client.request({ op: 'eval', code: inPlace(form) }, (message) => {
      if (isOver) return this.#unrouted(message);
      this.#write('stdout', textOf(message, 'out') ?? '');
      values.add(textOf(message, 'value'));
      // `err` under the request's own id is the message of its error, and `ex` after it the same at length.
      failures.add(textOf(message, 'err'));
      failures.add(textOf(message, 'ex'));
      this.#follow(message);
    });
    const reply = await Promise.race([replied, givenUp]);
    isOver = true;
    if (reply === 'given up') return { kind: 'interrupted', values: [] };
    if (!reply.done) return { kind: 'lost', values: values.texts };
    const failure = failures.texts[0] ?? (reply.failed ? 'error' : undefined);
    if (failure === undefined) return { kind: 'values', values: await this.#settled(values.texts) };
    const printed = await this.ask('(lisp-harbor.image/print-condition)');
    if (printed === null) return { kind: 'lost', values: values.texts };
    return { kind: 'error', values: values.texts, condition: conditionFrom(printed, failure.trimEnd()) };
  }

  /** Makes what code needs that loads or tests. */
  async prepare(code: string): Promise<void> {
    if (!/\(lisp-harbor\.(?:loading|testing)\//.test(code)) return;
    await this.ask(
      "(lisp-harbor.image/keep-history 'user) (require '[cljs.test]) (run! lisp-harbor.image/load-sources [:questions :work]) (lisp-harbor.image/restore-history)",
    );
  }

  /** The server prints a promise with what it came to inside. */
  async #settled(values: string[]): Promise<string[]> {
    if (!values.at(-1)?.startsWith('#<Promise ')) return values;
    const printed = await this.ask('(lisp-harbor.image/print-settled) (lisp-harbor.image/restore-history)');
    return printed ? [...values.slice(0, -1), printed] : values;
  }

  /**
   * Goes to a namespace that exists. The server's own argument for it counts only until the first evaluation, so
   * it takes a `ns` form.
   */
  async enter(namespace: string): Promise<FormOutcome> {
    if (namespace !== this.namespace && NAMESPACE.test(namespace)) {
      const answer = await this.ask(
        `(lisp-harbor.image/keep-history '${namespace}) (ns ${namespace}) (lisp-harbor.image/restore-history)`,
      );
      if (answer === null) return { kind: 'lost', values: [] };
    }
    if (namespace === this.namespace) return { kind: 'values', values: [] };
    return {
      kind: 'error',
      values: [],
      condition: conditionFrom('', `There is no namespace ${namespace}; make it with (ns ${namespace}).`),
    };
  }

  /** Evaluates a question, between forms, and answers what it printed; null when the server is gone. */
  async ask(code: string): Promise<string | null> {
    let printed = '';
    const reply = await this.#client.request({ op: 'eval', code, ...TERSE }, (message) => {
      if (printed.length < LONGEST_ANSWER) printed += textOf(message, 'out') ?? '';
      this.#follow(message);
    });
    return reply.done ? printed : null;
  }

  /** Output of the process itself, and what code prints after its evaluation is done. */
  #unrouted(message: NreplMessage): void {
    const told = textOf(message, TOLD);
    if (told !== undefined) this.#tell(told);
    this.#write('stdout', textOf(message, 'out') ?? '');
    this.#write('stderr', textOf(message, 'err') ?? '');
  }

  /** Messages name the namespace; before the first value the server leaves it empty. */
  #follow(message: NreplMessage): void {
    this.namespace = textOf(message, 'ns') || this.namespace;
  }
}

/**
 * The form with as much blank text in front of it as it had in its source: the server has no argument for lines
 * and columns. Far down in a large source that would cost more than it tells.
 */
function inPlace({ code, line, column }: PlacedForm): string {
  return line > 5000 || column > 1000 ? code : `${'\n'.repeat(line)}${' '.repeat(column)}${code}`;
}
