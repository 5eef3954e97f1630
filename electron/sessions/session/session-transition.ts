/**
 * How a session gets from one state to the next. Every event has an answer in every state; one that cannot happen there,
 * or comes too late, changes nothing.
 */
import type { ImageOutcome } from '../../images/image';
import type { HeldEvaluation } from '../../images/optional-groups';
import { climb, climbOn, climbOut, force } from './interrupt-ladder';
import {
  type Effect,
  heldIn,
  isEvaluation,
  levelFor,
  levelOf,
  misplacement,
  nextTurn,
  pendingIn,
  runningIn,
  type SessionEvent,
  type State,
  shownAs,
  type Transition,
  type Turn,
  turnIn,
  turnsIn,
} from './session-state';

const CANCELLED = 'This was cancelled before it began.';
const CLOSED = 'The session was closed, or its harbor ended, before this ran.';

export function transition(before: State, event: SessionEvent): Transition {
  const { state, effects } = next(before, event);
  const isSeen = shownAs(state) !== shownAs(before) || state.ladder?.step !== before.ladder?.step;
  return { state, effects: isSeen ? [...effects, { do: 'publish' }] : effects };
}

function next(state: State, event: SessionEvent): Transition {
  switch (event.is) {
    case 'asked':
      return asked(state, event.turn);
    case 'turn':
      return turnCame(state);
    case 'stop':
      return stop(state, event.id, event.byForce);
    case 'stepFailed':
      return climbOn(state, event.id, event.step);
    case 'held':
      return held(state, event.id, event.held);
    case 'left':
      return left(state, event.id);
    case 'evaluated':
      return evaluated(state, event.id, event.outcome);
    case 'imageLost':
      return imageLost(state, event.because);
    case 'givenUp':
      return givenUp(state);
    case 'imageStarted':
      return imageStarted(state);
    case 'startFailed':
      return startFailed(state, event.problem);
    case 'end':
      return end(state);
  }
}

function asked(state: State, turn: Turn): Transition {
  if (state.is === 'ended') return to(state, dropped(turn));
  const misplaced = misplacement(state, levelFor(turn));
  if (turn.for === 'evaluation' && misplaced !== null) return to(state, refused(turn.id, misplaced));
  const queued = { ...state, waiting: [...state.waiting, turn] };
  return turn.for === 'reset' || turn.for === 'restart' ? supersede(state, queued) : to(queued);
}

/** All that was asked for before is given up: what runs is stopped, what waits never begins. */
function supersede(before: State, after: State): Transition {
  const outermost = heldIn(before)[0] ?? runningIn(before);
  const given = pendingIn(before).filter((id) => id === outermost || !before.begun.includes(id));
  return given.reduce((so, id) => then(so, (state) => stop(state, id)), to(after));
}

function turnCame(state: State): Transition {
  const turn = nextTurn(state);
  if (!turn) return to(state);
  const rest: State = { ...state, waiting: state.waiting.filter((each) => each !== turn) };
  if (turn.for === 'reset' || turn.for === 'restart') return replace(rest, turn);
  if (rest.is === 'lost') return start(rest, turn, rest.because);
  return turn.for === 'evaluation' ? run(rest, turn.id) : to(rest, answer(turn.id));
}

/** What was begun is interrupted, step by step; what was not never begins. */
function stop(state: State, id: number, byForce = false): Transition {
  if (state.begun.includes(id)) return byForce ? force(state, id) : climb(state, id);
  if (!pendingIn(state).includes(id)) return to(state);
  const waiting = state.waiting.filter((turn) => turn.id !== id);
  const rest: State = { ...state, waiting, ...(turnIn(state)?.id === id ? { turn: null } : {}) };
  const away = turnedAway(id, 'interrupted', CANCELLED);
  const nobodyWaits = rest.is === 'starting' && pendingIn(rest).length === 0;
  return nobodyWaits ? to(rest, away, { do: 'stopRecovering' }) : to(rest, away);
}

function held(state: State, id: number, what: HeldEvaluation): Transition {
  if (state.is !== 'running' && state.is !== 'debugger') return to(state);
  if (!state.begun.includes(id) || state.held.includes(id)) return to(state);
  const inside: State = { ...always(state), is: 'debugger', held: [...state.held, id] };
  return then(to(inside, { do: 'hold', id, held: what }), refuseMisplaced);
}

/** The levels inside the one that is left are left with it. */
function left(state: State, id: number): Transition {
  const level = levelOf(state, id);
  if (level === 0) return to(state);
  const held = heldIn(state).slice(0, level - 1);
  const outside: State = { ...always(state), is: 'running', running: id, held };
  return then(refuseMisplaced(outside, `Debugger level ${level} was left.`), (now) =>
    to(now, ...released(state, level), { do: 'goOn', id }),
  );
}

/** What ran inside it tells its own end. */
function evaluated(state: State, id: number, outcome: ImageOutcome): Transition {
  if (!state.begun.includes(id)) return to(state);
  const rest = { ...state, begun: state.begun.filter((each) => each !== id) };
  const releases = released(state, levelOf(state, id));
  const settled = to(without(rest, id), ...releases, { do: 'settle', id, outcome });
  return then(then(settled, refuseMisplaced), (now) => climbOut(now, id));
}

/** What the image took along tells its end by itself. */
function imageLost(state: State, because: string): Transition {
  if (state.is === 'replacing') return to({ ...state, isGone: true });
  if (state.is !== 'idle' && state.is !== 'running' && state.is !== 'debugger') return to(state);
  return refuseMisplaced({ ...always(state), is: 'lost', because, running: runningIn(state) });
}

function givenUp(state: State): Transition {
  if (state.is !== 'replacing') return to(state);
  const { turn, because } = state;
  if (turn) return start(state, turn, because);
  return to({ ...always(state), is: 'lost', because, running: null });
}

function imageStarted(state: State): Transition {
  // Closed meanwhile: nobody else knows of this image.
  if (state.is === 'ended') return to(state, { do: 'endImage' });
  if (state.is !== 'starting') return to(state);
  const { turn } = state;
  if (turn && isEvaluation(turn)) return run(state, turn.id);
  const idle: State = { ...always(state), is: 'idle' };
  return turn ? to(idle, answer(turn.id)) : to(idle);
}

function startFailed(state: State, problem: string): Transition {
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
    held: heldIn(state),
  };
  return to(running, { do: 'run', id });
}

function start(state: State, turn: Turn, because: string): Transition {
  const id = isEvaluation(turn) ? turn.id : null;
  return to({ ...always(state), is: 'starting', turn, because }, { do: 'startImage', because, id });
}

/** Where the image is lost already, both reasons are told. */
function replace(state: State, turn: Extract<Turn, { by: unknown }>): Transition {
  const isGone = state.is === 'lost';
  const because = isGone ? `${state.because}, and ${turn.by.because}` : turn.by.because;
  return to({ ...always(state), is: 'replacing', turn, because, isGone }, { do: 'giveUpImage', by: turn.by });
}

/** The state once the evaluation does not run any more, and neither it nor any inside it is held. */
function without(state: State, id: number): State {
  const running = runningIn(state) === id ? null : runningIn(state);
  if (state.is === 'lost' || state.is === 'ended') return { ...state, running };
  if (state.is !== 'running' && state.is !== 'debugger') return state;
  const level = levelOf(state, id);
  const held = level === 0 ? state.held : state.held.slice(0, level - 1);
  if (running !== null) return { ...always(state), is: 'running', running, held };
  return { ...always(state), ...(held.length > 0 ? { is: 'debugger', held } : { is: 'idle' }) };
}

/** Refuses the evaluations that wait for a level which is not the innermost one any more: they were meant for another
 * state. `note` is what they are told, in place of where the session stands. */
function refuseMisplaced(state: State, note?: string): Transition {
  const isMisplaced = (turn: Turn) => turn.for === 'evaluation' && misplacement(state, turn.level) !== null;
  const refusals = state.waiting
    .filter(isMisplaced)
    .map((turn) => refused(turn.id, note ?? misplacement(state, levelFor(turn)) ?? ''));
  return to({ ...state, waiting: state.waiting.filter((turn) => !isMisplaced(turn)) }, ...refusals);
}

function released(state: State, level: number): Effect[] {
  const out = level === 0 ? [] : heldIn(state).slice(level - 1);
  return out.map((id) => ({ do: 'release', id }));
}

/** What becomes of what waits when the session is closed. */
function dropped(turn: Turn): Effect {
  return isEvaluation(turn) ? turnedAway(turn.id, 'interrupted', CLOSED) : answer(turn.id);
}

function refused(id: number, note: string): Effect {
  return turnedAway(id, 'refused', note);
}

function turnedAway(id: number, as: 'interrupted' | 'refused', note: string): Effect {
  return { do: 'turnAway', id, as, note };
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

/** What follows from a transition, after what it does. */
function then(first: Transition, follow: (state: State) => Transition): Transition {
  const { state, effects } = follow(first.state);
  return { state, effects: [...first.effects, ...effects] };
}
