/** What callers are told of a new image: why there is one, what came back, and what did not. */
import { FROM_CHECKPOINT, type Replay } from '../../contract/report';
import type { Lineage, SavedState } from './lineage';
import type { Recovery } from './recovery';

/** Forms that a note names which did not come back; the others are counted. */
const NAMED_FORMS = 10;

/** What the first outcome of a session's first image says of the state that it began with. */
export function beginning({ checkpoint }: Lineage, { replay, problem }: Recovery): string[] {
  if (!checkpoint && !replay && problem === null) return [];
  return [
    `This session began with ${sources(checkpoint, replay)}.`,
    ...lacks(checkpoint, { replay, problem }),
  ];
}

/** What the first outcome of a later image says of the one before. */
export function newImage(
  { generation, lostBecause, attached }: { generation: number; lostBecause: string; attached: boolean },
  { checkpoint }: Lineage,
  { replay, problem }: Recovery,
): string[] {
  if (attached)
    return [
      `This session was connected again (generation ${generation}) because ${lostBecause}. If the server was restarted meanwhile, its definitions are gone.`,
    ];
  if (!checkpoint && !replay && problem === null)
    return [
      `This session is fresh (generation ${generation}) because ${lostBecause}. Its definitions are gone.`,
    ];
  return [
    `This session has a new image (generation ${generation}) because ${lostBecause}. What came back: ${sources(checkpoint, replay)}.`,
    ...lacks(checkpoint, { replay, problem }),
    'What code had changed since in variables and objects did not come back, nor did its threads and open files.',
  ];
}

function sources(checkpoint: SavedState | null, replay: Replay | null): string {
  const parts = [
    ...(checkpoint ? [`checkpoint ${checkpoint.name}`] : []),
    ...(replay
      ? [`${replay.count} form${replay.count === 1 ? '' : 's'} of the history, evaluated again`]
      : []),
  ];
  return parts.join(', and ') || 'nothing';
}

function lacks(
  checkpoint: SavedState | null,
  { replay, problem }: Pick<Recovery, 'replay' | 'problem'>,
): string[] {
  const forms = (replay?.missing ?? []).slice(0, NAMED_FORMS);
  const others = (replay?.missingCount ?? 0) - forms.length;
  const named = forms.map(
    ({ id, form, because }) => `${id === FROM_CHECKPOINT ? '' : `#${id} `}${form} (${because})`,
  );
  return [
    ...(replay?.note === undefined ? [] : [replay.note]),
    ...(problem === null ? [] : [`Evaluating again ended early: ${problem}`]),
    ...(checkpoint?.missing ?? []),
    ...(named.length > 0
      ? [`Not evaluated again: ${named.join('; ')}${others > 0 ? `; and ${others} more` : ''}.`]
      : []),
  ];
}
