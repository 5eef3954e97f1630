/**
 * Runs the evaluations of a session in its image, in a branch of the image (`try`), or outside it (library
 * fetches, maps).
 */

import { asFailure, type HarborError } from '../../contract/errors';
import type { EngineName, SessionState } from '../../contract/model';
import { errorNote, type Note, note } from '../../contract/note';
import type { TrustIssue, TrustIssueKind } from '../../contract/proof';
import { namedPaths } from '../../contract/visible-text';
import { cut } from '../../history/long-text';
import type {
  EvaluateRequest,
  Image,
  ImageEnd,
  ImageOutcome,
  InputSource,
  OutputSink,
} from '../../images/image';
import type { LevelWatcher } from '../../images/optional-groups';
import type { PrivateEntries } from '../../launchers/launcher';
import type { ProjectWatch } from '../../sandbox/project-watch';
import { dialectOf } from '../../source/dialect';
import { read } from '../../source/reader';
import { formsOf } from '../../source/syntax-tree';
import type { DiskLimits } from '../disk-limits';
import type { NewProtectedPlaces } from '../new-protected-places';
import { evaluationLimits } from '../open-request';
import type { PendingEvaluations, RunningEvaluation } from './pending-evaluations';
import { nextAfterLoss, type SessionImage } from './session-image';
import type { EvaluationRequest, Journal, OutsideWork, RecordedSession } from './session-journal';

/**
 * Trust issues that concern only the evaluated form, not the world: no theorem can be about a function
 * without a logical definition.
 */
const FORM_ISSUES: ReadonlySet<TrustIssueKind> = new Set<TrustIssueKind>(['program-mode']);

/** The parts of a session that its evaluations use. */
export interface RunnerParts {
  session: RecordedSession & {
    readonly state: SessionState;
    readonly sandboxNotes: readonly Note[];
    readonly fallbackNotes: readonly Note[];
    addNotes(...notes: readonly Note[]): void;
    cancel(evaluation: RunningEvaluation): Promise<boolean>;
  };
  image: SessionImage;
  journal: Journal;
  pending: PendingEvaluations;
  /** Returns the pending notes for the client about the image, and clears them. */
  takePendingNotes: (client: string) => Note[];
  /** Whether an unhandled error suspends the evaluation if the caller did not choose. */
  suspendsErrors: () => boolean;
  /** Reports what appears in the project and no sandbox prevents; absent: nothing is reported. */
  projectWatch?: Pick<ProjectWatch, 'begin' | 'notes'>;
  /** Watches the project while code runs; absent if nothing confines images. */
  newPlaces?: NewProtectedPlaces;
  /** Bounds what the session writes to disk; absent: nothing does. */
  diskLimits?: DiskLimits;
}

export class EvaluationRunner {
  readonly #parts: RunnerParts;
  readonly #trials = new Trials();
  readonly #privateFiles = new PrivateFiles();
  /**
   * Functions that stop evaluations which are not in the image: they run outside it, or wait for an approval.
   */
  readonly #outsideImage = new Map<RunningEvaluation, () => void>();
  readonly #systems = new Set<string>();
  #trust: { of: Image; issues: TrustIssue[] } | null = null;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
  }

  /** As `SessionView.trust`. Issues reported by an earlier image are ignored. */
  get trust(): TrustIssue[] | null {
    const image = this.#parts.image.current;
    const standing = image.rawLisp?.permanentIssues ?? [];
    const reported = this.#trust?.of === image ? this.#trust.issues : null;
    if (standing.length === 0) return reported;
    const kinds = new Set(standing.map(({ kind }) => kind));
    return [...standing, ...(reported ?? []).filter(({ kind }) => !kinds.has(kind))];
  }

  /** Loaded systems, in load order. */
  get systems(): readonly string[] {
    return [...this.#systems];
  }

  /** Replaces the list of loaded systems. */
  setSystems(systems: readonly string[]): void {
    this.#systems.clear();
    for (const system of systems) this.#systems.add(system);
  }

  /** Returns the image that runs the evaluation: the session's, or a branch of it. */
  async imageOf(evaluation: RunningEvaluation): Promise<Image> {
    return (await this.#trials.imageOf(evaluation)) ?? this.#parts.image.current;
  }

  /**
   * Stops the evaluation if it is outside the image, or all such evaluations. Returns false if there are
   * none.
   */
  stopOutsideImage(evaluation?: RunningEvaluation): boolean {
    const found = [...this.#outsideImage].filter(([of]) => evaluation === undefined || of === evaluation);
    for (const [, stop] of found) stop();
    return found.length > 0;
  }

  /** Runs a pending evaluation. Never rejects: an internal error becomes a crashed outcome. */
  async run(id: number, levels: LevelWatcher): Promise<ImageOutcome> {
    return this.#run(id, levels).catch((error: unknown) =>
      notRun(
        'crashed',
        this.#parts.session.package,
        note('internal', `The evaluation failed with an internal error: ${asFailure(error).message}`),
      ),
    );
  }

  async #run(id: number, levels: LevelWatcher): Promise<ImageOutcome> {
    const { session, image, journal, pending, newPlaces, projectWatch, takePendingNotes } = this.#parts;
    const { evaluation, request } = pending.get(id) ?? unknown(id);
    const refusal = await this.admitted(id);
    if (refusal) return refusal;
    const notes = [...takePendingNotes(request.client), ...session.sandboxNotes];
    journal.began(evaluation.row, request.package ?? session.package);
    const { project } = session.identity;
    const watched = image.current.sandbox.confined ? newPlaces : undefined;
    const unwatch = await watched?.begin(project, () => session.state !== 'debugger');
    projectWatch?.begin(project);
    const unbound = await this.#boundDisk(evaluation);
    const outcome = await this.#evaluate(evaluation, request, levels);
    await unbound?.();
    const movedPlaces = (await unwatch?.()) ?? [];
    notes.push(...failedFormNotes(request, outcome, session.identity.engine));
    if (outcome.outcome === 'error' && COMMON_LISP.test(request.code)) notes.push(...session.fallbackNotes);
    notes.push(...outcome.notes, ...evaluation.notes, ...movedPlaces);
    notes.push(...((await projectWatch?.notes(project)) ?? []));
    if (outcome.outcome !== 'crashed' || request.kind === 'try') return { ...outcome, notes };
    return this.#lostOutcome(evaluation, { ...outcome, notes });
  }

  /** Stops the evaluation when files of the session exceed a limit. */
  #boundDisk(evaluation: RunningEvaluation): Promise<() => Promise<void>> | undefined {
    const { session, image, diskLimits } = this.#parts;
    const { id, project, server } = session.identity;
    if (server) return undefined;
    const bounded = {
      ...{ session: id, project },
      pid: async () => (await image.current.usage())?.pid ?? null,
      endImage: (reason: Note) => {
        session.addNotes(reason);
        void image.current.end();
      },
    };
    return diskLimits?.begin(bounded, (reason) => {
      evaluation.addNote(reason);
      void session.cancel(evaluation);
    });
  }

  /**
   * Returns the outcome of an evaluation that may not run, or null if it may. The answer is a promise if it
   * needs an approval.
   */
  admitted(id: number): Promise<ImageOutcome | null> | null {
    const { evaluation, admission } = this.#parts.pending.get(id) ?? unknown(id);
    const abandoned = new AbortController();
    const requested = admission(abandoned.signal);
    if (requested === null) return null;
    this.#outsideImage.set(evaluation, () => abandoned.abort());
    return requested.then((problem) => {
      this.#outsideImage.delete(evaluation);
      return problem && this.#refused(problem);
    });
  }

  #refused(problem: HarborError): ImageOutcome {
    const outcome = problem.code === 'cancelled' ? 'interrupted' : 'refused';
    return notRun(outcome, this.#parts.session.package, errorNote('refused', problem));
  }

  async #evaluate(
    evaluation: RunningEvaluation,
    requested: EvaluationRequest,
    levels: LevelWatcher,
  ): Promise<ImageOutcome> {
    const { session, journal, suspendsErrors: holds } = this.#parts;
    const {
      client,
      kind,
      parent,
      outside,
      input,
      onError = holds() ? 'debug' : 'report',
      ...rest
    } = requested;
    const limits = evaluationLimits(session.identity.limits);
    const image = this.#parts.image.current;
    const sink: OutputSink = (stream, text, dropped = 0) =>
      journal.output(evaluation.row, stream, text, dropped);
    const reads = input && { input: echoed(input, sink) };
    const tests = evaluation.tests && { tests: evaluation.tests };
    const request = { id: evaluation.id, onError, ...rest, ...tests, ...reads, ...limits };
    if (outside) return this.#runOutside(outside, evaluation, sink);
    if (kind === 'try') return this.#trials.run(evaluation, image, { ...request, onError: 'report' }, sink);
    await this.#privateFiles.begin(image);
    const outcome = await image.evaluate(request, sink, levels);
    outcome.notes.push(...(await this.#privateFiles.notes(image)));
    for (const system of outcome.report?.loaded ?? []) this.#systems.add(system);
    const proof = outcome.report?.proof;
    // A result without a command describes the world of another process.
    if (proof && proof.command !== null)
      this.#trust = { of: image, issues: proof.issues.filter(({ kind }) => !FORM_ISSUES.has(kind)) };
    return outcome;
  }

  async #runOutside(
    work: OutsideWork,
    evaluation: RunningEvaluation,
    sink: OutputSink,
  ): Promise<ImageOutcome> {
    this.#outsideImage.set(evaluation, () => work.stop());
    const outcome = await work.run(sink, evaluation.id);
    this.#outsideImage.delete(evaluation);
    return { ...outcome, package: this.#parts.session.package };
  }

  /** Returns the outcome of an evaluation whose image ended. */
  async #lostOutcome(evaluation: RunningEvaluation, outcome: ImageOutcome): Promise<ImageOutcome> {
    const { session, image } = this.#parts;
    const { current } = image;
    const end = await current.ended;
    image.lose(end);
    const next = session.state === 'ended' ? SESSION_CLOSED : nextAfterLoss(current);
    return outcomeAfterLoss({ ...outcome, condition: evaluation.condition }, end, next);
  }
}

/** Echoes the input that code reads into its output, as a terminal does. */
function echoed(input: InputSource, sink: OutputSink): InputSource {
  return async () => {
    const line = await input();
    if (line !== null) sink('input', `${line}\n`);
    return line;
  };
}

function unknown(id: number): never {
  throw new Error(`Evaluation ${id} is not pending.`);
}

/** Runs `try` evaluations, each in a branch of the session's image that is discarded afterwards. */
class Trials {
  readonly #branches = new Map<RunningEvaluation, Promise<Image>>();

  /** Returns the branch that runs `evaluation`; undefined for other evaluations. */
  async imageOf(evaluation: RunningEvaluation): Promise<Image | undefined> {
    return this.#branches.get(evaluation)?.catch(() => undefined);
  }

  /**
   * Evaluates in a new branch. The outcome is `refused`, with the reason, if the image cannot be branched
   * now. Never rejects.
   */
  async run(
    evaluation: RunningEvaluation,
    image: Image,
    request: EvaluateRequest,
    sink: OutputSink,
  ): Promise<ImageOutcome> {
    const branching = image.brancher?.branch() ?? Promise.reject(new Error('This image cannot be branched.'));
    this.#branches.set(evaluation, branching);
    try {
      const branch = await branching;
      const outcome = await branch.evaluate(request, sink);
      await branch.end();
      return { ...outcome, package: image.package, notes: [...outcome.notes, thrownAway(outcome)] };
    } catch (error) {
      return notRun(
        'refused',
        image.package,
        note('refused', `The trial did not run: ${asFailure(error).message}`),
      );
    } finally {
      this.#branches.delete(evaluation);
    }
  }
}

function thrownAway({ outcome }: ImageOutcome): Note {
  return note(
    'branch_discarded',
    outcome === 'crashed'
      ? 'The evaluation ended the branch in which it ran. The session is unchanged.'
      : 'The evaluation ran in a branch that was discarded. The session is unchanged.',
  );
}

// Files written outside the project, where only the session sees them.

const LASTS: Readonly<Record<PrivateEntries['lasts'], string>> = {
  image: 'Written where only this image sees it; lost when the image ends',
  session: 'Written in the session’s home folder, which is deleted with the session',
};

class PrivateFiles {
  readonly #known = new WeakSet<Image>();

  /** Skips the entries that exist before the first evaluation: the engine created them. */
  async begin(image: Image): Promise<void> {
    if (this.#known.has(image)) return;
    this.#known.add(image);
    await image.privateEntries?.();
  }

  /** Returns a note for each private folder with new entries. Each entry is reported once. */
  async notes(image: Image): Promise<Note[]> {
    return ((await image.privateEntries?.()) ?? []).map(noteOf);
  }
}

function noteOf({ lasts, paths }: PrivateEntries): Note {
  return note(
    'private_files',
    `${LASTS[lasts]}: ${namedPaths(paths)}. Write files that you want to keep into the project.`,
  );
}

/** A form that Common Lisp has and Clojure does not. */
const COMMON_LISP =
  /\((?:defun|defvar|defparameter|defconstant|defgeneric|defclass|defpackage|in-package|setf|setq|format (?:t|nil)|progn|lambda|flet|labels|funcall|mapcar|dolist|loop for|handler-case|(?:cl|asdf|ql|sb-\w+):)(?=[\s(:*+-]|\w)/i;

/** Maximum characters of the beginning of a form. */
const FORM_CHARACTERS = 60;

/**
 * Returns a note about the form that failed, if the code of a caller has several. A prover reports each event
 * itself.
 */
function failedFormNotes(
  { kind, code }: EvaluationRequest,
  { outcome, forms, report }: ImageOutcome,
  engine: EngineName,
): Note[] {
  if (outcome !== 'error' || kind !== 'eval' || report?.proof) return [];
  const all = formsOf(read(code, dialectOf(engine)).tree);
  const failed = all[forms.length];
  if (failed === undefined || all.length === 1) return [];
  const [line = ''] = code.slice(failed.start, failed.end).split('\n', 1);
  const text = `Form ${forms.length + 1} of ${all.length} failed: ${cut(line.trim(), FORM_CHARACTERS)}`;
  return [note('failed_form', text)];
}

/** Returns the outcome of an evaluation that did not run. */
export function notRun(
  outcome: 'interrupted' | 'crashed' | 'refused',
  packageName: string,
  why: Note,
): ImageOutcome {
  return { outcome, package: packageName, forms: [], warnings: [], condition: null, notes: [why] };
}

/**
 * Returns the outcome of an evaluation whose image ended: interrupted if the image was ended on purpose, else
 * crashed.
 * @param next a sentence about the future of the session
 */
function outcomeAfterLoss(outcome: ImageOutcome, end: ImageEnd, next: string): ImageOutcome {
  const notes = [...outcome.notes, note('image_lost', next)];
  return { ...outcome, outcome: end.expected ? 'interrupted' : 'crashed', notes };
}

const SESSION_CLOSED = 'The session or the harbor was closed before this evaluation ended.';
