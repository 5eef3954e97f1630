/**
 * The one interface of all engines. An engine is discovered and starts images; an image evaluates. What an
 * image can do beyond that is an optional group, and its absence is an answer: tools ask for an ability,
 * never for an engine's name.
 */
import type { Cost, SamplingMode } from '../contract/cost';
import type { Limits } from '../contract/memory';
import type {
  Condition,
  EngineFound,
  EngineName,
  FormResult,
  SandboxReport,
  Stream,
  Warning,
} from '../contract/model';
import type { ProofProgress } from '../contract/proof';
import type { Report } from '../contract/report';
import type { Container, ServerAddress } from '../contract/server';
import type { Activity, Launcher, PrivateEntries, Usage } from '../launchers/launcher';
import type { Confinement } from '../sandbox/confinement';
import type { Checkpoints, ReplayEntry } from './checkpoints';
import type { Library } from './library';
import type { LibraryFetcher, ProjectLibraries } from './library-fetcher';
import type {
  Backend,
  Debugger,
  Exceptions,
  Heartbeat,
  Inspector,
  Knowledge,
  LevelWatcher,
  Loader,
  MemoryReader,
  Sampler,
  SlimeServer,
  Taps,
} from './optional-groups';
import type { FinalCheckRequest, RawLispLock, World } from './world';

/** Longest printed value in characters, unless the caller says otherwise: whatever prints without end ends there. */
export const LONGEST_VALUE = 4 * 1024 * 1024;

/** What an image needs to start. `home` is the session's own folder: HOME, fasls and scratch files go there. */
export interface StartRequest {
  launcher: Launcher;
  confinement: Confinement;
  project: string;
  home: string;
  /** Another folder of the session's own, where an image that can save itself does so. */
  checkpoints: string;
  /** Where libraries are that were fetched for the project. */
  libraries?: ProjectLibraries;
  /** Package or namespace to begin in; absent means the engine's usual one (`CL-USER`, `user`). */
  package?: string;
  /** Heap in MiB; absent: the engine's usual one. */
  heapMiB?: number;
  /** To start it in, for an engine that is told so. */
  container?: Container;
  /**
   * The file of a checkpoint to begin from, instead of an image that holds nothing yet. It says also what package to
   * begin in.
   */
  checkpoint?: string;
}

/** What is needed to attach to an image that somebody else started. */
export interface AttachRequest {
  server: ServerAddress;
  /** As in `StartRequest`. */
  package?: string;
}

export interface EvaluateRequest {
  /** The row of the history; output events and interrupts name it. */
  id: number;
  code: string;
  /** Holds for this evaluation only; the session's own package is left as it was. */
  package?: string;
  /** The file of a checkpoint that `code` goes back to, which `GoingBack` has told. */
  restores?: string;
  /** What is rebuilt and judged, in processes of its own, in place of `code`, which then only says what it does. Only ACL2
   * has it. */
  checks?: FinalCheckRequest;
  /** Refuse reader evaluation (`#.`). */
  safeRead?: boolean;
  /** Longest printed text of one value, in characters. */
  maxChars?: number;
  /** How deep, and how many elements of each list, values are printed; absent: as the session's printer variables say. Other engines
   * than Common Lisps do not know it. */
  printLevel?: number;
  printLength?: number;
  /** Of the frames of a condition that ends it, how many are told with their locals. */
  framesWithLocals?: number;
  /** Values as data: all that a form returns, printed so that each can be read back in the engine's usual package, whatever
   * the session's printer variables say. Only ACL2 has it. */
  asData?: boolean;
  /** What becomes of an unhandled condition: told, back at the top level (the default), or held for the debugger. */
  onError?: 'report' | 'debug';
  /** The debugger level to evaluate at, which must be the innermost one; absent: the top level. */
  level?: number;
  /** A frame of the held stack, whose locals the code then sees. */
  frame?: number;
  /** Keep the values of the last form, so that an inspector finds them under this evaluation's id. */
  keepValues?: boolean;
  /** Sample it: the image must have a sampler, which samples one evaluation at a time and refuses another. */
  profile?: SamplingMode;
  /** Seconds of processor time after which it is interrupted cooperatively; its outcome then says why. */
  cpuSeconds?: number;
  /** Characters that it may print: of more, the first half and the last half arrive, and how many fell between. */
  outputChars?: number;
  /** Answers code that reads from its input. Absent: such code meets the end of the file, and a note says so. */
  input?: InputSource;
}

/** The next line for code that reads, without its newline; null is the end of the file. May wait for a person. */
export type InputSource = () => Promise<string | null>;

/** Where output goes while the evaluation runs, in the order it came; `dropped` counts characters printed right before
 * `text` that are lost. */
export type OutputSink = (stream: Stream, text: string, dropped?: number) => void;

/**
 * What became of an evaluation inside the image. `crashed`: the image is gone, and `notes` say how. `refused`: nothing ran,
 * because the evaluation named another debugger level than the session is at. `forms` holds every form that was evaluated,
 * also before an error.
 */
export interface ImageOutcome {
  outcome: 'ok' | 'error' | 'interrupted' | 'crashed' | 'refused';
  package: string;
  forms: FormResult[];
  warnings: Warning[];
  condition: Condition | null;
  notes: string[];
  /** What was loaded and tested, and what was sampled; absent where there is nothing to tell. */
  report?: Report;
  /** Absent where the engine does not know it, or nothing was evaluated. */
  cost?: Cost;
}

/** How gently an interrupt acts. `cooperative` keeps all state; an engine that has none answers false. */
export type InterruptStep = 'cooperative' | 'insistent';

/** How an image ended, in a sentence for people: "SBCL exited with code 7", "killed by SIGKILL". */
export interface ImageEnd {
  description: string;
  /** Whether `end()` had asked for it. */
  expected: boolean;
}

export interface Brancher {
  /** A second image with the state that this one has at this moment, for what is tried and thrown away. It ends with
   * this one at the latest. @throws HarborError as `Checkpoints.save` does */
  branch(): Promise<Image>;
}

export interface Replayer {
  /** Whether the image was started from a checkpoint whose state comes only with the replay. */
  readonly pending: boolean;
  /**
   * Evaluates in `image`, in order, the top-level forms whose operator is in the engine's table (definitions, packages,
   * readtables, loads), or builds the logical world that their changes come to. It makes `packageAfter` the current
   * package. What came back is in the outcome's report; what is printed meanwhile is nobody's output. Never rejects.
   */
  replay(image: Image, entries: readonly ReplayEntry[], packageAfter: string): Promise<ImageOutcome>;
}

export interface Image {
  readonly engine: EngineName;
  readonly sandbox: SandboxReport;
  /** The package or namespace that the next evaluation starts in. */
  readonly package: string;
  /** What whoever uses this image must know and cannot see from it; told once. */
  readonly introduction?: string | undefined;
  /** What has changed of the project by which it was started, such as `deps.edn has changed`: a new image would begin with
   * something else. null where nothing has; absent where its start does not depend on files of the project. */
  readonly outdatedBy?: string | null;
  /** Whether its reader does not read lists, strings and comments as the standard says; absent: it does, or nobody knows. */
  readonly hasOwnSyntax?: boolean;
  /** The engine's own prompt for a listener, such as `* ` or `user=> `, or `0] ` at a debugger level. */
  prompt(level?: number): string;
  /**
   * Evaluations of one image run one after another, or inside one that is held; the caller queues. Settles always,
   * never rejects. `levels` hears when this one is held; without a debugger it never is.
   */
  evaluate(request: EvaluateRequest, sink: OutputSink, levels?: LevelWatcher): Promise<ImageOutcome>;
  /**
   * Interrupts evaluation `id` and no other. True when it has been told to stop, or is over already; false when
   * it cannot be interrupted that way, and the caller takes the next step.
   */
  interrupt(id: number, step: InterruptStep): Promise<boolean>;
  usage(): Promise<Usage | null>;
  /** As `Launched.activity`. */
  activity?(): Promise<Activity | null>;
  /** As `Launched.privateEntries`. */
  privateEntries?(): Promise<readonly PrivateEntries[]>;
  /** How far a prover has come with what it evaluates, which is not disturbed by the question; null when nothing runs. */
  progress?(): Promise<ProofProgress | null>;
  readonly debugger?: Debugger;
  readonly knowledge?: Knowledge;
  readonly inspector?: Inspector;
  readonly exceptions?: Exceptions;
  readonly taps?: Taps;
  readonly loader?: Loader;
  readonly sampler?: Sampler;
  readonly memory?: MemoryReader;
  readonly checkpoints?: Checkpoints;
  readonly brancher?: Brancher;
  readonly replayer?: Replayer;
  readonly slime?: SlimeServer;
  readonly world?: World;
  readonly library?: Library;
  readonly rawLisp?: RawLispLock;
  readonly heartbeat?: Heartbeat;
  readonly backend?: Backend;
  /** Ends the process and waits for it; of a server that somebody else started, the connection only. */
  end(): Promise<void>;
  /** Settles when the process, or the connection, is gone, in whatever way. */
  readonly ended: Promise<ImageEnd>;
}

/** What an engine can be told to use no more of. */
export type LimitName = keyof Limits;

export interface Engine {
  readonly name: EngineName;
  /** The limits that it keeps; absent: none. */
  readonly limits?: readonly LimitName[];
  /** Whether its images may be started before anybody asks for one: not those of servers that are not ours. */
  readonly startsAhead?: boolean;
  /** How missing libraries are fetched; absent: not at all. */
  readonly fetcher?: LibraryFetcher;
  /** Looks for the engine on this machine; cheap enough to ask again when a person installs it. */
  discover(): Promise<EngineFound>;
  /** Finds what its images start from, and builds it where it is not there: who asks for the first one waits for neither then.
   * Nothing for an engine that is not here. @throws HarborError as `start` */
  buildAhead?(): Promise<void>;
  /** `tell` hears what goes on meanwhile, where starting takes several steps.
   * @throws HarborError `engine_unavailable`, `unknown_checkpoint`, or `engine_failed` with what the engine printed. */
  start(request: StartRequest, tell?: (doing: string) => void): Promise<Image>;
  /** For engines whose images somebody else starts.
   * @throws HarborError `engine_unavailable` when no server answers, `engine_failed` when it is none of this kind */
  attach?(request: AttachRequest): Promise<Image>;
  /** Whether the server of a lost image can be attached to again; absent: only an evaluation tries. */
  isThere?(server: ServerAddress): Promise<boolean>;
}
