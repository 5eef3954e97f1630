/** Sessions in which things happen at random: what can happen there, and what cannot. */
import {
  LADDER,
  NEW_SESSION,
  type SessionEvent,
  type State,
  type Transition,
} from '../../electron/sessions/session/session-state';
import { transition } from '../../electron/sessions/session/session-transition';
import { at, evaluated, held, LOST, reset, restart, revival } from './session-transition-table';

export interface Step {
  before: State;
  now: Transition;
  /** Evaluations that were asked for and not closed. */
  open: ReadonlySet<number>;
}

export interface Play {
  steps: Step[];
  /** All that was asked for, by number. */
  asked: number[];
  /** All that was closed or answered, in this order, once the session was ended and the image had told of everything. */
  closed: number[];
  /** The state when the image had answered all that it was asked, before the session was ended. */
  quiet: State;
}

/** The same for the same seed. */
export function playedRandomly(seed: number, length: number): Play {
  const random = generator(seed);
  const player = new Player();
  for (let count = 0; count < length; count += 1) player.take(anyEvent(player, random));
  const quiet = player.calm();
  player.take({ is: 'end' });
  player.calm();
  return { steps: player.steps, asked: player.asked, closed: player.closed, quiet };
}

class Player {
  readonly steps: Step[] = [];
  readonly asked: number[] = [];
  readonly closed: number[] = [];
  readonly #open = new Set<number>();
  state: State = NEW_SESSION;

  take(event: SessionEvent): void {
    const before = deepFrozen(this.state);
    const now = transition(before, deepFrozen(event));
    this.state = now.state;
    if (event.is === 'requested') {
      this.asked.push(event.turn.id);
      if (event.turn.id > 0) this.#open.add(event.turn.id);
    }
    for (const effect of now.effects) {
      if (!['reject', 'fail', 'settle', 'answer'].includes(effect.do) || !('id' in effect)) continue;
      this.closed.push(effect.id as number);
      this.#open.delete(effect.id as number);
    }
    this.steps.push({ before, now, open: new Set(this.#open) });
  }

  /** The image does what it is asked, until nothing is left to do; for ever would be too long. */
  calm(): State {
    let last: State | null = null;
    for (let round = 0; round < 1_000 && last !== this.state; round += 1) {
      last = this.state;
      for (const id of this.state.begun) this.take(evaluated(id));
      for (const is of ['turn', 'givenUp', 'imageStarted'] as const) this.take({ is });
    }
    return this.state;
  }
}

/** Mostly what can happen; now and then what cannot, such as the end of an evaluation that nobody asked for. */
function anyEvent({ state, asked }: Player, random: (below: number) => number): SessionEvent {
  const next = asked.length + 1;
  const level = 'suspended' in state ? state.suspended.length : 0;
  const known = [...state.begun, ...state.waiting.map((turn) => turn.id)];
  const id = (random(8) > 0 ? known[random(known.length)] : undefined) ?? random(next + 1);
  const events: (() => SessionEvent)[] = [
    () => ({ is: 'requested', turn: at(next, random(6) > 0 ? level : random(3)) }),
    () => ({ is: 'requested', turn: at(next, level) }),
    () => ({ is: 'turn' }),
    () => ({ is: 'turn' }),
    () => ({ is: 'turn' }),
    () => held(id),
    () => held(id),
    () => evaluated(id),
    () => ({ is: 'levelExited', id }),
    () => ({ is: 'stop', id }),
    () => ({
      is: 'stepFailed',
      id: state.ladder?.on ?? id,
      step: state.ladder?.step ?? LADDER[random(4)] ?? 'end',
    }),
    () => ({ is: 'imageStarted' }),
    () => ({ is: 'givenUp' }),
    () => rareEvent(next, random),
  ];
  return (events[random(events.length)] as () => SessionEvent)();
}

function rareEvent(next: number, random: (below: number) => number): SessionEvent {
  const events: SessionEvent[] = [
    { is: 'requested', turn: reset(next) },
    { is: 'requested', turn: restart(-next) },
    { is: 'requested', turn: revival(-next) },
    { is: 'imageLost', because: LOST },
    { is: 'imageLost', because: LOST },
    { is: 'startFailed', problem: 'There is no memory.' },
  ];
  return random(60) === 0 ? { is: 'end' } : (events[random(events.length)] as SessionEvent);
}

/** Whole numbers from 0 to below what is given: a linear congruential generator, of which the high bits are used. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A transition changes nothing that it is given: it would throw. */
function deepFrozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    for (const each of Object.values(value)) deepFrozen(each);
  }
  return value;
}
