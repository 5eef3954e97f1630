/**
 * Optional groups of the image interface (image.ts): what an image may offer in addition to evaluation.
 * world.ts has those of a prover.
 */

import type { Duplex } from 'node:stream';
import type {
  DebuggerView,
  FrameContents,
  RestartResult,
  StepMode,
  Thrown,
  ThrownAt,
  ThrownPlace,
} from '../contract/debugger';
import type { EmacsProtocol } from '../contract/harbor-status';
import type {
  Inspection,
  InspectStart,
  Numbers,
  Octets,
  PathStep,
  Records,
  Tap,
} from '../contract/inspection';
import type {
  Findings,
  FindRequest,
  NameRequest,
  SymbolDescription,
  SystemFolder,
} from '../contract/knowledge';
import type { Mention } from '../contract/mention';
import type { Condition, FormResult, Memory, Warning } from '../contract/model';
import type { SamplingMode } from '../contract/report';
import type { BackendRequest, BackendResponse, ServerAddress } from '../contract/server';
import type { Trace } from '../contract/trace';
import type { WorldChange } from '../contract/world';
import type { BencodeDictionary } from '../host/bencode';
import type { Program } from '../launchers/launcher';
import type { OneForm } from '../source/code';

/**
 * Queries about names. The image reads and evaluates nothing for them. It answers while an evaluation runs,
 * or fails with `busy` if it has only one thread. Each method may also fail with a HarborError:
 * `unknown_symbol` and `unknown_package` with similar names, `bad_arguments`, `took_too_long`,
 * `query_failed`, `image_lost`.
 */
export interface Knowledge {
  describe(request: NameRequest): Promise<SymbolDescription>;
  /** Returns the machine code of a function as text. */
  disassemble(request: NameRequest): Promise<string>;
  find(request: FindRequest): Promise<Findings>;
  /**
   * Returns those of `packages` in which the name is another symbol or no symbol, so that their information
   * does not apply.
   */
  unknownPackages?(request: NameRequest, packages: readonly string[]): Promise<readonly string[]>;
  /**
   * Returns the folders of loaded systems. Code in the image could forge them, so only allowed folders may be
   * used.
   */
  systemFolders?(): Promise<readonly SystemFolder[]>;
  /** Returns the text of a project file, by its real path, when the image last loaded it; null if it did not. */
  loadedText?(path: string): Promise<string | null>;
  /** Returns code whose value is the expansion of `form`. Macros run code, so it is evaluated normally. */
  expansionCode(form: OneForm, extent: 'once' | 'full'): string;
}

/** An object in the image. */
export interface InspectPlace {
  start: InspectStart;
  path: readonly PathStep[];
}

export interface InspectRequest extends InspectPlace {
  offset: number;
  /** Maximum parts; the default for the kind of object if undefined. */
  limit?: number;
  /** Whether inspectable parts get handle numbers, also those not inspected yet. */
  numbered?: boolean;
}

/**
 * Answers while an evaluation runs. Methods may fail with a HarborError: `unknown_handle`, `unknown_part`,
 * `took_too_long`, `query_failed`, `image_lost`.
 */
export interface Inspector {
  inspect(request: InspectRequest): Promise<Inspection>;
  /** Other views of an object. They fail with `unknown_part` if they do not apply. */
  records?(request: InspectRequest): Promise<Records>;
  numbers?(place: InspectPlace): Promise<Numbers>;
  octets?(request: InspectRequest): Promise<Octets>;
  /**
   * Returns code for the value at `place`, from 1, that the evaluation retained; undefined if code cannot
   * refer to it.
   */
  retainedValueCode?(evaluation: number, place: number): string;
  /** Returns code that sets the part at `path` to the value of `expression`. It is evaluated normally. */
  settingCode(object: number, path: readonly PathStep[], expression: OneForm): string;
}

/**
 * An evaluation when it is suspended: its results so far and the condition. `condition.level` is the debugger
 * level.
 */
export interface SuspendedEvaluation {
  package: string;
  forms: FormResult[];
  warnings: Warning[];
  condition: Condition;
}

/** Called when an evaluation is suspended and when it continues. */
export interface LevelWatcher {
  suspended(suspended: SuspendedEvaluation): void;
  /** The level was exited: the evaluation continues or ends. */
  exited(): void;
}

/** A restart by index or name, with arguments as code. `frame` is set for restarts of a frame. */
export interface RestartChoice {
  restart: number | string;
  arguments?: readonly OneForm[];
  frame?: number;
}

/** Methods may fail with a HarborError: `bad_arguments` with the reason, `image_lost`. */
export interface Debugger {
  show(page: { offset: number; limit: number }): Promise<DebuggerView>;
  frame(index: number): Promise<FrameContents>;
  /** Resolves when the level exits. */
  restart(choice: RestartChoice): Promise<RestartResult>;
  step(way: StepMode): Promise<RestartResult>;
  /** Aborts evaluations suspended inside `level`; 0 is the top level. */
  abort(level: number): Promise<RestartResult>;
}

/**
 * For engines that unwind immediately, so that nothing is suspended: the exceptions of the last failed
 * evaluation. Answers while an evaluation runs. Methods may fail with a HarborError: `took_too_long`,
 * `query_failed`, `image_lost`.
 */
export interface Exceptions {
  /** Returns the exceptions, outermost first; none if nothing was thrown or they are no longer retained. */
  causes(evaluation: number): Promise<readonly Thrown[]>;
  /** Returns the source; null if unknown. */
  source(evaluation: number, at: ThrownAt): Promise<ThrownPlace | null>;
}

/** Values that running code publishes. Answers while an evaluation runs; fails as `Exceptions`. */
export interface Taps {
  /** Returns the latest values, newest first. For an attached server: since the first call. */
  read(): Promise<readonly Tap[]>;
  forget(): Promise<void>;
}

/** A system by name, or a file by absolute path. */
export type LoadTarget = { systems: readonly string[] } | { file: string };

export interface TestTarget {
  system?: string | undefined;
  file?: string | undefined;
  /** The name of a test or suite, or several separated by spaces; in ACL2 of a theorem. */
  test?: string | undefined;
  framework?: string | undefined;
  /** Time limit of each test, where the engine has one. */
  seconds?: number | undefined;
  /** Opens the debugger at errors of tests, where the engine has one. */
  debug?: boolean | undefined;
}

export interface Loader {
  /** Names of test frameworks for `testCode`. */
  readonly frameworks: readonly string[];
  loadCode(target: LoadTarget): string;
  /** Loads systems into a new image without files that an earlier image of the session compiled. */
  freshCode?(systems: readonly string[]): string;
  /** Reloads `system`; with `compile`, also recompiles it. For engines that load a system only once. */
  anewCode?(system: string, compile: boolean): string;
  /** Loads `file` up to the definition of `name`. */
  untilCode?(file: string, name: string): string;
  /** Includes a book, given by its absolute path without `.lisp`. For engines with books. */
  bookCode?(book: string): string;
  /** @throws HarborError `not_supported` if there are no frameworks */
  testCode(target: TestTarget): string;
  /**
   * Returns the book or folder that `testCode` certifies, for `EvaluateRequest.certify`; undefined for a test
   * in the session. For engines with books.
   */
  testedBooks?(target: TestTarget): string | undefined;
}

export interface MemoryReader {
  /**
   * Answers while an evaluation runs, which may pause up to a second.
   * @param limit maximum object types listed separately
   * @throws HarborError `took_too_long`, `query_failed`, `image_lost`
   */
  read(limit: number): Promise<Memory>;
}

export interface Sampler {
  /** Modes for `EvaluateRequest.profile`. The samples are in the report of the outcome. */
  readonly modes: readonly SamplingMode[];
}

/** Records the calls of evaluations with `EvaluateRequest.trace`. Answers while they run; fails as `MemoryReader`. */
export interface Tracer {
  /** @throws HarborError `unknown_evaluation` if the image no longer has the trace */
  trace(evaluation: number): Promise<Trace>;
  /** Returns the object with function, arguments and values of the call at `place`, from 0. */
  call(evaluation: number, place: number): Promise<number>;
}

/** A connection to Swank or Slynk in the image. */
export interface SwankConnection extends Duplex {
  /**
   * The row `evaluation` records this request, which is written afterwards: its definitions have their place there.
   * @param request its number, or the negative number of the channel to which it is sent
   */
  evaluates(request: number, evaluation: number): void;
}

/** The servers of Emacs in the image: Swank for SLIME, Slynk for SLY. */
export interface EmacsServers {
  /**
   * Loads the server into the image if needed, which takes seconds.
   * @returns the version of SLIME or SLY; null if unknown
   * @throws HarborError `slime_missing` with what to install, `query_failed`, `took_too_long`, `image_lost`
   */
  start(server: EmacsProtocol): Promise<string | null>;
  /** Opens a connection to the server. It ends with the image at the latest. */
  connect(server: EmacsProtocol): SwankConnection;
  /**
   * Ends all connections to the server and their threads in the image.
   * @returns the names of threads that did not end
   */
  stop(server: EmacsProtocol): Promise<string[]>;
}

/** A request of an editor to an nREPL server. */
export interface RelayedRequest {
  /** Its `session` is one of the server. The server sees another `id`. */
  message: BencodeDictionary & { op: string };
  /** Receives each message of the reply, also later output of its threads. */
  receive: (message: BencodeDictionary) => void;
}

/** The nREPL server of the image, with its ops and middleware. Evaluations go through `Image.evaluate`. */
export interface NreplServer {
  /** Resolves when the server is gone. */
  readonly ended: Promise<unknown>;
  /** Sends a request that evaluates nothing. Returns false if the server is gone. */
  send(request: RelayedRequest): Promise<boolean>;
}

export interface Backend {
  /**
   * Sends a request to the backend's own origin only. Redirections are returned, not followed.
   * @throws HarborError `engine_unavailable` if it does not answer, `bad_arguments` for an invalid header
   */
  request(request: BackendRequest, signal: AbortSignal): Promise<BackendResponse>;
  /** Sends Lisply's ping. @throws HarborError as `request` */
  ping(signal: AbortSignal): Promise<BackendResponse>;
}

/** Whether an attached server answered recently. */
export interface Heartbeat {
  /** Current address of the server. Its port may have changed. */
  readonly server: ServerAddress;
  /** Time of the last answer in milliseconds since the epoch; null before the first. */
  readonly lastAt: number | null;
  /** Number of missed answers since then. */
  readonly failures: number;
  /** Number of operations that the server offers. */
  readonly operations: number;
}

/** A saved image and the state that a file cannot contain. */
export interface SavedImage {
  bytes: number;
  /** Sentences about open files, sockets, foreign memory and timers that the image knows of. */
  missing: string[];
}

export interface Checkpoints {
  /**
   * Saves the state to the new file `file`, which appears only when complete. The image pauses for
   * milliseconds and continues to evaluate during the write.
   * @throws HarborError `busy` while an evaluation runs or is suspended, `threads_running` with the names of
   *   the threads, `checkpoint_failed` with the output of the image
   */
  save(file: string): Promise<SavedImage>;
  /** Present if the image can restore its own checkpoints in place. */
  readonly inPlaceRestore?: InPlaceRestore;
}

/** Restores a checkpoint by an evaluation, which can be interrupted and has a history row. */
export interface InPlaceRestore {
  /**
   * Returns the code of that row, to be evaluated with `restores`. @param name the name of the checkpoint for
   * the user
   */
  code(name: string): string;
  /**
   * Returns the first of these checkpoint files that contains the complete current state; null for none.
   * @throws HarborError as `save`
   */
  findCurrent(files: readonly string[]): Promise<string | null>;
}

/** `start` is the form's position in the code of its row, in code points as Lisp counts characters. */
export interface ReplayForm extends Pick<FormResult, 'code' | 'read' | 'made'> {
  start: number;
}

/** An evaluation of an earlier image to replay: its history row, initial package and code. */
export interface ReplayEntry {
  id: number;
  package: string;
  code: string;
  /** Its top-level forms that had completed. */
  forms: readonly ReplayForm[];
  /** Its change of the logical world; null for none. */
  change: WorldChange | null;
}

/** A project's folders for fetched libraries. The fetching process may write to all except `settings`. */
export interface FetchFolders {
  /** HOME of the fetching process, with `.m2/repository`, `.gitlibs` or `quicklisp`. */
  fetched: string;
  /** Settings of build tools. The harbor writes them; the tools only read them. */
  settings: string;
  temporary: string;
  /** Working directory, created for each fetch and removed afterwards. */
  work: string;
}

/** Fetched libraries for an image. An image started before a fetch cannot replace one started later. */
export interface ProjectLibraries {
  /** Structured like a home folder. */
  folder: string;
  settings: string;
  /** Number of fetches since the app started. */
  fetches: number;
}

export interface FetchRequest {
  project: string;
  /** The missing system; everything that the project needs if undefined. */
  system?: string;
  folders: FetchFolders;
  /** Readable library folders outside of the project. */
  libraries: readonly string[];
}

export interface FetchPlan {
  /** The command, as a user would type it. */
  line: string;
  program: Program;
  /** Readable folders of the project and of the user's own libraries. */
  reads: readonly string[];
  /** A project to link into the folder `work`, where tools may add files of their own. */
  linked?: string;
  /** Files to create in the folder `settings`, by name. */
  settings: Readonly<Record<string, string>>;
  /** A sentence on how a session can use the fetched libraries. */
  next: Mention;
  /** Returns the names of all fetched libraries, unsorted. */
  inventory(): Promise<string[]>;
}

/**
 * The optional group of an engine that can fetch libraries. It describes the program to run; library-fetch.ts
 * runs it confined after a user approves.
 */
export interface LibraryFetcher {
  /** @throws HarborError `not_supported`, `bad_arguments`, `engine_unavailable` with what is missing */
  plan(request: FetchRequest): Promise<FetchPlan>;
}
