/** How an SBCL process ended, in sentences for people. */
import type { LaunchEnd } from '../../launchers/launcher';

/** Characters of the process's last words that a sentence shows. */
const SHOWN = 2_000;

/** Lines in which SBCL's runtime (2.2.9: gencgc.c, interr.c) says why it gives up. */
const REASONS: readonly [RegExp, string][] = [
  [/Heap exhausted during (?:garbage collection|allocation)/, 'its heap was full'],
  [/Control stack exhausted/, 'its control stack was full'],
  [/fatal error encountered in SBCL/, 'its runtime met a fatal error'],
];

/** The agent's own exit codes, see resources/lisp/wire.lisp. */
const AGENT_CODES: ReadonlyMap<number, string> = new Map([
  [97, 'its wire to the harbor was broken from within'],
  [98, 'the harbor closed its wire'],
]);

/** "SBCL exited with code 1 because its heap was full", "SBCL was killed by SIGKILL". */
export function describeEnd({ code, signal, error }: LaunchEnd, stderr: string): string {
  if (error !== undefined) return `SBCL could not be started: ${error}`;
  if (signal !== null) return `SBCL was killed by ${signal}`;
  const reason = (code !== null && AGENT_CODES.get(code)) || (code !== 0 && reasonIn(stderr));
  return `SBCL exited with code ${code}${reason ? ` because ${reason}` : ''}`;
}

/** What the process printed last; empty when it printed nothing. */
export function lastWords(stderr: string): string {
  return stderr.trim().slice(-SHOWN);
}

function reasonIn(stderr: string): string | undefined {
  return REASONS.find(([pattern]) => pattern.test(stderr))?.[1];
}
