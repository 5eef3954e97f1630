/**
 * Notes of results: facts that are not part of a tool's answer, such as that a session is not sandboxed. All
 * results pass through `attachNotes`.
 * The data of a result always contains every note. The text contains a note once per image, and always on a
 * shared connection.
 */

import { HarborError } from '../contract/errors';
import { mention, ours } from '../contract/mention';
import { distinctNotes, isOfSandbox, Note, note, noteKey } from '../contract/note';
import type { Session } from '../sessions/session/session';
import { trackTouchedImages } from '../sessions/session/touched-images';
import type { ConversationState } from './conversation-state';
import type { ToolResult } from './tool';

/**
 * Runs a call and adds the notes of every image that it touched.
 * @param conversation state of the caller's conversation
 * @param also further notes of the call
 * @throws HarborError as `work` does, with the unreported notes
 */
export function attachNotes(
  conversation: ConversationState,
  work: () => Promise<ToolResult>,
  also: readonly Note[] = [],
): Promise<ToolResult> {
  return trackTouchedImages(async (touched) => {
    const notesOfImages = () => [...touched.values()].flatMap(({ sandboxNotes }) => sandboxNotes);
    try {
      const result = await work();
      const images = [...notesOfImages(), ...notesBefore(result, touched)];
      const unreported = distinctNotes([...also, ...unreportedNotes(images, conversation)]);
      return withNotes(result, distinctNotes([...also, ...images]), unreported);
    } catch (error) {
      if (!(error instanceof HarborError)) throw error;
      throw error.with({ notes: [...also, ...unreportedNotes(notesOfImages(), conversation)] });
    }
  });
}

function unreportedNotes(notes: readonly Note[], conversation: ConversationState): Note[] {
  const unreported = notes.filter(
    (each) => each.image === undefined || conversation.reportOfImage(each.image, each),
  );
  return distinctNotes(unreported);
}

/** Returns the notes of a record whose image has ended, so that the call did not touch it. */
function notesBefore({ structured }: ToolResult, touched: ReadonlyMap<string, unknown>): Note[] {
  const { session, evaluation } = structured;
  if (typeof session !== 'string' || touched.has(session)) return [];
  const notes = [...notesOf(structured), ...notesOf(evaluation)].filter(isOfSandbox);
  return notes.map((each) => ({ ...each, image: { session, generation: 0 } }));
}

/** Adds every note to the data, and the unreported ones as asides unless the text contains them. */
function withNotes(result: ToolResult, all: readonly Note[], unreported: readonly Note[]): ToolResult {
  const { structured, notes = [], asides = [], statesSandbox } = result;
  if (all.length === 0) return result;
  const isStated = (each: Note) => statesSandbox === true && isOfSandbox(each);
  const inData = keysOf([...notesOf(structured), ...notesOf(structured.evaluation)]);
  const missing = all.filter((each) => !isStated(each) && !inData.has(noteKey(each)));
  const attached = keysOf(all);
  const others = asides.filter((aside) => typeof aside === 'string' || !attached.has(noteKey(aside)));
  const inText = keysOf(notes);
  const added = unreported.filter((each) => !isStated(each) && !inText.has(noteKey(each)));
  const data =
    missing.length === 0 ? structured : { ...structured, notes: [...notesOf(structured), ...missing] };
  return { ...result, structured: data, asides: [...others, ...added] };
}

function keysOf(notes: readonly Note[]): ReadonlySet<string> {
  return new Set(notes.map(noteKey));
}

function notesOf(data: unknown): Note[] {
  const notes = typeof data === 'object' && data !== null && 'notes' in data ? data.notes : [];
  return Array.isArray(notes) ? notes.flatMap((each) => Note.safeParse(each).data ?? []) : [];
}

/** Returns the last line of a result's text before its notes: facts on one line; none without facts. */
export function closingLines(facts: readonly string[]): string[] {
  return facts.length === 0 ? [] : [`; ${facts.join(' · ')}`];
}

/** Returns a note if files that the image was started from have changed since. */
export function outdatedNotes({ outdatedBy }: Pick<Session, 'outdatedBy'>): Note[] {
  if (outdatedBy === null) return [];
  return [
    note(
      'image_outdated',
      `${outdatedBy} since this image was started.`,
      mention`${ours('load')} without arguments starts a new one that uses the change.`,
    ),
  ];
}
