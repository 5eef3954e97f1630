/** The debugger of a session that is held, or why it cannot be used. */
import { HarborError } from '../contract/errors';
import type { Debugger } from '../images/debugger';
import type { Image } from '../images/image';
import type { RunningEvaluation } from './running-evaluation';

/** @throws HarborError `not_supported`, `not_held` */
export function heldDebugger(
  image: Image,
  { running, level }: { running: RunningEvaluation | null; level: number },
): Debugger {
  if (!image.debugger) throw withoutDebugger(image);
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
  return image.debugger;
}

export function withoutDebugger({ engine }: Image): HarborError {
  return new HarborError(
    'not_supported',
    `A session of ${engine} has no debugger: \`eval\` tells an error with all there is to know, and the session goes on. Leave on_error and level out.`,
  );
}
