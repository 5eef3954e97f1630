/**
 * The answer of a call, with what must be told of the images that it has asked: the one place through which all answers go. The
 * data says it every time; the text says it once of each image, and always where nobody knows who has heard it.
 */
import { HarborError } from '../contract/errors';
import { isSandboxNote } from '../contract/sandbox-note';
import { type AskedImage, asOneCall } from '../sessions/session/asked-images';
import type { Told } from './told';
import { noted, type ToolResult } from './tool';

/** @param told what the caller's conversation has been told
 * @param also what else is to be noted of the call
 * @throws HarborError as `work` does, with the notes that are news */
export function answered(
  told: Told,
  work: () => Promise<ToolResult>,
  also: readonly string[] = [],
): Promise<ToolResult> {
  return asOneCall(async (asked) => {
    try {
      const result = await work();
      const images = [...asked.values(), ...imagesBefore(result, asked)];
      const notes = [...also, ...images.flatMap(({ sandboxNotes }) => sandboxNotes)];
      return withNotes(result, [...new Set(notes)], [...also, ...newsOf(images, told)]);
    } catch (error) {
      if (!(error instanceof HarborError)) throw error;
      throw error.saying(error.message, [...also, ...newsOf([...asked.values()], told)]);
    }
  });
}

function newsOf(images: readonly AskedImage[], told: Told): string[] {
  const news = images.flatMap(({ id, generation, sandboxNotes }) =>
    sandboxNotes.filter((note) => told.isNews(id, 'sandbox', `${generation} ${note}`) || told.isShared),
  );
  return [...new Set(news)];
}

/** What a record says of an image that has ended meanwhile, so that nobody has asked it. */
function imagesBefore({ structured }: ToolResult, asked: ReadonlyMap<string, AskedImage>): AskedImage[] {
  const { session: id, evaluation } = structured;
  const sandboxNotes = [...notesOf(structured), ...notesOf(evaluation)].filter(isSandboxNote);
  if (typeof id !== 'string' || asked.has(id)) return [];
  return [{ id, generation: 0, sandboxNotes }];
}

/** Each stands in the data, and what is news beside the text, unless the text says it. */
function withNotes(result: ToolResult, all: readonly string[], news: readonly string[]): ToolResult {
  const { structured, text, asides = [] } = result;
  if (all.length === 0) return result;
  const untold = all.filter((note) => !tells(structured, note));
  const others = asides.filter((aside) => !all.some((note) => aside === noted(note)));
  const beside = news.filter((note) => !text.includes(note)).map(noted);
  const data =
    untold.length === 0 ? structured : { ...structured, notes: [...notesOf(structured), ...untold] };
  return { ...result, structured: data, asides: [...others, ...beside] };
}

/** A result that is about a session tells its sandbox; one that shows a record has the record's notes. */
function tells(structured: Record<string, unknown>, note: string): boolean {
  const { sandbox, evaluation } = structured;
  return sandbox === note || notesOf(structured).includes(note) || notesOf(evaluation).includes(note);
}

function notesOf(data: unknown): string[] {
  const notes = typeof data === 'object' && data !== null && 'notes' in data ? data.notes : [];
  return Array.isArray(notes) ? notes.filter((note) => typeof note === 'string') : [];
}
