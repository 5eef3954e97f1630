/**
 * Notes: facts that a caller must know and did not request. They stay data from where they arise to the last
 * renderer, which makes the text in the words of its reader.
 */
import { z } from 'zod';
import { type Mention as MentionData, type Message, messageText, OUR_TOOLS, type ToolNames } from './mention';

/** The subjects of notes. Readers decide by them, never by the text. */
const NoteKind = z.enum([
  'aborted',
  'advice',
  'allow_list_changed',
  'asleep',
  'book_sources',
  'books_changed',
  'branch_discarded',
  'cancelled',
  'certification',
  'checkpoint',
  'class_path',
  'command_lost',
  'connection_closed',
  'cpu_limit',
  'cpu_time',
  'cut',
  'debugger_left',
  'disk_limit',
  'earlier_output',
  'editor_evaluated',
  'emacs_attached',
  'error_passed',
  'expects',
  'failed_form',
  'fallback_engine',
  'fetch_cancelled',
  'fetched',
  'final_check',
  'folder',
  'forms_skipped',
  'from_files',
  'history',
  'ignored_arguments',
  'image',
  'image_ended',
  'image_lost',
  'image_outdated',
  'incomplete',
  'internal',
  'introduction',
  'items_dropped',
  'latin1',
  'level',
  'loop_exit',
  'memory_limit',
  'memory_short',
  'new_image',
  'new_session',
  'no_copy',
  'no_editor',
  'no_input',
  'no_memory',
  'not_renamed',
  'not_restored',
  'nothing_matched',
  'omitted',
  'other_places',
  'other_uses',
  'output_cut',
  'own_syntax',
  'paused',
  'place',
  'private_files',
  'project',
  'protected_place',
  'quicklisp',
  'readtable',
  'recorded',
  'refused',
  'refuted',
  'replaced',
  'repository',
  'restart_gone',
  'restored',
  'restoring',
  'resumed_by',
  'samples_lost',
  'sandbox',
  'search_limits',
  'server_runs',
  'server_thread',
  'session_closed',
  'shared',
  'stopped_by',
  'stopped_waiting',
  'stopping',
  'suspended',
  'trust_allowed',
  'trust_tags',
  'unbalanced',
  'unsaved',
  'value_cut',
  'value_later',
  'value_not_saved',
  'value_unprinted',
  'weak_sandbox',
  'world_restored',
]);
type NoteKind = z.infer<typeof NoteKind>;

const NamedTool = z.object({
  tool: z.enum(OUR_TOOLS),
  takes: z.array(z.string()).readonly(),
});

const Mention = z.object({
  parts: z.array(z.union([z.string(), NamedTool])).readonly(),
  instead: z.literal(true).optional(),
});

export const Note = z.object({
  kind: NoteKind,
  /** The fact, which names no tool; empty if the note only says how to continue. */
  text: z.string(),
  /** How to continue with a tool of ours. */
  mentions: z.array(Mention).readonly().exactOptional(),
  /** The image that it is about, if it is true of that image only: its session, and which of its images. */
  image: z.object({ session: z.string(), generation: z.int() }).exactOptional(),
});
export type Note = z.infer<typeof Note>;

/** A note that an image sends with a search: a text is about the limits of the search. */
export const SearchNote = z.union([Note, z.string().transform((text) => note('search_limits', text))]);

/** A note in a published result. Tools answer notes as data; readers of the result get their texts. */
export const NoteText = z.pipe(
  Note.transform(({ text }) => text),
  z.string(),
);

export function note(kind: NoteKind, text: string, ...mentions: readonly MentionData[]): Note {
  return { kind, text, ...(mentions.length === 0 ? {} : { mentions }) };
}

/** Returns a note with the text and the mentions of an error. */
export function errorNote(kind: NoteKind, { text, mentions }: Message): Note {
  return note(kind, text, ...(mentions ?? []));
}

/** Returns the note as a list, or an empty list for an absent text. */
export function noteIf(kind: NoteKind, text: string | null | undefined): Note[] {
  return text === null || text === undefined || text === '' ? [] : [note(kind, text)];
}

/** Returns a key that is the same for notes that say the same. */
export function noteKey({ kind, text, mentions }: Note): string {
  return JSON.stringify([kind, text, mentions]);
}

/** Returns the notes without repetitions, in order. */
export function distinctNotes(notes: readonly Note[]): Note[] {
  return [...new Map(notes.map((each) => [noteKey(each), each])).values()];
}

/** Returns the texts for a reader, without notes that say nothing to it. */
export function noteTexts(notes: readonly Note[], names?: ToolNames): string[] {
  return notes.map((each) => messageText(each, names)).filter((text) => text !== '');
}

/** Returns the notes as lines of Lisp comments. */
export function noteComments(notes: readonly Note[]): string {
  return noteTexts(notes)
    .map((text) => `; ${text}\n`)
    .join('');
}

const SANDBOX_BEGINNING = 'not sandboxed: ';

/** The note about an image that is not confined. */
export function sandboxNote(reason: string): Note {
  return note('sandbox', `${SANDBOX_BEGINNING}${reason}`);
}

/** A note in the history: kind and fact, because the tools that it mentions may change. */
type StoredNote = Pick<Note, 'kind' | 'text'>;

export function storedNotes(notes: readonly Note[]): StoredNote[] {
  return notes.flatMap(({ kind, text }) => (text === '' ? [] : { kind, text }));
}

/** Restores a note of the history. Rows of earlier versions have its text only. */
export function recordedNote(stored: string | { text: string }): Note {
  if (typeof stored === 'string')
    return note(stored.startsWith(SANDBOX_BEGINNING) ? 'sandbox' : 'recorded', stored);
  return Note.safeParse(stored).data ?? note('recorded', stored.text);
}

export function isOfSandbox({ kind }: Note): boolean {
  return kind === 'sandbox';
}
