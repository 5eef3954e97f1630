/** What a person does at a level of the debugger. None throws: the person is told of a failure. */
import type { HeldAt, StepWay } from '../../electron/contract/debugger';
import type { Evaluation, SessionId } from '../../electron/contract/model';
import { call } from '../bridge';
import { useServices, useWords } from '../services';
import { heldProblem, isGoneOn } from './held-problem';

export interface DebuggerActions {
  /** A restart of the level by its index, or of a frame by its name. */
  restart: (restart: number | string, frame?: number) => Promise<void>;
  /** The same with forms that were typed; answers what is wrong with them, or null. */
  restartWith: (forms: readonly string[], restart: number | string, frame?: number) => Promise<string | null>;
  step: (way: StepWay) => Promise<void>;
  /** Gives up what is held inside `level`. */
  abort: (level: number) => Promise<void>;
  evaluate: (code: string, frame: number) => Promise<Evaluation | undefined>;
}

export function useDebuggerActions(session: SessionId, held: HeldAt): DebuggerActions {
  const { toasts } = useServices();
  const words = useWords();
  const tell = (error: unknown): undefined => {
    toasts.failed(heldProblem(error, words));
  };
  const choose = (forms: readonly string[], restart: number | string, frame?: number) => {
    const choice = { restart, arguments: [...forms], ...(frame === undefined ? {} : { frame }) };
    return call('debugger:restart', { session, held, ...choice });
  };
  return {
    restart: async (restart, frame) => {
      await choose([], restart, frame).catch(tell);
    },
    restartWith: async (forms, restart, frame) => {
      try {
        await choose(forms, restart, frame);
      } catch (error) {
        // The field of the forms goes with what was held.
        if (!isGoneOn(error)) return heldProblem(error, words);
        tell(error);
      }
      return null;
    },
    step: async (way) => {
      await call('debugger:step', { session, held, way }).catch(tell);
    },
    abort: async (level) => {
      await call('debugger:abort', { session, held, level }).catch(tell);
    },
    evaluate: (code, frame) => call('debugger:evaluate', { session, held, frame, code }).catch(tell),
  };
}
