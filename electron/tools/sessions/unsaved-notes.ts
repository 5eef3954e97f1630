/** What a session would lose by ending, in a sentence for agents. */
import { setTimeout as delay } from 'node:timers/promises';
import { unsavedDefinitions } from '../../sessions/export/session-source';
import type { Session } from '../../sessions/session/session';

/** Names that the sentence shows. */
const SHOWN = 20;

/** Milliseconds to wait for the image: ending a session must not hang on one that is stuck. */
const PATIENCE_MS = 4_000;

const NOT_TOLD =
  'The image did not answer what is defined in no file. The history keeps the code of all that was evaluated.';

/** A sentence, or none when nothing is unsaved or the image cannot tell. */
export async function unsavedNotes(session: Session): Promise<string[]> {
  const late = delay(PATIENCE_MS, 'late' as const, { ref: false });
  const found = await Promise.race([unsavedDefinitions(session, { limit: SHOWN }).catch(() => null), late]);
  if (found === 'late') return [NOT_TOLD];
  if (!found || found.total === 0) return [];
  const names = found.results.map(({ kind, text }) => `${text} (${kind})`);
  const rest = found.total > names.length ? ` and ${found.total - names.length} more` : '';
  return [
    `Defined by evaluation and in no file: ${names.join(', ')}${rest}. The history keeps the code; search it by name.`,
  ];
}
