/** Since when changes are shown, and in which words. Pure. */
import type { ChangesSince } from '../../electron/contract/changes';
import type { CheckpointView } from '../../electron/contract/checkpoints';
import type { Words } from '../../electron/words/words';
import type { Option } from '../parts/field';

const HOUR_MS = 3_600_000;

/** Of a session for which nobody has chosen. */
export const BEGINNING = 'beginning';

/** A moment as it is chosen and kept: `beginning`, `hour`, or `checkpoint 12`. */
export function sinceOf(choice: string, now: number): ChangesSince {
  if (choice === 'hour') return { is: 'time', at: now - HOUR_MS };
  const [, id] = /^checkpoint (\d+)$/.exec(choice) ?? [];
  return id === undefined ? { is: 'beginning' } : { is: 'checkpoint', id: Number(id) };
}

/** @param checkpoints of the session, newest first */
export function sinceOptions(
  startedAt: number,
  checkpoints: readonly Pick<CheckpointView, 'id' | 'name' | 'savedAt'>[],
  now: number,
  { changes, formats }: Words,
): Option<string>[] {
  return [
    { value: BEGINNING, title: changes.sinceOpened(formats.relative(startedAt, now)) },
    { value: 'hour', title: changes.sinceHour },
    ...checkpoints.map(({ id, name, savedAt }) => ({
      value: `checkpoint ${id}`,
      title: changes.sinceCheckpoint(name, formats.relative(savedAt, now)),
    })),
  ];
}
