/** Writes what a session has defined into a source file of a person's choice. */
import path from 'node:path';
import type { Evaluations } from '../history/evaluations';
import { sessionSource } from '../sessions/export';
import type { Session } from '../sessions/session';
import { fileNameFor } from './file-name';

/** Where a text is to be saved: what the person is asked, and the path that is shown first. */
export interface SaveQuestion {
  title: string;
  suggested: string;
}

/** What is written: a file, and perhaps another one of the same name beside it. */
export interface SavedText {
  text: string;
  beside?: { extension: string; text: string };
}

/** Asks where, and writes there; answers the path, or null when the person cancelled.
 * @throws HarborError `file_not_allowed` with why it cannot be written */
export type SaveText = (question: SaveQuestion, saved: SavedText) => Promise<string | null>;

/** The file and how many definitions it has, or null when the person cancelled.
 * @throws HarborError as `sessionSource` and `SaveText` do */
export async function exportSession(
  session: Session,
  evaluations: Evaluations,
  saveText: SaveText,
): Promise<{ file: string; definitions: number } | null> {
  const { name, project } = session.identity;
  const { text, definitions, portcullis, extension } = await sessionSource(session, evaluations);
  const suggested = path.join(project, fileNameFor(name, extension));
  const question = { title: `Export session ${name}`, suggested };
  const beside = portcullis === undefined ? {} : { beside: { extension: '.acl2', text: portcullis } };
  const file = await saveText(question, { text, ...beside });
  return file === null ? null : { file, definitions };
}
