/**
 * The state of a session as one value, with its events and effects. Everything here is pure: `transition`
 * computes the next state, and `SessionMachine` carries out the effects. Evaluations are named by the ids of
 * their rows.
 */

import { mention, ours } from '../../contract/mention';
import type { SessionState } from '../../contract/model';
import { type Note, note } from '../../contract/note';
import type { ImageOutcome, InterruptStep } from '../../images/image';
import type { SuspendedEvaluation } from '../../images/optional-groups';
import type { Lineage } from '../recovery/lineage';

/** Why an image is replaced, and what the new one begins with. */
export interface Replacement {
  /** The reason in the notes of the next evaluation, to follow the word "because". */
  because: string;
  from: Lineage;
  /** The loaded systems from then on; null leaves them unchanged. */
  systems: readonly string[] | null;
}

/** A queued evaluation, by its id, or queued work of the session itself, by a negative number. */
export type Turn =
  /** Queued for this debugger level; 0 is the top level. */
  | { for: 'evaluation'; id: number; level: number }
  /** An evaluation in a fresh image. */
  | { for: 'reset'; id: number; by: Replacement }
  /** A replacement of the image without an evaluation. */
  | { for: 'restart'; id: number; by: Replacement }
  /** A new image, if there is none when the turn comes. */
  | { for: 'revival'; id: number };

/**
 * The steps of the interrupt ladder, gentlest first. `abort` leaves the debugger level; it applies only to
 * suspended evaluations. `end` ends the image.
 */
export const LADDER = ['abort', ...(['cooperative', 'insistent'] satisfies InterruptStep[]), 'end'] as const;
export type LadderStep = (typeof LADDER)[number];

/** The progress of the interrupt ladder. */
export interface Ladder {
  /** The evaluation to stop. */
  target: number;
  /** The evaluation that is interrupted now: the target, or one that runs inside it. */
  on: number;
  step: LadderStep;
}

interface InEveryState {
  /** In request order. */
  readonly waiting: readonly Turn[];
  /**
   * Started evaluations without an outcome, in start order. They run or are suspended, or an outer debugger
   * level exited, or the image was lost.
   */
  readonly begun: readonly number[];
  readonly ladder: Ladder | null;
}

type Doing =
  | { readonly is: 'idle' }
  /** `suspended` are the evaluations at debugger levels 1, 2, …; the last is the innermost. */
  | { readonly is: 'running'; readonly running: number; readonly suspended: readonly number[] }
  | { readonly is: 'debugger'; readonly suspended: readonly number[] }
  /** The image is being ended. `turn` waits for the next one; null if it was cancelled. */
  | {
      readonly is: 'replacing';
      readonly turn: Turn | null;
      readonly because: string;
      readonly isImageLost: boolean;
    }
  /** Another image is being started and restored; `turn` as above. */
  | { readonly is: 'starting'; readonly turn: Turn | null; readonly because: string }
  /** There is no image. A running evaluation needs none, such as a fetch, or will soon report its end. */
  | { readonly is: 'lost'; readonly because: string; readonly running: number | null }
  /** The session is closed for good. */
  | { readonly is: 'ended'; readonly running: number | null };

/** The state of a session. */
export type State = InEveryState & Doing;

export type SessionEvent =
  /** Requested; the row of an evaluation is open. */
  | { is: 'requested'; turn: Turn }
  /** The next turn may begin, if nothing prevents it. */
  | { is: 'turn' }
  /** Stop the evaluation; by force: by ending the image, if it has begun. */
  | { is: 'stop'; id: number; byForce?: boolean }
  /** A step of the ladder was refused or timed out. */
  | { is: 'stepFailed'; id: number; step: LadderStep }
  | { is: 'suspended'; id: number; suspension: SuspendedEvaluation }
  /** The debugger level of the evaluation exited; the evaluation resumes. */
  | { is: 'levelExited'; id: number }
  /** The evaluation has ended. */
  | { is: 'evaluated'; id: number; outcome: ImageOutcome }
  | { is: 'imageLost'; because: string }
  /** The replaced image has ended. */
  | { is: 'givenUp' }
  | { is: 'imageStarted' }
  | { is: 'startFailed'; problem: string }
  | { is: 'end' };

export type Effect =
  | { do: 'run'; id: number }
  /** Closes an evaluation that has not begun. */
  | { do: 'reject'; id: number; as: 'interrupted' | 'refused'; note: Note }
  /** Closes an evaluation for which no image could be started. */
  | { do: 'fail'; id: number; problem: string }
  /** Closes an evaluation with its outcome. */
  | { do: 'settle'; id: number; outcome: ImageOutcome }
  | { do: 'suspend'; id: number; suspension: SuspendedEvaluation }
  /** The evaluation is no longer suspended. */
  | { do: 'release'; id: number }
  /** The evaluation resumes after its level exited. */
  | { do: 'resume'; id: number }
  /** `level` is the debugger level of the evaluation; 0 if it is not suspended. */
  | { do: 'interrupt'; id: number; step: LadderStep; level: number }
  | { do: 'giveUpImage'; by: Replacement }
  /** `id` is the evaluation that waits for the image, if any. */
  | { do: 'startImage'; because: string; id: number | null }
  /** Cancels the recovery, because no evaluation waits for it. */
  | { do: 'stopRecovering' }
  | { do: 'endImage' }
  /** Resolves the session's own work: done, or the problem. */
  | { do: 'answer'; id: number; problem: string | null }
  /** Reports the changed state to subscribers. */
  | { do: 'publish' };

/** The next state and the effects, in order. */
export interface Transition {
  state: State;
  effects: readonly Effect[];
}

/** The state of a session whose first image has started. */
export const NEW_SESSION = { is: 'idle', waiting: [], begun: [], ladder: null } as const satisfies State;

/** The state of a session that was asleep: its image has started and is being restored. */
export function waking(because: string): State {
  return { is: 'starting', turn: null, because, waiting: [], begun: [], ladder: null };
}

/** The state as clients and the window see it. */
export function publicState(state: State): SessionState {
  if (state.is !== 'replacing') return state.is;
  return state.isImageLost ? 'lost' : 'idle';
}

export function runningIn(state: State): number | null {
  return 'running' in state ? state.running : null;
}

/** The suspended evaluations, innermost last. */
export function suspendedIn(state: State): readonly number[] {
  return 'suspended' in state ? state.suspended : [];
}

export function innermostSuspended(state: State): number | null {
  return suspendedIn(state).at(-1) ?? null;
}

/** The debugger level of a suspended evaluation; 0 if it is not suspended. */
export function levelOf(state: State, id: number): number {
  return suspendedIn(state).indexOf(id) + 1;
}

/** The evaluation that is being stopped, and the current step. */
export function stoppingIn({ ladder }: State): { evaluation: number; step: LadderStep } | null {
  return ladder && { evaluation: ladder.target, step: ladder.step };
}

/** Why there is no image, to follow the word "because"; null if there is one or the session has ended. */
export function noImageReason(state: State): string | null {
  if (state.is === 'lost' || state.is === 'starting') return state.because;
  return state.is === 'replacing' && state.isImageLost ? state.because : null;
}

/** Reports whether there is an image, including one that is about to be replaced. */
export function hasImage(state: State): boolean {
  return state.is !== 'ended' && noImageReason(state) === null;
}

/** The turn that waits for an image to start or end. */
export function turnIn(state: State): Turn | null {
  return 'turn' in state ? state.turn : null;
}

/** The turns that have not begun, in order. */
export function turnsIn(state: State): Turn[] {
  const turn = turnIn(state);
  return turn ? [turn, ...state.waiting] : [...state.waiting];
}

/**
 * The evaluations ahead of `id` in the queue; null if it has begun. A reset has none ahead: it supersedes
 * all.
 */
export function evaluationsBefore(state: State, id: number): number[] | null {
  const turns = turnsIn(state).filter(isEvaluation);
  const place = turns.findIndex((turn) => turn.id === id);
  if (place < 0) return null;
  if (turns[place]?.for === 'reset') return [];
  const suspended = suspendedIn(state);
  const before = turns.slice(0, place).map((turn) => turn.id);
  return [...state.begun.filter((begun) => !suspended.includes(begun)), ...before];
}

/** The evaluations without an outcome. */
export function pendingIn(state: State): number[] {
  const turns = turnsIn(state).filter(isEvaluation);
  return [...state.begun, ...turns.map(({ id }) => id)];
}

export function isEvaluation(turn: Turn): boolean {
  return turn.for === 'evaluation' || turn.for === 'reset';
}

/** The turn that the event `turn` would start. None while an evaluation runs or has not reported its end. */
export function nextTurn(state: State): Turn | null {
  const suspended = suspendedIn(state);
  const isFree = state.is === 'idle' || state.is === 'debugger' || state.is === 'lost';
  if (!isFree || state.begun.length > suspended.length) return null;
  return state.waiting.find((turn) => levelFor(turn) === suspended.length) ?? null;
}

/** The debugger level that the turn is queued for. */
export function levelFor(turn: Turn): number {
  return turn.for === 'evaluation' ? turn.level : 0;
}

/** Why nothing can be evaluated at `level` now, or null. */
export function levelMismatch(state: State, level: number): Note | null {
  const suspended = suspendedIn(state);
  if (level === suspended.length) return null;
  const innermost = innermostSuspended(state);
  if (innermost === null)
    return note('level', `No evaluation is suspended at debugger level ${level}; omit level.`);
  return note(
    'level',
    `The session is suspended at debugger level ${suspended.length}, by evaluation ${innermost}.`,
    mention`${ours('debug')} shows it and resumes or aborts it; to evaluate there, pass level: ${suspended.length}.`,
  );
}
