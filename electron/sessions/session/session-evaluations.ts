/**
 * The evaluations of a session: each is asked for, waits for its turn at the debugger level it was asked for, and can be
 * cancelled until it is settled.
 */
import type { TrustIssue } from '../../contract/proof';
import { freshLineage } from '../recovery/lineage';
import type { EvaluationRequest } from './evaluation-request';
import { EvaluationRuns, type SessionParts } from './evaluation-runs';
import { HeldLevels } from './held-levels';
import { interrupt } from './interrupt';
import type { Lifecycle } from './lifecycle';
import { nothingRan } from './outcomes';
import { Unsettled } from './pending-evaluations';
import type { RunningEvaluation } from './running-evaluation';
import type { SessionImage } from './session-image';
import type { Journal, Recorded } from './session-journal';

export class SessionEvaluations {
  readonly #session: Recorded;
  readonly #images: SessionImage;
  readonly #lifecycle: Lifecycle;
  readonly #journal: Journal;
  readonly #levels = new HeldLevels();
  readonly #unsettled: Unsettled;
  readonly #runs: EvaluationRuns;
  #newestRow = 0;

  constructor(parts: SessionParts) {
    this.#session = parts.session;
    this.#images = parts.images;
    this.#lifecycle = parts.lifecycle;
    this.#journal = parts.journal;
    this.#unsettled = new Unsettled(parts.journal);
    this.#runs = new EvaluationRuns(parts, this.#levels, this.#unsettled);
  }

  get running(): RunningEvaluation | null {
    return this.#runs.running;
  }

  /** The number of the innermost debugger level; 0 while none is held. */
  get level(): number {
    return this.#levels.depth;
  }

  /** The evaluation held at the innermost debugger level. */
  get held(): RunningEvaluation | null {
    return this.#levels.innermost;
  }

  /** The newest row of this session; 0 before the first. */
  get newestRow(): number {
    return this.#newestRow;
  }

  /** When the last of them ended, or the session was opened. */
  get lastUsedAt(): number {
    return this.#runs.lastEndedAt ?? this.#session.identity.openedAt;
  }

  /** Systems that evaluations have loaded, in the order they came. */
  get systems(): readonly string[] {
    return this.#runs.systems;
  }

  /** As `SessionView.trust`. */
  get trust(): TrustIssue[] | null {
    return this.#runs.trust;
  }

  /** One that runs, is held or waits for its turn. */
  unsettled(id: number): RunningEvaluation | undefined {
    return this.#unsettled.get(id);
  }

  /** As `Session.evaluate`. */
  evaluate(request: EvaluationRequest): RunningEvaluation {
    const evaluation = this.#open(request, { reset: false });
    const misplaced = this.#levels.misplacement(request.level ?? 0);
    if (misplaced === null) this.#levels.enqueue(() => this.#runs.run(evaluation, request));
    else this.#unsettled.settle(evaluation, nothingRan('refused', this.#session.package, misplaced));
    return evaluation;
  }

  /** As `Session.reset`. */
  reset(request: EvaluationRequest, systems: readonly string[]): RunningEvaluation {
    const before = this.#unsettled.all;
    const evaluation = this.#open(request, { reset: true });
    this.#supersede(before, async () => {
      if (this.#unsettled.has(evaluation)) {
        this.#runs.setSystems(systems);
        await this.#images.giveUp('it was reset', freshLineage(evaluation.row.session, evaluation.id - 1));
      }
      await this.#runs.run(evaluation, request);
    });
    return evaluation;
  }

  /** Does `work`, which never rejects, at the top level; what runs is interrupted, what waits never begins. */
  supersede(work: () => Promise<void>): void {
    this.#supersede(this.#unsettled.all, work);
  }

  /** Does `work`, which never rejects, at the top level when its turn has come. */
  inTurn(work: () => Promise<void>): void {
    this.#levels.enqueueAtTop(work);
  }

  /** Interrupts what runs now, climbing the ladder; the last step ends the image. False when nothing runs. */
  async interrupt(): Promise<boolean> {
    return this.running !== null && this.cancel(this.running);
  }

  /** Interrupts this one; if it still waits for its turn it never begins, if it is held it is given up with all that was
   * evaluated at its level. False when it is over. */
  async cancel(evaluation: RunningEvaluation): Promise<boolean> {
    if (!this.#unsettled.has(evaluation)) return false;
    const waiting = 'This was cancelled before it began.';
    if (this.#unsettled.inImage(evaluation)) await this.#stop(evaluation);
    else this.#unsettled.settle(evaluation, nothingRan('interrupted', this.#session.package, waiting));
    // Nobody waits for what a new image brings back.
    if (this.#lifecycle.state === 'starting' && this.#unsettled.all.length === 0)
      await this.#images.stopRecovering();
    return true;
  }

  /** The image is gone; what it held will not go on. */
  imageLost(): void {
    this.#levels.clear();
  }

  /** Settles what waits, ends the image, and waits for the end of what runs. */
  async end(): Promise<void> {
    const closed = 'The session was closed before this ran.';
    this.#unsettled.settleWaiting(nothingRan('interrupted', this.#session.package, closed));
    this.#runs.stopFetch();
    await this.#images.current.end();
    await this.#levels.done;
  }

  #open(request: EvaluationRequest, how: { reset: boolean }): RunningEvaluation {
    this.#lifecycle.requireOpen();
    if (request.onError === 'debug') this.#lifecycle.offered('debugger');
    if (request.kind === 'try') this.#lifecycle.offered('brancher');
    if (request.profile !== undefined) this.#lifecycle.offered('sampler');
    const row = this.#journal.open(this.#session, request);
    this.#newestRow = row.id;
    return this.#unsettled.add(row, how);
  }

  #supersede(before: readonly RunningEvaluation[], work: () => Promise<void>): void {
    this.#levels.enqueueAtTop(work);
    for (const each of before) void this.cancel(each);
  }

  /** Climbs the ladder for what runs inside a held `evaluation`, then for itself; the last step ends the image. */
  async #stop(evaluation: RunningEvaluation): Promise<void> {
    while (this.#unsettled.inImage(evaluation)) {
      const inner = this.running ?? evaluation;
      if (this.#runs.stopFetch(inner)) {
        await inner.settled;
        continue;
      }
      const image = await this.#runs.imageOf(inner);
      const stopped = await interrupt(image, inner, this.#levels.levelOf(inner));
      // Only what still holds the image is worth ending it for.
      if (!stopped && this.#unsettled.inImage(inner)) await image.end();
      await inner.settled;
    }
  }
}
