/**
 * Notes of results: facts that are not part of a tool's answer, such as that a session is not sandboxed. All
 * results pass through `attachNotes`.
 * The data of a result always contains every note. The text contains a note once per image, and always on a
 * shared connection.
 */

import { HarborError } from '../contract/errors';
import { isSandboxNote } from '../contract/sandbox';
import type { Session } from '../sessions/session/session';
import { type TouchedImage, trackTouchedImages } from '../sessions/session/touched-images';
import type { ConversationState } from './conversation-state';
import { noted, type ToolResult } from './tool';

/**
 * Runs a call and adds the notes of every image that it touched.
 * @param conversation state of the caller's conversation
 * @param also further notes of the call
 * @throws HarborError as `work` does, with the unreported notes
 */
export function attachNotes(
  conversation: ConversationState,
  work: () => Promise<ToolResult>,
  also: readonly string[] = [],
): Promise<ToolResult> {
  return trackTouchedImages(async (touched) => {
    try {
      const result = await work();
      const images = [...touched.values(), ...imagesBefore(result, touched)];
      const notes = [...also, ...images.flatMap(({ sandboxNotes }) => sandboxNotes)];
      return withNotes(result, [...new Set(notes)], [...also, ...unreportedNotes(images, conversation)]);
    } catch (error) {
      if (!(error instanceof HarborError)) throw error;
      throw error.withMessage(error.message, [
        ...also,
        ...unreportedNotes([...touched.values()], conversation),
      ]);
    }
  });
}

function unreportedNotes(images: readonly TouchedImage[], conversation: ConversationState): string[] {
  const unreported = images.flatMap(({ id, generation, sandboxNotes }) =>
    sandboxNotes.filter(
      (note) => conversation.reportOnce(id, 'sandbox', `${generation} ${note}`) || conversation.isShared,
    ),
  );
  return [...new Set(unreported)];
}

/** Returns the notes of a record whose image has ended, so that the call did not touch it. */
function imagesBefore(
  { structured }: ToolResult,
  touched: ReadonlyMap<string, TouchedImage>,
): TouchedImage[] {
  const { session: id, evaluation } = structured;
  const sandboxNotes = [...notesOf(structured), ...notesOf(evaluation)].filter(isSandboxNote);
  if (typeof id !== 'string' || touched.has(id)) return [];
  return [{ id, generation: 0, sandboxNotes }];
}

/** Adds every note to the data, and the unreported ones as asides unless the text contains them. */
function withNotes(result: ToolResult, all: readonly string[], unreported: readonly string[]): ToolResult {
  const { structured, text, asides = [] } = result;
  if (all.length === 0) return result;
  const missing = all.filter((note) => !hasNote(structured, note));
  const others = asides.filter((aside) => !all.some((note) => aside === noted(note)));
  const added = unreported.filter((note) => !text.includes(note)).map(noted);
  const data =
    missing.length === 0 ? structured : { ...structured, notes: [...notesOf(structured), ...missing] };
  return { ...result, structured: data, asides: [...others, ...added] };
}

/**
 * Reports whether the data contains the note: as the sandbox of a session, or among the notes of the result
 * or its record.
 */
function hasNote(structured: Record<string, unknown>, note: string): boolean {
  const { sandbox, evaluation } = structured;
  return sandbox === note || notesOf(structured).includes(note) || notesOf(evaluation).includes(note);
}

function notesOf(data: unknown): string[] {
  const notes = typeof data === 'object' && data !== null && 'notes' in data ? data.notes : [];
  return Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : [];
}

/** Returns the last lines of a result's text: facts on one line, then a line for each note. */
export function closingLines(facts: readonly string[], notes: readonly string[] = []): string[] {
  return [
    ...(facts.length === 0 ? [] : [`; ${facts.join(' · ')}`]),
    ...notes.map((note) => `; note: ${note}`),
  ];
}

/** Returns a note if files that the image was started from have changed since. */
export function outdatedNotes({ outdatedBy }: Pick<Session, 'outdatedBy'>): string[] {
  return outdatedBy === null
    ? []
    : [
        `${outdatedBy} since this image was started. \`load\` without arguments starts a new one that uses the change.`,
      ];
}
