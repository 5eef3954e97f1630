/** Holds the state of a session, dispatches events to it and carries out the effects of each transition. */

import { asFailure } from '../../contract/errors';
import { note } from '../../contract/note';
import type { Image, InterruptStep } from '../../images/image';
import { inTime } from '../../images/image-process';
import type { LevelWatcher } from '../../images/optional-groups';
import type { Lineages } from '../recovery/lineage';
import { type EvaluationRunner, notRun } from './evaluation-runner';
import type { PendingEvaluations, RunningEvaluation } from './pending-evaluations';
import type { SessionImage } from './session-image';
import type { Journal, RecordedSession } from './session-journal';
import {
  type Effect,
  evaluationsBefore,
  type LadderStep,
  nextTurn,
  type Replacement,
  type SessionEvent,
  type State,
  type Turn,
} from './session-state';
import { transition } from './session-transition';

export interface MachineParts {
  session: RecordedSession;
  image: SessionImage;
  lineages: Lineages;
  pending: PendingEvaluations;
  runner: EvaluationRunner;
  journal: Journal;
}

/** The implementation of each effect. */
type Acts = { [E in Effect['do']]: (effect: Extract<Effect, { do: E }>) => void };

/** Maximum milliseconds until others see that a session is busy or idle. */
const PUBLISHED_WITHIN_MS = 5;

export class SessionMachine {
  readonly #parts: MachineParts;
  /** Callbacks for the session's own work, by its number. */
  readonly #requesters = new Map<number, (problem: string | null) => void>();
  /** Work in progress in an image. */
  readonly #inProgress = new Set<Promise<void>>();
  readonly #acts: Acts;
  #state: State;
  #isTurnCalled = false;
  #isShownBusyOrIdle = false;
  #publishing: NodeJS.Timeout | undefined;
  #lastRequest = 0;

  constructor(parts: MachineParts, state: State) {
    this.#parts = parts;
    this.#state = state;
    const { session, pending, image } = parts;
    this.#acts = {
      run: ({ id }) => void this.#begin(this.#run(id), (problem) => this.#runFailed(id, problem)),
      reject: (effect) => this.#reject(effect),
      fail: ({ id, problem }) =>
        pending.settle(id, notRun('crashed', session.package, note('image_lost', problem))),
      settle: ({ id, outcome }) => pending.settle(id, outcome),
      suspend: ({ id, suspension }) => pending.suspend(id, suspension),
      release: ({ id }) => pending.release(id),
      resume: ({ id }) => pending.resume(id),
      interrupt: (effect) => void this.#interrupt(effect).catch((error) => this.#stepFailed(effect, error)),
      giveUpImage: ({ by }) => void this.#begin(this.#giveUpImage(by), () => ({ is: 'givenUp' })),
      startImage: ({ because, id }) => void this.#begin(this.#startImage(because, id), startFailed),
      stopRecovering: () => void image.stopRecovering(),
      endImage: () => void this.#begin(this.#endImage()),
      answer: ({ id, problem }) => this.#answer(id, problem),
      publish: () => this.#publish(),
    };
  }

  get state(): State {
    return this.#state;
  }

  /** As `evaluationsBefore`. */
  before(id: number): number[] | null {
    return evaluationsBefore(this.#state, id);
  }

  /** Moves to the next state and carries out the effects. */
  dispatch(event: SessionEvent): void {
    const { state, effects } = transition(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#carryOut(effect);
    this.#callTurn();
  }

  /** Queues work of the session itself. Resolves with null when it is done, or with the problem. */
  request(turn: (id: number) => Turn): Promise<string | null> {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#lastRequest -= 1;
    this.#requesters.set(this.#lastRequest, resolve);
    this.dispatch({ is: 'requested', turn: turn(this.#lastRequest) });
    return promise;
  }

  /** Restores the state of a session that was asleep. Resolves when that is done or has failed. */
  async wake(packageBefore: string, because: string): Promise<void> {
    await this.#begin(
      this.#bringBack(() => this.#parts.image.restore(packageBefore, because)),
      startFailed,
    );
  }

  /** Ends the session. Resolves when no work in an image is in progress. */
  async end(): Promise<void> {
    this.dispatch({ is: 'end' });
    while (this.#inProgress.size > 0) await Promise.all(this.#inProgress);
  }

  /**
   * Publishes a change between busy and idle a moment later. Most code ends before, so its caller need not wait for a
   * view that nobody would see.
   */
  #publish(): void {
    const { session, journal } = this.#parts;
    const { is, ladder } = this.#state;
    const wasShown = this.#isShownBusyOrIdle;
    this.#isShownBusyOrIdle = (is === 'idle' || is === 'running') && ladder === null;
    if (wasShown && this.#isShownBusyOrIdle) {
      if (is === 'idle') journal.save(session);
      this.#publishing ??= setTimeout(() => {
        this.#publishing = undefined;
        journal.changed(session);
      }, PUBLISHED_WITHIN_MS);
      return;
    }
    clearTimeout(this.#publishing);
    this.#publishing = undefined;
    journal.changed(session);
  }

  /** Starts the next turn in a microtask, so that the caller already has its evaluation and can cancel it. */
  #callTurn(): void {
    if (this.#isTurnCalled || nextTurn(this.#state) === null) return;
    this.#isTurnCalled = true;
    queueMicrotask(() => {
      this.#isTurnCalled = false;
      this.dispatch({ is: 'turn' });
    });
  }

  #carryOut(effect: Effect): void {
    const act = this.#acts[effect.do] as (effect: Effect) => void;
    act(effect);
  }

  /**
   * Tracks work in an image; `end` waits for it.
   * @param event the event that leaves the state of the work if it fails unexpectedly
   * @returns resolves when the work is over; never rejects
   */
  #begin(work: Promise<void>, event?: (problem: string) => SessionEvent): Promise<void> {
    const tracked = work
      .catch((error: unknown) => {
        this.#parts.journal.failed(error);
        if (event) this.dispatch(event(asFailure(error).message));
      })
      .finally(() => this.#inProgress.delete(tracked));
    this.#inProgress.add(tracked);
    return tracked;
  }

  #runFailed(id: number, problem: string): SessionEvent {
    return {
      is: 'evaluated',
      id,
      outcome: notRun('crashed', this.#parts.session.package, note('image_lost', problem)),
    };
  }

  async #run(id: number): Promise<void> {
    const { pending, runner: runs } = this.#parts;
    pending.start(id);
    const levels: LevelWatcher = {
      suspended: (suspension) => this.dispatch({ is: 'suspended', id, suspension }),
      exited: () => this.dispatch({ is: 'levelExited', id }),
    };
    const outcome = await runs.run(id, levels);
    this.dispatch({ is: 'evaluated', id, outcome });
  }

  async #interrupt({ id, step, level }: Extract<Effect, { do: 'interrupt' }>): Promise<void> {
    const { pending, runner: runs } = this.#parts;
    const evaluation = pending.get(id)?.evaluation;
    if (!evaluation || runs.stopOutsideImage(evaluation)) return;
    const image = await runs.imageOf(evaluation);
    if (!(await interruptStep(image, evaluation, step, level))) this.dispatch({ is: 'stepFailed', id, step });
  }

  #stepFailed({ id, step }: Extract<Effect, { do: 'interrupt' }>, error: unknown): void {
    this.#parts.journal.failed(error);
    this.dispatch({ is: 'stepFailed', id, step });
  }

  #reject({ id, as, note: why }: Extract<Effect, { do: 'reject' }>): void {
    const { session, pending, runner: runs } = this.#parts;
    const evaluation = pending.get(id)?.evaluation;
    if (evaluation) runs.stopOutsideImage(evaluation);
    pending.reject(id, notRun(as, session.package, why));
  }

  async #giveUpImage({ from, systems }: Replacement): Promise<void> {
    const { image, lineages, runner: runs } = this.#parts;
    if (systems) runs.setSystems(systems);
    await image.giveUp().finally(() => lineages.startOverFrom(from));
    this.dispatch({ is: 'givenUp' });
  }

  /**
   * Starts an image after the admission, because recovery evaluates definitions again.
   * @param id the evaluation that waits for the image, if any
   */
  async #startImage(because: string, id: number | null): Promise<void> {
    const { image, pending, runner: runs } = this.#parts;
    const admission = id === null ? null : runs.admitted(id);
    const refusal = admission && (await admission);
    if (id !== null && refusal) {
      pending.reject(id, refusal);
      return this.dispatch({ is: 'startFailed', problem: because });
    }
    if (id !== null) pending.start(id);
    await this.#bringBack(() => image.replace(because));
  }

  async #bringBack(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const problem = `The session's image is gone and no new one could be started: ${asFailure(error).message}`;
      return this.dispatch({ is: 'startFailed', problem });
    }
    this.dispatch({ is: 'imageStarted' });
    this.#parts.image.watch();
  }

  async #endImage(): Promise<void> {
    const { image, runner: runs } = this.#parts;
    runs.stopOutsideImage();
    await image.current.end();
  }

  #answer(id: number, problem: string | null): void {
    this.#requesters.get(id)?.(problem);
    this.#requesters.delete(id);
  }
}

function startFailed(problem: string): SessionEvent {
  return { is: 'startFailed', problem };
}

/** Time limit of each step in milliseconds, counted only while the image makes progress. */
const STEP_TIMEOUT_MS = { abort: 2_000, cooperative: 2_000, insistent: 3_000 } as const;

/**
 * Takes one step of the interrupt ladder. The last step waits for the end of the image, however long it
 * takes.
 * @param level the debugger level of the evaluation; 0 if it is not suspended
 * @returns whether the evaluation has settled
 */
async function interruptStep(
  image: Image,
  evaluation: RunningEvaluation,
  step: LadderStep,
  level: number,
): Promise<boolean> {
  if (step === 'end') {
    await image.end();
    return true;
  }
  const isSent = step === 'abort' ? abort(image, level) : await interrupt(image, evaluation, step);
  return isSent
    ? inTime(image, STEP_TIMEOUT_MS[step], evaluation.settled)
    : (await evaluation.within(0)) !== null;
}

/**
 * Aborts to the next level. Does not wait: a restart that loops keeps the debugger from answering; the next
 * steps handle that.
 */
function abort(image: Image, level: number): boolean {
  image.debugger?.abort(level - 1).catch(() => undefined);
  return true;
}

/** Returns whether the image passed the interrupt on; if not, the next step follows. */
async function interrupt(image: Image, { id }: RunningEvaluation, step: InterruptStep): Promise<boolean> {
  return image.interrupt(id, step).catch(() => false);
}
