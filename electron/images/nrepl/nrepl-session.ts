/**
 * One session of an nREPL server, created with `clone`. Evaluates form by form, so that each has its own
 * values.
 */

import { statusOf, textOf } from '../../host/bencode';
import { type InputSource, reportedPackage } from '../image';
import type { NreplClient, NreplMessage, NreplReply } from './client';
import type { PlacedForm } from './clojure-code';
import { REPORT_KEY } from './loader';

/**
 * The outcome of one form. `failure` is the class of an error or its text; `said` is what the error printed
 * to stderr.
 */
export type FormOutcome =
  | { kind: 'values'; values: string[]; truncated: boolean }
  | { kind: 'error'; values: string[]; failure: string; stderr: string }
  | { kind: 'refused'; values: string[]; failure: string }
  | { kind: 'interrupted'; values: string[] }
  | { kind: 'lost'; values: string[] };

/** Where output goes and input comes from. */
export interface FormContext {
  write(stream: 'stdout' | 'stderr', text: string): void;
  input: InputSource | undefined;
  /** Maximum characters of a printed value. */
  limit: number;
  /** Receives reports from our own code in the image. */
  onReport?(text: string): void;
  /** File name to record in definitions, if the server supports it. */
  file?: string;
  /** The function that prints values, and its options; absent: the server's. */
  printer?: { print: string; options: Readonly<Record<string, number>> };
}

/** The answer to `interrupt`: `early` if the evaluation cannot be interrupted yet. */
export type Interrupted = 'stopped' | 'early' | 'unable';

export class NreplSession {
  readonly id: string;
  readonly #client: NreplClient;
  /** Number of requests for input that are being answered. */
  #feeding = 0;
  /** The id of the running eval request. */
  #evaluating: string | null = null;

  /**
   * Creates a new session, or a copy of the current state of the one with the id `parent`. Returns null if the
   * server is gone or does not support `clone`.
   */
  static async clone(client: NreplClient, parent?: string): Promise<NreplSession | null> {
    let id: string | undefined;
    const { reply } = client.begin({ op: 'clone', ...(parent ? { session: parent } : {}) }, (message) => {
      id = textOf(message, 'new-session') ?? id;
    });
    await reply;
    return id === undefined ? null : new NreplSession(client, id);
  }

  private constructor(client: NreplClient, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** Evaluates `form` in `namespace`; `follow` is called with the namespace that the code enters. */
  async evaluate(
    form: PlacedForm,
    namespace: string,
    context: FormContext,
    follow: (namespace: string) => void,
  ): Promise<FormOutcome> {
    const values = new BoundedTexts();
    const failures = new BoundedTexts();
    const stderr = new BoundedTexts();
    const { id, reply } = this.#client.begin(
      {
        op: 'eval',
        session: this.id,
        code: form.code,
        ns: namespace,
        line: form.line + 1,
        column: form.column + 1,
        'nrepl.middleware.print/quota': context.limit,
        ...(context.file === undefined ? {} : { file: context.file }),
        ...(context.printer
          ? {
              'nrepl.middleware.print/print': context.printer.print,
              'nrepl.middleware.print/options': context.printer.options,
            }
          : {}),
      },
      (message) => {
        collect(message, values, failures, context);
        stderr.add(textOf(message, 'err'));
        const now = textOf(message, 'ns');
        if (now) follow(reportedPackage(now));
        if (needsInput(message) && this.#feeding < MOST_FEEDING) void this.#feed(context.input);
      },
    );
    this.#evaluating = id;
    const outcome = outcomeOf(await reply, values.texts, {
      failure: failures.texts[0],
      stderr: stderr.texts.join('').trim(),
    });
    this.#evaluating = null;
    return outcome;
  }

  /** Interrupts the running evaluation; the state of the session is preserved. */
  async interrupt(): Promise<Interrupted> {
    return this.#evaluating === null ? 'early' : interruptRequest(this.#client, this.id, this.#evaluating);
  }

  async close(): Promise<void> {
    await this.#client.request({ op: 'close', session: this.id });
  }

  /** nREPL treats an empty text as end of input. */
  async #feed(input: InputSource | undefined): Promise<void> {
    this.#feeding += 1;
    const line = input ? await input() : null;
    await this.#client.request({ op: 'stdin', session: this.id, stdin: line === null ? '' : `${line}\n` });
    this.#feeding -= 1;
  }
}

/** Maximum requests for input that are answered at the same time. A server waits for one. */
const MOST_FEEDING = 100;

/** Interrupts the request `id` of a session. */
export async function interruptRequest(
  client: NreplClient,
  session: string,
  id: string,
): Promise<Interrupted> {
  const reply = await client.request({ op: 'interrupt', session, 'interrupt-id': id });
  if (!reply.done) return 'unable';
  if (reply.status.some((word) => NOT_NOW.has(word))) return 'early';
  return reply.failed || reply.status.includes('unknown-op') ? 'unable' : 'stopped';
}

/** Status words for an interrupt that came too early: nothing runs, or a different request. */
const NOT_NOW: ReadonlySet<string> = new Set(['session-idle', 'interrupt-id-mismatch']);

/** Status words with which the server refuses to evaluate. */
const REFUSALS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'namespace-not-found': 'There is no such namespace; create it with (ns …).',
    'unknown-session': 'The server does not know this session any more.',
    'unknown-op': 'The server cannot evaluate code.',
    'no-code': 'There is no code.',
  }),
);

function collect(
  message: NreplMessage,
  values: BoundedTexts,
  failures: BoundedTexts,
  { write, onReport }: FormContext,
): void {
  const report = textOf(message, REPORT_KEY);
  if (report !== undefined) onReport?.(report);
  const [value, out, err, ex] = ['value', 'out', 'err', 'ex'].map((key) => textOf(message, key));
  values.add(value);
  if (out !== undefined) write('stdout', out);
  if (err !== undefined) write('stderr', err);
  failures.add(ex);
}

function needsInput(message: NreplMessage): boolean {
  return statusOf(message).includes('need-input');
}

export function outcomeOf(
  reply: NreplReply,
  values: string[],
  { failure, stderr }: { failure: string | undefined; stderr: string },
): FormOutcome {
  if (!reply.done) return { kind: 'lost', values };
  const { status } = reply;
  if (status.includes('interrupted')) return { kind: 'interrupted', values };
  const refusal = status.map((word) => REFUSALS.get(word)).find((text) => text !== undefined);
  if (refusal !== undefined) return { kind: 'refused', values, failure: refusal };
  if (reply.failed || failure !== undefined)
    return { kind: 'error', values, failure: failure ?? describeStatus(status), stderr };
  return { kind: 'values', values, truncated: status.includes('nrepl.middleware.print/truncated') };
}

/** Describes a failure by its status words, if there is nothing else. */
function describeStatus(status: readonly string[]): string {
  const words = status.filter((word) => !['done', 'error', 'eval-error'].includes(word));
  return words.length === 0 ? 'error' : `The server reports ${words.join(', ')}.`;
}

/** Maximum characters in total. */
const MOST_CHARACTERS = 16_000_000;

const MOST_TEXTS = 100_000;

export class BoundedTexts {
  readonly texts: string[] = [];
  #characters = 0;

  add(text: string | undefined): void {
    if (text === undefined || this.texts.length >= MOST_TEXTS || this.#characters > MOST_CHARACTERS) return;
    this.#characters += text.length;
    this.texts.push(text);
  }
}
