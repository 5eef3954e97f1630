/** How the process of an image ended, in sentences for people. */
import type { LaunchEnd } from '../../launchers/launcher';
import { describeKilled } from '../process-end';

/** Characters of the process's last words that a sentence shows. */
const SHOWN = 2_000;

/** Lines in which a runtime says why it gives up, and what they mean. */
export type LastLines = readonly (readonly [RegExp, string])[];

/** The agent's own exit codes, see resources/lisp/wire.lisp. */
const AGENT_CODES: ReadonlyMap<number, string> = new Map([
  [97, 'its wire to the harbor was broken from within'],
  [98, 'the harbor ended it'],
]);

/** "SBCL exited with code 1 because its heap was full", "SBCL was killed by SIGKILL". */
export function describeEnd(title: string, end: LaunchEnd, stderr: string, lastLines: LastLines): string {
  const { code, error } = end;
  if (error !== undefined) return `${title} could not be started: ${error}`;
  const killed = describeKilled(title, end);
  if (killed !== null) return killed;
  const reason = (code !== null && AGENT_CODES.get(code)) || (code !== 0 && reasonIn(stderr, lastLines));
  return `${title} exited with code ${code ?? '(unknown)'}${reason ? ` because ${reason}` : ''}`;
}

/** What the process printed last; empty when it printed nothing. */
export function lastWords(stderr: string): string {
  return stderr.trim().slice(-SHOWN);
}

function reasonIn(stderr: string, lastLines: LastLines): string | undefined {
  return lastLines.find(([pattern]) => pattern.test(stderr))?.[1];
}
