/**
 * The transition function of a session. It handles every event in every state; an event that does not apply
 * or comes too late changes nothing.
 */

import { type Note, note } from '../../contract/note';
import type { ImageOutcome } from '../../images/image';
import type { SuspendedEvaluation } from '../../images/optional-groups';
import {
  type Effect,
  isEvaluation,
  LADDER,
  type LadderStep,
  levelFor,
  levelMismatch,
  levelOf,
  nextTurn,
  pendingIn,
  publicState,
  runningIn,
  type SessionEvent,
  type State,
  suspendedIn,
  type Transition,
  type Turn,
  turnIn,
  turnsIn,
} from './session-state';

const CANCELLED = note('cancelled', 'The evaluation was cancelled before it began.');
const CLOSED = note('session_closed', 'The session or the harbor was closed before this evaluation began.');

export function transition(before: State, event: SessionEvent): Transition {
  const { state, effects } = next(before, event);
  const isSeen = publicState(state) !== publicState(before) || state.ladder?.step !== before.ladder?.step;
  return { state, effects: isSeen ? [...effects, { do: 'publish' }] : effects };
}

function next(state: State, event: SessionEvent): Transition {
  switch (event.is) {
    case 'requested':
      return onRequested(state, event.turn);
    case 'turn':
      return onTurn(state);
    case 'stop':
      return stop(state, event.id, event.byForce);
    case 'stepFailed':
      return climbOn(state, event.id, event.step);
    case 'suspended':
      return onSuspended(state, event.id, event.suspension);
    case 'levelExited':
      return onLevelExited(state, event.id);
    case 'evaluated':
      return onEvaluated(state, event.id, event.outcome);
    case 'imageLost':
      return onImageLost(state, event.because);
    case 'givenUp':
      return onImageGivenUp(state);
    case 'imageStarted':
      return onImageStarted(state);
    case 'startFailed':
      return onStartFailed(state, event.problem);
    case 'end':
      return end(state);
  }
}

function onRequested(state: State, turn: Turn): Transition {
  if (state.is === 'ended') return to(state, dropped(turn));
  const misplaced = levelMismatch(state, levelFor(turn));
  if (turn.for === 'evaluation' && misplaced !== null) return to(state, refused(turn.id, misplaced));
  const queued = { ...state, waiting: [...state.waiting, turn] };
  return turn.for === 'reset' || turn.for === 'restart' ? supersede(state, queued) : to(queued);
}

/** Stops all earlier work: running evaluations are interrupted, queued ones are closed. */
function supersede(before: State, after: State): Transition {
  const outermost = suspendedIn(before)[0] ?? runningIn(before);
  const superseded = pendingIn(before).filter((id) => id === outermost || !before.begun.includes(id));
  return superseded.reduce((so, id) => then(so, (state) => stop(state, id)), to(after));
}

function onTurn(state: State): Transition {
  const turn = nextTurn(state);
  if (!turn) return to(state);
  const rest: State = { ...state, waiting: state.waiting.filter((each) => each !== turn) };
  if (turn.for === 'reset' || turn.for === 'restart') return replace(rest, turn);
  if (rest.is === 'lost') return start(rest, turn, rest.because);
  return turn.for === 'evaluation' ? run(rest, turn.id) : to(rest, answer(turn.id));
}

/** Interrupts an evaluation that has begun, or removes it from the queue. */
function stop(state: State, id: number, byForce = false): Transition {
  if (state.begun.includes(id)) return byForce ? force(state, id) : climb(state, id);
  if (!pendingIn(state).includes(id)) return to(state);
  const waiting = state.waiting.filter((turn) => turn.id !== id);
  const rest: State = { ...state, waiting, ...(turnIn(state)?.id === id ? { turn: null } : {}) };
  const away = rejected(id, 'interrupted', CANCELLED);
  const nobodyWaits = rest.is === 'starting' && pendingIn(rest).length === 0;
  return nobodyWaits ? to(rest, away, { do: 'stopRecovering' }) : to(rest, away);
}

function onSuspended(state: State, id: number, what: SuspendedEvaluation): Transition {
  if (state.is !== 'running' && state.is !== 'debugger') return to(state);
  if (!state.begun.includes(id) || state.suspended.includes(id)) return to(state);
  const inside: State = { ...always(state), is: 'debugger', suspended: [...state.suspended, id] };
  return then(to(inside, { do: 'suspend', id, suspension: what }), refuseMisplaced);
}

/** Inner levels exit together with the level. */
function onLevelExited(state: State, id: number): Transition {
  const level = levelOf(state, id);
  if (level === 0) return to(state);
  const suspended = suspendedIn(state).slice(0, level - 1);
  const outside: State = { ...always(state), is: 'running', running: id, suspended };
  return then(refuseMisplaced(outside, note('level', `Debugger level ${level} exited.`)), (now) =>
    to(now, ...released(state, level), { do: 'resume', id }),
  );
}

/** An evaluation inside it reports its own end. */
function onEvaluated(state: State, id: number, outcome: ImageOutcome): Transition {
  if (!state.begun.includes(id)) return to(state);
  const rest = { ...state, begun: state.begun.filter((each) => each !== id) };
  const releases = released(state, levelOf(state, id));
  const settled = to(without(rest, id), ...releases, { do: 'settle', id, outcome });
  return then(then(settled, refuseMisplaced), (now) => climbOut(now, id));
}

/** Evaluations in the lost image report their own end. */
function onImageLost(state: State, because: string): Transition {
  if (state.is === 'replacing') return to({ ...state, isImageLost: true });
  if (state.is !== 'idle' && state.is !== 'running' && state.is !== 'debugger') return to(state);
  return refuseMisplaced({ ...always(state), is: 'lost', because, running: runningIn(state) });
}

function onImageGivenUp(state: State): Transition {
  if (state.is !== 'replacing') return to(state);
  const { turn, because } = state;
  if (turn) return start(state, turn, because);
  return to({ ...always(state), is: 'lost', because, running: null });
}

function onImageStarted(state: State): Transition {
  // The session was closed meanwhile; end the new image.
  if (state.is === 'ended') return to(state, { do: 'endImage' });
  if (state.is !== 'starting') return to(state);
  const { turn } = state;
  if (turn && isEvaluation(turn)) return run(state, turn.id);
  const idle: State = { ...always(state), is: 'idle' };
  return turn ? to(idle, answer(turn.id)) : to(idle);
}

function onStartFailed(state: State, problem: string): Transition {
  if (state.is !== 'starting') return to(state);
  const { turn, because } = state;
  const lost: State = { ...always(state), is: 'lost', because, running: null };
  if (!turn) return to(lost);
  return to(lost, isEvaluation(turn) ? { do: 'fail', id: turn.id, problem } : answer(turn.id, problem));
}

function end(state: State): Transition {
  if (state.is === 'ended') return to(state);
  const ended: State = { ...always(state), waiting: [], is: 'ended', running: runningIn(state) };
  return to(ended, ...turnsIn(state).map(dropped), { do: 'endImage' });
}

function run(state: State, id: number): Transition {
  const { begun, ...rest } = always(state);
  const running: State = {
    ...rest,
    begun: [...begun, id],
    is: 'running',
    running: id,
    suspended: suspendedIn(state),
  };
  return to(running, { do: 'run', id });
}

function start(state: State, turn: Turn, because: string): Transition {
  const id = isEvaluation(turn) ? turn.id : null;
  return to({ ...always(state), is: 'starting', turn, because }, { do: 'startImage', because, id });
}

/** If the image is already lost, both reasons are given. */
function replace(state: State, turn: Extract<Turn, { by: unknown }>): Transition {
  const isImageLost = state.is === 'lost';
  const because = isImageLost ? `${state.because}, and ${turn.by.because}` : turn.by.because;
  return to(
    { ...always(state), is: 'replacing', turn, because, isImageLost: isImageLost },
    { do: 'giveUpImage', by: turn.by },
  );
}

/** Returns the state after the evaluation ended: neither it nor an inner one runs or is suspended. */
function without(state: State, id: number): State {
  const running = runningIn(state) === id ? null : runningIn(state);
  if (state.is === 'lost' || state.is === 'ended') return { ...state, running };
  if (state.is !== 'running' && state.is !== 'debugger') return state;
  const level = levelOf(state, id);
  const suspended = level === 0 ? state.suspended : state.suspended.slice(0, level - 1);
  if (running !== null) return { ...always(state), is: 'running', running, suspended };
  return { ...always(state), ...(suspended.length > 0 ? { is: 'debugger', suspended } : { is: 'idle' }) };
}

/**
 * Refuses queued evaluations whose debugger level is no longer the innermost one.
 * @param why by default the current level
 */
function refuseMisplaced(state: State, why?: Note): Transition {
  const isMisplaced = (turn: Turn) => turn.for === 'evaluation' && levelMismatch(state, turn.level) !== null;
  const refusals = state.waiting.filter(isMisplaced).flatMap((turn) => {
    const reason = why ?? levelMismatch(state, levelFor(turn));
    return reason === null ? [] : [refused(turn.id, reason)];
  });
  return to({ ...state, waiting: state.waiting.filter((turn) => !isMisplaced(turn)) }, ...refusals);
}

function released(state: State, level: number): Effect[] {
  const out = level === 0 ? [] : suspendedIn(state).slice(level - 1);
  return out.map((id) => ({ do: 'release', id }));
}

/** Closes a queued turn because the session is closed. */
function dropped(turn: Turn): Effect {
  return isEvaluation(turn) ? rejected(turn.id, 'interrupted', CLOSED) : answer(turn.id);
}

function refused(id: number, why: Note): Effect {
  return rejected(id, 'refused', why);
}

function rejected(id: number, as: 'interrupted' | 'refused', why: Note): Effect {
  return { do: 'reject', id, as, note: why };
}

function answer(id: number, problem: string | null = null): Effect {
  return { do: 'answer', id, problem };
}

function always({ waiting, begun, ladder }: State): Pick<State, 'waiting' | 'begun' | 'ladder'> {
  return { waiting, begun, ladder };
}

function to(state: State, ...effects: readonly Effect[]): Transition {
  return { state, effects };
}

/** Chains a transition after another one. */
function then(first: Transition, follow: (state: State) => Transition): Transition {
  const { state, effects } = follow(first.state);
  return { state, effects: [...first.effects, ...effects] };
}

// The interrupt ladder stops an evaluation that has begun. A suspended evaluation is aborted in the debugger.
// A cooperative interrupt preserves all state. The insistent interrupt is repeated, for code that loops in
// its cleanup forms. The last step ends the image. An evaluation that runs inside a suspended one is stopped
// first.

/** Stops `id`. If the ladder is already in use, repeats its current step. */
function climb(state: State, id: number): Transition {
  const { ladder } = state;
  const on = holderOfImage(state, id);
  const target = ladder && state.begun.indexOf(ladder.target) < state.begun.indexOf(id) ? ladder.target : id;
  const step = ladder?.on === on ? stepAgain(state, on, ladder.step) : firstStep(state, on);
  return at(state, target, on, step);
}

/** Stops `id` by ending the image at once. */
function force(state: State, id: number): Transition {
  return at(state, id, holderOfImage(state, id), 'end');
}

/** Takes the next step after one failed, if the evaluation is still to be stopped. */
function climbOn(state: State, id: number, failed: LadderStep): Transition {
  const { ladder } = state;
  const step = LADDER[LADDER.indexOf(failed) + 1];
  if (ladder?.on !== id || ladder.step !== failed || step === undefined) return { state, effects: [] };
  return at(state, ladder.target, id, step);
}

/** Continues with the outer evaluation when `id` has ended, if that is to stop as well. */
function climbOut(state: State, id: number): Transition {
  const { ladder } = state;
  if (ladder?.on !== id && ladder?.target !== id) return { state, effects: [] };
  const rest: State = { ...state, ladder: null };
  const hasImage = state.is === 'running' || state.is === 'debugger';
  // Evaluations in a lost image report their own end.
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

/**
 * The evaluation that the image is running: the one inside a suspended evaluation, or the evaluation itself.
 */
function holderOfImage(state: State, id: number): number {
  return levelOf(state, id) > 0 ? (runningIn(state) ?? id) : id;
}

function firstStep(state: State, id: number): LadderStep {
  return levelOf(state, id) > 0 ? 'abort' : 'cooperative';
}

/** An evaluation that resumed meanwhile cannot be aborted in the debugger. */
function stepAgain(state: State, id: number, step: LadderStep): LadderStep {
  return step === 'abort' ? firstStep(state, id) : step;
}
