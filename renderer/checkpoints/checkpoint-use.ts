/** Which sessions need a checkpoint, in words: it cannot be dropped while an image runs that began from it. Pure. */
import type { CheckpointView } from '../../electron/contract/checkpoints';
import type { Words } from '../../electron/words/words';

/**
 * `in use by this session, tides`; null when no session needs it, so that it can be dropped.
 * @param here the session beside which this is read
 * @param nameOf answers the name of a session that is open
 */
export function checkpointUseText(
  { usedBy }: Pick<CheckpointView, 'usedBy'>,
  here: string,
  nameOf: (session: string) => string | undefined,
  { checkpoints }: Words,
): string | null {
  if (usedBy.length === 0) return null;
  const others = usedBy.filter((id) => id !== here).map((id) => nameOf(id) ?? id);
  return checkpoints.usedBy([...(usedBy.includes(here) ? [checkpoints.thisSession] : []), ...others]);
}
