/** Exports to a file that the user chooses: definitions, notebooks, history, and reports of final checks. */
import path from 'node:path';
import type { ParsedArgs, Result } from '../contract/contract';
import { HarborError } from '../contract/errors';
import type { HistoryFilter } from '../contract/history';
import type { Evaluation } from '../contract/model';
import type { Evaluations } from '../history/evaluations';
import type { History } from '../history/history';
import { finalCheckText } from '../sessions/export/final-check';
import { EXPORTS, notebookText } from '../sessions/export/history-exports';
import { sessionSource } from '../sessions/export/session-source';
import type { Session } from '../sessions/session/session';
import type { Words } from '../words/words';

/** The save dialog: its texts and the suggested path. */
export interface SaveDialog {
  title: string;
  suggested: string;
  /** Description of the content, as a sentence. */
  about: string;
  /** File types of the dialog. */
  files: { name: string; extensions: string[] };
}

/** Makes the dialog's texts in the user's language. */
export type SaveDialogTexts = (dialogs: Words['dialogs']) => SaveDialog;

/** The content to write, with an optional second file of the same name and another extension. */
export interface SavedText {
  text: string;
  companion?: { extension: string; text: string };
}

/**
 * Asks for the path and writes there. Returns the path, or null if the user cancels.
 * @throws HarborError `file_not_allowed` with the reason
 */
export type SaveText = (ask: SaveDialogTexts, saved: SavedText) => Promise<string | null>;

/**
 * Writes the definitions of a session. Returns the file and the number of definitions, or null if the user
 * cancels.
 * @throws HarborError as `sessionSource` and `SaveText` do
 */
export async function exportSession(
  session: Session,
  evaluations: Evaluations,
  saveText: SaveText,
): Promise<{ file: string; definitions: number } | null> {
  const { name, project } = session.identity;
  const { text, definitions, portcullis, extension } = await sessionSource(session, evaluations);
  const suggested = path.join(project, fileNameFor(name, extension));
  const ask: SaveDialogTexts = (dialogs) => ({
    title: dialogs.exportSession(name),
    suggested,
    about: dialogs.exportSessionAbout,
    files: { name: 'Lisp', extensions: ['lisp', 'clj', 'cljs'] },
  });
  const companion = portcullis === undefined ? {} : { companion: { extension: '.acl2', text: portcullis } };
  const file = await saveText(ask, { text, ...companion });
  return file === null ? null : { file, definitions };
}

/** Maximum number of evaluations in a notebook. More would make it slow to open. */
const MOST_CELLS = 2_000;

/**
 * Writes the evaluations of a session as a notebook. Returns the file and the number of evaluations, or null
 * if the user cancels.
 * @throws HarborError as `SaveText` does
 */
export async function exportNotebook(
  { id, identity: { name, project, engine } }: Session,
  evaluations: Evaluations,
  saveText: SaveText,
): Promise<{ file: string; evaluations: number } | null> {
  const rows = lastRows(id, evaluations);
  const ask: SaveDialogTexts = (dialogs) => ({
    title: dialogs.exportNotebook(name),
    suggested: path.join(project, fileNameFor(name, 'ipynb')),
    about: dialogs.exportNotebookAbout,
    files: { name: dialogs.formats.ipynb.name, extensions: ['ipynb'] },
  });
  const file = await saveText(ask, { text: notebookText(rows, engine) });
  return file === null ? null : { file, evaluations: rows.length };
}

/**
 * Writes the evaluations that match a filter. Returns the file, their number and the number of those that the
 * format cannot represent, or null if the user cancels.
 * @throws HarborError as `SaveText` does
 */
export async function exportHistory(
  { filter, format }: ParsedArgs<'history:export'>,
  history: History,
  project: string,
  saveText: SaveText,
): Promise<Result<'history:export'>> {
  const { fitting, text } = EXPORTS[format];
  const found = await newestOf(filter, history);
  const rows = fitting(found);
  const ask: SaveDialogTexts = ({ exportEvaluations, formats: { [format]: written } }) => ({
    title: exportEvaluations,
    suggested: path.join(project, fileNameFor('evaluations', format)),
    about: written.about,
    files: { name: written.name, extensions: [format] },
  });
  const file = await saveText(ask, { text: text(rows) });
  return file === null ? null : { file, evaluations: rows.length, left: found.length - rows.length };
}

/** Returns the newest rows that match the filter, oldest first. */
async function newestOf(filter: HistoryFilter, history: History): Promise<Evaluation[]> {
  const ids: number[] = [];
  for (let below: number | undefined; ids.length < MOST_CELLS; ) {
    const entries = await history.query('entries', { filter, page: { below, limit: 500 } });
    ids.push(...entries.flatMap(({ evaluation }) => (evaluation === null ? [] : [evaluation])));
    below = entries.at(-1)?.key;
    if (entries.length < 500) break;
  }
  const rows = ids.slice(0, MOST_CELLS).map((id) => history.evaluations.find(id));
  return rows.filter((row) => row !== null).reverse();
}

/**
 * Writes the report of a final check as text, with the data as JSON in a second file. Returns the file, or
 * null if the user cancels.
 * @throws HarborError `unknown_evaluation`, and as `SaveText` does
 */
export async function saveCheck(
  id: number,
  evaluations: Evaluations,
  saveText: SaveText,
): Promise<{ file: string } | null> {
  const row = evaluations.find(id);
  const report = row?.report?.finalCheck;
  if (!report) throw new HarborError('unknown_evaluation', `Evaluation ${id} has no final-check report.`);
  const ask: SaveDialogTexts = (dialogs) => ({
    title: dialogs.saveCheck,
    suggested: path.join(row.project, fileNameFor(`final check of ${report.claim ?? report.book}`, 'txt')),
    about: dialogs.saveCheckAbout,
    files: { name: dialogs.text, extensions: ['txt'] },
  });
  const data = `${JSON.stringify(report, null, 2)}\n`;
  const file = await saveText(ask, {
    text: `${finalCheckText(report)}\n`,
    companion: { extension: '.json', text: data },
  });
  return file === null ? null : { file };
}

/** Returns the last evaluations of a session, oldest first. */
function lastRows(session: string, evaluations: Evaluations): Evaluation[] {
  const rows: Evaluation[] = [];
  let before: number | null | undefined;
  while (before !== null && rows.length < MOST_CELLS) {
    const page = evaluations.page({ session, limit: 200, ...(before === undefined ? {} : { before }) });
    rows.push(...page.rows.map(({ id }) => evaluations.find(id)).filter((row) => row !== null));
    before = page.next;
  }
  return rows.reverse();
}

/** Returns a file name such as `tide tables.lisp`, without characters that some file systems refuse. */
export function fileNameFor(name: string, extension = 'lisp'): string {
  const plain = name
    .replace(/[\p{Cc}<>:"/\\|?*]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(/^[ .]+|[ .]+$/g, '');
  return `${plain === '' ? 'session' : plain}.${extension}`;
}
