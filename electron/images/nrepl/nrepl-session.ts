/** One session of an nREPL server, as `clone` makes it: evaluates form by form, so that each has its own values. */
import type { InputSource } from '../image';
import { type NreplClient, type NreplMessage, type NreplReply, textOf } from './client';
import { KeptTexts } from './kept-texts';
import { TOLD } from './loader';
import type { PlacedForm } from './placed-forms';

/** What became of one form. `failure` names the class of an error, or prints it whole; `said` is what stderr had of it. */
export type FormOutcome =
  | { kind: 'values'; values: string[]; truncated: boolean }
  | { kind: 'error'; values: string[]; failure: string; said: string }
  | { kind: 'refused'; values: string[]; failure: string }
  | { kind: 'interrupted'; values: string[] }
  | { kind: 'lost'; values: string[] };

/** Where output goes, and where code that reads gets its lines from. */
export interface FormContext {
  write(stream: 'stdout' | 'stderr', text: string): void;
  input: InputSource | undefined;
  /** Longest printed value in characters. */
  limit: number;
  /** Hears what our own code in the image tells beside values and output. */
  told?(text: string): void;
  /** What definitions note as their file, where the server can be told. */
  file?: string;
}

/** What `interrupt` was answered: `early` when the evaluation is not where the server can stop it. */
export type Interrupted = 'stopped' | 'early' | 'unable';

export class NreplSession {
  readonly id: string;
  readonly #client: NreplClient;
  /** The request that evaluates now. */
  #evaluating: string | null = null;

  /** A new session, or a copy of `parent` as it is at this moment. null when the server is gone or knows no `clone`. */
  static async clone(client: NreplClient, parent?: NreplSession): Promise<NreplSession | null> {
    let id: string | undefined;
    const { reply } = client.begin({ op: 'clone', ...(parent ? { session: parent.id } : {}) }, (message) => {
      id = textOf(message, 'new-session') ?? id;
    });
    await reply;
    return id === undefined ? null : new NreplSession(client, id);
  }

  private constructor(client: NreplClient, id: string) {
    this.#client = client;
    this.id = id;
  }

  /** Evaluates `form` in `namespace`; `follow` hears where the code has gone by then. */
  async evaluate(
    form: PlacedForm,
    namespace: string,
    context: FormContext,
    follow: (namespace: string) => void,
  ): Promise<FormOutcome> {
    const values = new KeptTexts();
    const failures = new KeptTexts();
    const said = new KeptTexts();
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
      },
      (message) => {
        collect(message, values, failures, context);
        said.add(textOf(message, 'err'));
        const now = textOf(message, 'ns');
        if (now) follow(now);
        if (asksForInput(message)) void this.#feed(context.input);
      },
    );
    this.#evaluating = id;
    const outcome = outcomeOf(await reply, values.texts, {
      failure: failures.texts[0],
      said: said.texts.join('').trim(),
    });
    this.#evaluating = null;
    return outcome;
  }

  /** Stops what evaluates now; the session stays as it is. */
  async interrupt(): Promise<Interrupted> {
    if (this.#evaluating === null) return 'early';
    const request = { op: 'interrupt', session: this.id, 'interrupt-id': this.#evaluating };
    const reply = await this.#client.request(request);
    if (!reply.done) return 'unable';
    if (reply.status.some((word) => NOT_NOW.has(word))) return 'early';
    return reply.failed || reply.status.includes('unknown-op') ? 'unable' : 'stopped';
  }

  async close(): Promise<void> {
    await this.#client.request({ op: 'close', session: this.id });
  }

  /** nREPL takes an empty text for the end of the input. */
  async #feed(input: InputSource | undefined): Promise<void> {
    const line = input ? await input() : null;
    await this.#client.request({ op: 'stdin', session: this.id, stdin: line === null ? '' : `${line}\n` });
  }
}

/** Why a server does not interrupt: nothing runs, or not what was meant. */
const NOT_NOW: ReadonlySet<string> = new Set(['session-idle', 'interrupt-id-mismatch']);

/** What a server refuses before it evaluates anything. */
const REFUSALS: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'namespace-not-found': 'There is no such namespace; make it with (ns …).',
    'unknown-session': 'The server does not know this session any more.',
    'unknown-op': 'The server cannot evaluate.',
    'no-code': 'There is no code.',
  }),
);

function collect(
  message: NreplMessage,
  values: KeptTexts,
  failures: KeptTexts,
  { write, told }: FormContext,
): void {
  const report = textOf(message, TOLD);
  if (report !== undefined) told?.(report);
  const [value, out, err, ex] = ['value', 'out', 'err', 'ex'].map((key) => textOf(message, key));
  values.add(value);
  if (out !== undefined) write('stdout', out);
  if (err !== undefined) write('stderr', err);
  failures.add(ex);
}

function asksForInput({ status }: NreplMessage): boolean {
  return Array.isArray(status) && status.includes('need-input');
}

function outcomeOf(
  reply: NreplReply,
  values: string[],
  { failure, said }: { failure: string | undefined; said: string },
): FormOutcome {
  if (!reply.done) return { kind: 'lost', values };
  const { status } = reply;
  if (status.includes('interrupted')) return { kind: 'interrupted', values };
  const refusal = status.map((word) => REFUSALS.get(word)).find((text) => text !== undefined);
  if (refusal !== undefined) return { kind: 'refused', values, failure: refusal };
  if (reply.failed || failure !== undefined)
    return { kind: 'error', values, failure: failure ?? saidIn(status), said };
  return { kind: 'values', values, truncated: status.includes('nrepl.middleware.print/truncated') };
}

/** What the status of a failure says of it, where nothing else does. */
function saidIn(status: readonly string[]): string {
  const words = status.filter((word) => !['done', 'error', 'eval-error'].includes(word));
  return words.length === 0 ? 'error' : `The server says ${words.join(', ')}.`;
}
