/** User actions at a debugger level. Failures are shown in toasts; no function throws. */

import { useEffect } from 'react';
import type { StepMode, SuspendedAt } from '../../electron/contract/debugger';
import type { Evaluation, SessionId, SessionView } from '../../electron/contract/model';
import type { Words } from '../../electron/words/words';
import { CallError, harbor, messageOf } from '../bridge';
import { useServices, useWords } from '../services';

export interface DebuggerActions {
  /** Invokes a restart of the level by its index, or of a frame by its name. */
  restart: (restart: number | string, frame?: number) => Promise<void>;
  /** Invokes a restart with the entered forms. Returns an error message about the forms, or null. */
  restartWith: (forms: readonly string[], restart: number | string, frame?: number) => Promise<string | null>;
  step: (way: StepMode) => Promise<void>;
  /** Returns to `level` and abandons the levels inside it. */
  abort: (level: number) => Promise<void>;
  evaluate: (code: string, frame: number) => Promise<Evaluation | undefined>;
}

export function useDebuggerActions(session: SessionId, suspendedAt: SuspendedAt): DebuggerActions {
  const { toasts } = useServices();
  const words = useWords();
  const report = (error: unknown): undefined => {
    toasts.failed(debuggerProblem(error, words));
  };
  const choose = (forms: readonly string[], restart: number | string, frame?: number) => {
    const choice = { restart, arguments: [...forms], ...(frame === undefined ? {} : { frame }) };
    return harbor.debugger.restart({ session, suspendedAt: suspendedAt, ...choice });
  };
  return {
    restart: async (restart, frame) => {
      await choose([], restart, frame).catch(report);
    },
    restartWith: async (forms, restart, frame) => {
      try {
        await choose(forms, restart, frame);
      } catch (error) {
        // The input field is closed together with the suspended level.
        if (!isNoLongerSuspended(error)) return debuggerProblem(error, words);
        report(error);
      }
      return null;
    },
    step: async (way) => {
      await harbor.debugger.step({ session, suspendedAt: suspendedAt, way }).catch(report);
    },
    abort: async (level) => {
      await harbor.debugger.abort({ session, suspendedAt: suspendedAt, level }).catch(report);
    },
    evaluate: (code, frame) =>
      harbor.debugger.evaluate({ session, suspendedAt: suspendedAt, frame, code }).catch(report),
  };
}

/** Reports whether the level is no longer suspended, or not yet again. */
function isNoLongerSuspended(error: unknown): boolean {
  return error instanceof CallError && error.code === 'not_held';
}

/** Returns an error message. Replaces main's text for `not_held`, which is written for agents. */
export function debuggerProblem(error: unknown, words: Words): string {
  return isNoLongerSuspended(error) ? words.debug.hasContinued : messageOf(error);
}

/** Opens the debugger when the shown session is suspended, unless the user closed the pane. */
export function useDebuggerOnSuspend({ id, level }: SessionView): void {
  const { actions, route, viewState } = useServices();
  useEffect(() => {
    const { typing } = route.getState();
    const { opensDebugger, secondTab } = viewState.getState();
    if (level === undefined || !opensDebugger || secondTab === 'debugger') return;
    actions.openTab(id, 'debugger');
    // The REPL keeps the focus if the user is typing there.
    route.setState({ typing });
  }, [id, level, actions, route, viewState]);
}
