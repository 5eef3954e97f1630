/**
 * Swank's debugger of a suspended thread. Queries run in that thread, one at a time, because only it can read
 * its stack.
 */

import type { DebuggerView, FrameContents, RestartResult, StepMode } from '../../contract/debugger';
import { HarborError } from '../../contract/errors';
import type { Debugger, RestartChoice } from '../optional-groups';
import type { SwankEvaluation } from './evaluation';
import { locationOf } from './knowledge';
import { lost, type SwankQueries } from './queries';
import { elementsOf, lispCall, propertyOf, quoted, type Sexp, textOf, textsOf } from './sexp';
import {
  type Debug,
  frameOf,
  framesOf,
  invokeRestart,
  ownFrames,
  restartsOf,
  returnToLevel,
  type SwankFrame,
} from './swank-events';

/** Restarts of SBCL's agent that Swank offers as separate requests. */
const FRAME_RESTARTS = { return: 'RETURN-FROM-FRAME', restart: 'RESTART-FRAME' } as const;

const STEPS: Readonly<Record<StepMode, string>> = {
  into: 'swank:sldb-step',
  over: 'swank:sldb-next',
  out: 'swank:sldb-out',
};

export class SwankDebugger implements Debugger {
  readonly #questions: SwankQueries;
  readonly #suspended: SuspendedThreads;

  constructor(questions: SwankQueries, suspended: SuspendedThreads) {
    this.#questions = questions;
    this.#suspended = suspended;
  }

  /** `total` includes Swank's own frames until the page with the last frame is shown. */
  async show({ offset, limit }: { offset: number; limit: number }): Promise<DebuggerView> {
    const suspended = this.#innermost();
    const frames = await this.#frames(suspended, offset, limit);
    const own = ownFrames(frames);
    const total =
      own.length < frames.length || frames.length < limit
        ? offset + own.length
        : await this.#frameCount(suspended);
    return {
      levels: this.#suspended.all.map(levelOf).toReversed(),
      restarts: restartsOf(suspended.debug),
      frames: own.map(frameOf),
      total,
    };
  }

  async frame(index: number): Promise<FrameContents> {
    const suspended = this.#innermost();
    const count = await this.#frameCount(suspended);
    const [frame] = index < count ? await this.#frames(suspended, index, 1) : [];
    if (!frame) throw new HarborError('bad_arguments', `There is no frame ${index}; there are ${count}.`);
    const [locals, catches] = elementsOf(
      await this.#query(suspended, lispCall('swank:frame-locals-and-catch-tags', index)),
    );
    const { file, form } = locationOf(
      await this.#query(suspended, lispCall('swank:frame-source-location', index)).catch(() => undefined),
    );
    return {
      ...frameOf(frame),
      locals: elementsOf(locals).map((local) => ({
        name: textOf(propertyOf(local, 'name')) ?? '',
        value: textOf(propertyOf(local, 'value')) ?? '',
      })),
      source: { file, form },
      catches: textsOf(catches),
      restarts: frame.restartable ? Object.values(FRAME_RESTARTS) : [],
    };
  }

  async restart(choice: RestartChoice): Promise<RestartResult> {
    const suspended = this.#innermost();
    const { form, how } = restartOf(choice, suspended);
    return this.#depart(suspended, suspended, form, how);
  }

  async step(way: StepMode): Promise<RestartResult> {
    const suspended = this.#innermost();
    return this.#depart(suspended, suspended, lispCall(STEPS[way], 0), `resumed with step ${way}`);
  }

  async abort(level: number): Promise<RestartResult> {
    const innermost = this.#innermost();
    const outermost = this.#suspended.all[level];
    if (!outermost)
      throw new HarborError(
        'bad_arguments',
        `Level ${level} is not inside ${this.#suspended.depth}, the current level.`,
      );
    const around = this.#suspended.all[level - 1]?.debug.level ?? 0;
    return this.#depart(innermost, outermost, returnToLevel(innermost.debug, around), 'was aborted');
  }

  /**
   * Runs `form` in the thread. Resolves when the level of `leaves` exits, or when the form returns and no
   * level exited.
   */
  async #depart(
    origin: SuspendedThread,
    target: SuspendedThread,
    form: Sexp,
    how: string,
  ): Promise<RestartResult> {
    origin.departing = how;
    const answer = await this.#questions.answerTo(form, {
      thread: origin.debug.thread,
      package: origin.evaluation.package,
      milliseconds: Number.POSITIVE_INFINITY,
    });
    if (answer.failure || answer.reply === 'value') origin.departing = null;
    if (answer.failure) throw refusal(answer.failure);
    if (answer.reply === 'lost') throw lost(answer.reason);
    if (answer.reply === 'value') {
      const problem = textOf(answer.value);
      if (problem !== undefined) throw new HarborError('bad_arguments', problem);
      return {};
    }
    await target.exited.promise;
    return { evaluation: target.evaluation.id };
  }

  async #frames(suspended: SuspendedThread, from: number, count: number): Promise<SwankFrame[]> {
    return framesOf(await this.#query(suspended, lispCall('swank:backtrace', from, from + count)));
  }

  async #frameCount(suspended: SuspendedThread): Promise<number> {
    const count = await this.#query(suspended, lispCall('lisp-harbor.swank:frame-count'));
    if (typeof count === 'number') return count;
    throw new HarborError('query_failed', 'The server did not return the number of frames.');
  }

  /** Has no time limit, because a query may run user code; the caller has its own limit. */
  async #query({ debug, evaluation }: SuspendedThread, question: Sexp): Promise<Sexp> {
    return this.#questions.query(question, {
      thread: debug.thread,
      package: evaluation.package,
      milliseconds: Number.POSITIVE_INFINITY,
    });
  }

  #innermost(): SuspendedThread {
    const { innermost } = this.#suspended;
    if (innermost) return innermost;
    throw new HarborError('not_held', 'No evaluation is suspended in the debugger.');
  }
}

function levelOf({ debug: { type, message }, evaluation }: SuspendedThread, index: number) {
  return { level: index + 1, evaluation: evaluation.id, type, message };
}

/** @throws HarborError `bad_arguments` */
function restartOf(
  { restart, frame, ...options }: RestartChoice,
  suspended: SuspendedThread,
): { form: Sexp; how: string } {
  const { debug, evaluation } = suspended;
  const values = (options.arguments ?? []).map(String);
  const name = String(restart).toUpperCase();
  const inFrame = frame ?? 0;
  if (name === FRAME_RESTARTS.restart)
    return { form: lispCall('swank:restart-frame', inFrame), how: `resumed by restarting frame ${inFrame}` };
  if (name === FRAME_RESTARTS.return) {
    const code = values.length === 1 ? (values[0] ?? '') : `(values ${values.join(' ')})`;
    const how = `resumed by returning ${values.join(', ') || 'nothing'} from frame ${inFrame}`;
    return { form: lispCall('swank:sldb-return-from-frame', inFrame, code), how };
  }
  const index =
    typeof restart === 'number' ? restart : debug.restarts.findIndex((each) => each.name === name);
  const chosen = debug.restarts[index];
  if (!chosen)
    throw new HarborError(
      'bad_arguments',
      `There is no restart ${restart}. There are ${namesOf(suspended)}.`,
    );
  if (options.arguments === undefined)
    return { form: invokeRestart(debug, index), how: `resumed by ${chosen.name}` };
  return {
    form: lispCall('lisp-harbor.swank:take-restart', index, quoted(values), evaluation.package),
    how: `resumed by ${chosen.name} with ${values.join(', ')}`,
  };
}

function namesOf({ debug }: SuspendedThread): string {
  return debug.restarts.map(({ name }, index) => `${index} ${name}`).join(', ');
}

/** A restart that prompts for a value reaches the end of the input. */
function refusal({ type, message }: { type: string; message: string }): HarborError {
  const reason = type === 'END-OF-FILE' ? 'it prompts for a value: pass `arguments`' : `${type}: ${message}`;
  return new HarborError('bad_arguments', `This failed: ${reason}. The evaluation is still suspended.`);
}

/** A suspended debugger level of the connection. */
interface SuspendedThread {
  debug: Debug;
  evaluation: SwankEvaluation;
  /** How the level was exited, for the note of its evaluation. */
  departing: string | null;
  readonly exited: PromiseWithResolvers<void>;
}

export class SuspendedThreads {
  readonly #suspended: SuspendedThread[] = [];

  get depth(): number {
    return this.#suspended.length;
  }

  get innermost(): SuspendedThread | undefined {
    return this.#suspended.at(-1);
  }

  get all(): readonly SuspendedThread[] {
    return this.#suspended;
  }

  /**
   * Updates a known level, and returns whether it is one: Swank sends a level again when an inner one exits.
   */
  refresh(debug: Debug): boolean {
    const suspended = this.#suspended.find((each) => isSameLevel(each.debug, debug));
    if (!suspended) return false;
    suspended.debug = debug;
    return true;
  }

  add(debug: Debug, evaluation: SwankEvaluation): void {
    this.#suspended.push({ debug, evaluation, departing: null, exited: Promise.withResolvers() });
    evaluation.suspend(debug, this.depth);
  }

  /** Called when a level exits; inner levels have exited too. */
  leave(level: { thread: number; level: number }): void {
    const at = this.#suspended.findIndex(({ debug }) => isSameLevel(debug, level));
    if (at === -1) return;
    for (const { evaluation, departing, exited } of this.#suspended.splice(at).toReversed()) {
      evaluation.resume(departing ?? 'was aborted');
      exited.resolve();
    }
  }

  /** Called when the connection ends; suspended evaluations report that themselves. */
  clear(): void {
    for (const { exited } of this.#suspended.splice(0)) exited.resolve();
  }
}

function isSameLevel(
  debug: { thread: number; level: number },
  other: { thread: number; level: number },
): boolean {
  return debug.thread === other.thread && debug.level === other.level;
}
