/**
 * A connection to a Swank server that somebody else started: evaluations in the connection's own REPL thread, the
 * debugger and interrupts by Swank's protocol. Closing it ends the connection and never the server.
 */
import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { asFailure, HarborError } from '../../contract/errors';
import type { Usage } from '../../launchers/launcher';
import { ATTACHED } from '../attachable';
import type { EvaluateRequest, Image, ImageEnd, ImageOutcome, InterruptStep, OutputSink } from '../image';
import { ImageOutput } from '../image-output';
import type { LevelWatcher } from '../optional-groups';
import { SwankClient, type SwankThread } from './client';
import { SwankDebugger } from './debugger';
import { SwankEvaluation } from './evaluation';
import { greet } from './greeting';
import { HeldThreads } from './held-threads';
import { SwankInput } from './input';
import { SwankInspector } from './inspector';
import { SwankKnowledge } from './knowledge';
import { leaving, leftToTheServer } from './leaving';
import { SwankQuestions } from './questions';
import { describeServer, type ServerFacts } from './server-facts';
import { isNil, isSymbol, lispBoolean, lispCall, propertyList, type Sexp } from './sexp';
import type { Debug, SwankEvent } from './swank-events';

/** Milliseconds in which a server that is not stuck answers, be its machine busy or its collector at work. */
const ANSWER_MS = 5_000;

/** Milliseconds between two interrupts of one step, and how many there are. */
const INTERRUPTS = {
  /** More than one only while the code is where it cannot be stopped: it has not begun, or Swank sends its output. */
  cooperative: { pause: 50, count: 20 },
  /** Each one ends the cleanup form that the one before it began. */
  insistent: { pause: 200, count: 10 },
} as const;

export interface AttachOptions {
  /** The server in words: `127.0.0.1:4005`. */
  address: string;
  /** Our own Lisp code, as `readHelper` answers it. */
  helper: string;
  /** The secret of `~/.slime-secret`, where there is one. */
  secret: string | null;
  package?: string | undefined;
  /** Why the server may be gone, in words that go after the reason of the connection's end. */
  afterwards: () => Promise<string>;
}

export class SwankImage implements Image {
  readonly engine = 'swank';
  readonly sandbox = ATTACHED;
  readonly debugger: SwankDebugger;
  readonly knowledge: SwankKnowledge;
  readonly inspector: SwankInspector;
  readonly ended: Promise<ImageEnd>;
  readonly #options: AttachOptions;
  readonly #client: SwankClient;
  readonly #questions: SwankQuestions;
  readonly #output = new ImageOutput();
  readonly #held = new HeldThreads();
  readonly #input: SwankInput;
  /** What was asked and is not settled: more than one only while the ones before are held in the debugger. */
  readonly #evaluations: SwankEvaluation[] = [];
  /** What the next evaluation is told. */
  readonly #news: string[] = [];
  #facts: ServerFacts = { implementation: 'Lisp', pid: null, threads: false, package: 'CL-USER' };
  #package = 'CL-USER';
  #endExpected = false;

  /** @throws HarborError `engine_failed` when what is at the other end of `wire` does not answer as Swank does */
  static async attach(wire: Duplex, options: AttachOptions): Promise<SwankImage> {
    const image = new SwankImage(wire, options);
    try {
      image.#facts = await greet(image.#questions, options.helper);
      image.#package = options.package ?? image.#facts.package;
      return image;
    } catch (error) {
      await image.end();
      const reason = asFailure(error).message;
      throw new HarborError('engine_failed', `${options.address} could not be attached: ${reason}`);
    }
  }

  private constructor(wire: Duplex, options: AttachOptions) {
    this.#options = options;
    this.#client = new SwankClient(wire, (event) => this.#receive(event));
    this.#questions = new SwankQuestions(this.#client);
    this.#input = new SwankInput(this.#client);
    this.debugger = new SwankDebugger(this.#questions, this.#held);
    this.knowledge = new SwankKnowledge(this.#questions, () => this.#package);
    this.inspector = new SwankInspector(this.#questions, () => this.#package);
    this.ended = this.#watchEnd();
    if (options.secret !== null) this.#client.authenticate(options.secret);
  }

  get package(): string {
    return this.#package;
  }

  /** What whoever uses it must know, once. */
  get introduction(): string {
    return `${describeServer(this.#facts, this.#options.address)} Definitions and global variables are shared with all who use it; closing this session leaves it running.`;
  }

  prompt(level = 0): string {
    return level === 0 ? `${this.#package}> ` : `${this.#package}[${level}]> `;
  }

  async evaluate(request: EvaluateRequest, sink: OutputSink, levels?: LevelWatcher): Promise<ImageOutcome> {
    const thread = this.#held.innermost?.debug.thread ?? 'repl';
    const evaluation = new SwankEvaluation(request, sink, { package: this.#package, levels });
    const earlier = [...this.#news.splice(0), ...this.#output.attach(sink)];
    this.#evaluations.push(evaluation);
    const { id, reply } = this.#client.request(evaluating(evaluation), thread, evaluation.package);
    evaluation.requestId = id;
    evaluation.over = reply;
    const settled = await reply;
    if (settled.reply === 'aborted') await this.#caughtUp(thread);
    const lostBecause = settled.reply === 'lost' ? [`${(await this.ended).description}.`] : [];
    this.#evaluations.splice(this.#evaluations.indexOf(evaluation), 1);
    this.#giveOutputBack();
    const outcome = evaluation.outcome(settled);
    if (request.package === undefined) this.#package = outcome.package;
    return { ...outcome, package: this.#package, notes: [...earlier, ...outcome.notes, ...lostBecause] };
  }

  /** A server without threads reads nothing while it evaluates, so it cannot be told. */
  async interrupt(id: number, step: InterruptStep): Promise<boolean> {
    const evaluation = this.#evaluations.find((each) => each.id === id);
    if (!evaluation) return true;
    if (!this.#facts.threads) return false;
    evaluation.interrupting = true;
    // Code that waits for its input is in Swank's hands; the end of the input brings it back.
    this.#input.giveUp();
    const { pause, count } = INTERRUPTS[step];
    let told = false;
    for (let sent = 0; sent < count; sent += 1) {
      const answer = await this.#tellToStop(evaluation, step === 'insistent');
      if (answer === 'none') return told;
      told ||= answer === 'told';
      if (told && step === 'cooperative') return true;
      const over = await Promise.race([
        evaluation.over.then(() => true),
        delay(pause, false, { ref: false }),
      ]);
      if (over) return true;
    }
    return told;
  }

  /** Whatever the server says of its process, it is not ours to watch. */
  async usage(): Promise<Usage | null> {
    return null;
  }

  async end(): Promise<void> {
    this.#endExpected = true;
    this.#client.close();
    await this.ended;
  }

  #receive(event: SwankEvent): void {
    switch (event.event) {
      case 'output':
        this.#output.write(isSymbol(event.target, ':lisp-harbor-stderr') ? 'stderr' : 'stdout', event.text);
        break;
      case 'told':
        this.#evaluations.find(({ id }) => id === event.facts[0])?.told(event.kind, event.facts);
        break;
      case 'debug':
        this.#debugged(event.debug);
        break;
      case 'debug-return':
        this.#held.leave(event);
        break;
      case 'read-string':
        void this.#input.answer(event, this.#evaluations.at(-1));
        break;
      case 'read-aborted':
        this.#input.aborted(event.tag);
        break;
      case 'asked':
        this.#tell(
          `The code asked an editor (${event.what}); a harbor is none, so it was answered with nothing.`,
        );
        break;
      default:
    }
  }

  /** A thread of the server waits in the debugger. */
  #debugged(debug: Debug): void {
    if (this.#held.refresh(debug) || this.#questions.debugged(debug)) return;
    const evaluation = this.#evaluations.find(({ requestId }) => requestId === debug.requests[0]);
    if (!evaluation) this.#somebodyElses(debug);
    else if (evaluation.holds) this.#held.hold(debug, evaluation);
    else {
      evaluation.failed(debug, this.#held.depth + 1);
      this.#do(debug, leaving(debug));
    }
  }

  /** What the server says: `early` when the code is where it cannot be stopped, `none` when the server is stuck. */
  async #tellToStop({ id }: SwankEvaluation, again: boolean): Promise<'told' | 'early' | 'none'> {
    const question = lispCall('lisp-harbor.swank:interrupt', id, lispBoolean(again));
    try {
      return isNil(await this.#questions.ask(question, { milliseconds: ANSWER_MS })) ? 'early' : 'told';
    } catch {
      return 'none';
    }
  }

  /** What a thread prints while it is unwound comes after its answer, and before its next one. */
  async #caughtUp(thread: SwankThread): Promise<void> {
    await this.#questions.answerTo([], { thread, milliseconds: ANSWER_MS }).catch(() => undefined);
  }

  /** An error in a thread of somebody else's: Swank sends it here while no editor is connected. */
  #somebodyElses(debug: Debug): void {
    this.#do(debug, leftToTheServer());
    this.#tell(
      `Thread ${debug.thread} of the server signalled ${debug.type} (${debug.message}); no session evaluates there, so it was left to the server's own debugger.`,
    );
  }

  #do(debug: Debug, form: Sexp): void {
    this.#client.request(form, debug.thread, 'CL-USER');
  }

  #tell(note: string): void {
    (this.#evaluations.at(-1)?.notes ?? this.#news).push(note);
  }

  /** What is printed belongs to the innermost evaluation. */
  #giveOutputBack(): void {
    const outer = this.#evaluations.at(-1);
    if (outer) this.#output.attach(outer.sink);
    else this.#output.detach();
  }

  async #watchEnd(): Promise<ImageEnd> {
    const reason = await this.#client.ended;
    this.#held.clear();
    const expected = this.#endExpected;
    const afterwards = expected ? '' : await this.#options.afterwards();
    const description = expected
      ? `the connection to the Swank server at ${this.#options.address} was closed`
      : `The Swank server at ${this.#options.address} is lost: ${reason}${afterwards}`;
    return { description, expected };
  }
}

/** The request that evaluates; resources/swank/evaluation.lisp. */
function evaluating({ request, package: packageName, limit }: SwankEvaluation): Sexp {
  const { id, code, frame, keepValues, safeRead, level = 0 } = request;
  const options = propertyList({
    package: packageName,
    limit,
    // Only what is held has a stack to look at.
    frame: level > 0 ? frame : undefined,
    keep: keepValues,
    safe: safeRead,
  });
  return lispCall('lisp-harbor.swank:evaluate', code, id, ...options);
}
