/** Keeps `safeRead` for servers whose own readers cannot be told to refuse reader evaluation. */
import type { Condition } from '../contract/model';
import type { Dialect } from '../source/dialect';
import { readEvaluation } from '../source/read-evaluation';
import type { EvaluateRequest } from './image';

/** Why nothing of the code may reach such a server; null where it may. */
export function unsafeReading({ code, safeRead }: EvaluateRequest, dialect: Dialect): Condition | null {
  const found = safeRead ? readEvaluation(code, dialect) : null;
  if (found === null) return null;
  const message = `Reader evaluation (${found}) is refused because safe_read was asked for. Nothing was evaluated.`;
  return { type: 'reader error', message, level: 1, restarts: [], frames: [] };
}
