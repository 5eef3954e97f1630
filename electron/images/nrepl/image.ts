/**
 * An image behind an nREPL server, one session of it: Clojure that we started, or a server that somebody else did. Code
 * goes to it form by form, so that each form has its own values; the namespace is kept here and named with each.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Condition, EngineName, FormResult, SandboxReport } from '../../contract/model';
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
} from '../image';
import { asComment, type ImageOutput } from '../image-output';
import type { MadeOf } from '../made-of';
import type { Heartbeat, Knowledge, Loader } from '../optional-groups';
import { unsafeReading } from '../safe-read';
import type { NreplClient, NreplMessage } from './client';
import { conditionFrom } from './condition';
import { unbalanced } from './delimiters';
import { ClojureExceptions } from './exceptions';
import { ClojureInspector } from './inspector';
import { NreplLoader, NreplReport } from './loader';
import { type FormContext, type FormOutcome, NreplSession } from './nrepl-session';
import { checkedForms } from './placed-forms';
import { NreplQueries } from './queries';
import { NreplQuestions } from './questions';
import type { ServerFacts } from './server-facts';
import { serverKnowledge } from './server-knowledge';
import { ClojureTaps, KEEPS_TAPS } from './taps';

/** An evaluation that has only just been sent is not yet where the server can stop it. */
const INTERRUPT = { pause: 50, count: 20 } as const;

/** What an image is connected to. */
export interface NreplBackend {
  engine: EngineName;
  client: NreplClient;
  facts: ServerFacts;
  output: ImageOutput;
  sandbox: SandboxReport;
  introduction?: string;
  /** Absent of a server that is not ours. */
  madeOf?: MadeOf;
  /** Settles when the process, or the connection, is gone. */
  ended: Promise<ImageEnd>;
  usage(): Promise<Usage | null>;
  activity?(): Promise<Activity | null>;
  privateEntries?(): Promise<readonly PrivateEntries[]>;
  /** Ends the process, or the connection of a server that is not ours. */
  end(): Promise<void>;
  /** Folder of our own Clojure code for questions, resources/clojure. */
  questions: string;
  /** Whether that code is on its classpath, compiled; else it is sent. */
  hasOwnCode?: boolean;
  /** Absent where no image of ours can take this one's place. */
  replayer?: Replayer;
  /** Of a server that is not ours. */
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
  readonly #backend: NreplBackend;
  readonly #session: NreplSession;
  readonly #questions: NreplQuestions;
  #package = 'user';
  /** The evaluation that runs, and whether it was told to stop. */
  #running: { id: number; stopped: boolean; settled: Promise<unknown> } | null = null;

  /** null when the server does not give us a session. */
  static async on(backend: NreplBackend, packageName?: string): Promise<NreplImage | null> {
    const session = await NreplSession.clone(backend.client);
    return session && new NreplImage(backend, session, packageName);
  }

  private constructor(backend: NreplBackend, session: NreplSession, packageName = 'user') {
    this.#backend = backend;
    this.#session = session;
    this.#questions = new NreplQuestions(backend.client, session, backend.questions, backend.hasOwnCode);
    this.#package = packageName;
    if (backend.heartbeat) this.heartbeat = backend.heartbeat;
    if (backend.replayer) this.replayer = backend.replayer;
    const queries = new NreplQueries(this.#questions);
    const { client, facts, questions: folder } = backend;
    const namespace = () => this.#package;
    const knowledge = serverKnowledge({ client, session, facts, folder, queries, namespace });
    if (knowledge) this.knowledge = knowledge;
    if (facts.clojure) {
      this.inspector = new ClojureInspector(queries);
      this.exceptions = new ClojureExceptions(queries);
      this.taps = new ClojureTaps(queries);
      this.loader = new NreplLoader('clojure.test');
      void this.#prepare('');
    }
  }

  /** Gives the server what `code` needs of ours; an image of ours also what keeps taps, from its first evaluation on. */
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

  get introduction(): string | undefined {
    return this.#backend.introduction;
  }

  get outdatedBy(): string | null {
    return this.#backend.madeOf?.changed ?? null;
  }

  prompt(): string {
    return `${this.#package}=> `;
  }

  async evaluate(request: EvaluateRequest, sink: OutputSink): Promise<ImageOutcome> {
    const { output } = this.#backend;
    const earlier = output.attach(sink);
    const { promise: settled, resolve } = Promise.withResolvers<void>();
    this.#running = { id: request.id, stopped: false, settled };
    const outcome = await this.#run(request, sink);
    this.#running = null;
    resolve();
    await output.caughtUp();
    output.detach();
    return { ...outcome, notes: [...earlier, ...outcome.notes] };
  }

  /** nREPL's own interrupt keeps all state. Code that catches every Throwable may run on after it. */
  async interrupt(id: number, _step: InterruptStep): Promise<boolean> {
    const running = this.#running;
    if (running?.id !== id) return true;
    running.stopped = true;
    for (let sent = 0; sent < INTERRUPT.count && this.#running === running; sent += 1) {
      const answer = await this.#session.interrupt();
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
    // What is ours goes with its process.
    if (this.#backend.heartbeat) await this.taps?.leave();
    await this.#backend.end();
  }

  async #run(request: EvaluateRequest, sink: OutputSink): Promise<ImageOutcome> {
    const { code, package: asked } = request;
    const forms: FormResult[] = [];
    const notes: string[] = [];
    let namespace = asked ?? this.#package;
    const source = checkedForms(code);
    if (source.problem !== null) return this.#unread(unbalanced(source.problem));
    const unsafe = unsafeReading(request, 'clojure');
    if (unsafe !== null) return this.#unread(unsafe);
    let last: FormOutcome = { kind: 'values', values: [], truncated: false };
    const told = new NreplReport();
    await this.#prepare(code);
    for (const [index, form] of source.forms.entries()) {
      if (this.#running?.stopped) {
        last = { kind: 'interrupted', values: [] };
        break;
      }
      const context = this.#context(request, sink, (text) => this.#receive(told, text, index, sink));
      last = await this.#session.evaluate(form, namespace, context, (now) => {
        namespace = now;
      });
      if (last.kind === 'error') last = (await this.inspector?.unprinted(last.said, notes)) ?? last;
      const values = last.values.map((value) => value.slice(0, limitOf(request)));
      if (values.length > 0) forms.push({ code: form.code, values });
      if (last.kind !== 'values') break;
      // Not every server keeps the limit that it is told.
      if (last.truncated || values.some((value, at) => value !== last.values[at]))
        notes.push(`A value was cut to ${limitOf(request)} characters.`);
    }
    // A namespace that was asked for holds for this evaluation; one that the code went to is kept.
    if (asked === undefined) this.#package = namespace;
    if (last.kind === 'error') this.exceptions?.noteFailure(request.id);
    if (request.keepValues && last.kind === 'values' && forms.length > 0)
      notes.push(...((await this.inspector?.keep(request.id)) ?? []));
    return {
      ...(await this.#outcome(last, forms, [...notes, ...told.notes])),
      warnings: told.warnings,
      ...told.told,
    };
  }

  #unread(condition: Condition): ImageOutcome {
    return { package: this.#package, forms: [], warnings: [], notes: [], outcome: 'error', condition };
  }

  #context(request: EvaluateRequest, sink: OutputSink, told: (text: string) => void): FormContext {
    const { output, facts } = this.#backend;
    return {
      write: (stream, text) => output.write(stream, text, sink),
      told,
      input: request.input,
      limit: limitOf(request),
      ...(facts.clojure ? { file: `evaluation ${request.id}` } : {}),
    };
  }

  #receive(told: NreplReport, text: string, form: number, sink: OutputSink): void {
    const warning = told.receive(text, form);
    if (warning) this.#backend.output.writeLine('warnings', asComment(warning), sink);
  }

  async #outcome(last: FormOutcome, forms: FormResult[], notes: string[]): Promise<ImageOutcome> {
    const ended = { package: this.#package, forms, warnings: [], condition: null, notes };
    switch (last.kind) {
      case 'values':
        return { ...ended, outcome: 'ok' };
      case 'interrupted':
        return { ...ended, outcome: 'interrupted' };
      case 'refused':
        return { ...ended, outcome: 'error', condition: conditionFrom(null, 'refused', last.failure) };
      case 'error':
        return { ...ended, outcome: 'error', condition: await this.#condition(last) };
      case 'lost': {
        const { description } = await this.ended;
        return { ...ended, outcome: 'crashed', notes: [...notes, `${description}.`] };
      }
    }
  }

  /** What the server says of an error in one word, or, where Clojure can be asked, all of it. */
  async #condition({ failure, said }: { failure: string; said: string }) {
    const answer = this.#backend.facts.clojure
      ? await this.#questions.ask('(lisp-harbor.conditions/print-condition *e)')
      : null;
    return conditionFrom(answer && 'printed' in answer ? answer.printed : null, failure, said);
  }
}

function limitOf({ maxChars }: EvaluateRequest): number {
  return maxChars ?? LONGEST_VALUE;
}

/** What futures and threads print when their evaluation is over. */
export function lateOutput(output: ImageOutput): (message: NreplMessage) => void {
  return ({ out, err }) => {
    if (typeof out === 'string') output.write('stdout', out);
    if (typeof err === 'string') output.write('stderr', err);
  };
}
