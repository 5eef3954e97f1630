/**
 * Acts for a session: holds the one value that says what the session is doing, gives it what happens, and carries out the
 * effects of each transition.
 */
import { asFailure } from '../../contract/errors';
import type { LevelWatcher } from '../../images/optional-groups';
import type { Lineages } from '../recovery/lineage';
import type { EvaluationRuns } from './evaluation-runs';
import { interruptStep } from './interrupt-step';
import { nothingRan } from './outcomes';
import type { PendingEvaluations } from './pending-evaluations';
import type { SessionImage } from './session-image';
import type { Journal, Recorded } from './session-journal';
import {
  type Effect,
  evaluationsBefore,
  nextTurn,
  type Replacement,
  type SessionEvent,
  type State,
  type Turn,
} from './session-state';
import { transition } from './session-transition';

export interface MachineParts {
  session: Recorded;
  image: SessionImage;
  lineages: Lineages;
  pending: PendingEvaluations;
  runs: EvaluationRuns;
  journal: Journal;
}

/** How each effect is carried out. */
type Acts = { [E in Effect['do']]: (effect: Extract<Effect, { do: E }>) => void };

export class SessionMachine {
  readonly #parts: MachineParts;
  /** Who waits for the session's own work, by its number. */
  readonly #askers = new Map<number, (problem: string | null) => void>();
  /** What is being done in an image. */
  readonly #underWay = new Set<Promise<void>>();
  readonly #acts: Acts;
  #state: State;
  #isTurnCalled = false;
  #asked = 0;

  constructor(parts: MachineParts, state: State) {
    this.#parts = parts;
    this.#state = state;
    const { session, pending, image, journal } = parts;
    this.#acts = {
      run: ({ id }) => this.#begin(this.#run(id)),
      turnAway: (effect) => this.#turnAway(effect),
      fail: ({ id, problem }) => pending.settle(id, nothingRan('crashed', session.package, problem)),
      settle: ({ id, outcome }) => pending.settle(id, outcome),
      hold: ({ id, held }) => pending.hold(id, held),
      release: ({ id }) => pending.release(id),
      goOn: ({ id }) => pending.goOn(id),
      interrupt: (effect) => void this.#interrupt(effect),
      giveUpImage: ({ by }) => this.#begin(this.#giveUpImage(by)),
      startImage: ({ because, id }) => this.#begin(this.#startImage(because, id)),
      stopRecovering: () => void image.stopRecovering(),
      endImage: () => this.#begin(this.#endImage()),
      answer: ({ id, problem }) => this.#answer(id, problem),
      publish: () => journal.changed(session),
    };
  }

  get state(): State {
    return this.#state;
  }

  /** As `evaluationsBefore`. */
  before(id: number): number[] | null {
    return evaluationsBefore(this.#state, id);
  }

  /** Something has happened: the state becomes the next one, and its effects are carried out. */
  take(event: SessionEvent): void {
    const { state, effects } = transition(this.#state, event);
    this.#state = state;
    for (const effect of effects) this.#carryOut(effect);
    this.#callTurn();
  }

  /** Queues work of the session's own. Answers when it is done: null, or why it could not be. */
  ask(turn: (id: number) => Turn): Promise<string | null> {
    const { promise, resolve } = Promise.withResolvers<string | null>();
    this.#asked -= 1;
    this.#askers.set(this.#asked, resolve);
    this.take({ is: 'asked', turn: turn(this.#asked) });
    return promise;
  }

  /** Brings the image of a session that slept to the state that it had. Settles when that is done, or has failed. */
  async wake(packageBefore: string, because: string): Promise<void> {
    const waking = this.#bringBack(() => this.#parts.image.restore(packageBefore, because));
    this.#begin(waking);
    await waking;
  }

  /** Ends the session. Settles when nothing is done in an image any more. */
  async end(): Promise<void> {
    this.take({ is: 'end' });
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }

  /** What waits begins a moment later, so that whoever asked for it has it in hand, and can still cancel it. */
  #callTurn(): void {
    if (this.#isTurnCalled || nextTurn(this.#state) === null) return;
    this.#isTurnCalled = true;
    queueMicrotask(() => {
      this.#isTurnCalled = false;
      this.take({ is: 'turn' });
    });
  }

  #carryOut(effect: Effect): void {
    const act = this.#acts[effect.do] as (effect: Effect) => void;
    act(effect);
  }

  /** Something is begun in an image, which `end` waits for. */
  #begin(work: Promise<void>): void {
    this.#underWay.add(work);
    const done = () => this.#underWay.delete(work);
    work.then(done, done);
  }

  async #run(id: number): Promise<void> {
    const { pending, runs } = this.#parts;
    pending.turnCame(id);
    const levels: LevelWatcher = {
      held: (held) => this.take({ is: 'held', id, held }),
      left: () => this.take({ is: 'left', id }),
    };
    const outcome = await runs.run(id, levels);
    this.take({ is: 'evaluated', id, outcome });
  }

  async #interrupt({ id, step, level }: Extract<Effect, { do: 'interrupt' }>): Promise<void> {
    const { pending, runs } = this.#parts;
    const evaluation = pending.get(id)?.evaluation;
    if (!evaluation || runs.stopBeside(evaluation)) return;
    const image = await runs.imageOf(evaluation);
    if (!(await interruptStep(image, evaluation, step, level))) this.take({ is: 'stepFailed', id, step });
  }

  #turnAway({ id, as, note }: Extract<Effect, { do: 'turnAway' }>): void {
    const { session, pending, runs } = this.#parts;
    const evaluation = pending.get(id)?.evaluation;
    if (evaluation) runs.stopBeside(evaluation);
    pending.turnAway(id, nothingRan(as, session.package, note));
  }

  async #giveUpImage({ from, systems }: Replacement): Promise<void> {
    const { image, lineages, runs } = this.#parts;
    if (systems) runs.setSystems(systems);
    await image.giveUp();
    lineages.startOverFrom(from);
    this.take({ is: 'givenUp' });
  }

  /** What was defined is evaluated again, so nothing is started for whom the door does not let in.
   * @param id the evaluation that waits for it */
  async #startImage(because: string, id: number | null): Promise<void> {
    const { image, pending, runs } = this.#parts;
    const asked = id === null ? null : runs.admitted(id);
    const refusal = asked && (await asked);
    if (id !== null && refusal) {
      pending.turnAway(id, refusal);
      return this.take({ is: 'startFailed', problem: because });
    }
    if (id !== null) pending.turnCame(id);
    await this.#bringBack(() => image.replace(because));
  }

  async #bringBack(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      const problem = `The session's image is gone and no new one could be started: ${asFailure(error).message}`;
      return this.take({ is: 'startFailed', problem });
    }
    this.take({ is: 'imageStarted' });
    this.#parts.image.watch();
  }

  async #endImage(): Promise<void> {
    const { image, runs } = this.#parts;
    runs.stopBeside();
    await image.current.end();
  }

  #answer(id: number, problem: string | null): void {
    this.#askers.get(id)?.(problem);
    this.#askers.delete(id);
  }
}
