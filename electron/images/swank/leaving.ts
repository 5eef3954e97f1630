/** How a thread is brought out of Swank's debugger again. */

import { lispCall, type Sexp } from './sexp';
import type { Debug } from './swank-events';

/** Goes back to where the innermost request was made, which is given up: the level around it, or the top level. */
export function leaving(debug: Debug): Sexp {
  return returningTo(debug, debug.level - 1);
}

/** Gives up all that is inside `level` of the thread; 0 is the top level. Swank has no request for a level but the
 * restart that it makes for each (sldb-loop in swank.lisp). */
export function returningTo(debug: Debug, level: number): Sexp {
  const restart = debug.restarts.findIndex(
    ({ description }) => description === `Return to sldb level ${level}.`,
  );
  if (level === 0 || restart === -1) return lispCall('swank:throw-to-toplevel');
  return takingRestart(debug, restart);
}

/** Takes a restart as a person does: what it needs it asks for, on the input. */
export function takingRestart({ level }: Debug, restart: number): Sexp {
  return lispCall('swank:invoke-nth-restart-for-emacs', level, restart);
}

/** What would have happened to somebody else's thread if we were not connected. */
export function leftToTheServer(): Sexp {
  return lispCall('swank:sldb-break-with-default-debugger', []);
}
