/**
 * What stands before a program in the sandbox until somebody outside has looked at it: a shell that tells that the sandbox
 * is made, waits for a word, and becomes the program. It leaves nothing of itself, and without the word ends.
 */
import type { Duplex } from 'node:stream';

const WORD = 'go';

/** The words that run a program behind a gate. @param descriptor the gate's in the sandbox, below 10 */
export function behindGate(descriptor: number, words: readonly string[]): string[] {
  const wait = `echo >&${descriptor}; read -r word <&${descriptor}; [ "$word" = ${WORD} ] || exit 1`;
  return ['/bin/sh', '-c', `${wait}; unset word; exec ${descriptor}>&-; exec "$@"`, 'sh', ...words];
}

/** Waits until the sandbox is made, and lets the program run when `look` finds nothing wrong.
 * @param ended settles when the sandbox has ended, perhaps before it was made
 * @returns what was found; null also when nobody looked */
export async function throughGate(
  gate: Duplex,
  ended: Promise<unknown>,
  look: () => Promise<string | null>,
): Promise<string | null> {
  const made = new Promise<true>((resolve) => gate.once('data', () => resolve(true)));
  if (!(await Promise.race([made, ended.then(() => false)]))) return null;
  const wrong = await look();
  gate.end(wrong === null ? `${WORD}\n` : '');
  return wrong;
}
