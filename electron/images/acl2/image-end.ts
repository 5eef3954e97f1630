/** How an ACL2 process ended, in sentences for people. */
import type { LaunchEnd } from '../../launchers/launcher';
import { describeKilled } from '../process-end';

/** Characters of the process's last words that a sentence shows. */
const SHOWN = 2_000;

/** What the host Lisp prints when it gives up (GCL 2.6.14; SBCL 2.2.9: gencgc.c). */
const REASONS: readonly [RegExp, string][] = [
  [
    /Heap exhausted|storage for \S+ is exhausted|Cannot allocate memory|Out of memory/i,
    'its memory was full',
  ],
  [/Control stack exhausted|stack overflow/i, 'its stack was full'],
  [/fatal error encountered in SBCL/, 'its runtime met a fatal error'],
];

/** "ACL2 exited with code 3", "ACL2 exited with code 1 because its memory was full", "ACL2 was killed by SIGKILL". */
export function describeEnd(end: LaunchEnd, printed: string): string {
  const { code, error } = end;
  if (error !== undefined) return `ACL2 could not be started: ${error}`;
  const killed = describeKilled('ACL2', end);
  if (killed !== null) return killed;
  const reason = code === 0 ? undefined : REASONS.find(([pattern]) => pattern.test(printed))?.[1];
  return `ACL2 exited with code ${code ?? '(unknown)'}${reason === undefined ? '' : ` because ${reason}`}`;
}

export function lastWords(printed: string): string {
  return printed.trim().slice(-SHOWN);
}
