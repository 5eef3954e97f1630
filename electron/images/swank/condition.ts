/** What Swank's debugger shows, in the words of the contract. */
import type { Condition, Frame, Restart } from '../../contract/model';
import type { Debug, SwankFrame } from './swank-events';

/** Frames below this one are those of Swank and of our own evaluation. */
const OURS = /LISP-HARBOR\.SWANK/i;

export function conditionOf(debug: Debug, level: number): Condition {
  const { type, message } = debug;
  return { type, message, level, restarts: restartsOf(debug), frames: ownFrames(debug.frames).map(frameOf) };
}

/** Swank does not say what a restart takes. */
export function restartsOf({ restarts }: Debug): Restart[] {
  return restarts.map(({ name, description }, index) => ({ index, name, description, arguments: [] }));
}

/** The frames of what was evaluated: those before our own. */
export function ownFrames(frames: readonly SwankFrame[]): SwankFrame[] {
  const ours = frames.findIndex(({ call }) => OURS.test(call));
  return ours === -1 ? [...frames] : frames.slice(0, ours);
}

export function frameOf({ index, call }: SwankFrame): Frame {
  return { index, call };
}
