/**
 * How an evaluation of a session runs when its turn has come: in the image, where it may be held at a debugger level; in
 * a branch of the image, when it is only tried; or beside it, when it fetches libraries.
 */
import { asFailure, type HarborError } from '../../contract/errors';
import type { SessionState } from '../../contract/model';
import type { TrustIssue, TrustIssueKind } from '../../contract/proof';
import type { Image, ImageOutcome, InputSource, OutputSink } from '../../images/image';
import type { LibraryFetch } from '../../images/library-fetch';
import type { LevelWatcher } from '../../images/optional-groups';
import { evaluationLimits } from '../session-limits';
import type { EvaluationRequest } from './evaluation-request';
import { afterLoss, CLOSED_MEANWHILE, nothingRan, tornAway } from './outcomes';
import type { PendingEvaluations } from './pending-evaluations';
import { PrivateFiles } from './private-files';
import type { RunningEvaluation } from './running-evaluation';
import type { SessionImage } from './session-image';
import type { Journal, Recorded } from './session-journal';
import { Trials } from './trials';

/** Issues of what was evaluated alone: no theorem is about a function without a logical definition. */
const OF_FORMS: ReadonlySet<TrustIssueKind> = new Set<TrustIssueKind>(['program-mode']);

/** What the evaluations of a session act on. */
export interface RunParts {
  session: Recorded & { readonly state: SessionState; readonly sandboxNotes: readonly string[] };
  image: SessionImage;
  journal: Journal;
  pending: PendingEvaluations;
  /** What has to be told of the image and has not been; it is told once. */
  takeNews: () => string[];
  /** Whether unhandled errors are held that the caller said nothing about. */
  holds: () => boolean;
}

export class EvaluationRuns {
  readonly #parts: RunParts;
  readonly #trials = new Trials();
  readonly #privateFiles = new PrivateFiles();
  /** What stops those that the image does not have: they run beside it, or a person is asked about them. */
  readonly #beside = new Map<RunningEvaluation, () => void>();
  readonly #systems = new Set<string>();
  #trust: { of: Image; issues: TrustIssue[] } | null = null;

  constructor(parts: RunParts) {
    this.#parts = parts;
  }

  /** As `SessionView.trust`: what another image has told says nothing of the present one. */
  get trust(): TrustIssue[] | null {
    const image = this.#parts.image.current;
    const standing = image.rawLisp?.standing ?? [];
    const told = this.#trust?.of === image ? this.#trust.issues : null;
    if (standing.length === 0) return told;
    const kinds = new Set(standing.map(({ kind }) => kind));
    return [...standing, ...(told ?? []).filter(({ kind }) => !kinds.has(kind))];
  }

  /** Systems that have been loaded, in the order they came. */
  get systems(): readonly string[] {
    return [...this.#systems];
  }

  /** These count as loaded from now on, and no others. */
  setSystems(systems: readonly string[]): void {
    this.#systems.clear();
    for (const system of systems) this.#systems.add(system);
  }

  /** The image that evaluates it: the session's, or a branch. */
  async imageOf(evaluation: RunningEvaluation): Promise<Image> {
    return (await this.#trials.imageOf(evaluation)) ?? this.#parts.image.current;
  }

  /** Stops the evaluation if the image does not have it, or all such. False when there is none. */
  stopBeside(evaluation?: RunningEvaluation): boolean {
    const found = [...this.#beside].filter(([of]) => evaluation === undefined || of === evaluation);
    for (const [, stop] of found) stop();
    return found.length > 0;
  }

  /** @param id of a pending evaluation. Never rejects, so that the session goes on whatever happens. */
  async run(id: number, levels: LevelWatcher): Promise<ImageOutcome> {
    return this.#run(id, levels).catch((error: unknown) =>
      nothingRan(
        'crashed',
        this.#parts.session.package,
        `This evaluation was lost: ${asFailure(error).message}`,
      ),
    );
  }

  async #run(id: number, levels: LevelWatcher): Promise<ImageOutcome> {
    const { session, journal, pending, takeNews } = this.#parts;
    const { evaluation, request } = pending.get(id) ?? unknown(id);
    const refusal = await this.admitted(id);
    if (refusal) return refusal;
    const notes = [...takeNews(), ...session.sandboxNotes];
    journal.began(evaluation.row, request.package ?? session.package);
    const outcome = await this.#evaluate(evaluation, request, levels);
    notes.push(...outcome.notes, ...evaluation.notes);
    if (outcome.outcome !== 'crashed' || request.kind === 'try') return { ...outcome, notes };
    return this.#tornAway(evaluation, { ...outcome, notes });
  }

  /** What a pending evaluation comes to where it may not begin; null, now or later, where it may. */
  admitted(id: number): Promise<ImageOutcome | null> | null {
    const { evaluation, admission } = this.#parts.pending.get(id) ?? unknown(id);
    const left = new AbortController();
    const asked = admission(left.signal);
    if (asked === null) return null;
    this.#beside.set(evaluation, () => left.abort());
    return asked.then((problem) => {
      this.#beside.delete(evaluation);
      return problem && this.#refused(problem);
    });
  }

  #refused(problem: HarborError): ImageOutcome {
    const outcome = problem.code === 'cancelled' ? 'interrupted' : 'refused';
    return nothingRan(outcome, this.#parts.session.package, problem.message);
  }

  async #evaluate(
    evaluation: RunningEvaluation,
    asked: EvaluationRequest,
    levels: LevelWatcher,
  ): Promise<ImageOutcome> {
    const { session, journal, holds } = this.#parts;
    const { client, kind, fetch, input, onError = holds() ? 'debug' : 'report', ...rest } = asked;
    const limits = evaluationLimits(session.identity.limits);
    const image = this.#parts.image.current;
    const sink: OutputSink = (stream, text, dropped = 0) =>
      journal.output(evaluation.row, stream, text, dropped);
    const reads = input && { input: echoed(input, sink) };
    const request = { id: evaluation.id, onError, ...rest, ...reads, ...limits };
    if (fetch) return this.#fetch(fetch, evaluation, sink);
    if (kind === 'try') return this.#trials.run(evaluation, image, { ...request, onError: 'report' }, sink);
    await this.#privateFiles.begin(image);
    const outcome = await image.evaluate(request, sink, levels);
    outcome.notes.push(...(await this.#privateFiles.notes(image)));
    for (const system of outcome.report?.loaded ?? []) this.#systems.add(system);
    const proof = outcome.report?.proof;
    // One without a command is about the world of another process.
    if (proof && proof.command !== null)
      this.#trust = { of: image, issues: proof.issues.filter(({ kind }) => !OF_FORMS.has(kind)) };
    return outcome;
  }

  async #fetch(fetch: LibraryFetch, evaluation: RunningEvaluation, sink: OutputSink): Promise<ImageOutcome> {
    this.#beside.set(evaluation, () => fetch.stop());
    const outcome = await fetch.run(sink);
    this.#beside.delete(evaluation);
    return { ...outcome, package: this.#parts.session.package };
  }

  /** The outcome of what the image took along when it ended. */
  async #tornAway(evaluation: RunningEvaluation, outcome: ImageOutcome): Promise<ImageOutcome> {
    const { session, image } = this.#parts;
    const { current } = image;
    const end = await current.ended;
    image.lose(end);
    const next = session.state === 'ended' ? CLOSED_MEANWHILE : afterLoss(current);
    return tornAway({ ...outcome, condition: evaluation.held }, end, next);
  }
}

/** What code is given to read stands among what it prints, as at a terminal. */
function echoed(input: InputSource, sink: OutputSink): InputSource {
  return async () => {
    const line = await input();
    if (line !== null) sink('input', `${line}\n`);
    return line;
  };
}

function unknown(id: number): never {
  throw new Error(`nobody has asked for evaluation ${id}.`);
}
