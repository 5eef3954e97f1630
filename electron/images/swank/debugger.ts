/** Swank's debugger of the thread that is held. It is asked there, in its turn, because only that thread knows its stack. */
import type { DebuggerView, Departure, FrameContents, StepWay } from '../../contract/debugger';
import { HarborError } from '../../contract/errors';
import type { Debugger, RestartChoice } from '../optional-groups';
import { frameOf, ownFrames, restartsOf } from './condition';
import type { HeldThread, HeldThreads } from './held-threads';
import { returningTo, takingRestart } from './leaving';
import { locationOf } from './locations';
import { lost, type SwankQuestions } from './questions';
import { elementsOf, lispCall, propertyOf, quoted, type Sexp, textOf, textsOf } from './sexp';
import { framesOf, type SwankFrame } from './swank-events';

/** A restart of SBCL's agent that Swank offers as requests of its own. */
const FRAME_RESTARTS = { return: 'RETURN-FROM-FRAME', restart: 'RESTART-FRAME' } as const;

const STEPS: Readonly<Record<StepWay, string>> = {
  into: 'swank:sldb-step',
  over: 'swank:sldb-next',
  out: 'swank:sldb-out',
};

export class SwankDebugger implements Debugger {
  readonly #questions: SwankQuestions;
  readonly #held: HeldThreads;

  constructor(questions: SwankQuestions, held: HeldThreads) {
    this.#questions = questions;
    this.#held = held;
  }

  /** `total` counts frames of Swank itself as well until the page with the last frame is shown. */
  async show({ offset, limit }: { offset: number; limit: number }): Promise<DebuggerView> {
    const held = this.#innermost();
    const frames = await this.#frames(held, offset, limit);
    const own = ownFrames(frames);
    const total =
      own.length < frames.length || frames.length < limit
        ? offset + own.length
        : await this.#frameCount(held);
    return {
      levels: this.#held.all.map(levelOf).toReversed(),
      restarts: restartsOf(held.debug),
      frames: own.map(frameOf),
      total,
    };
  }

  async frame(index: number): Promise<FrameContents> {
    const held = this.#innermost();
    const count = await this.#frameCount(held);
    const [frame] = index < count ? await this.#frames(held, index, 1) : [];
    if (!frame) throw new HarborError('bad_arguments', `There is no frame ${index}; there are ${count}.`);
    const [locals, catches] = elementsOf(
      await this.#ask(held, lispCall('swank:frame-locals-and-catch-tags', index)),
    );
    const { file, form } = locationOf(
      await this.#ask(held, lispCall('swank:frame-source-location', index)).catch(() => undefined),
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

  async restart(choice: RestartChoice): Promise<Departure> {
    const held = this.#innermost();
    const { form, told } = restartOf(choice, held);
    return this.#depart(held, held, form, told);
  }

  async step(way: StepWay): Promise<Departure> {
    const held = this.#innermost();
    return this.#depart(held, held, lispCall(STEPS[way], 0), `went on by a step ${way}`);
  }

  async abort(level: number): Promise<Departure> {
    const innermost = this.#innermost();
    const outermost = this.#held.all[level];
    if (!outermost)
      throw new HarborError(
        'bad_arguments',
        `Level ${level} is not inside ${this.#held.depth}, the level held.`,
      );
    const around = this.#held.all[level - 1]?.debug.level ?? 0;
    return this.#depart(innermost, outermost, returningTo(innermost.debug, around), 'was given up');
  }

  /** Has the thread do `form`; settles when `leaves` is left, or when the form came back and nothing was. */
  async #depart(asked: HeldThread, leaves: HeldThread, form: Sexp, told: string): Promise<Departure> {
    asked.departing = told;
    const answer = await this.#questions.answerTo(form, {
      thread: asked.debug.thread,
      package: asked.evaluation.package,
      milliseconds: Number.POSITIVE_INFINITY,
    });
    if (answer.failure || answer.reply === 'value') asked.departing = null;
    if (answer.failure) throw refusal(answer.failure);
    if (answer.reply === 'lost') throw lost(answer.reason);
    if (answer.reply === 'value') {
      const problem = textOf(answer.value);
      if (problem !== undefined) throw new HarborError('bad_arguments', problem);
      return {};
    }
    await leaves.left.promise;
    return { evaluation: leaves.evaluation.id };
  }

  async #frames(held: HeldThread, from: number, count: number): Promise<SwankFrame[]> {
    return framesOf(await this.#ask(held, lispCall('swank:backtrace', from, from + count)));
  }

  async #frameCount(held: HeldThread): Promise<number> {
    const count = await this.#ask(held, lispCall('lisp-harbor.swank:frame-count'));
    if (typeof count === 'number') return count;
    throw new HarborError('query_failed', 'The server does not say how many frames there are.');
  }

  /** Waits as long as the connection lasts: what is asked may be the user's code, and the caller has its own limit. */
  async #ask({ debug, evaluation }: HeldThread, question: Sexp): Promise<Sexp> {
    return this.#questions.ask(question, {
      thread: debug.thread,
      package: evaluation.package,
      milliseconds: Number.POSITIVE_INFINITY,
    });
  }

  #innermost(): HeldThread {
    const { innermost } = this.#held;
    if (innermost) return innermost;
    throw new HarborError('not_held', 'Nothing is held in the debugger.');
  }
}

function levelOf({ debug: { type, message }, evaluation }: HeldThread, index: number) {
  return { level: index + 1, evaluation: evaluation.id, type, message };
}

/** @throws HarborError `bad_arguments` */
function restartOf(
  { restart, frame, ...given }: RestartChoice,
  held: HeldThread,
): { form: Sexp; told: string } {
  const { debug, evaluation } = held;
  const values = (given.arguments ?? []).map(String);
  const name = String(restart).toUpperCase();
  const inFrame = frame ?? 0;
  if (name === FRAME_RESTARTS.restart)
    return { form: lispCall('swank:restart-frame', inFrame), told: `went on by restarting frame ${inFrame}` };
  if (name === FRAME_RESTARTS.return) {
    const code = values.length === 1 ? (values[0] ?? '') : `(values ${values.join(' ')})`;
    const told = `went on by returning ${values.join(', ') || 'nothing'} from frame ${inFrame}`;
    return { form: lispCall('swank:sldb-return-from-frame', inFrame, code), told };
  }
  const index =
    typeof restart === 'number' ? restart : debug.restarts.findIndex((each) => each.name === name);
  const chosen = debug.restarts[index];
  if (!chosen)
    throw new HarborError('bad_arguments', `There is no restart ${restart}. There are ${namesOf(held)}.`);
  if (given.arguments === undefined)
    return { form: takingRestart(debug, index), told: `went on by ${chosen.name}` };
  return {
    form: lispCall('lisp-harbor.swank:take-restart', index, quoted(values), evaluation.package),
    told: `went on by ${chosen.name} with ${values.join(', ')}`,
  };
}

function namesOf({ debug }: HeldThread): string {
  return debug.restarts.map(({ name }, index) => `${index} ${name}`).join(', ');
}

/** A restart that asks for a value finds nobody to answer. */
function refusal({ type, message }: { type: string; message: string }): HarborError {
  const reason = type === 'END-OF-FILE' ? 'it asks for something: give `arguments`' : `${type}: ${message}`;
  return new HarborError('bad_arguments', `This could not be done: ${reason}. The level is held as before.`);
}
