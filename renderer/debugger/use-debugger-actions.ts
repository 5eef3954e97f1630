/** What a person does at a level of the debugger. None throws: the person is told of a failure. */
import type { HeldAt, StepWay } from '../../electron/contract/debugger';
import type { Evaluation, SessionId } from '../../electron/contract/model';
import { tryCall } from '../bridge';
import { useServices } from '../services';

export interface DebuggerActions {
  /** A restart of the level by its index, or of a frame by its name. */
  restart: (restart: number | string, forms: readonly string[], frame?: number) => Promise<void>;
  step: (way: StepWay) => Promise<void>;
  /** Gives up what is held inside `level`. */
  abort: (level: number) => Promise<void>;
  evaluate: (code: string, frame: number) => Promise<Evaluation | undefined>;
}

export function useDebuggerActions(session: SessionId, held: HeldAt): DebuggerActions {
  const { toasts } = useServices();
  return {
    restart: async (restart, forms, frame) => {
      const choice = { restart, arguments: [...forms], ...(frame === undefined ? {} : { frame }) };
      await tryCall(toasts, 'debugger:restart', { session, held, ...choice });
    },
    step: async (way) => {
      await tryCall(toasts, 'debugger:step', { session, held, way });
    },
    abort: async (level) => {
      await tryCall(toasts, 'debugger:abort', { session, held, level });
    },
    evaluate: (code, frame) => tryCall(toasts, 'debugger:evaluate', { session, held, frame, code }),
  };
}
