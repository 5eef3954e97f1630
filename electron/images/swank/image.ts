/**
 * An attached Swank or Slynk server: evaluations in the connection's REPL thread, debugger and interrupts by Swank's
 * protocol. Closing it ends the connection and never the server.
 */

import type { Duplex } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { asFailure, HarborError } from '../../contract/errors';
import type { EmacsProtocol } from '../../contract/harbor-status';
import { type Note, note } from '../../contract/note';
import type { Usage } from '../../launchers/launcher';
import { ATTACHED_SANDBOX } from '../attachable-servers';
import type { EvaluateRequest, Image, ImageEnd, ImageOutcome, InterruptStep, OutputSink } from '../image';
import { ImageOutput } from '../image-output';
import type { LevelWatcher } from '../optional-groups';
import { SwankClient, type SwankThread } from './client';
import { SuspendedThreads, SwankDebugger } from './debugger';
import { SwankEvaluation, SwankInput } from './evaluation';
import { type Dialect, describeServer, greet, type ServerFacts } from './handshake';

import { SwankInspector } from './inspector';
import { SwankKnowledge } from './knowledge';
import { SwankQueries } from './queries';
import { isNil, isSymbol, lispBoolean, lispCall, propertyList, type Sexp, symbol } from './sexp';
import { type Debug, leaving, returnToServerDebugger, type SwankEvent } from './swank-events';

/**
 * Milliseconds in which a server that is not stuck answers, even on a busy machine or during garbage
 * collection.
 */
const ANSWER_MS = 5_000;

/** Milliseconds between two interrupts of one step, and their number. */
const INTERRUPTS = {
  /**
   * Repeated only while the code cannot be interrupted: it has not started, or Swank is sending its output.
   */
  cooperative: { pause: 50, count: 20 },
  /** Each one ends the cleanup form that the previous one started. */
  insistent: { pause: 200, count: 10 },
} as const;

export interface AttachOptions {
  dialect: Dialect;
  /** The server as text: `127.0.0.1:4005`. */
  address: string;
  /** Our own Lisp code, from `readHelper`. */
  helper: string;
  /** The secret that the server expects, if any. */
  secret: string | null;
  package?: string | undefined;
  /** Returns text about the likely cause, to append to the reason of the connection's end. */
  afterwards: () => Promise<string>;
}

export class SwankImage implements Image {
  readonly sandbox = ATTACHED_SANDBOX;
  readonly debugger: SwankDebugger;
  readonly knowledge: SwankKnowledge;
  readonly inspector: SwankInspector;
  readonly ended: Promise<ImageEnd>;
  readonly #options: AttachOptions;
  readonly #client: SwankClient;
  readonly #questions: SwankQueries;
  readonly #output = new ImageOutput();
  readonly #suspended = new SuspendedThreads();
  readonly #input: SwankInput;
  /**
   * Unsettled evaluations, innermost last; more than one only while the outer ones are suspended in the
   * debugger.
   */
  readonly #evaluations: SwankEvaluation[] = [];
  /** Notes for the next evaluation. */
  readonly #pendingNotes: Note[] = [];
  #facts: ServerFacts = {
    ...{ implementation: 'Lisp', pid: null, threads: false, package: 'CL-USER' },
    repl: symbol(':repl-thread'),
  };
  #package = 'CL-USER';
  #endExpected = false;

  /** @throws HarborError `engine_failed` if the peer of `wire` does not answer like the dialect’s server */
  static async attach(wire: Duplex, options: AttachOptions): Promise<SwankImage> {
    const image = new SwankImage(wire, options);
    try {
      image.#facts = await greet(image.#questions, options.dialect, options.helper);
      image.#client.repl = image.#facts.repl;
      image.#package = options.package ?? image.#facts.package;
      return image;
    } catch (error) {
      await image.end();
      const reason = asFailure(error).message;
      throw new HarborError('engine_failed', `Attaching to ${options.address} failed: ${reason}`);
    }
  }

  private constructor(wire: Duplex, options: AttachOptions) {
    this.#options = options;
    this.#client = new SwankClient(wire, (event) => this.#receive(event), options.dialect.named);
    this.#questions = new SwankQueries(this.#client);
    this.#input = new SwankInput(this.#client);
    this.debugger = new SwankDebugger(this.#questions, this.#suspended);
    this.knowledge = new SwankKnowledge(this.#questions, () => this.#package);
    this.inspector = new SwankInspector(this.#questions, () => this.#package);
    this.ended = this.#watchEnd();
    if (options.secret !== null) this.#client.authenticate(options.secret);
  }

  get engine(): EmacsProtocol {
    return this.#options.dialect.name;
  }

  get package(): string {
    return this.#package;
  }

  /** Information for the first result. */
  get introduction(): readonly Note[] {
    const text = `${describeServer(this.#facts, this.#options.address)} Definitions and global variables are shared with all clients; closing this session leaves the server running.`;
    return [note('introduction', text)];
  }

  prompt(level = 0): string {
    return level === 0 ? `${this.#package}> ` : `${this.#package}[${level}]> `;
  }

  async evaluate(request: EvaluateRequest, sink: OutputSink, levels?: LevelWatcher): Promise<ImageOutcome> {
    const thread = this.#suspended.innermost?.debug.thread ?? 'repl';
    const evaluation = new SwankEvaluation(request, sink, { package: this.#package, levels });
    const earlier = [...this.#pendingNotes.splice(0), ...this.#output.attach(sink)];
    this.#evaluations.push(evaluation);
    const { id, reply } = this.#client.request(evaluating(evaluation), thread, evaluation.package);
    evaluation.requestId = id;
    evaluation.over = reply;
    const settled = await reply;
    if (settled.reply === 'aborted') await this.#caughtUp(thread);
    const lostBecause =
      settled.reply === 'lost' ? [note('image_ended', `${(await this.ended).description}.`)] : [];
    this.#evaluations.splice(this.#evaluations.indexOf(evaluation), 1);
    this.#restoreOutput();
    const outcome = evaluation.outcome(settled);
    if (request.package === undefined) this.#package = outcome.package;
    return { ...outcome, package: this.#package, notes: [...earlier, ...outcome.notes, ...lostBecause] };
  }

  /** A server without threads reads no messages while it evaluates, so it cannot be interrupted. */
  async interrupt(id: number, step: InterruptStep): Promise<boolean> {
    const evaluation = this.#evaluations.find((each) => each.id === id);
    if (!evaluation) return true;
    if (!this.#facts.threads) return false;
    evaluation.interrupting = true;
    // Code that waits for input is blocked in Swank; end of input unblocks it.
    this.#input.giveUp();
    const { pause, count } = INTERRUPTS[step];
    let delivered = false;
    for (let sent = 0; sent < count; sent += 1) {
      const answer = await this.#requestInterrupt(evaluation, step === 'insistent');
      if (answer === 'none') return delivered;
      delivered ||= answer === 'delivered';
      if (delivered && step === 'cooperative') return true;
      const over = await Promise.race([
        evaluation.over.then(() => true),
        delay(pause, false, { ref: false }),
      ]);
      if (over) return true;
    }
    return delivered;
  }

  /** The server's process is not ours to observe, whatever it reports. */
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
        this.#evaluations.find(({ id }) => id === event.facts[0])?.receive(event.kind, event.facts);
        break;
      case 'debug':
        this.#debugged(event.debug);
        break;
      case 'debug-return':
        this.#suspended.leave(event);
        break;
      case 'read-string':
        void this.#input.answer(event, this.#evaluations.at(-1));
        break;
      case 'read-aborted':
        this.#input.aborted(event.tag);
        break;
      case 'asked':
        this.#addNote(
          note(
            'no_editor',
            `The code sent a request to its editor (${event.what}). There is no editor, so it got an empty answer.`,
          ),
        );
        break;
      default:
    }
  }

  /** Called when a thread of the server enters the debugger. */
  #debugged(debug: Debug): void {
    if (this.#suspended.refresh(debug) || this.#questions.debugged(debug)) return;
    const evaluation = this.#evaluations.find(({ requestId }) => requestId === debug.requests[0]);
    if (!evaluation) this.#handleForeignThread(debug);
    else if (evaluation.holds) this.#suspended.add(debug, evaluation);
    else {
      evaluation.failed(debug, this.#suspended.depth + 1);
      this.#do(debug, leaving(debug));
    }
  }

  /**
   * Returns the server's answer: `early` if the code cannot be interrupted yet, `none` if the server is
   * stuck.
   */
  async #requestInterrupt({ id }: SwankEvaluation, again: boolean): Promise<'delivered' | 'early' | 'none'> {
    const question = lispCall('lisp-harbor.swank:interrupt', id, lispBoolean(again));
    try {
      return isNil(await this.#questions.query(question, { milliseconds: ANSWER_MS }))
        ? 'early'
        : 'delivered';
    } catch {
      return 'none';
    }
  }

  /**
   * Waits for output that a thread prints while it unwinds: it comes after its answer and before the next
   * one.
   */
  async #caughtUp(thread: SwankThread): Promise<void> {
    await this.#questions.answerTo([], { thread, milliseconds: ANSWER_MS }).catch(() => undefined);
  }

  /** Handles an error in a foreign thread: Swank sends it to us if no editor is connected. */
  #handleForeignThread(debug: Debug): void {
    this.#do(debug, returnToServerDebugger());
    this.#addNote(
      note(
        'server_thread',
        `Thread ${debug.thread} of the server signalled ${debug.type} (${debug.message}). It is not used by a session, so it was left to the server's own debugger.`,
      ),
    );
  }

  #do(debug: Debug, form: Sexp): void {
    this.#client.request(form, debug.thread, 'CL-USER');
  }

  #addNote(added: Note): void {
    (this.#evaluations.at(-1)?.notes ?? this.#pendingNotes).push(added);
  }

  /** Output belongs to the innermost evaluation. */
  #restoreOutput(): void {
    const outer = this.#evaluations.at(-1);
    if (outer) this.#output.attach(outer.sink);
    else this.#output.detach();
  }

  async #watchEnd(): Promise<ImageEnd> {
    const reason = await this.#client.ended;
    this.#suspended.clear();
    const expected = this.#endExpected;
    const afterwards = expected ? '' : await this.#options.afterwards();
    const { dialect, address } = this.#options;
    const description = expected
      ? `the connection to the ${dialect.title} server at ${address} was closed`
      : `The ${dialect.title} server at ${address} is lost: ${reason}${afterwards}`;
    return { description, expected };
  }
}

/** Returns the request that evaluates; see resources/swank/evaluation.lisp. */
function evaluating({ request, package: packageName, limit }: SwankEvaluation): Sexp {
  const { id, code, frame, keepValues, safeRead, level = 0 } = request;
  const options = propertyList({
    package: packageName,
    limit,
    // Only a suspended evaluation has frames.
    frame: level > 0 ? frame : undefined,
    keep: keepValues,
    safe: safeRead,
  });
  return lispCall('lisp-harbor.swank:evaluate', code, id, ...options);
}
