/**
 * Brings a new image to the state of the last one by evaluating definitions again, and writes the notes about
 * that.
 */

import { type Note, note, noteIf, noteTexts } from '../../contract/note';
import { FROM_CHECKPOINT, type Replay } from '../../contract/report';
import { isRedacted } from '../../contract/settings';
import type { CommandSource } from '../../contract/world';
import { cut } from '../../history/long-text';
import type { Image } from '../../images/image';
import type { ReplayEntry } from '../../images/optional-groups';
import type { Lineage, SavedState } from './lineage';

/**
 * The result of a replay. `replay` is null if there was nothing to evaluate or the engine cannot replay;
 * `problem` is why it ended early.
 */
export interface Recovery {
  replay: Replay | null;
  problem: string | null;
  /** Whether the replay ended the image. */
  died: boolean;
}

/** Maximum characters of a form in a note. */
const LONGEST_LINE = 80;

const NOTHING_TO_RECOVER: Recovery = { replay: null, problem: null, died: false };

/** Replays the entries. Never rejects. */
export async function recover(
  image: Image,
  entries: readonly ReplayEntry[],
  packageAfter: string,
): Promise<Recovery> {
  if (!image.replayer || (entries.length === 0 && !image.replayer.pending)) return NOTHING_TO_RECOVER;
  const { known, redacted } = withoutRedacted(entries);
  const { outcome, report, condition, notes } = await image.replayer.replay(image, known, packageAfter);
  const replay = withMissing(report?.replay ?? null, redacted);
  if (outcome === 'ok') return { replay, problem: null, died: false };
  const problem = condition ? `${condition.type}: ${condition.message}` : noteTexts(notes).join(' ');
  return { replay, problem, died: outcome === 'crashed' };
}

/** Separates redacted entries. They cannot be evaluated: the remaining text would be a different program. */
function withoutRedacted(entries: readonly ReplayEntry[]): { known: ReplayEntry[]; redacted: ReplayEntry[] } {
  const redacted = entries.filter(({ code, change }) => isRedacted(code) || change?.added.some(isHidden));
  const known = entries.flatMap((entry) => {
    if (!redacted.includes(entry)) return [entry];
    // Later changes count commands, so each hidden command is replaced by one without effect.
    const { change } = entry;
    return change === null ? [] : [{ ...entry, change: { ...change, added: change.added.map(orNothing) } }];
  });
  return { known, redacted };
}

function isHidden({ form }: CommandSource): boolean {
  return isRedacted(form);
}

function orNothing(source: CommandSource): CommandSource {
  return isHidden(source) ? { ...source, form: '(value-triple :redacted)' } : source;
}

function withMissing(replay: Replay | null, redacted: readonly ReplayEntry[]): Replay | null {
  if (redacted.length === 0) return replay;
  const missing = redacted.map(({ id, code }) => ({
    id,
    form: cut(code.trim().split('\n', 1).join(), LONGEST_LINE),
    because: 'its code was redacted',
  }));
  const { count = 0, missing: others = [], missingCount = 0, ...rest } = replay ?? {};
  return { ...rest, count, missing: [...missing, ...others], missingCount: missingCount + missing.length };
}

/** Maximum missing forms that a note names; the others are counted. */
const NAMED_FORMS = 10;

/** Returns the notes of the first outcome of a session about its initial state. */
export function beginningNotes({ checkpoint }: Lineage, { replay, problem }: Recovery): Note[] {
  if (!checkpoint && !replay && problem === null) return [];
  return [
    note('restored', `This session began with ${sources(checkpoint, replay)}.`),
    ...missingNotes(checkpoint, { replay, problem }),
  ];
}

/** Returns the notes of the first outcome of a replacement image. */
export function newImageNotes(
  { generation, lostBecause, attached }: { generation: number; lostBecause: string; attached: boolean },
  { checkpoint }: Lineage,
  { replay, problem }: Recovery,
): Note[] {
  if (attached)
    return [
      note(
        'new_image',
        `This session was reconnected (generation ${generation}) because ${lostBecause}. If the server was restarted meanwhile, its definitions are gone.`,
      ),
    ];
  if (!checkpoint && !replay && problem === null)
    return [
      note(
        'new_image',
        `This session is fresh (generation ${generation}) because ${lostBecause}. Its definitions are gone.`,
      ),
    ];
  return [
    note(
      'new_image',
      `This session has a new image (generation ${generation}) because ${lostBecause}. What came back: ${sources(checkpoint, replay)}.`,
    ),
    ...missingNotes(checkpoint, { replay, problem }),
    note(
      'not_restored',
      'Changes that code made to variables and objects did not come back, nor did threads and open files.',
    ),
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

function missingNotes(
  checkpoint: SavedState | null,
  { replay, problem }: Pick<Recovery, 'replay' | 'problem'>,
): Note[] {
  const forms = (replay?.missing ?? []).slice(0, NAMED_FORMS);
  const others = (replay?.missingCount ?? 0) - forms.length;
  const named = forms.map(
    ({ id, form, because }) => `${id === FROM_CHECKPOINT ? '' : `#${id} `}${form} (${because})`,
  );
  return [
    ...noteIf('restored', replay?.note),
    ...(problem === null ? [] : [note('not_restored', `The replay ended early: ${problem}`)]),
    ...(checkpoint?.missing ?? []).map((missing) => note('not_restored', missing)),
    ...(named.length > 0
      ? [
          note(
            'not_restored',
            `Not evaluated again: ${named.join('; ')}${others > 0 ? `; and ${others} more` : ''}.`,
          ),
        ]
      : []),
  ];
}
