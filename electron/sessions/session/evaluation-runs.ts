/**
 * How an evaluation of a session runs when its turn has come: in the image, which is revived for it when it is lost, and
 * where it may be held at a debugger level; or in a branch of the image, when it is only tried.
 */
import { asFailure } from '../../contract/errors';
import type { SessionState } from '../../contract/model';
import type { TrustIssue, TrustIssueKind } from '../../contract/proof';
import type { Image, ImageOutcome, OutputSink } from '../../images/image';
import type { LibraryFetch } from '../../images/library-fetch';
import type { LevelWatcher } from '../../images/optional-groups';
import { evaluationLimits } from '../session-limits';
import type { EvaluationRequest } from './evaluation-request';
import type { HeldLevels } from './held-levels';
import type { Lifecycle } from './lifecycle';
import { afterLoss, CLOSED_MEANWHILE, nothingRan, sandboxNotes, tornAway } from './outcomes';
import type { Unsettled } from './pending-evaluations';
import type { RunningEvaluation } from './running-evaluation';
import type { SessionImage } from './session-image';
import type { Journal, Recorded } from './session-journal';
import { Trials } from './trials';

/** Issues of what was evaluated alone: no theorem is about a function without a logical definition. */
const OF_FORMS: ReadonlySet<TrustIssueKind> = new Set<TrustIssueKind>(['program-mode']);

/** What the evaluations of a session act on. */
export interface SessionParts {
  session: Recorded;
  images: SessionImage;
  lifecycle: Lifecycle;
  journal: Journal;
  /** Whether unhandled errors are held that the caller said nothing about. */
  holds: () => boolean;
  /** Reasons why an image is not sandboxed that results need not tell. */
  accepted: () => readonly string[];
}

export class EvaluationRuns {
  readonly #session: Recorded;
  readonly #images: SessionImage;
  readonly #lifecycle: Lifecycle;
  readonly #journal: Journal;
  readonly #holds: () => boolean;
  readonly #accepted: () => readonly string[];
  readonly #levels: HeldLevels;
  readonly #unsettled: Unsettled;
  readonly #trials = new Trials();
  /** Those that run beside the image. */
  readonly #fetches = new Map<RunningEvaluation, LibraryFetch>();
  readonly #systems = new Set<string>();
  #running: RunningEvaluation | null = null;
  #lastEndedAt: number | null = null;
  #trust: { of: Image; issues: TrustIssue[] } | null = null;

  constructor(parts: SessionParts, levels: HeldLevels, unsettled: Unsettled) {
    this.#session = parts.session;
    this.#images = parts.images;
    this.#lifecycle = parts.lifecycle;
    this.#journal = parts.journal;
    this.#holds = parts.holds;
    this.#accepted = parts.accepted;
    this.#levels = levels;
    this.#unsettled = unsettled;
  }

  get running(): RunningEvaluation | null {
    return this.#running;
  }

  /** When the last one ended; null before. */
  get lastEndedAt(): number | null {
    return this.#lastEndedAt;
  }

  /** As `SessionView.trust`: what another image has told says nothing of the present one. */
  get trust(): TrustIssue[] | null {
    const image = this.#images.current;
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
    return (await this.#trials.imageOf(evaluation)) ?? this.#images.current;
  }

  /** Ends the fetch that the evaluation is, or all of them. False when it is none. */
  stopFetch(evaluation?: RunningEvaluation): boolean {
    const fetches = [...this.#fetches].filter(([of]) => evaluation === undefined || of === evaluation);
    for (const [, fetch] of fetches) fetch.stop();
    return fetches.length > 0;
  }

  /** Settles the evaluation if nobody else has. Never rejects, so that the queue goes on whatever happens. */
  async run(evaluation: RunningEvaluation, request: EvaluationRequest): Promise<void> {
    const began = performance.now();
    const outcome = await this.#outcome(evaluation, request).catch((error: unknown) =>
      nothingRan('crashed', this.#session.package, `This evaluation was lost: ${asFailure(error).message}`),
    );
    this.#unsettled.leavesImage(evaluation);
    if (this.#running === evaluation) this.#running = null;
    this.#levels.leave(evaluation);
    this.#lastEndedAt = Date.now();
    if (outcome) this.#unsettled.settle(evaluation, outcome, performance.now() - began);
    if (this.#lifecycle.state !== 'lost') this.#lifecycle.change(this.#busyness);
  }

  /** What an image that is alive does. */
  get #busyness(): SessionState {
    if (this.#running) return 'running';
    return this.#levels.depth > 0 ? 'debugger' : 'idle';
  }

  /** null when the evaluation was cancelled before it began. */
  async #outcome(evaluation: RunningEvaluation, request: EvaluationRequest): Promise<ImageOutcome | null> {
    const lost = this.#lifecycle.state === 'lost';
    const problem = lost && this.#unsettled.has(evaluation) ? await this.#lifecycle.revive() : null;
    // Starting an image takes a while, in which a caller may think otherwise.
    if (!this.#unsettled.has(evaluation)) return null;
    if (problem !== null) return nothingRan('crashed', this.#session.package, problem);
    const misplaced = this.#levels.misplacement(request.level ?? 0);
    if (misplaced !== null) return nothingRan('refused', this.#session.package, misplaced);
    const { sandbox } = this.#images.current;
    const notes = [...this.#images.takeNews(), ...sandboxNotes(sandbox, this.#accepted())];
    this.#running = evaluation;
    this.#unsettled.entersImage(evaluation);
    this.#lifecycle.change('running');
    this.#journal.began(evaluation.row, request.package ?? this.#session.package);
    const outcome = await this.#evaluate(evaluation, request);
    notes.push(...outcome.notes);
    if (outcome.outcome !== 'crashed' || request.kind === 'try') return { ...outcome, notes };
    return this.#tornAway(evaluation, { ...outcome, notes });
  }

  async #evaluate(evaluation: RunningEvaluation, asked: EvaluationRequest): Promise<ImageOutcome> {
    const { client, kind, fetch, onError = this.#holds() ? 'debug' : 'report', ...rest } = asked;
    const limits = evaluationLimits(this.#session.identity.limits);
    const request = { id: evaluation.id, onError, ...rest, ...limits };
    const image = this.#images.current;
    const sink: OutputSink = (stream, text, dropped = 0) =>
      this.#journal.output(evaluation.row, stream, text, dropped);
    if (fetch) return this.#fetch(fetch, evaluation, sink);
    if (kind === 'try') return this.#trials.run(evaluation, image, { ...request, onError: 'report' }, sink);
    const outcome = await image.evaluate(request, sink, this.#watchLevels(evaluation));
    for (const system of outcome.report?.loaded ?? []) this.#systems.add(system);
    const issues = outcome.report?.proof?.issues;
    if (issues) this.#trust = { of: image, issues: issues.filter(({ kind }) => !OF_FORMS.has(kind)) };
    return outcome;
  }

  async #fetch(fetch: LibraryFetch, evaluation: RunningEvaluation, sink: OutputSink): Promise<ImageOutcome> {
    this.#fetches.set(evaluation, fetch);
    const outcome = await fetch.run(sink);
    this.#fetches.delete(evaluation);
    return { ...outcome, package: this.#session.package };
  }

  /** The outcome of what the image took along when it ended. */
  async #tornAway(evaluation: RunningEvaluation, outcome: ImageOutcome): Promise<ImageOutcome> {
    const image = this.#images.current;
    const end = await image.ended;
    this.#images.lose(end);
    const next = this.#lifecycle.state === 'ended' ? CLOSED_MEANWHILE : afterLoss(image);
    return tornAway({ ...outcome, condition: evaluation.held }, end, next);
  }

  /** What waits at a place was meant for the state there: it is not evaluated when that place is held or left. */
  #watchLevels(evaluation: RunningEvaluation): LevelWatcher {
    return {
      held: (held) => {
        this.#running = null;
        this.#levels.hold(evaluation, held.condition);
        this.#journal.held(evaluation.row, held);
        this.#refuseWaiting(this.#levels.misplacement(this.#levels.depth - 1) ?? '');
        this.#lifecycle.change('debugger');
      },
      left: () => {
        this.#refuseWaiting(`Debugger level ${this.#levels.levelOf(evaluation)} was left.`);
        this.#levels.leave(evaluation);
        this.#running = evaluation;
        this.#journal.wentOn(evaluation.row);
        this.#lifecycle.change('running');
      },
    };
  }

  #refuseWaiting(note: string): void {
    this.#unsettled.settleWaitingAtLevel(nothingRan('refused', this.#session.package, note));
  }
}
