/** The answer of a call, with what must be told of the images that it has asked: the one place through which all answers go. */
import { HarborError } from '../contract/errors';
import { asOneCall } from '../sessions/session/asked-images';
import { noted, type ToolResult } from './tool';

/** @param also what else is to be noted
 * @throws HarborError as `work` does, with the notes */
export function answered(work: () => Promise<ToolResult>, also: readonly string[] = []): Promise<ToolResult> {
  return asOneCall(async (notes) => {
    try {
      return withNotes(await work(), [...also, ...notes]);
    } catch (error) {
      if (!(error instanceof HarborError)) throw error;
      throw new HarborError(error.code, error.message, [...also, ...notes]);
    }
  });
}

/** Each stands in the data, and in a text of our own, or beside a text whose form another system has fixed. */
function withNotes(result: ToolResult, notes: readonly string[]): ToolResult {
  const { structured, asides } = result;
  const untold = notes.filter((note) => !tells(structured, note));
  const beside = (asides ? notes : untold).map(noted).filter((note) => !asides?.includes(note));
  if (beside.length === 0) return result;
  const data =
    untold.length === 0 ? structured : { ...structured, notes: [...notesOf(structured), ...untold] };
  return { ...result, structured: data, asides: [...(asides ?? []), ...beside] };
}

/** A result that is about a session tells its sandbox; one that shows a record has the record's notes. */
function tells(structured: Record<string, unknown>, note: string): boolean {
  const { sandbox, evaluation } = structured;
  return sandbox === note || notesOf(structured).includes(note) || notesOf(evaluation).includes(note);
}

function notesOf(data: unknown): unknown[] {
  const notes = typeof data === 'object' && data !== null && 'notes' in data ? data.notes : [];
  return Array.isArray(notes) ? notes : [];
}
