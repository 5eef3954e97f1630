/** What a person does at a level of the debugger. None throws: the person is told of a failure. */
import type { HeldAt, StepWay } from '../../electron/contract/debugger';
import type { Evaluation, SessionId } from '../../electron/contract/model';
import { CallError, call, messageOf, tryCall } from '../bridge';
import { useServices } from '../services';

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
  const choose = (forms: readonly string[], restart: number | string, frame?: number) => {
    const choice = { restart, arguments: [...forms], ...(frame === undefined ? {} : { frame }) };
    return call('debugger:restart', { session, held, ...choice });
  };
  return {
    restart: async (restart, frame) => {
      await choose([], restart, frame).catch((error) => toasts.failed(messageOf(error)));
    },
    restartWith: async (forms, restart, frame) => {
      try {
        await choose(forms, restart, frame);
      } catch (error) {
        // The forms are right or wrong only for what is still held: their field is gone with it.
        if (!(error instanceof CallError) || error.code !== 'not_held') return messageOf(error);
        toasts.failed(messageOf(error));
      }
      return null;
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
