/**
 * What a session is doing, as one value; what can happen to it; and what it then has to do. Nothing here acts:
 * `transition` leads from one state to the next, and `SessionMachine` carries out its effects. Evaluations are named by
 * the ids of their rows.
 */
import type { SessionState } from '../../contract/model';
import type { ImageOutcome, InterruptStep } from '../../images/image';
import type { HeldEvaluation } from '../../images/optional-groups';
import type { Lineage } from '../recovery/lineage';

/** Why an image gives way to another one, and what that begins from. */
export interface Replacement {
  /** What the next evaluation is told, after the word "because". */
  because: string;
  from: Lineage;
  /** The systems that count as loaded from then on; null leaves them as they are. */
  systems: readonly string[] | null;
}

/** What waits for its turn: an evaluation, by its id; or work of the session's own, by a negative number. */
export type Turn =
  /** Waits for its turn at this debugger level; 0 is the top level. */
  | { for: 'evaluation'; id: number; level: number }
  /** An evaluation that begins with a fresh image. */
  | { for: 'reset'; id: number; by: Replacement }
  /** Another image in place of this one, with nothing to evaluate in it yet. */
  | { for: 'restart'; id: number; by: Replacement }
  /** An image, if there is none when the turn has come. */
  | { for: 'revival'; id: number };

/** The steps of the interrupt ladder, gentlest first. `abort` gives up what the debugger holds: it is the first step for
 * what is held, and left out for all else. `end` ends the image. */
export const LADDER = ['abort', ...(['cooperative', 'insistent'] satisfies InterruptStep[]), 'end'] as const;
export type LadderStep = (typeof LADDER)[number];

/** How far the interrupt ladder has been climbed, for an evaluation that is to stop. */
export interface Ladder {
  /** The one that is to stop. */
  target: number;
  /** The one that is interrupted now: itself, or what runs inside it. */
  on: number;
  step: LadderStep;
}

interface InEveryState {
  /** In the order they were asked for. */
  readonly waiting: readonly Turn[];
  /** Evaluations that were begun and whose end is not known yet, in the order they began. They run or are held; or they
   * were, until a debugger level was left that they were inside of, or the image was lost. */
  readonly begun: readonly number[];
  readonly ladder: Ladder | null;
}

type Doing =
  | { readonly is: 'idle' }
  /** `held` are the evaluations held at debugger levels 1, 2, …; the last is the innermost. */
  | { readonly is: 'running'; readonly running: number; readonly held: readonly number[] }
  | { readonly is: 'debugger'; readonly held: readonly number[] }
  /** The image is given up. `turn` is what the next one is for; null when that was cancelled. */
  | {
      readonly is: 'replacing';
      readonly turn: Turn | null;
      readonly because: string;
      readonly isGone: boolean;
    }
  /** Another image is started and brought to the state of the last one; `turn` as above. */
  | { readonly is: 'starting'; readonly turn: Turn | null; readonly because: string }
  /** There is no image. What still runs needs none, such as a fetch, or its end will be known soon. */
  | { readonly is: 'lost'; readonly because: string; readonly running: number | null }
  /** For good. */
  | { readonly is: 'ended'; readonly running: number | null };

/** What a session is doing. */
export type State = InEveryState & Doing;

export type SessionEvent =
  /** Somebody has asked for it; the row of an evaluation is open. */
  | { is: 'asked'; turn: Turn }
  /** What waits may begin, if nothing is in its way. */
  | { is: 'turn' }
  /** The evaluation is to stop, wherever it is; by force: with the image, if it was begun. */
  | { is: 'stop'; id: number; byForce?: boolean }
  /** A step of the ladder was refused, or took longer than is waited for. */
  | { is: 'stepFailed'; id: number; step: LadderStep }
  | { is: 'held'; id: number; held: HeldEvaluation }
  /** The debugger level of the evaluation was left: it goes on. */
  | { is: 'left'; id: number }
  /** The evaluation has come to its end. */
  | { is: 'evaluated'; id: number; outcome: ImageOutcome }
  | { is: 'imageLost'; because: string }
  /** The image that was given up is gone. */
  | { is: 'givenUp' }
  | { is: 'imageStarted' }
  | { is: 'startFailed'; problem: string }
  | { is: 'end' };

export type Effect =
  | { do: 'run'; id: number }
  /** Closes an evaluation that has not begun, and never will. */
  | { do: 'turnAway'; id: number; as: 'interrupted' | 'refused'; note: string }
  /** Closes an evaluation for which no image could be started. */
  | { do: 'fail'; id: number; problem: string }
  /** Closes an evaluation with what the image answered. */
  | { do: 'settle'; id: number; outcome: ImageOutcome }
  | { do: 'hold'; id: number; held: HeldEvaluation }
  /** It is not held any more. */
  | { do: 'release'; id: number }
  /** It goes on at the level that was left. */
  | { do: 'goOn'; id: number }
  /** `level` is that at which it is held; 0 for none. */
  | { do: 'interrupt'; id: number; step: LadderStep; level: number }
  | { do: 'giveUpImage'; by: Replacement }
  /** `id` is the evaluation that waits for the image, if one does. */
  | { do: 'startImage'; because: string; id: number | null }
  /** Nobody waits for the definitions that are brought back. */
  | { do: 'stopRecovering' }
  | { do: 'endImage' }
  /** Tells who asked for the session's own work that it is done, or why not. */
  | { do: 'answer'; id: number; problem: string | null }
  /** Those who watch the session see another state. */
  | { do: 'publish' };

/** The next state, and what is to be done, in this order. */
export interface Transition {
  state: State;
  effects: readonly Effect[];
}

/** The state of a session whose image has just been started. */
export const NEW_SESSION = { is: 'idle', waiting: [], begun: [], ladder: null } as const satisfies State;

/** The state of a session that slept: its image has just been started, and is to be brought to the state of the last. */
export function waking(because: string): State {
  return { is: 'starting', turn: null, because, waiting: [], begun: [], ladder: null };
}

/** The state as everybody else sees it. */
export function shownAs(state: State): SessionState {
  if (state.is !== 'replacing') return state.is;
  return state.isGone ? 'lost' : 'idle';
}

export function runningIn(state: State): number | null {
  return 'running' in state ? state.running : null;
}

/** What is held, innermost last. */
export function heldIn(state: State): readonly number[] {
  return 'held' in state ? state.held : [];
}

export function innermostHeld(state: State): number | null {
  return heldIn(state).at(-1) ?? null;
}

/** The debugger level at which the evaluation is held; 0 when it is not. */
export function levelOf(state: State, id: number): number {
  return heldIn(state).indexOf(id) + 1;
}

/** How an evaluation is being stopped. */
export function stoppingIn({ ladder }: State): { evaluation: number; step: LadderStep } | null {
  return ladder && { evaluation: ladder.target, step: ladder.step };
}

/** Why there is no image, after the word "because"; null while there is one, and after the end. */
export function whyNoImage(state: State): string | null {
  if (state.is === 'lost' || state.is === 'starting') return state.because;
  return state.is === 'replacing' && state.isGone ? state.because : null;
}

/** Whether there is an image, be it one that is about to be given up. */
export function hasImage(state: State): boolean {
  return state.is !== 'ended' && whyNoImage(state) === null;
}

/** What waits for the image that is being started or given up. */
export function turnIn(state: State): Turn | null {
  return 'turn' in state ? state.turn : null;
}

/** What has not begun, in the order it will: what an image is started or given up for, and what waits. */
export function turnsIn(state: State): Turn[] {
  const turn = turnIn(state);
  return turn ? [turn, ...state.waiting] : [...state.waiting];
}

/** The evaluations that come before `id`, which has not begun, in the order they will; null for one that has begun. None comes
 * before a reset: all are given up for it. */
export function evaluationsBefore(state: State, id: number): number[] | null {
  const turns = turnsIn(state).filter(isEvaluation);
  const place = turns.findIndex((turn) => turn.id === id);
  if (place < 0) return null;
  if (turns[place]?.for === 'reset') return [];
  const held = heldIn(state);
  const before = turns.slice(0, place).map((turn) => turn.id);
  return [...state.begun.filter((begun) => !held.includes(begun)), ...before];
}

/** The evaluations that have no outcome yet. */
export function pendingIn(state: State): number[] {
  const turns = turnsIn(state).filter(isEvaluation);
  return [...state.begun, ...turns.map(({ id }) => id)];
}

export function isEvaluation(turn: Turn): boolean {
  return turn.for === 'evaluation' || turn.for === 'reset';
}

/** What begins at the next event `turn`. Nothing begins while something runs, or was begun and has not told its end. */
export function nextTurn(state: State): Turn | null {
  const held = heldIn(state);
  const isFree = state.is === 'idle' || state.is === 'debugger' || state.is === 'lost';
  if (!isFree || state.begun.length > held.length) return null;
  return state.waiting.find((turn) => levelFor(turn) === held.length) ?? null;
}

/** The debugger level at which it waits. */
export function levelFor(turn: Turn): number {
  return turn.for === 'evaluation' ? turn.level : 0;
}

/** Why nothing can be evaluated at `level` now, or null. */
export function misplacement(state: State, level: number): string | null {
  const held = heldIn(state);
  if (level === held.length) return null;
  const innermost = innermostHeld(state);
  if (innermost === null) return `No debugger level ${level} is held; leave level out.`;
  return `The session is held at debugger level ${held.length}, by evaluation ${innermost}. \`debug\` shows it and goes on or gives up; to evaluate there, pass level: ${held.length}.`;
}
