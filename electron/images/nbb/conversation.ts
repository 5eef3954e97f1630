/**
 * The conversation with nbb's nREPL server: one form at a time, and between forms the questions of
 * resources/nbb/image.cljs. It follows which namespace the server is in.
 */
import type { Duplex } from 'node:stream';
import type { Condition, Stream } from '../../contract/model';
import { NreplClient, type NreplMessage, textOf } from '../nrepl/client';
import type { PlacedForm } from '../nrepl/placed-forms';
import { TERSE } from '../nrepl/sci-queries';
import { conditionFrom } from './condition';

/** What became of one form; `values` has none for a form that reads as nothing, such as `#?(:clj 1)`. */
export type FormOutcome =
  | { kind: 'values'; values: string[] }
  | { kind: 'error'; values: string[]; condition: Condition }
  | { kind: 'lost'; values: string[] };

/** A symbol that may name a namespace; anything else would be read as other code. */
const NAMESPACE = /^[^\s,"();[\]{}\\@^`~'#:\d][^\s,"();[\]{}\\@^`~]*$/;

export class NbbConversation {
  /** Where the server stands: what the next form is read and evaluated in. */
  namespace = 'user';
  /** Settles when the server is gone. */
  readonly ended: Promise<unknown>;
  readonly #client: NreplClient;
  readonly #write: (stream: Stream, text: string) => void;

  /** `write` gets all output that is no answer to a question; it may be empty. */
  constructor(wire: Duplex, write: (stream: Stream, text: string) => void) {
    this.#write = write;
    this.#client = new NreplClient(wire, {
      lengths: 'utf16',
      onUnrouted: (message) => this.#unrouted(message),
    });
    this.ended = this.#client.ended;
  }

  close(): void {
    void this.#client.close();
  }

  /** Asks the server what it is; false when it is gone instead. */
  async answers(): Promise<boolean> {
    return (await this.#client.request({ op: 'describe' })).done;
  }

  async evaluate(form: PlacedForm): Promise<FormOutcome> {
    const values: string[] = [];
    const failures: string[] = [];
    const reply = await this.#client.request({ op: 'eval', code: inPlace(form) }, (message) => {
      this.#write('stdout', textOf(message, 'out') ?? '');
      values.push(...textsOf(message, 'value'));
      // `err` under the request's own id is the message of its error, and `ex` after it the same at length.
      failures.push(...textsOf(message, 'err'), ...textsOf(message, 'ex'));
      this.#follow(message);
    });
    if (!reply.done) return { kind: 'lost', values };
    const failure = failures[0] ?? (reply.failed ? 'error' : undefined);
    if (failure === undefined) return { kind: 'values', values };
    const printed = await this.ask('(lisp-harbor.image/print-condition)');
    if (printed === null) return { kind: 'lost', values };
    return { kind: 'error', values, condition: conditionFrom(printed, failure.trimEnd()) };
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
      printed += textOf(message, 'out') ?? '';
      this.#follow(message);
    });
    return reply.done ? printed : null;
  }

  /** Output of the process itself, and what code prints after its evaluation is done. */
  #unrouted(message: NreplMessage): void {
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

function textsOf(message: NreplMessage, key: string): string[] {
  const text = textOf(message, key);
  return text === undefined ? [] : [text];
}
