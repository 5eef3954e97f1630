/** A Lisp process with our agent: evaluations and interrupts over the wire, and a report of its end. */
import { z } from 'zod';
import { HarborError } from '../../contract/errors';
import type { EmacsProtocol } from '../../contract/harbor-status';
import type { EngineName, SandboxReport } from '../../contract/model';
import { note } from '../../contract/note';
import type { Activity, Launched, PrivateEntries, Usage } from '../../launchers/launcher';
import type {
  EvaluateRequest,
  Image,
  ImageEnd,
  ImageOutcome,
  InterruptStep,
  OutputSink,
  Replayer,
} from '../image';
import { asComment, ImageOutput } from '../image-output';
import { describeAborted, inTime } from '../image-process';
import type { LevelWatcher, Sampler } from '../optional-groups';

import { AgentCheckpoints, largestCore } from './checkpoints';
import { AgentDebugger } from './debugger';
import { AgentEmacsServers, Tunnels } from './emacs-servers';
import { AgentEvaluation, AgentInterrupts, type EvaluationEvent } from './evaluation';
import { AgentForks } from './forks';
import { AgentInspector, AgentKnowledge, AgentMemory, AgentTracer } from './knowledge';
import { AgentQueries } from './queries';
import { type AgentLoader, type AgentLog, type AgentTraits, lastWords, limitedLog } from './traits';

import { PROTOCOL, Wire, type WireEvent, type WireRequest } from './wire';

/** Milliseconds to exit after its wire is closed. */
const GRACE_MS = 2_000;

export interface AgentImageOptions {
  traits: AgentTraits;
  log: AgentLog;
  /** The session's folder where the image may save itself. */
  checkpoints: string;
  /** Heap size in MiB, if it can save itself. */
  heapMiB?: number;
  /**
   * Returns the folder of SLIME or SLY, when Emacs attaches; absent if it cannot.
   * @throws HarborError `slime_missing`
   */
  emacsFolder?: (server: EmacsProtocol) => string;
}

export class AgentImage implements Image {
  readonly loader: AgentLoader;
  readonly replayer?: Replayer;
  readonly sampler?: Sampler;
  readonly tracer?: AgentTracer;
  readonly ended: Promise<ImageEnd>;
  readonly debugger?: AgentDebugger;
  readonly hold?: (id: number) => Promise<boolean>;
  readonly knowledge: AgentKnowledge;
  readonly inspector?: AgentInspector;
  readonly checkpoints?: AgentCheckpoints;
  readonly brancher?: AgentCheckpoints;
  readonly memory?: AgentMemory;
  readonly slime?: AgentEmacsServers;
  hasOwnSyntax = false;
  readonly #traits: AgentTraits;
  readonly #launched: Launched;
  readonly #log: AgentLog;
  readonly #wire: Wire;
  readonly #output = new ImageOutput();
  readonly #queries = new AgentQueries((request) => this.#wire.send(request));
  readonly #tunnels = new Tunnels((request) => this.#wire.send(request));
  readonly #forks: AgentForks;
  readonly #hello = Promise.withResolvers<number>();
  readonly #interrupts = new AgentInterrupts(this, (request) => this.#wire.send(request));
  #package = 'CL-USER';
  /**
   * Unsettled evaluations, innermost last; more than one only while the outer ones are suspended in the
   * debugger.
   */
  readonly #evaluations: AgentEvaluation[] = [];
  #end: ImageEnd | null = null;
  #endExpected = false;
  /** The end of the image, if its wire was given up. */
  #givenUp: string | null = null;

  /** Waits until the agent answers. @throws HarborError `engine_failed` with what the process printed */
  static async start(launched: Launched, options: AgentImageOptions): Promise<AgentImage> {
    const { traits } = options;
    const image = new AgentImage(launched, options);
    const begun = Promise.race([
      image.#hello.promise.then(unlessOurs),
      image.ended.then((end) => end.description),
    ]);
    const failure = (await inTime(image, traits.progressTimeout, begun))
      ? await begun
      : `${traits.title} did not answer within ${traits.progressTimeout / 1000} s of progress time`;
    if (failure === null) return image;
    await image.end();
    const words = lastWords(image.#output.stderr);
    throw new HarborError('engine_failed', `${failure}${words ? `. It printed:\n${words}` : '.'}`);
  }

  private constructor(launched: Launched, options: AgentImageOptions) {
    const { traits, log, emacsFolder } = options;
    this.#launched = launched;
    this.#traits = traits;
    this.#log = limitedLog(log);
    this.#output.follow('stdout', launched.stdout);
    this.#output.follow('stderr', launched.stderr);
    this.#wire = new Wire(launched.wire, {
      event: (event, length) => this.#receive(event, length),
      malformed: (problem) => log.warn(`an image of ${traits.title} sent an invalid event`, problem),
      lost: (reason) => this.#giveUp(reason),
    });
    this.loader = traits.loader;
    this.knowledge = new AgentKnowledge(this.#queries, traits.expanders, traits.forks);
    if (traits.debugger) {
      this.debugger = new AgentDebugger((request) => this.#wire.send(request));
      this.hold = (id) => this.#hold(id);
    }
    if (traits.inspector) this.inspector = new AgentInspector(this.#queries);
    if (traits.memory) this.memory = new AgentMemory(this.#queries);
    if (traits.replayer) this.replayer = traits.replayer;
    if (traits.sampler) this.sampler = traits.sampler;
    if (traits.tracer) this.tracer = new AgentTracer(this.#queries);
    this.#forks = new AgentForks((request) => this.#wire.send(request), launched);
    if (emacsFolder) this.slime = new AgentEmacsServers(this.#queries, this.#tunnels, emacsFolder);
    if (traits.forks) this.brancher = this.checkpoints = this.#checkpointsIn(options);
    this.ended = this.#watchEnd();
  }

  get engine(): EngineName {
    return this.#traits.engine;
  }

  get sandbox(): SandboxReport {
    return this.#launched.sandbox;
  }

  get package(): string {
    return this.#package;
  }

  prompt(level = 0): string {
    return this.#traits.prompt(level, this.#package);
  }

  async evaluate(request: EvaluateRequest, sink: OutputSink, levels?: LevelWatcher): Promise<ImageOutcome> {
    const { input, tests, ...rest } = request;
    const evaluation = new AgentEvaluation(request.id, sink, {
      levels,
      input,
      tests,
      sampled: request.profile !== undefined,
    });
    const earlier = this.#output.attach(sink);
    this.#output.allowRaw(request.outputChars);
    this.#evaluations.push(evaluation);
    if (this.#end) this.#crash(evaluation, this.#end);
    else void this.#sendInTime({ op: 'evaluate', ...rest, answersInput: input !== undefined });
    const outcome = await evaluation.settled;
    await this.#output.caughtUp();
    this.#evaluations.splice(this.#evaluations.indexOf(evaluation), 1);
    this.#restoreOutput();
    return { ...outcome, notes: [...earlier, ...outcome.notes, ...this.#output.drainRawNotes()] };
  }

  async interrupt(id: number, step: InterruptStep): Promise<boolean> {
    const evaluation = this.#unsettled(id);
    return evaluation === undefined || this.#interrupts.climb(evaluation, step);
  }

  async #hold(id: number): Promise<boolean> {
    const evaluation = this.#unsettled(id);
    return evaluation !== undefined && this.#interrupts.hold(evaluation);
  }

  async calls(id: number): Promise<readonly string[]> {
    return this.#queries.query('calls', { evaluation: id }, z.array(z.string())).catch(() => []);
  }

  usage(): Promise<Usage | null> {
    return this.#launched.usage();
  }

  async activity(): Promise<Activity | null> {
    return (await this.#launched.activity?.()) ?? null;
  }

  async privateEntries(): Promise<readonly PrivateEntries[]> {
    return (await this.#launched.privateEntries?.()) ?? [];
  }

  async end(): Promise<void> {
    this.#endExpected = true;
    this.#wire.end();
    const stuck = setTimeout(() => void this.#launched.signal('SIGKILL'), GRACE_MS);
    await this.ended;
    clearTimeout(stuck);
  }

  /** Waits for a fork in progress: an image that received an evaluation makes no more forks. */
  async #sendInTime(request: WireRequest): Promise<void> {
    await this.checkpoints?.copying;
    this.#wire.send(request);
  }

  #checkpointsIn(options: AgentImageOptions): AgentCheckpoints {
    return new AgentCheckpoints({
      folder: options.checkpoints,
      largest: largestCore(options.heapMiB ?? 0),
      describeEnd: options.traits.describeEnd,
      isBusy: () => this.#evaluations.length > 0,
      fork: (purpose) => this.#queries.alone(() => this.#forks.make(purpose)),
      start: (fork) => AgentImage.start(fork, options),
    });
  }

  #receive(event: WireEvent, length: number): void {
    switch (event.event) {
      case 'hello':
        this.#package = event.package;
        this.hasOwnSyntax = event.ownSyntax === true;
        this.#hello.resolve(event.protocol);
        break;
      case 'output':
        this.#output.write(event.stream, event.text, this.#unsettled(event.id)?.sink, event.dropped);
        break;
      case 'reply':
        this.#interrupts.answered(event.id, event.done);
        break;
      case 'debugged':
        this.debugger?.answered(event);
        break;
      case 'answer':
        this.#queries.answered(event);
        break;
      case 'forked':
      case 'refused':
      case 'relayed':
      case 'fork-ended':
        this.#forks.receive(event);
        break;
      case 'input-wanted':
        void this.#answerInput(event.id);
        break;
      case 'tunnel-octets':
      case 'tunnel-taken':
      case 'tunnel-closed':
        this.#tunnels.receive(event);
        break;
      case 'fault':
        this.#log.warn(`the agent of an image of ${this.#traits.title} reported a fault`, event.message);
        break;
      default:
        this.#progress(event, length);
    }
  }

  #progress(event: EvaluationEvent, length: number): void {
    if (event.event === 'done' || event.event === 'held') this.#package = event.package;
    if (event.event === 'done') this.hasOwnSyntax = event.ownSyntax === true;
    const evaluation = this.#unsettled(event.id);
    if (event.event === 'warning') this.#output.writeLine('warnings', asComment(event), evaluation?.sink);
    if (event.event === 'left') this.debugger?.exited(event.id);
    if (evaluation) evaluation.receive(event, length);
    else this.#log.warn('an image sent an event of an evaluation that is not running', event.event);
  }

  /** Kills the process, which is useless without its wire. */
  #giveUp(reason: string): void {
    this.#givenUp = describeAborted(this.#traits.title, reason);
    this.#log.warn(`the wire of an image of ${this.#traits.title} was given up`, reason);
    void this.#launched.signal('SIGKILL');
  }

  #unsettled(id: number | null): AgentEvaluation | undefined {
    return this.#evaluations.find((evaluation) => evaluation.id === id);
  }

  /** Output on descriptors 1 and 2 belongs to the innermost evaluation. */
  #restoreOutput(): void {
    const outer = this.#evaluations.at(-1);
    if (outer) this.#output.attach(outer.sink);
    else this.#output.detach();
  }

  async #answerInput(id: number): Promise<void> {
    const text = (await this.#unsettled(id)?.input?.()) ?? null;
    this.#wire.send({ op: 'input', evaluation: id, text });
  }

  async #watchEnd(): Promise<ImageEnd> {
    const end = await this.#launched.ended;
    await Promise.all([this.#output.caughtUp(), this.#wire.caughtUp()]);
    const description = this.#givenUp ?? this.#traits.describeEnd(end, this.#output.stderr);
    this.#end = { description, expected: this.#endExpected };
    this.#queries.ended(description);
    this.debugger?.ended(description);
    this.#forks.ended(description);
    this.#tunnels.ended();
    for (const evaluation of this.#evaluations.toReversed()) this.#crash(evaluation, this.#end);
    return this.#end;
  }

  #crash(evaluation: AgentEvaluation, end: ImageEnd): void {
    const words = lastWords(this.#output.stderr);
    evaluation.crashed(this.#package, [
      note('image_ended', `${end.description}.`),
      ...(words ? [note('image_ended', `Its last output: ${words}`)] : []),
    ]);
  }
}

/** Returns why an image with this protocol version cannot be used; null if it can. */
function unlessOurs(protocol: number): string | null {
  return protocol === PROTOCOL
    ? null
    : 'The checkpoint was saved by another version of Lisp Harbor and is not compatible with this one';
}
