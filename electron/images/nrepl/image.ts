/**
 * An image behind one session of an nREPL server, started by us or attached to. Code is sent form by form, so
 * that each form has its own values; the namespace is tracked here and sent with each form.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Condition, EngineName, FormResult, SandboxReport } from '../../contract/model';
import { type Note, note } from '../../contract/note';
import { boundedJsonOrUndefined } from '../../host/json';
import type { Activity, PrivateEntries, Usage } from '../../launchers/launcher';
import {
  type EvaluateRequest,
  type Image,
  type ImageEnd,
  type ImageOutcome,
  type InterruptStep,
  LONGEST_VALUE,
  type OutputSink,
  type Replayer,
  readerEvaluationError,
} from '../image';
import { asComment, type ImageOutput } from '../image-output';
import type { LaunchFingerprint } from '../launch-fingerprint';
import type { Heartbeat, Knowledge, Loader, RelayedRequest } from '../optional-groups';
import type { NreplClient, NreplMessage, ServerFacts } from './client';
import { checkedForms, unbalanced } from './clojure-code';
import { ClojureExceptions, ClojureInspector, ClojureTaps, KEEPING, KEEPS_TAPS } from './inspector';
import { serverKnowledge } from './knowledge';
import { NreplLoader, NreplReport } from './loader';
import { type FormContext, type FormOutcome, type Interrupted, NreplSession } from './nrepl-session';
import { NreplQueries, SideEvaluator } from './queries';
import { NreplRelay, type RelayedEvaluation } from './relay';

/** An evaluation that was just sent cannot be interrupted yet, so the request is repeated. */
const INTERRUPT = { pause: 50, count: 20 } as const;

/** The connection and services of an image. */
interface NreplBackend {
  engine: EngineName;
  client: NreplClient;
  facts: ServerFacts;
  output: ImageOutput;
  sandbox: SandboxReport;
  introduction?: readonly Note[];
  /** Absent for a foreign server. */
  fingerprint?: LaunchFingerprint;
  /** Resolves when the process or the connection has ended. */
  ended: Promise<ImageEnd>;
  usage(): Promise<Usage | null>;
  activity?(): Promise<Activity | null>;
  privateEntries?(): Promise<readonly PrivateEntries[]>;
  /** Ends the process, or the connection to a foreign server. */
  end(): Promise<void>;
  /** Folder of our own Clojure code for queries, resources/clojure. */
  questions: string;
  /** Whether that code is already compiled on the classpath; otherwise it is sent. */
  hasOwnCode?: boolean;
  /** Absent if the image cannot be replaced by a new one. */
  replayer?: Replayer;
  /** Present for a foreign server. */
  heartbeat?: Heartbeat;
}

export class NreplImage implements Image {
  readonly heartbeat?: Heartbeat;
  readonly inspector?: ClojureInspector;
  readonly exceptions?: ClojureExceptions;
  readonly taps?: ClojureTaps;
  readonly knowledge?: Knowledge;
  readonly loader?: Loader;
  readonly replayer?: Replayer;
  readonly nrepl: NreplRelay;
  readonly #backend: NreplBackend;
  readonly #session: NreplSession;
  readonly #questions: SideEvaluator;
  readonly #queries: NreplQueries;
  readonly calls?: (id: number) => Promise<readonly string[]>;
  #package = 'user';
  /** The running evaluation, and whether it was interrupted. */
  #running: {
    id: number;
    stopped: boolean;
    settled: Promise<unknown>;
    /** The calls in progress when it was interrupted. */
    place: readonly string[];
    /** The session of the server in which it runs. */
    session: string;
    interrupt: () => Promise<Interrupted>;
  } | null = null;

  /** Returns null if the server does not create a session. */
  static async on(backend: NreplBackend, packageName?: string): Promise<NreplImage | null> {
    const session = await NreplSession.clone(backend.client);
    return session && new NreplImage(backend, session, packageName);
  }

  private constructor(backend: NreplBackend, session: NreplSession, packageName = 'user') {
    this.#backend = backend;
    this.#session = session;
    this.#questions = new SideEvaluator(backend.client, session, backend.questions, backend.hasOwnCode);
    this.#package = packageName;
    this.nrepl = new NreplRelay(backend.client);
    if (backend.heartbeat) this.heartbeat = backend.heartbeat;
    if (backend.replayer) this.replayer = backend.replayer;
    const queries = new NreplQueries(this.#questions);
    this.#queries = queries;
    const { client, facts, questions: folder } = backend;
    const namespace = () => this.#package;
    const knowledge = serverKnowledge({ client, session, facts, folder, queries, namespace });
    if (knowledge) this.knowledge = knowledge;
    if (facts.clojure) {
      this.inspector = new ClojureInspector(queries);
      this.exceptions = new ClojureExceptions(queries);
      this.taps = new ClojureTaps(queries);
      this.loader = new NreplLoader('clojure.test');
      this.calls = (id) => this.#calls(id);
      void this.#prepare('');
    }
  }

  /**
   * Loads the parts of our own code that `code` uses; in our own images also the tap handler, from the first
   * evaluation on.
   */
  async #prepare(code: string): Promise<void> {
    const { facts, heartbeat } = this.#backend;
    if (facts.clojure) await this.#questions.prepare(heartbeat ? code : `${code} ${KEEPS_TAPS}`);
  }

  get engine(): EngineName {
    return this.#backend.engine;
  }

  get sandbox(): SandboxReport {
    return this.#backend.sandbox;
  }

  get ended(): Promise<ImageEnd> {
    return this.#backend.ended;
  }

  get package(): string {
    return this.#package;
  }

  get introduction(): readonly Note[] | undefined {
    return this.#backend.introduction;
  }

  get outdatedBy(): string | null {
    return this.#backend.fingerprint?.changed ?? null;
  }

  prompt(): string {
    return `${this.#package}=> `;
  }

  async evaluate(request: EvaluateRequest, sink: OutputSink): Promise<ImageOutcome> {
    const { output } = this.#backend;
    const earlier = output.attach(sink);
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    const relayed = request.relayed && this.nrepl.evaluation(this.#placed(request.relayed, request.id), sink);
    const session = relayed?.session ?? this.#session.id;
    const interrupt = () => (relayed ?? this.#session).interrupt();
    this.#running = { id: request.id, stopped: false, settled, place: [], session, interrupt };
    const outcome = await (relayed ? this.#relay(relayed, request) : this.#run(request, sink));
    this.#running = null;
    resolve();
    await output.caughtUp();
    output.detach();
    return { ...outcome, notes: [...earlier, ...outcome.notes] };
  }

  /** Reads the stack of the thread that evaluates. */
  async #calls(id: number): Promise<readonly string[]> {
    const running = this.#running;
    if (running?.id !== id) return [];
    const question = 'lisp-harbor.conditions/thread-frames';
    const frames = await this.#queries
      .query(question, { session: running.session }, z.array(Frame))
      .catch(() => []);
    const { own } = partedCalls(frames);
    return own.slice(0, MOST_OWN_CALLS);
  }

  /** nREPL's interrupt preserves all state. Code that catches every Throwable may continue. */
  async interrupt(id: number, _step: InterruptStep): Promise<boolean> {
    const running = this.#running;
    if (running?.id !== id) return true;
    if (!running.stopped && this.calls)
      running.place = await Promise.race([this.calls(id), delay(PLACE_MS, [], { ref: false })]);
    running.stopped = true;
    for (let sent = 0; sent < INTERRUPT.count && this.#running === running; sent += 1) {
      const answer = await running.interrupt();
      if (answer !== 'early') return answer === 'stopped';
      await Promise.race([running.settled, delay(INTERRUPT.pause, undefined, { ref: false })]);
    }
    return this.#running !== running;
  }

  usage(): Promise<Usage | null> {
    return this.#backend.usage();
  }

  async activity(): Promise<Activity | null> {
    return (await this.#backend.activity?.()) ?? null;
  }

  async privateEntries(): Promise<readonly PrivateEntries[]> {
    return (await this.#backend.privateEntries?.()) ?? [];
  }

  async end(): Promise<void> {
    // In our own images it ends with the process.
    if (this.#backend.heartbeat) await this.taps?.leave();
    await this.#backend.end();
  }

  async #run(request: EvaluateRequest, sink: OutputSink): Promise<ImageOutcome> {
    const { code, package: requested } = request;
    const forms: FormResult[] = [];
    const notes: Note[] = [];
    let namespace = requested ?? this.#package;
    const source = checkedForms(code);
    if (source.problem !== null) return this.#unread(unbalanced(source.problem));
    const unsafe = readerEvaluationError(request, 'clojure');
    if (unsafe !== null) return this.#unread(unsafe);
    let last: FormOutcome = { kind: 'values', values: [], truncated: false };
    const report = new NreplReport(request.tests);
    await this.#prepare(request.keepValues ? `${code} ${KEEPING}` : code);
    for (const [index, form] of source.forms.entries()) {
      if (this.#running?.stopped) {
        last = { kind: 'interrupted', values: [] };
        break;
      }
      const context = this.#context(request, sink, (text) => this.#receive(report, text, index, sink));
      last = await this.#session.evaluate(form, namespace, context, (now) => {
        namespace = now;
      });
      if (last.kind === 'error') last = (await this.inspector?.unprinted(last.stderr, notes)) ?? last;
      const values = last.values.map((value) => value.slice(0, limitOf(request)));
      if (values.length > 0) forms.push({ code: form.code, values });
      if (last.kind !== 'values') break;
      // Not every server honors the limit.
      if (last.truncated || values.some((value, at) => value !== last.values[at]))
        notes.push(note('value_cut', `A value was cut to ${limitOf(request)} characters.`));
    }
    // A requested namespace applies to this evaluation only; one that the code entered is saved.
    if (requested === undefined) this.#package = namespace;
    if (last.kind === 'error') this.exceptions?.noteFailure(request.id);
    if (request.keepValues && last.kind === 'values' && forms.length > 0)
      notes.push(...((await this.inspector?.keep(request.id, true)) ?? []));
    return {
      ...(await this.#outcome(last, forms, [...notes, ...report.notes])),
      warnings: report.warnings,
      ...report.outcomePart(last),
    };
  }

  /** Runs an editor's evaluation in its own session of the server, whose namespace is not ours. */
  async #relay(relayed: RelayedEvaluation, { code }: EvaluateRequest): Promise<ImageOutcome> {
    const { last, values } = await relayed.outcome();
    const { forms: written } = checkedForms(code);
    const forms = values.map((value, at) => ({ code: written[at]?.code ?? code, values: [value] }));
    return this.#outcome(last, forms, [], relayed.session);
  }

  /** Definitions of a form that is in no file of the editor have their place in its row. */
  #placed({ message, receive }: RelayedRequest, id: number): RelayedRequest {
    const isTyped = this.#backend.facts.clojure && message.op === 'eval' && message.file === undefined;
    return isTyped ? { message: { ...message, file: fileOf(id) }, receive } : { message, receive };
  }

  #unread(condition: Condition): ImageOutcome {
    return { package: this.#package, forms: [], warnings: [], notes: [], outcome: 'error', condition };
  }

  #context(request: EvaluateRequest, sink: OutputSink, report: (text: string) => void): FormContext {
    const { output, facts } = this.#backend;
    return {
      write: (stream, text) => output.write(stream, text, sink),
      onReport: report,
      input: request.input,
      limit: limitOf(request),
      ...(facts.clojure ? { file: fileOf(request.id) } : {}),
      ...(facts.clojure && request.keepValues
        ? { printer: { print: KEEPING, options: { evaluation: request.id } } }
        : {}),
    };
  }

  #receive(report: NreplReport, text: string, form: number, sink: OutputSink): void {
    const warning = report.receive(text, form);
    if (warning) this.#backend.output.writeLine('warnings', asComment(warning), sink);
  }

  /** @param session the session of the server in which `*e` is the error; ours by default */
  async #outcome(
    last: FormOutcome,
    forms: FormResult[],
    notes: Note[],
    session?: string,
  ): Promise<ImageOutcome> {
    const ended = { package: this.#package, forms, warnings: [], condition: null, notes };
    switch (last.kind) {
      case 'values':
        return { ...ended, outcome: 'ok' };
      case 'interrupted': {
        const calls = this.#running?.place ?? [];
        const place = note('place', `It was interrupted in ${calls.join(' < ')}.`);
        return { ...ended, outcome: 'interrupted', notes: calls.length > 0 ? [...notes, place] : notes };
      }
      case 'refused':
        return { ...ended, outcome: 'error', condition: conditionFrom(null, 'refused', last.failure) };
      case 'error':
        return { ...ended, outcome: 'error', condition: await this.#condition(last, session) };
      case 'lost': {
        const { description } = await this.ended;
        return { ...ended, outcome: 'crashed', notes: [...notes, note('image_ended', `${description}.`)] };
      }
    }
  }

  /** Builds the condition from the server's error, or from the full exception if Clojure can be queried. */
  async #condition({ failure, stderr }: { failure: string; stderr: string }, session?: string) {
    const answer = this.#backend.facts.clojure
      ? await this.#questions.run('(lisp-harbor.conditions/print-condition *e)', session)
      : null;
    return conditionFrom(answer && 'printed' in answer ? answer.printed : null, failure, stderr);
  }
}

/** The name of the file in which the definitions of an evaluation are, for Clojure. */
function fileOf(id: number): string {
  return `evaluation ${id}`;
}

function limitOf({ maxChars }: EvaluateRequest): number {
  return maxChars ?? LONGEST_VALUE;
}

/** Handles output of futures and threads after their evaluation. */
export function lateOutput(output: ImageOutput): (message: NreplMessage) => void {
  return ({ out, err }) => {
    if (typeof out === 'string') output.write('stdout', out);
    if (typeof err === 'string') output.write('stderr', err);
  };
}

const Cause = z.object({ type: z.string(), message: z.string().nullish(), data: z.string().optional() });

const Frame = z.object({ call: z.string(), function: z.string() });

const Printed = z.object({
  causes: z.array(Cause).min(1),
  frames: z.array(Frame),
});

/** Namespaces of Clojure, Java and nREPL, whose frames surround the project's own. */
const OTHERS = /^(?:clojure\.|java\.|javax\.|jdk\.|sun\.|nrepl\.|lisp-harbor\.)/;

/** Maximum number of calls that say where code is. */
const MOST_OWN_CALLS = 4;
/** Maximum milliseconds to find that out before an interrupt. */
const PLACE_MS = 1_000;

/** Maximum number of frames in a condition, as in other engines. */
const MOST_FRAMES = 20;

/**
 * Builds the condition of a failed evaluation from the exception as printed by
 * resources/clojure/conditions.clj. `printed` is null if the server could not be queried; then `failure`
 * (perhaps the exception class) and its message are used. There are no restarts.
 */
export function conditionFrom(printed: string | null, failure: string, stderr: string): Condition {
  const { causes, frames } = parse(printed) ?? { causes: [], frames: [] };
  const [first, ...rest] = causes;
  // The compiler wraps exceptions; the one that the code threw is the last cause.
  const root = rest.at(-1) ?? first;
  const { own, others } = partedCalls(frames);
  const calls = [...own, ...others];
  const more = calls.length - MOST_FRAMES;
  return {
    type: root?.type ?? /^(?:class )?([\w.$]+)$/.exec(failure)?.[1] ?? 'Error',
    message: [root ? causeText(root) : stderr || failure, ...wrappers(causes)].join('\n'),
    level: 1,
    restarts: [],
    frames: calls.slice(0, MOST_FRAMES).map((call, index) => ({ index, call })),
    ...(more > 0 ? { omitted: { frames: more } } : {}),
  };
}

/** Returns the calls of the user's code, and all others. */
function partedCalls(frames: readonly z.infer<typeof Frame>[]): { own: string[]; others: string[] } {
  return {
    own: distinct(frames.filter(({ function: name }) => !OTHERS.test(name))),
    others: distinct(frames.filter(({ function: name }) => OTHERS.test(name))),
  };
}

/** Removes adjacent duplicates: one Clojure call is several JVM frames. */
function distinct(frames: readonly { call: string }[]): string[] {
  return frames.map(({ call }) => call).filter((call, index, calls) => call !== calls[index - 1]);
}

function wrappers(causes: readonly z.infer<typeof Cause>[]): string[] {
  return causes.slice(0, -1).map((cause) => `  thrown as ${cause.type}: ${causeText(cause)}`);
}

function causeText({ message, data }: z.infer<typeof Cause>): string {
  return [message ?? '', data ?? ''].filter((text) => text !== '').join(' ');
}

function parse(printed: string | null): z.infer<typeof Printed> | null {
  return Printed.safeParse(boundedJsonOrUndefined(printed ?? '')).data ?? null;
}
