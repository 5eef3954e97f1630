/**
 * The debugger of an image: what can be asked, and done, while an evaluation is held at an unhandled condition. An
 * evaluation asked for with `onError: 'debug'` is held instead of ended, inside its condition's dynamic context.
 */
import type { DebuggerView, Departure, FrameContents, StepWay } from '../contract/debugger';
import type { Condition, FormResult, Warning } from '../contract/model';

/** An evaluation at the moment it is held: what it has done so far and what holds it. `condition.level` says where. */
export interface HeldEvaluation {
  package: string;
  forms: FormResult[];
  warnings: Warning[];
  condition: Condition;
}

/** Who is told when an evaluation is held and when it goes on. */
export interface LevelWatcher {
  held(held: HeldEvaluation): void;
  /** The level was left: the evaluation goes on, or ends. */
  left(): void;
}

/** A restart by index or name, with its arguments as code. `frame` is for the restarts of a frame itself. */
export interface RestartChoice {
  restart: number | string;
  arguments?: string[];
  frame?: number;
}

/** All of it @throws HarborError `bad_arguments` with why it cannot be done, `image_lost`. */
export interface Debugger {
  show(page: { offset: number; limit: number }): Promise<DebuggerView>;
  frame(index: number): Promise<FrameContents>;
  /** Settles when the level is left. */
  restart(choice: RestartChoice): Promise<Departure>;
  step(way: StepWay): Promise<Departure>;
  /** Gives up what is held inside `level`; 0 is the top level. */
  abort(level: number): Promise<Departure>;
}
