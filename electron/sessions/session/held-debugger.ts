/** The debugger of a session that is held, or why there is nothing to ask it. */
import { HarborError } from '../../contract/errors';
import type { Debugger } from '../../images/optional-groups';
import type { RunningEvaluation } from './running-evaluation';

/** @throws HarborError `not_held` */
export function heldDebugger(
  offered: Debugger,
  { running, level }: { running: RunningEvaluation | null; level: number },
): Debugger {
  if (level === 0)
    throw new HarborError(
      'not_held',
      'Nothing is held in the debugger. `eval` with on_error: "debug" holds an unhandled condition.',
    );
  if (running)
    throw new HarborError(
      'not_held',
      `Evaluation ${running.id} runs at debugger level ${level} now. Wait for it, or cancel job-${running.id}.`,
    );
  return offered;
}
