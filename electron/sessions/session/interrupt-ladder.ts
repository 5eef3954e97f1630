/**
 * The interrupt ladder: how an evaluation that was begun is stopped. What is held in the debugger is given up there; a
 * cooperative interrupt keeps all state; the insistent one is repeated for code that loops in its cleanups; the last
 * step ends the image. Inside a held evaluation another one may run: that is stopped first.
 */
import { LADDER, type LadderStep, levelOf, runningIn, type State, type Transition } from './session-state';

/** Stops `id`. Where the ladder is being climbed already, the step that it is at is repeated. */
export function climb(state: State, id: number): Transition {
  const { ladder } = state;
  const on = holderOfImage(state, id);
  const target = ladder && state.begun.indexOf(ladder.target) < state.begun.indexOf(id) ? ladder.target : id;
  const step = ladder?.on === on ? stepAgain(state, on, ladder.step) : firstStep(state, on);
  return at(state, target, on, step);
}

/** Stops `id` with the image, whatever step is being tried. */
export function force(state: State, id: number): Transition {
  return at(state, id, holderOfImage(state, id), 'end');
}

/** The step has failed: the next one, if it still matters. */
export function climbOn(state: State, id: number, failed: LadderStep): Transition {
  const { ladder } = state;
  const step = LADDER[LADDER.indexOf(failed) + 1];
  if (ladder?.on !== id || ladder.step !== failed || step === undefined) return { state, effects: [] };
  return at(state, ladder.target, id, step);
}

/** `id` has come to its end: what it ran inside of is next, if that is to stop as well. */
export function climbOut(state: State, id: number): Transition {
  const { ladder } = state;
  if (ladder?.on !== id && ladder?.target !== id) return { state, effects: [] };
  const rest: State = { ...state, ladder: null };
  const hasImage = state.is === 'running' || state.is === 'debugger';
  // What the image took along tells its end by itself.
  return ladder.target === id || !hasImage ? { state: rest, effects: [] } : climb(rest, ladder.target);
}

function at(state: State, target: number, on: number, step: LadderStep): Transition {
  const isRepeated = state.ladder?.on === on && state.ladder.step === step;
  return {
    state: { ...state, ladder: { target, on, step } },
    effects:
      isRepeated && step === 'end' ? [] : [{ do: 'interrupt', id: on, step, level: levelOf(state, on) }],
  };
}

/** What runs inside a held evaluation has the image; otherwise the evaluation itself has it. */
function holderOfImage(state: State, id: number): number {
  return levelOf(state, id) > 0 ? (runningIn(state) ?? id) : id;
}

function firstStep(state: State, id: number): LadderStep {
  return levelOf(state, id) > 0 ? 'abort' : 'cooperative';
}

/** What has gone on meanwhile cannot be given up in the debugger any more. */
function stepAgain(state: State, id: number, step: LadderStep): LadderStep {
  return step === 'abort' ? firstStep(state, id) : step;
}
