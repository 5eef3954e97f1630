/**
 * The interface of all engines. An engine is discovered and starts images; an image evaluates. Everything
 * else an image can do is an optional group: tools check for an ability, not for the name of an engine.
 */
import type {
  Condition,
  EngineFound,
  EngineName,
  FormResult,
  Limits,
  SandboxReport,
  Stream,
  Warning,
} from '../contract/model';
import type { Note } from '../contract/note';
import type { ProofProgress } from '../contract/proof';
import type { Cost, Report, SamplingMode } from '../contract/report';
import type { Container, ServerAddress } from '../contract/server';
import type { Activity, Launcher, PrivateEntries, Usage } from '../launchers/launcher';
import type { Confinement } from '../sandbox/confinement';
import type { Dialect } from '../source/dialect';
import { readEvaluation } from '../source/reader';
import type {
  Backend,
  Checkpoints,
  Debugger,
  EmacsServers,
  Exceptions,
  Heartbeat,
  Inspector,
  Knowledge,
  LevelWatcher,
  LibraryFetcher,
  Loader,
  MemoryReader,
  NreplServer,
  ProjectLibraries,
  RelayedRequest,
  ReplayEntry,
  Sampler,
  Taps,
  Tracer,
} from './optional-groups';
import type { TestProgress } from './test-progress';
import type { FinalCheckRequest, Library, RawLispLock, World } from './world';

/** Default maximum length of a printed value in characters, for values that print without end. */
export const LONGEST_VALUE = 4 * 1024 * 1024;

/** Parameters of a start. `home` is the session's folder for HOME, fasls and scratch files. */
export interface StartRequest {
  launcher: Launcher;
  confinement: Confinement;
  project: string;
  home: string;
  /** The session's folder for checkpoints. */
  checkpoints: string;
  /** Folders of libraries fetched for the project. */
  libraries?: ProjectLibraries;
  /** Initial package or namespace; the engine's default (`CL-USER`, `user`) if undefined. */
  package?: string;
  /** Aliases or profiles of the project's build file. */
  aliases?: readonly string[];
  /** Heap size in MiB; the engine's default if undefined. */
  heapMiB?: number;
  /** Container to start in, for engines that support it. */
  container?: Container;
  /** File of a checkpoint to start from. It also determines the initial package. */
  checkpoint?: string;
  /** Whether the user allowed the session what may start programs, for engines that start none otherwise. */
  programs?: boolean;
}

/** Parameters for attaching to a running server. */
export interface AttachRequest {
  server: ServerAddress;
  /** As in `StartRequest`. */
  package?: string;
}

export interface EvaluateRequest {
  /** Row id in the history. Output events and interrupts refer to it. */
  id: number;
  code: string;
  /** For this evaluation only; the session's package does not change. */
  package?: string;
  /** File of a checkpoint that `code`, from `InPlaceRestore`, restores. */
  restores?: string;
  /** Runs a final check in separate processes instead of `code`, which only describes it. ACL2 only. */
  finalCheck?: FinalCheckRequest;
  /**
   * Certifies this book (its name without `.lisp`), or all books of this folder, in separate processes instead of evaluating
   * `code`, which only describes it. A relative name is relative to the project. ACL2 only.
   */
  certify?: string;
  /** Refuses reader evaluation (`#.`). */
  safeRead?: boolean;
  /** Maximum length of a printed value in characters. */
  maxChars?: number;
  /**
   * Maximum depth and list length of printed values; the session's printer variables if undefined. Common
   * Lisp only.
   */
  printLevel?: number;
  printLength?: number;
  /** Number of frames reported with their locals for a condition that ends the evaluation. */
  framesWithLocals?: number;
  /**
   * Returns all values as data that is readable in the engine's default package, regardless of printer
   * variables. ACL2 only.
   */
  asData?: boolean;
  /**
   * For an unhandled condition: report it and return to the top level (default), or suspend the evaluation in
   * the debugger.
   */
  onError?: 'report' | 'debug';
  /** Debugger level to evaluate at, which must be the innermost one; the top level if undefined. */
  level?: number;
  /** Frame of the suspended stack whose locals the code sees. */
  frame?: number;
  /** Retains the values of the last form, so that the inspector finds them by this evaluation's id. */
  keepValues?: boolean;
  /** Samples the evaluation. The image needs a sampler, which refuses a second evaluation at a time. */
  profile?: SamplingMode;
  /** Records the calls of the project's functions. The image needs a tracer. */
  trace?: boolean;
  /** Seconds of processor time until a cooperative interrupt. The outcome states the reason. */
  cpuSeconds?: number;
  /**
   * Maximum characters of output. Of more, the first and last halves and the number of dropped characters are
   * passed on.
   */
  outputChars?: number;
  /**
   * The request of an editor that is sent to the image's nREPL server instead of `code`, which is the code in
   * it. Needs `Image.nrepl`.
   */
  relayed?: RelayedRequest;
  /** Follows the tests that it runs; absent: nobody reads their results before the end. */
  tests?: TestProgress;
  /** Supplies input for code that reads. Without it, such code reads end of file, and a note says so. */
  input?: InputSource;
}

/** Returns the next input line without its newline; null for end of file. May wait for the user. */
export type InputSource = () => Promise<string | null>;

/** Receives output in order. `dropped` counts characters lost directly before `text`. */
export type OutputSink = (stream: Stream, text: string, dropped?: number) => void;

/**
 * The result of an evaluation in the image. `crashed`: the image has ended; `notes` describe how. `refused`:
 * nothing ran, because the evaluation named a debugger level that is not the session's. `forms` contains
 * every evaluated form, also those before an error.
 */
export interface ImageOutcome {
  outcome: 'ok' | 'error' | 'interrupted' | 'crashed' | 'refused';
  package: string;
  forms: FormResult[];
  warnings: Warning[];
  condition: Condition | null;
  notes: Note[];
  /** Results of loading, tests and sampling; undefined if there are none. */
  report?: Report;
  /** Undefined if the engine does not measure it, or nothing was evaluated. */
  cost?: Cost;
}

/** Maximum characters of the name of a package or namespace; code or a server can make it of any length. */
const LONGEST_PACKAGE = 1_000;

/** Returns the name of a package as an image reports it, bounded: it is part of every result. */
export function reportedPackage(name: string): string {
  return name.slice(0, LONGEST_PACKAGE);
}

/** Kind of interrupt. `cooperative` preserves all state; engines without it return false. */
export type InterruptStep = 'cooperative' | 'insistent';

/** How an image ended, as a sentence for the user: "SBCL exited with code 7", "killed by SIGKILL". */
export interface ImageEnd {
  description: string;
  /** Whether `end()` was called before. */
  expected: boolean;
}

export interface Brancher {
  /**
   * Returns a second image with the current state of this one, for discardable work. It ends with this one at
   * the latest.
   * @throws HarborError as `Checkpoints.save`
   */
  branch(): Promise<Image>;
}

export interface Replayer {
  /** Whether the image was started from a checkpoint that only the replay restores. */
  readonly pending: boolean;
  /**
   * Evaluates in `image` the top-level forms whose operator is in the engine's table (definitions, packages,
   * readtables, loads), in order, or rebuilds the logical world from its changes. Makes `packageAfter` the
   * current package. The report of the outcome lists what was restored; output is discarded. Never rejects.
   */
  replay(image: Image, entries: readonly ReplayEntry[], packageAfter: string): Promise<ImageOutcome>;
}

export interface Image {
  readonly engine: EngineName;
  readonly sandbox: SandboxReport;
  /** Package or namespace of the next evaluation. */
  readonly package: string;
  /** Information that a user of this image needs and cannot see; reported once. */
  readonly introduction?: readonly Note[] | undefined;
  /**
   * A changed project file, such as `deps.edn has changed`, because of which a new image would differ. null
   * for none; undefined if the start does not depend on project files.
   */
  readonly outdatedBy?: string | null;
  /**
   * Whether its reader uses a non-standard syntax for lists, strings and comments; undefined if it does not,
   * or is unknown.
   */
  readonly hasOwnSyntax?: boolean;
  /** The engine's prompt, such as `* ` or `user=> `, or `0] ` at a debugger level. */
  prompt(level?: number): string;
  /**
   * Evaluates. Evaluations of an image run one at a time, or inside a suspended one; the caller queues them.
   * Always resolves, never rejects. `levels` is called when this evaluation is suspended in the debugger.
   */
  evaluate(request: EvaluateRequest, sink: OutputSink, levels?: LevelWatcher): Promise<ImageOutcome>;
  /**
   * Interrupts only evaluation `id`. Resolves to true if it was signalled or is done; false if this step is
   * impossible and the caller should try the next one.
   */
  interrupt(id: number, step: InterruptStep): Promise<boolean>;
  usage(): Promise<Usage | null>;
  /** As `Launched.activity`. */
  activity?(): Promise<Activity | null>;
  /** As `Launched.privateEntries`. */
  privateEntries?(): Promise<readonly PrivateEntries[]>;
  /** Opens a debugger level where evaluation `id` is. Returns false if it does not run or does not answer. */
  hold?(id: number): Promise<boolean>;
  /** Returns the calls in progress of evaluation `id`, innermost first; empty if they are not known. */
  calls?(id: number): Promise<readonly string[]>;
  /** Reports the progress of a prover without disturbing it; null if nothing runs. */
  progress?(): Promise<ProofProgress | null>;
  readonly debugger?: Debugger;
  readonly knowledge?: Knowledge;
  readonly inspector?: Inspector;
  readonly exceptions?: Exceptions;
  readonly taps?: Taps;
  readonly loader?: Loader;
  readonly sampler?: Sampler;
  readonly tracer?: Tracer;
  readonly memory?: MemoryReader;
  readonly checkpoints?: Checkpoints;
  readonly brancher?: Brancher;
  readonly replayer?: Replayer;
  readonly slime?: EmacsServers;
  readonly nrepl?: NreplServer;
  readonly world?: World;
  readonly library?: Library;
  readonly rawLisp?: RawLispLock;
  readonly heartbeat?: Heartbeat;
  readonly backend?: Backend;
  /** Ends the process and waits for it. For an attached server, closes only the connection. */
  end(): Promise<void>;
  /** Resolves when the process or connection has ended for any reason. */
  readonly ended: Promise<ImageEnd>;
}

/** A limit that an engine can enforce. */
export type LimitName = keyof Limits;

export interface Engine {
  readonly name: EngineName;
  /** The limits that the engine enforces; undefined for none. */
  readonly limits?: readonly LimitName[];
  /** Whether images may be started in advance. false for attached servers. */
  readonly startsAhead?: boolean;
  /** Whether its images may run on other machines. */
  readonly startsOnHosts?: true;
  /** Whether it is the default only because no other engine was found. */
  readonly isFallback?: boolean;
  /** Whether build files of its projects define aliases or profiles. */
  readonly hasAliases?: boolean;
  /** Fetches missing libraries; undefined if not supported. */
  readonly fetcher?: LibraryFetcher;
  /** Searches for the engine on this machine. Cheap enough to repeat after an installation. */
  discover(): Promise<EngineFound>;
  /** Reports whether the folder is a project of this engine alone, by its build files. */
  ownsProject?(project: string): Promise<boolean>;
  /**
   * Finds or builds what its images start from, so that the first start need not wait. Does nothing if the
   * engine is not installed. @throws HarborError as `start`
   */
  buildAhead?(): Promise<void>;
  /**
   * `report` is called with the current step if starting takes several steps.
   * @throws HarborError `engine_unavailable`, `unknown_checkpoint`, or `engine_failed` with the output of the
   *   engine
   */
  start(request: StartRequest, report?: (doing: string) => void): Promise<Image>;
  /**
   * Attaches to a running server.
   * @throws HarborError `engine_unavailable` if no server answers, `engine_failed` if it is of another kind
   */
  attach?(request: AttachRequest): Promise<Image>;
  /** Reports whether the server of a lost image is reachable again; undefined: only an evaluation tries. */
  isReachable?(server: ServerAddress): Promise<boolean>;
}

/** Id of a replay. No row of the history has it. */
const REPLAY_ID = -1;

/**
 * Replays by evaluating code that the harbor generates.
 */
export abstract class CodeReplayer implements Replayer {
  get pending(): boolean {
    return false;
  }

  replay(image: Image, entries: readonly ReplayEntry[], packageAfter: string): Promise<ImageOutcome> {
    const code = this.replayCode(entries, packageAfter);
    return image.evaluate({ id: REPLAY_ID, code }, () => undefined);
  }

  /** Returns the code to evaluate. Its report must list what was restored. */
  abstract replayCode(entries: readonly ReplayEntry[], packageAfter: string): string;
}

/**
 * Returns an error for code that must not be sent to a server whose reader cannot refuse reader evaluation;
 * null if it may be sent.
 */
export function readerEvaluationError(
  { code, safeRead }: EvaluateRequest,
  dialect: Dialect,
): Condition | null {
  const found = safeRead ? readEvaluation(code, dialect) : null;
  if (found === null) return null;
  const message = `Reader evaluation (${found}) is not allowed with safe_read. Nothing was evaluated.`;
  return { type: 'reader error', message, level: 1, restarts: [], frames: [] };
}
