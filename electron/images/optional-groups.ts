/**
 * The optional groups of the image interface (image.ts): what an image may offer beside evaluating. Checkpoints and a
 * prover's logical world have files of their own, checkpoints.ts and world.ts; what gives another image, a branch or a
 * replay, stands in image.ts.
 */
import type { Duplex } from 'node:stream';
import type { SamplingMode } from '../contract/cost';
import type { DebuggerView, Departure, FrameContents, StepWay } from '../contract/debugger';
import type { Inspection, InspectStart, Numbers, Octets, PathStep, Records } from '../contract/inspection';
import type {
  Findings,
  FindRequest,
  NameRequest,
  SymbolDescription,
  SystemFolder,
} from '../contract/knowledge';
import type { Memory } from '../contract/memory';
import type { Condition, FormResult, Warning } from '../contract/model';
import type { BackendRequest, BackendResponse, ServerAddress } from '../contract/server';
import type { Tap } from '../contract/taps';
import type { Thrown, ThrownAt, ThrownPlace } from '../contract/thrown';
import type { OneForm } from '../source/code';

/**
 * Nothing of what is asked is read or evaluated by the image. It answers while an evaluation runs, unless it has one
 * thread only; then it is `busy`. Each of these may fail with a HarborError as well: `unknown_symbol` and
 * `unknown_package` with names that are near, `bad_arguments`, `took_too_long`, `query_failed`, `image_lost`.
 */
export interface Knowledge {
  describe(request: NameRequest): Promise<SymbolDescription>;
  /** The machine code of a function, as text. */
  disassemble(request: NameRequest): Promise<string>;
  find(request: FindRequest): Promise<Findings>;
  /** Those of `packages` in which that name is another symbol, or none: what they say of it is not about this one. */
  strangers?(request: NameRequest, packages: readonly string[]): Promise<readonly string[]>;
  /** Folders of the systems that are loaded, as code in the image claims them: believe none that is not allowed anyway. */
  systemFolders?(): Promise<readonly SystemFolder[]>;
  /** Code whose value is the expansion of `form`: macros are code, so this is evaluated like any other. */
  expansionCode(form: OneForm, extent: 'once' | 'full'): string;
}

/** An object in the image. */
export interface InspectPlace {
  start: InspectStart;
  path: readonly PathStep[];
}

export interface InspectRequest extends InspectPlace {
  offset: number;
  /** Parts to show; absent means as many as are usual for that kind of object. */
  limit?: number;
  /** Whether parts that can be looked into get numbers, also those that nobody has inspected yet. */
  numbered?: boolean;
}

/**
 * Answers while an evaluation runs. May fail with a HarborError: `unknown_handle`, `unknown_part`, `took_too_long`,
 * `query_failed`, `image_lost`.
 */
export interface Inspector {
  inspect(request: InspectRequest): Promise<Inspection>;
  /** Other views of what is there; `unknown_part` where they say nothing of it. */
  records?(request: InspectRequest): Promise<Records>;
  numbers?(place: InspectPlace): Promise<Numbers>;
  octets?(request: InspectRequest): Promise<Octets>;
  /** Code whose value is the one at `place`, from 1, that the evaluation has kept; absent where no code can name it. */
  keptValueCode?(evaluation: number, place: number): string;
  /** Code that puts the value of `expression` into the part at `path`; it is evaluated like any other. */
  settingCode(object: number, path: readonly PathStep[], expression: OneForm): string;
}

/** An evaluation at the moment it is held: what it has done so far and what holds it. `condition.level` says where. */
export interface HeldEvaluation {
  package: string;
  forms: FormResult[];
  warnings: Warning[];
  condition: Condition;
}

/** Who is told when an evaluation is held and when it goes on. */
export interface LevelWatcher {
  held(held: HeldEvaluation): void;
  /** The level was left: the evaluation goes on, or ends. */
  left(): void;
}

/** A restart by index or name, with its arguments as code. `frame` is for the restarts of a frame itself. */
export interface RestartChoice {
  restart: number | string;
  arguments?: readonly OneForm[];
  frame?: number;
}

/** Each of these may fail with a HarborError: `bad_arguments` with why it cannot be done, `image_lost`. */
export interface Debugger {
  show(page: { offset: number; limit: number }): Promise<DebuggerView>;
  frame(index: number): Promise<FrameContents>;
  /** Settles when the level is left. */
  restart(choice: RestartChoice): Promise<Departure>;
  step(way: StepWay): Promise<Departure>;
  /** Gives up what is held inside `level`; 0 is the top level. */
  abort(level: number): Promise<Departure>;
}

/**
 * Of an engine that unwinds at once, so that nothing can be held: what a failed evaluation has thrown, until another fails.
 * Answers while an evaluation runs. May fail with a HarborError: `took_too_long`, `query_failed`, `image_lost`.
 */
export interface Exceptions {
  /** The outermost first; none where they are not kept any more, or nothing was thrown. */
  causes(evaluation: number): Promise<readonly Thrown[]>;
  /** null where it is not known. */
  source(evaluation: number, at: ThrownAt): Promise<ThrownPlace | null>;
}

/** Values that code hands out while it goes on. Answers while an evaluation runs; fails as `Exceptions` does. */
export interface Taps {
  /** The latest, newest first. Of an image that somebody else started, since this was asked first. */
  read(): Promise<readonly Tap[]>;
  forget(): Promise<void>;
}

/** One of them: a system by its name, or a file by its absolute path. */
export type LoadTarget = { systems: readonly string[] } | { file: string };

export interface TestTarget {
  system?: string | undefined;
  file?: string | undefined;
  /** One test or suite by its name; in SBCL several with blanks between. */
  test?: string | undefined;
  framework?: string | undefined;
}

export interface Loader {
  /** Test frameworks by the names that `testCode` takes. */
  readonly frameworks: readonly string[];
  loadCode(target: LoadTarget): string;
  /** Where systems are loaded once: `system` as if it had not been, with `compile` all of it compiled as well. */
  anewCode?(system: string, compile: boolean): string;
  /** Where there are books: `book` is the absolute path of one, without the `.lisp` of its file. */
  bookCode?(book: string): string;
  /** @throws HarborError `not_supported` where there are no frameworks */
  testCode(target: TestTarget): string;
}

export interface MemoryReader {
  /**
   * Answers while an evaluation runs, which may pause meanwhile, for a second at most.
   * @param limit types of object told by themselves
   * @throws HarborError `took_too_long`, `query_failed`, `image_lost`
   */
  read(limit: number): Promise<Memory>;
}

export interface Sampler {
  /** What `EvaluateRequest.profile` may ask for. What was sampled is then in the report of the outcome. */
  readonly modes: readonly SamplingMode[];
}

export interface SlimeServer {
  /**
   * Makes Swank, the server side of SLIME, ready in the image: loaded when it is not there yet, which takes seconds.
   * @returns the version of the SLIME that it is from; null when it does not say
   * @throws HarborError `slime_missing` with what to install, `query_failed`, `took_too_long`, `image_lost`
   */
  start(): Promise<string | null>;
  /** A new connection to Swank, once it is ready. It ends with the image at the latest. */
  connect(): Duplex;
  /**
   * Ends all connections and what they run in the image.
   * @returns the names of threads that go on all the same
   */
  stop(): Promise<string[]>;
}

export interface Backend {
  /**
   * Sends to the backend's own origin and to nothing else; a redirection is answered, not followed.
   * @throws HarborError `engine_unavailable` when it does not answer, `bad_arguments` for a header that cannot be sent
   */
  request(request: BackendRequest, signal: AbortSignal): Promise<BackendResponse>;
  /** Lisply's own question whether it is there. @throws HarborError as `request` */
  ping(signal: AbortSignal): Promise<BackendResponse>;
}

/** Whether a server that somebody else started has answered lately. */
export interface Heartbeat {
  /** Where the server is now, which may have come back on another port. */
  readonly server: ServerAddress;
  /** When it answered last, in milliseconds since the epoch; null before the first answer. */
  readonly lastAt: number | null;
  /** How many answers failed to come since. */
  readonly failures: number;
  /** How many operations the server offers. */
  readonly operations: number;
}
