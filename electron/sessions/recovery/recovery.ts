/**
 * Brings a new image to the state of the last one by evaluating definitions again, and writes the notes about
 * that.
 */

import { mention, ours } from '../../contract/mention';
import { type Note, note, noteIf, noteTexts } from '../../contract/note';
import { FROM_CHECKPOINT, type MissingForm, type Replay } from '../../contract/report';
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

/** The reason of replayers for forms that only returned a value. */
const DEFINES_NOTHING = 'it defines nothing';

/** Maximum missing forms that a note names, and characters of each form and reason; the others are counted. */
const NAMED_FORMS = 10;
const NAMED_CHARACTERS = 60;
const REASON_CHARACTERS = 80;

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
    note('not_restored', 'Changes of variables and objects, threads and open files did not come back.'),
  ];
}

/** Maximum characters of all notes about a new image in the next outcome, with the mention of the rest. */
const MOST_CHARACTERS = 400;

const ALL = mention`${ours('images', 'session')} with this session lists all.`;
const ALL_CHARACTERS = 45;

/**
 * Returns notes of `newImageNotes` or `beginningNotes` in at most `MOST_CHARACTERS`: the first, which says what
 * happened, the last, and the beginning of those between them.
 */
export function briefNotes(notes: readonly Note[]): Note[] {
  const total = notes.reduce((sum, { text }) => sum + text.length, 0);
  if (total <= MOST_CHARACTERS) return [...notes];
  const [first, ...others] = notes.map((each) => ({ ...each, text: cut(each.text, MOST_CHARACTERS / 2) }));
  const last = others.length > 1 ? others.pop() : undefined;
  let remaining = MOST_CHARACTERS - ALL_CHARACTERS - (first?.text.length ?? 0) - (last?.text.length ?? 0);
  const between = others.flatMap((each) => {
    const text = cut(each.text, Math.max(0, remaining));
    remaining -= text.length;
    return text.length > 1 ? [{ ...each, text }] : [];
  });
  const shown = [first, ...between, last].filter((each) => each !== undefined);
  return shown.map((each, place) => (place === shown.length - 1 ? { ...each, mentions: [ALL] } : each));
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
  // Users miss a form that failed more than one that only returned a value.
  const returned = ({ because }: MissingForm) => because === DEFINES_NOTHING;
  const all = (replay?.missing ?? []).toSorted((one, other) => +returned(one) - +returned(other));
  const forms = all.slice(0, NAMED_FORMS);
  const others = (replay?.missingCount ?? 0) - forms.length;
  const named = forms.map(({ id, form, because }) => {
    const number = id === FROM_CHECKPOINT ? '' : `#${id} `;
    return `${number}${cut(form, NAMED_CHARACTERS)} (${cut(because, REASON_CHARACTERS)})`;
  });
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
